#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "base/key_values.hpp"
#include "base/limits.hpp"

/// Validators for command-line values that several programs share.
namespace ladder {

/// Accepts numbers of a type from `least` to `most`; `accepted` describes them.
template <class Number>
CLI::Validator number_from(Number least, Number most, const std::string& accepted, const char* name) {
  return CLI::Validator(
      [=](const std::string& text) {
        Number value = 0;
        const bool ok = read_number(text, value) && value >= least && value <= most;  // false for NaN
        return ok ? "" : fmt::format("'{}': accepted is {}", text, accepted);
      },
      name);
}

/// Accepts an integer from `least` to `most`.
inline CLI::Validator count(std::int64_t most, std::int64_t least = 1) {
  return number_from(least, most, fmt::format("an integer from {} to {}", least, most), "COUNT");
}

/// Accepts a number from `least` to `most`.
inline CLI::Validator number_between(double least, double most) {
  return number_from(least, most, fmt::format("a number from {} to {}", least, most), "NUMBER");
}

/// Accepts a time in seconds in (0, most_seconds].
inline CLI::Validator seconds() {
  return number_from(std::numeric_limits<double>::denorm_min(), most_seconds,
                     fmt::format("a number of seconds above 0, at most {}", most_seconds), "SECONDS");
}

}  // namespace ladder
