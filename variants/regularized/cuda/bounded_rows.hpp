#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "variants/regularized/cuda/bounded.hpp"
#include "variants/regularized/cuda/rows.hpp"

/// Obstacles in kernels whose warps own rows. Populations that return from boundaries are computed as soon as a cell's
/// coefficients are known, and added to the partial sums that still lack the plane above.
namespace regularized {

/// Codes that directly identify the populations returning to cells next to a flat boundary.
struct FlatCodes {
  static constexpr unsigned planes = FromPlanes::size();
  static constexpr unsigned first = 2;  ///< `first` + `planes` * kind (as in Links) + index in FromPlanes
  /// Codes of all other cells near boundaries are `others` + the code in Neighbourhoods.
  static constexpr unsigned others = first + planes * Links::kinds;

  static std::vector<std::uint32_t> of(const Neighbourhoods& around) {
    std::vector<std::uint32_t> translated = {Neighbourhoods::plain, Neighbourhoods::solid};
    for (unsigned code = first; code < around.links.size(); ++code)
      translated.push_back(translate(code, around.links[code], FromPlanes{}));
    std::vector<std::uint32_t> codes = around.codes;
    for (std::uint32_t& code : codes)
      code = translated[code];
    return codes;
  }

 private:
  template <std::uint32_t... plane>
  static unsigned translate(unsigned code, const Links& links, std::integer_sequence<std::uint32_t, plane...>) {
    unsigned flat = first;
    for (unsigned kind = 0; kind < Links::kinds; ++kind)
      for (const std::uint32_t set : {plane...}) {
        Links only;
        only.from[kind] = set;
        if (std::ranges::equal(only.from, links.from)) return flat;
        ++flat;
      }
    return code + others;
  }
};
static_assert(Neighbourhoods::plain == 0 && Neighbourhoods::solid == 1 && FlatCodes::first == 2);

/// Contribution of a set of directions to the sums for the collision: sum n grows by `of[n][m]` times coefficient m, for each
/// m. The matrix is symmetric: `of[n][m]` is the sum, over the set, of the weight times polynomials n and m.
struct SumsOfSet {
  double of[numbers][numbers] = {};
  int twin[numbers] = {};  ///< the first row that equals row n up to its sign
  int sign[numbers] = {};  ///< row n is `sign` times its twin

  explicit constexpr SumsOfSet(std::uint32_t set) {
    for (int i = 1; i < q; ++i) {
      if ((set >> i & 1) == 0) continue;
      const lattice::Velocity c = Lattice::c(i);
      const int polynomials[numbers] = {1, c.x, c.y, c.z, c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
      const double weight = static_cast<int>(4 * Lattice::weight(i) / edge + 0.5) / 4.0;  // as Direction::ratio
      for (int n = 0; n < numbers; ++n)
        for (int m = 0; m < numbers; ++m)
          of[n][m] += weight * polynomials[n] * polynomials[m];
    }
    for (int n = 0; n < numbers; ++n)
      for (int row = n; row >= 0; --row)
        for (const int factor : {-1, 1}) {
          bool is_multiple = true;
          for (int m = 0; m < numbers; ++m)
            is_multiple = is_multiple && of[n][m] == factor * of[row][m];
          if (!is_multiple) continue;
          twin[n] = row;
          sign[n] = factor;
        }
  }
};

namespace detail {

template <std::uint32_t set>
inline constexpr SumsOfSet sums_of(set);

/// Calls visit(std::integral_constant<int, n>) for n = 0 … numbers - 1.
template <class Visit, int... n>
__device__ __forceinline__ void for_each_number(const Visit& visit, std::integer_sequence<int, n...>) {
  (visit(std::integral_constant<int, n>{}), ...);
}
template <class Visit>
__device__ __forceinline__ void for_each_number(const Visit& visit) {
  for_each_number(visit, std::make_integer_sequence<int, numbers>{});
}

/// Expands the populations of a compile-time set from coefficients k and adds them to the sums s.
template <std::uint32_t set, class real>
__device__ __forceinline__ void add_set(const real* k, real* s) {
  real sums[numbers] = {};
  for_each_number([&](auto row) {
    constexpr int n = decltype(row)::value, twin = sums_of<set>.twin[n], sign = sums_of<set>.sign[n];
    if constexpr (twin == n)
      for_each_number([&](auto column) {
        constexpr int m = decltype(column)::value;
        constexpr double factor = sums_of<set>.of[n][m];
        if constexpr (factor != 0) sums[n] += static_cast<real>(factor) * k[m];
      });
    s[n] = plus<sign>(s[n], sums[twin]);
  });
}
template <class real, std::uint32_t... set>
__device__ __forceinline__ void add_one_set(unsigned number, const real* k, real* s,
                                            std::integer_sequence<std::uint32_t, set...>) {
  unsigned n = 0;
  ((number == n++ && (add_set<set>(k, s), true)) || ...);
}

}  // namespace detail

/// Adds the populations that return to a cell to the sums s. k are the cell's coefficients; `code` is one of FlatCodes, but
/// not plain or solid.
template <class real>
__device__ __forceinline__ void add_coded(unsigned code, const Links* links, const real* k, real speed, real* s) {
  real back[numbers];
  if (code < FlatCodes::others) {
    const unsigned number = code - FlatCodes::first;
    if (number < 2 * FlatCodes::planes) {
      return_from(Kind::wall, k, speed, back);
      if (number >= FlatCodes::planes) back[1] += static_cast<real>(6 * edge) * speed;
    } else {
      return_from(Kind::pressure, k, speed, back);
    }
    detail::add_one_set(number % FlatCodes::planes, back, s, FromPlanes{});
    return;
  }
#pragma unroll 1  // few cells get here
  for (int kind = 0; kind < Links::kinds; ++kind) {
    const std::uint32_t which = links[code - FlatCodes::others].from[kind];
    if (which == 0) continue;
    return_from(1 << kind, k, speed, back);
    detail::add_populations_of<~std::uint32_t{0}>(back, which, s);
  }
}
static_assert(Kind::wall == 1 && Kind::velocity == 2 && Kind::pressure == 4);

/// Like Arrivals, but also accepts populations that return from boundaries.
template <class real>
class OpenArrivals {
 public:
  __device__ __forceinline__ void add(const PlaneSums<real>& down, const PlaneSums<real>& level, const PlaneSums<real>& up,
                                      real* s) {
    s[0] = cell_[0] + down.all;
    s[1] = cell_[1] + down.x;
    s[2] = cell_[2] + down.y;
    s[3] = cell_[3] - down.all;
    s[4] = cell_[4] + down.xx;
    s[5] = cell_[5] + down.yy;
    s[6] = cell_[6] + down.all;
    s[7] = cell_[7];
    if constexpr (has_diagonals<1>) s[7] += down.xy;
    s[8] = cell_[8] - down.x;
    s[9] = cell_[9] - down.y;
    const PlaneSums<real> both = add_planes(level, going_up_);
    cell_[0] = both.all;
    cell_[1] = both.x;
    cell_[2] = both.y;
    cell_[3] = going_up_.all;
    cell_[4] = both.xx;
    cell_[5] = both.yy;
    cell_[6] = going_up_.all;
    cell_[7] = both.xy;
    cell_[8] = going_up_.x;
    cell_[9] = going_up_.y;
    going_up_ = up;
  }
  /// Adds the sums of further populations that arrive in this cell of the plane last passed to add().
  __device__ __forceinline__ void add_returned(const real* sums) {
#pragma unroll
    for (int n = 0; n < numbers; ++n)
      cell_[n] += sums[n];
  }

 private:
  real cell_[numbers] = {};     // of the cell in the last plane, without the plane above
  PlaneSums<real> going_up_{};  // populations that go up from the last plane
};

}  // namespace regularized
