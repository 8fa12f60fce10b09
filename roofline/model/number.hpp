#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/half.hpp"

namespace ladder {

/// A format in which a lattice stores its numbers.
struct Number {
  std::string_view name;         ///< as users write it, e.g. `f32`
  std::size_t bytes;             ///< of one stored number
  std::string_view computed_in;  ///< name of the format that the arithmetic uses
  double epsilon;                ///< rounding of a population in a step, in units that checks count in: see `numbers`
};

/// Every number format of the project; nothing else enumerates them.
///
/// `epsilon` of f32 and f64, which every operation of a step rounds to, is the distance from 1 to the next larger number.
/// Populations in f16 are computed in f32 and rounded once per step, when they are stored, as distances from their weights
/// (variants/lattice/storage.hpp): a distance below 1/16, a fifth of the largest population, is rounded by at most 2^-16, which
/// is 2^-14.5 of that population: a third of 16 epsilon = 2^-13. Populations stored without the shift are rounded by up to
/// 2^-11.5 of the largest one, more than checks accept.
inline constexpr std::array<Number, 3> numbers = {{
    {"f32", sizeof(float), "f32", std::numeric_limits<float>::epsilon()},
    {"f64", sizeof(double), "f64", std::numeric_limits<double>::epsilon()},
    {"f16", sizeof(Half), "f32", 0x1p-17},
}};
inline constexpr const Number& f32 = numbers[0];
inline constexpr const Number& f64 = numbers[1];
inline constexpr const Number& f16 = numbers[2];
/// The default format.
inline constexpr const Number& default_number = f32;

/// Formats are identified by their name.
constexpr bool operator==(const Number& a, const Number& b) { return a.name == b.name; }

/// The format of a C++ type that lattices store.
template <class Stored>
constexpr const Number& number_of() {
  constexpr bool single = std::is_same_v<Stored, float>, half = std::is_same_v<Stored, Half>;
  static_assert(single || half || std::is_same_v<Stored, double>, "not a stored number format");
  return single ? f32 : half ? f16 : f64;
}

/// The format that numbers stored as `stored` are computed in.
constexpr const Number& arithmetic_of(const Number& stored) {
  for (const Number& number : numbers)
    if (number.name == stored.computed_in) return number;
  return stored;
}

/// Accepted population error after `steps` steps. Each step rounds a population about ten times. Relaxation damps most of the
/// earlier errors, so that errors add up like a random walk. The mass of a site and its neighbours is not damped: if its
/// rounding has a bias, the error grows with every step, by a quarter of a unit in the last place at most.
inline double population_tolerance(const Number& number, std::int64_t steps) {
  const auto n = static_cast<double>(steps);
  return number.epsilon * (16 + 4 * std::sqrt(n) + n / 4);
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
    accepted += (accepted.empty() ? "" : number == numbers.back() ? " and " : ", ") + std::string(number.name);
  }
  throw InputError("precision '" + std::string(name) + "': accepted are " + accepted);
}

}  // namespace ladder
