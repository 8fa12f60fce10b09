#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/error.hpp"

namespace ladder {

/// A format in which a lattice stores its numbers.
struct Number {
  std::string_view name;         ///< as users write it, e.g. `f32`
  std::size_t bytes;             ///< of one stored number
  std::string_view computed_in;  ///< name of the format that the arithmetic uses
  double epsilon;                ///< rounding of the arithmetic: distance from 1 to the next larger number
};

/// Every number format of the project; nothing else enumerates them.
inline constexpr std::array<Number, 2> numbers = {{
    {"f32", sizeof(float), "f32", std::numeric_limits<float>::epsilon()},
    {"f64", sizeof(double), "f64", std::numeric_limits<double>::epsilon()},
}};
inline constexpr const Number& f32 = numbers[0];
inline constexpr const Number& f64 = numbers[1];
/// The default format.
inline constexpr const Number& default_number = f32;

/// Formats are identified by their name.
constexpr bool operator==(const Number& a, const Number& b) { return a.name == b.name; }

/// The format of a C++ type that lattices store.
template <class Stored>
constexpr const Number& number_of() {
  static_assert(std::is_same_v<Stored, float> || std::is_same_v<Stored, double>, "not a stored number format");
  return std::is_same_v<Stored, float> ? f32 : f64;
}

/// The names of all formats.
inline std::vector<std::string> number_names() {
  std::vector<std::string> names;
  for (const Number& number : numbers)
    names.emplace_back(number.name);
  return names;
}

/// The format named `name`. @throws InputError listing the accepted names
inline const Number& find_number(std::string_view name) {
  std::string accepted;
  for (const Number& number : numbers) {
    if (number.name == name) return number;
    accepted += (accepted.empty() ? "" : " and ") + std::string(number.name);
  }
  throw InputError("precision '" + std::string(name) + "': accepted are " + accepted);
}

}  // namespace ladder
