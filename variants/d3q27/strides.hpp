#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "harness/parallel.hpp"
#include "variants/d3q27/model.hpp"

namespace d3q27 {

/// How far apart in memory the numbers of a lattice are that are next to each other in x, y, z and direction.
struct Strides {
  std::size_t x, y, z, q;

  [[nodiscard]] std::size_t at(int i, int x_, int y_, int z_) const {
    return static_cast<std::size_t>(x_) * x + static_cast<std::size_t>(y_) * y + static_cast<std::size_t>(z_) * z +
           static_cast<std::size_t>(i) * q;
  }
};

/// f[z][y][x][27].
inline Strides array_of_structures(const Case& c) {
  const std::size_t row = 27 * static_cast<std::size_t>(c.nx);
  return {27, row, row * static_cast<std::size_t>(c.ny), 1};
}
/// f[27][z][y][x].
inline Strides structure_of_arrays(const Case& c) {
  const auto row = static_cast<std::size_t>(c.nx);
  return {1, row, row * static_cast<std::size_t>(c.ny), static_cast<std::size_t>(c.cells())};
}

/// f[27][z][y][pitch]: as structure_of_arrays, each row padded to whole lines of a GPU's cache.
template <class real>
Strides padded_rows(const Case& c) {
  constexpr std::size_t line = 128 / sizeof(real);
  const std::size_t pitch = (static_cast<std::size_t>(c.nx) + line - 1) / line * line;
  const std::size_t plane = pitch * static_cast<std::size_t>(c.ny);
  return {1, pitch, plane, plane * static_cast<std::size_t>(c.nz)};
}

/// The initial state of a case as a lattice of `size` numbers; those that belong to no cell are NaN.
template <class real>
ladder::Numbers<real> initial_numbers(const Case& c, const Strides& strides, std::size_t size) {
  ladder::Numbers<real> numbers(size);
  ladder::in_parts(std::ssize(numbers), ladder::worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    std::fill(numbers.begin() + first, numbers.begin() + last, std::numeric_limits<real>::quiet_NaN());
  });
  const std::int64_t plane = std::int64_t{q} * c.nx * c.ny;
  ladder::in_parts(c.nz, ladder::worth_a_thread / plane, [&](std::int64_t first, std::int64_t last) {
    for (auto z = static_cast<int>(first); z < last; ++z)
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const auto site = c.initial(x, y, z);
          for (int i = 0; i < q; ++i)
            numbers[strides.at(i, x, y, z)] = static_cast<real>(site[static_cast<std::size_t>(i)]);
        }
  });
  return numbers;
}

/// Copies the populations of a lattice to `out`.
template <class real>
void copy_populations(const Case& c, std::span<const real> numbers, const Strides& strides, ladder::Populations& out) {
  const std::int64_t plane = std::int64_t{q} * c.nx * c.ny;
  ladder::in_parts(c.nz, ladder::worth_a_thread / plane, [&](std::int64_t first, std::int64_t last) {
    for (int i = 0; i < q; ++i)
      for (auto z = static_cast<int>(first); z < last; ++z)
        for (int y = 0; y < c.ny; ++y)
          for (int x = 0; x < c.nx; ++x)
            out.at(i, (std::int64_t{z} * c.ny + y) * c.nx + x) = numbers[strides.at(i, x, y, z)];
  });
}

/// Copies to `out` the populations of a lattice in which each lies in the cell that it moves to: in the place of its own
/// direction or, where they are `turned`, in that of the opposite one.
void copy_moved(const Case& c, std::span<const float> numbers, const Strides& strides, bool turned, ladder::Populations& out);
void copy_moved(const Case& c, std::span<const double> numbers, const Strides& strides, bool turned, ladder::Populations& out);

}  // namespace d3q27
