#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "harness/error.hpp"

/// Functions that the cases of all models share.
namespace lattice {

/// The sides in the name of a generated case, `<kind>-<N>` or `<kind>-<NX>x<NY>…`, one for each of `axes` axes.
/// @throws ladder::InputError for an invalid size
inline std::vector<int> parse_sides(std::string_view name, std::size_t axes, int largest) {
  const std::string_view size = name.substr(name.find('-') + 1);
  const auto refuse = [&](std::string_view what) {
    throw ladder::InputError(fmt::format("case '{}': '{}' is not a size; accepted are integers from 3 to {}, as N or {}", name,
                                         what, largest, axes == 2 ? "NXxNY" : "NXxNYxNZ"));
  };
  std::vector<int> sides;
  for (std::string_view rest = size;;) {
    const auto end = std::min(rest.find('x'), rest.size());
    const std::string_view digits = rest.substr(0, end);
    int side = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), side);
    if (error != std::errc{} || stop != digits.data() + digits.size() || side < 3 || side > largest) refuse(digits);
    sides.push_back(side);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (sides.size() == 1) sides.assign(axes, sides[0]);
  if (sides.size() != axes) refuse(size);
  return sides;
}

/// A field of velocities as CSV, `x,y,speed,solid`, of the cells (x, y) of the plane z = 0, thinned out to at most 256 per
/// side. `at(x, y)` gives speed and whether the cell is solid.
template <class At>
std::string picture(std::int64_t nx, std::int64_t ny, At at) {
  const std::int64_t stride = (std::max(nx, ny) + 255) / 256;
  std::string text = "x,y,speed,solid\n";
  for (std::int64_t y = 0; y < ny; y += stride)
    for (std::int64_t x = 0; x < nx; x += stride) {
      const auto [speed, solid] = at(x, y);
      fmt::format_to(std::back_inserter(text), "{},{},{:.4g},{}\n", x, y, speed, int{solid});
    }
  return text;
}

}  // namespace lattice
