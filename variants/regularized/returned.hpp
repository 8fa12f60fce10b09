#pragma once

#include <cstdint>
#include <utility>

#include "variants/regularized/moments.hpp"

/// Boundaries halfway between a fluid cell and a cell that is not fluid: which populations come back from there, and what they
/// add to the sums for the collision.
///
/// The populations that a fluid cell receives from boundary cells follow from those that it sent there, and thus from its own
/// ten coefficients. They are also a quadratic polynomial in the velocity, so a boundary cell looks like a cell with ten
/// coefficients, but different ones for each of its neighbours. Boundary cells hold zeros, so they contribute nothing if
/// streaming ignores the kinds of cells, and what comes back only has to be added.
namespace regularized {

/// Kinds of cells in Case::solid. 0 is fluid; kinds not listed here count as walls.
struct Kind {
  static constexpr int wall = 1;      ///< at rest, no slip
  static constexpr int velocity = 2;  ///< moves along x at the case's speed: inflow, moving walls
  static constexpr int pressure = 4;  ///< density 1: outflow
};

/// The populations that a fluid cell receives from boundary cells: bit i stands for population i.
struct Links {
  static constexpr int kinds = 3;

  std::uint32_t from[kinds] = {0, 0, 0};  ///< for each kind, in this order: wall, velocity, pressure
};

/// Sets `back` to the coefficients of the populations that come back from boundary cells of this `kind` to a cell with
/// coefficients k. In terms of the velocity c with which they arrive, bounce-back changes the sign of the odd part. A boundary
/// that moves at `speed` along x adds 6 w c_x speed: A. Ladd, J. Fluid Mech. 271 (1994) 285. A boundary with density 1 changes
/// the sign of the even part instead, and adds twice the even part of the equilibrium at this density: I. Ginzburg, F.
/// Verhaeghe, D. d'Humieres, Commun. Comput. Phys. 3 (2008) 427, section 5.
template <class real>
REGULARIZED_INLINE void return_from(int kind, const real* k, real speed, real* back) {
  const real even = kind == Kind::pressure ? real{-1} : real{1};
  back[0] = even * k[0];
  for (int n = 1; n <= 3; ++n)
    back[n] = -even * k[n];
  for (int n = 4; n < numbers; ++n)
    back[n] = even * k[n];
  const real e = static_cast<real>(edge);
  if (kind == Kind::velocity) back[1] += 6 * e * speed;
  if (kind != Kind::pressure) return;
  const real excess = k[0] / e + (k[4] + k[5] + k[6]) / (3 * e);
  const real scale = 1 / (3 * e * (1 + excess));  // from the odd coefficients to the velocity
  const real x = scale * k[1], y = scale * k[2], z = scale * k[3];
  back[0] -= 3 * e * (x * x + y * y + z * z);
  back[4] += 9 * e * x * x;
  back[5] += 9 * e * y * y;
  back[6] += 9 * e * z * z;
  back[7] += 18 * e * x * y;
  back[8] += 18 * e * x * z;
  back[9] += 18 * e * y * z;
}

/// The populations whose velocity along `axis` (0: x, 1: y, 2: z) is `sign`, 1 or -1: all those that come back from a plane
/// perpendicular to it.
constexpr std::uint32_t from_plane(int axis, int sign) {
  std::uint32_t bits = 0;
  for (int i = 1; i < q; ++i) {
    const lattice::Velocity c = Lattice::c(i);
    if ((axis == 0 ? c.x : axis == 1 ? c.y : c.z) == sign) bits |= std::uint32_t{1} << i;
  }
  return bits;
}

/// The sets of all six planes.
using FromPlanes = std::integer_sequence<std::uint32_t, from_plane(0, 1), from_plane(0, -1), from_plane(1, 1),
                                         from_plane(1, -1), from_plane(2, 1), from_plane(2, -1)>;

namespace detail {

/// As add_populations(), for the directions with bits in `candidates`.
template <std::uint32_t candidates, class real>
REGULARIZED_INLINE void add_populations_of(const real* k, std::uint32_t which, real* s) {
  regularized::for_each_direction([&](auto c) {
    using C = decltype(c);
    if constexpr ((candidates >> C::index & 1) != 0) {
      if ((which >> C::index & 1) == 0) return;
      const real f = population(k, c);
      s[0] += f;
      s[1] = plus<C::x>(s[1], f);
      s[2] = plus<C::y>(s[2], f);
      s[3] = plus<C::z>(s[3], f);
      s[4] = plus<C::x * C::x>(s[4], f);
      s[5] = plus<C::y * C::y>(s[5], f);
      s[6] = plus<C::z * C::z>(s[6], f);
      s[7] = plus<C::x * C::y>(s[7], f);
      s[8] = plus<C::x * C::z>(s[8], f);
      s[9] = plus<C::y * C::z>(s[9], f);
    }
  });
}

template <class real, std::uint32_t... plane>
REGULARIZED_INLINE void add_populations(const real* k, std::uint32_t which, real* s,
                                        std::integer_sequence<std::uint32_t, plane...>) {
  const bool is_plane = ((which == plane && (add_populations_of<plane>(k, plane, s), true)) || ...);
  if (!is_plane) add_populations_of<~std::uint32_t{0}>(k, which, s);
}

}  // namespace detail

/// Adds the populations with coefficients k whose bits are set in `which` to the sums s for the collision. Next to an
/// axis-aligned plane, many cells share the same set, so its bits need not be tested one by one.
template <class real>
REGULARIZED_INLINE void add_populations(const real* k, std::uint32_t which, real* s) {
  detail::add_populations(k, which, s, FromPlanes{});
}

/// Adds what comes back from the boundary cells around a cell with coefficients k to the sums s over what arrives in it.
template <class real>
REGULARIZED_INLINE void add_returned(const Links& links, const real* k, real speed, real* s) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // few cells get here; unrolling would triple the code
#endif
  for (int n = 0; n < Links::kinds; ++n) {
    if (links.from[n] == 0) continue;
    real back[numbers];
    return_from(1 << n, k, speed, back);
    add_populations(back, links.from[n], s);
  }
}

static_assert(Kind::wall == 1 << 0 && Kind::velocity == 1 << 1 && Kind::pressure == 1 << 2);

}  // namespace regularized
