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

/// A format for the values stored in a lattice.
struct Number {
  std::string_view name;         ///< user-visible name, e.g. `f32`
  std::size_t bytes;             ///< bytes per stored value
  std::string_view computed_in;  ///< name of the format used for arithmetic
  double epsilon;                ///< rounding unit of a population per step, used by checks: see `numbers`
};

/// All number formats of the project; nothing else enumerates them.
///
/// For f32 and f64, in which every operation of a step is rounded, `epsilon` is the distance from 1 to the next larger value.
/// Populations in f16 are computed in f32 and rounded once per step, when they are stored as differences from their weights
/// (variants/lattice/storage.hpp). A difference below 1/16, a fifth of the largest population, is rounded by at most 2^-16,
/// which is 2^-14.5 of that population: a third of 16 epsilon = 2^-13. Populations stored without this shift would be rounded
/// by up to 2^-11.5 of the largest one, which is more than the checks accept.
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

/// Formats are identified by name.
constexpr bool operator==(const Number& a, const Number& b) { return a.name == b.name; }

/// The format that corresponds to a C++ storage type.
template <class Stored>
constexpr const Number& number_of() {
  constexpr bool single = std::is_same_v<Stored, float>, half = std::is_same_v<Stored, Half>;
  static_assert(single || half || std::is_same_v<Stored, double>, "not a stored number format");
  return single ? f32 : half ? f16 : f64;
}

/// The arithmetic format for values stored as `stored`.
constexpr const Number& arithmetic_of(const Number& stored) {
  for (const Number& number : numbers)
    if (number.name == stored.computed_in) return number;
  return stored;
}

/// Accepted error after `steps` steps of populations that are stored and collided as they are; rungs that store distances from
/// rest are held to less (harness/bench/check.hpp). Each step rounds a population about ten times. Relaxation damps most
/// earlier errors, so errors accumulate like a random walk. The total mass of a site and its neighbours is not damped: if its
/// rounding is biased, the error grows with every step, by at most a quarter of a unit in the last place.
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

/// Finds a format by name. @throws InputError listing the accepted names
inline const Number& find_number(std::string_view name) {
  std::string accepted;
  for (const Number& number : numbers) {
    if (number.name == name) return number;
    accepted += (accepted.empty() ? "" : number == numbers.back() ? " and " : ", ") + std::string(number.name);
  }
  throw InputError("precision '" + std::string(name) + "': accepted are " + accepted);
}

}  // namespace ladder
