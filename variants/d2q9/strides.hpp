#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "harness/parallel.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {

/// How far apart in memory the numbers of a lattice are that are next to each other in x, y and direction.
struct Strides {
  std::size_t x, y, q;

  [[nodiscard]] std::size_t at(int i, int x_, int y_) const {
    return static_cast<std::size_t>(x_) * x + static_cast<std::size_t>(y_) * y + static_cast<std::size_t>(i) * q;
  }
};

/// f[y][x][9].
inline Strides array_of_structures(const Case& c) { return {9, 9 * static_cast<std::size_t>(c.nx), 1}; }
/// f[9][y][x].
inline Strides structure_of_arrays(const Case& c) {
  return {1, static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.cells())};
}

/// f[9][y][pitch]: as structure_of_arrays, each row padded to whole cache lines and whole vectors of `width` numbers.
template <class real>
Strides padded_rows(const Case& c, int width = 1) {
  const std::size_t line = std::max(std::size_t{64} / sizeof(real), static_cast<std::size_t>(width));
  const std::size_t pitch = (static_cast<std::size_t>(c.nx) + line - 1) / line * line;
  return {1, pitch, pitch * static_cast<std::size_t>(c.ny)};
}

/// The initial state of a case as a lattice of `size` numbers; those that belong to no cell are NaN.
template <class real>
ladder::Numbers<real> initial_numbers(const Case& c, const Strides& strides, std::size_t size) {
  ladder::Numbers<real> numbers(size);
  ladder::in_parts(std::ssize(numbers), ladder::worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    std::fill(numbers.begin() + first, numbers.begin() + last, std::numeric_limits<real>::quiet_NaN());
  });
  ladder::in_parts(c.ny, ladder::worth_a_thread / (q * c.nx), [&](std::int64_t first, std::int64_t last) {
    for (int i = 0; i < q; ++i)
      for (auto y = static_cast<int>(first); y < last; ++y)
        for (int x = 0; x < c.nx; ++x)
          numbers[strides.at(i, x, y)] = static_cast<real>(c.initial(i, x, y));
  });
  return numbers;
}

/// Copies the populations of a lattice to `out`.
template <class real>
void copy_populations(const Case& c, std::span<const real> numbers, const Strides& strides, ladder::Populations& out) {
  ladder::in_parts(c.ny, ladder::worth_a_thread / (q * c.nx), [&](std::int64_t first, std::int64_t last) {
    for (int i = 0; i < q; ++i)
      for (auto y = static_cast<int>(first); y < last; ++y)
        for (int x = 0; x < c.nx; ++x)
          out.at(i, std::int64_t{y} * c.nx + x) = numbers[strides.at(i, x, y)];
  });
}

}  // namespace d2q9
