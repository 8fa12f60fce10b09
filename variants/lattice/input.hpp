#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "harness/error.hpp"

/// Cases from names.
namespace lattice {

/// The sides in the name of a generated case, `<kind>-<N>` or `<kind>-<NX>x<NY>…`, one for each of `axes` axes.
/// @throws ladder::InputError for what is no size
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

}  // namespace lattice
