#pragma once

#include <type_traits>
#include <utility>

#include "variants/regularized/model.hpp"

#if defined(__CUDACC__)
#define REGULARIZED_INLINE __host__ __device__ __forceinline__
#define REGULARIZED_ANY_CALLABLE _Pragma("nv_exec_check_disable")
#else
#define REGULARIZED_INLINE [[gnu::always_inline]] inline
#define REGULARIZED_ANY_CALLABLE
#endif

/// Expands the ten coefficients of a cell (collide.h) into the populations that leave it, and sums the populations that arrive
/// for the collision. `real` is float, double, a vector of them, or the counting type.
namespace regularized {

/// Weight of a direction toward the edge of a cube, between two axes.
inline constexpr double edge = Lattice::weight(7);

/// The index of a velocity in the lattice; q if the lattice lacks it.
constexpr int index_of(lattice::Velocity c) {
  int i = 0;
  while (i < q && !(Lattice::c(i) == c))
    ++i;
  return i;
}

/// A direction as a type, so that everything about it is known at compile time.
template <int cx, int cy, int cz>
struct Direction {
  static constexpr int x = cx, y = cy, z = cz, index = index_of({cx, cy, cz});
  static constexpr bool exists = index < q;
  /// Its weight relative to that of an edge: a multiple of 1/4, without the rounding error of the quotient.
  static constexpr double ratio = exists ? static_cast<int>(4 * Lattice::weight(index) / edge + 0.5) / 4.0 : 0;
  LBM_ANYWHERE constexpr Direction<-cx, -cy, -cz> operator-() const { return {}; }
};

namespace detail {

REGULARIZED_ANY_CALLABLE
template <class Visit, int... n>
REGULARIZED_INLINE void for_each_direction(const Visit& visit, std::integer_sequence<int, n...>) {
  const auto visit_existing = [&](auto c) {
    if constexpr (decltype(c)::exists) visit(c);
  };
  (visit_existing(Direction<n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1>{}), ...);
}

/// value * factor, without multiplying by 1.
template <class real, class C>
REGULARIZED_INLINE real weighted(const real& value, C) {
  if constexpr (C::ratio == 1)
    return value;
  else
    return static_cast<real>(C::ratio) * value;
}

/// sum + sign * value for a sign of -1, 0 or 1.
template <int sign, class real>
REGULARIZED_INLINE real plus(const real& sum, const real& value) {
  if constexpr (sign > 0)
    return sum + value;
  else if constexpr (sign < 0)
    return sum - value;
  else
    return sum;
}

}  // namespace detail

/// Calls visit(Direction) for each direction of the lattice.
REGULARIZED_ANY_CALLABLE
template <class Visit>
REGULARIZED_INLINE void for_each_direction(const Visit& visit) {
  detail::for_each_direction(visit, std::make_integer_sequence<int, 27>{});
}

/// The population that leaves a cell with coefficients k in direction c, minus its weight.
template <class real, class C>
REGULARIZED_INLINE real population(const real* k, C c) {
  using detail::plus;
  real p = plus<C::x>(plus<C::y>(plus<C::z>(k[0], k[3]), k[2]), k[1]);
  p = plus<C::x * C::x>(plus<C::y * C::y>(plus<C::z * C::z>(p, k[6]), k[5]), k[4]);
  p = plus<C::x * C::y>(plus<C::x * C::z>(plus<C::y * C::z>(p, k[9]), k[8]), k[7]);
  return detail::weighted(p, c);
}

/// Calls put(c, f) for all populations f that leave a cell with coefficients k, minus their weights. Those in opposite
/// directions share the even part of the polynomial and, up to its sign, the odd part.
REGULARIZED_ANY_CALLABLE
template <class real, class Put>
REGULARIZED_INLINE void expand(const real* k, const Put& put) {
  using detail::plus;
  put(Direction<0, 0, 0>{}, detail::weighted(k[0], Direction<0, 0, 0>{}));
  for_each_direction([&](auto c) {
    using C = decltype(c);
    // One direction of each pair: up, or else to the east, or else north. The sign of the terms in x and y together is that of
    // x (or y), so that pairs share these terms as well.
    if constexpr (C::z > 0 || (C::z == 0 && (C::x > 0 || (C::x == 0 && C::y > 0)))) {
      constexpr int xy = C::x * C::y, first = C::x != 0 ? C::x : C::y;
      real even = plus<C::x * C::x>(k[0], k[4]);
      even = plus<C::z * C::z>(plus<C::y * C::y>(even, k[5]), k[6]);
      even = plus<xy>(even, k[7]);
      real odd = k[3];
      if constexpr (first != 0) {
        const real along = C::x != 0 ? plus<xy>(k[1], k[2]) : k[2];
        const real across = C::x != 0 ? plus<xy>(k[8], k[9]) : k[9];
        odd = C::z == 0 ? along : plus<first>(k[3], along);
        even = plus<C::z * first>(even, across);
      }
      put(c, detail::weighted(even + odd, c));
      put(-c, detail::weighted(even - odd, -c));
    }
  });
}

/// Sums over populations that arrive from one plane: of 1, cx, cy, cx^2, cy^2 and cx cy. `xy` is not used by D3Q19 outside the
/// plane z = 0, where it has no such directions.
template <class real>
struct PlaneSums {
  real all, x, y, xx, yy, xy;
};

/// The sums over the populations with c_z = `cz`; at(Direction) is the one that arrives in that direction.
REGULARIZED_ANY_CALLABLE
template <int cz, class At>
REGULARIZED_INLINE auto sum_plane(const At& at) {
  const auto rest = at(Direction<0, 0, cz>{});
  const auto east = at(Direction<1, 0, cz>{}), west = at(Direction<-1, 0, cz>{});
  const auto north = at(Direction<0, 1, cz>{}), south = at(Direction<0, -1, cz>{});
  PlaneSums<std::remove_const_t<decltype(rest)>> sums;
  sums.xx = east + west;
  sums.yy = north + south;
  sums.all = rest + sums.xx + sums.yy;
  sums.x = east - west;
  sums.y = north - south;
  if constexpr (Direction<1, 1, cz>::exists) {
    const auto north_east = at(Direction<1, 1, cz>{}), south_west = at(Direction<-1, -1, cz>{});
    const auto south_east = at(Direction<1, -1, cz>{}), north_west = at(Direction<-1, 1, cz>{});
    const auto rising = north_east + south_west, falling = south_east + north_west;
    const auto up = north_east - south_west, down = south_east - north_west;
    const auto diagonals = rising + falling;
    sums.xy = rising - falling;
    sums.all = sums.all + diagonals;
    sums.xx = sums.xx + diagonals;
    sums.yy = sums.yy + diagonals;
    sums.x = sums.x + (up + down);
    sums.y = sums.y + (up - down);
  }
  return sums;
}

/// level + up, for the populations that arrive in one cell.
template <class real>
REGULARIZED_INLINE PlaneSums<real> add_planes(const PlaneSums<real>& level, const PlaneSums<real>& up) {
  PlaneSums<real> sums{level.all + up.all, level.x + up.x, level.y + up.y, level.xx + up.xx, level.yy + up.yy, level.xy};
  if constexpr (Direction<1, 1, 1>::exists) sums.xy = level.xy + up.xy;
  return sums;
}

/// The sums s[10] for the collision, from those over populations that come up, that come up or stay level, and that come down.
template <class real>
REGULARIZED_INLINE void add_planes(const PlaneSums<real>& up, const PlaneSums<real>& up_and_level, const PlaneSums<real>& down,
                                   real* s) {
  const PlaneSums<real> all = add_planes(up_and_level, down);
  s[0] = all.all;
  s[1] = all.x;
  s[2] = all.y;
  s[3] = up.all - down.all;
  s[4] = all.xx;
  s[5] = all.yy;
  s[6] = up.all + down.all;
  s[7] = all.xy;
  s[8] = up.x - down.x;
  s[9] = up.y - down.y;
}

/// The sums for a column of cells, whose populations arrive plane by plane.
template <class real>
class Arrivals {
 public:
  /// Takes the populations that left plane z: those that go down to plane z - 1, stay, and go up to plane z + 1. Sets s[10] to
  /// the sums of the cell in plane z - 1, which are then complete.
  REGULARIZED_INLINE void add(const PlaneSums<real>& down, const PlaneSums<real>& level, const PlaneSums<real>& up, real* s) {
    add_planes(from_below_, cell_, down, s);
    cell_ = add_planes(level, going_up_);
    from_below_ = going_up_;
    going_up_ = up;
  }

 private:
  PlaneSums<real> cell_{};        // of the last plane's cell, without what comes down to it
  PlaneSums<real> from_below_{};  // the part of it that came up
  PlaneSums<real> going_up_{};    // populations that go up from the last plane
};

/// Relaxation with rate omega: the constants of regularized_collide().
template <class real>
struct Relaxation {
  real keep, gain;

  LBM_ANYWHERE explicit constexpr Relaxation(double omega)
      : keep(static_cast<real>(4.5 * edge * (1 - omega))), gain(static_cast<real>(4.5 * edge * omega)) {}

  /// From the sums over the populations that arrive to the coefficients of those that leave.
  template <class T>
  REGULARIZED_INLINE void operator()(const T* s, T* k) const {
    regularized_collide<T>(s, k, keep, gain, static_cast<T>(edge));
  }
};

/// Regularized BGK on the populations of a cell (minus their weights), in the order of the lattice.
template <class real>
REGULARIZED_INLINE void collide_populations(real* f, const Relaxation<real>& relaxation) {
  const auto at = [&](auto c) { return f[decltype(c)::index]; };
  const auto down = sum_plane<-1>(at), level = sum_plane<0>(at), up = sum_plane<1>(at);
  real k[numbers];
  add_planes(up, add_planes(level, up), down, k);
  relaxation(k, k);
  expand(k, [&](auto c, real value) { f[decltype(c)::index] = value; });
}

/// Coefficients of the projection of the populations f[q] (collide.h).
REGULARIZED_INLINE void project(const double* f, double* k) {
  const auto at = [&](auto c) {
    constexpr double weight = Lattice::weight(decltype(c)::index);
    return f[decltype(c)::index] - weight;
  };
  const auto down = sum_plane<-1>(at), level = sum_plane<0>(at), up = sum_plane<1>(at);
  add_planes(up, add_planes(level, up), down, k);
  const Relaxation<double> none(0);
  none(k, k);
}

/// The populations with coefficients k: the inverse of project().
REGULARIZED_INLINE void populations_of(const double* k, double* f) {
  expand(k, [&](auto c, double value) {
    constexpr double weight = Lattice::weight(decltype(c)::index);
    f[decltype(c)::index] = weight + value;
  });
}

}  // namespace regularized
