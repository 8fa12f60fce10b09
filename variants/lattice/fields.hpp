#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "harness/bench/rung.hpp"
#include "variants/lattice/lattice.hpp"

/// Fields of a state: the quantities that models derive from the populations, and pictures of them.
namespace lattice {

/// Returns the populations of cell `cell` of a state's box.
template <Lattice L>
std::array<double, L::q> populations(const ladder::Populations& state, std::int64_t cell) {
  std::array<double, L::q> f{};
  for (int i = 0; i < L::q; ++i)
    f[static_cast<std::size_t>(i)] = state.at(i, cell);
  return f;
}

/// An additional column of a picture; `value(x, y)` is its value in a cell.
template <class Value>
struct Column {
  std::string_view name;
  Value value;
};
template <class Value>
Column(const char*, Value) -> Column<Value>;

/// Returns a flow as CSV with the columns `x,y,speed,solid` and any additional ones, for the cells (x, y) of the plane `z`,
/// subsampled to at most 256 per side. `speed(x, y)` is the speed of a cell.
template <class Case, class Speed, class... Value>
std::string picture(const Case& c, Speed speed, std::int64_t z, const Column<Value>&... more) {
  const std::int64_t stride = (std::max(c.nx, c.ny) + 255) / 256;
  std::string text = "x,y,speed,solid";
  ((text += fmt::format(",{}", more.name)), ...);
  text += '\n';
  for (std::int64_t y = 0; y < c.ny; y += stride)
    for (std::int64_t x = 0; x < c.nx; x += stride) {
      fmt::format_to(std::back_inserter(text), "{},{},{:.4g},{}", x, y, speed(x, y), int{c.is_solid(x, y, z)});
      (fmt::format_to(std::back_inserter(text), ",{:.6g}", more.value(x, y)), ...);
      text += '\n';
    }
  return text;
}

/// Same as above, for the plane z = 0.
template <class Case, class Speed, class... Value>
std::string picture(const Case& c, Speed speed, const Column<Value>&... more) {
  return picture(c, speed, 0, more...);
}

}  // namespace lattice
