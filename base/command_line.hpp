#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/key_values.hpp"
#include "base/limits.hpp"

/// Validators for command-line values that several programs share.
namespace ladder {

/// Accepts an integer from `least` to `most`.
inline CLI::Validator count(std::int64_t most, std::int64_t least = 1) {
  return CLI::Validator(
      [least, most](const std::string& text) {
        std::int64_t value = 0;
        const bool ok = read_number(text, value) && value >= least && value <= most;
        return ok ? "" : fmt::format("'{}': accepted is an integer from {} to {}", text, least, most);
      },
      "COUNT");
}

/// Accepts a number from `least` to `most`.
inline CLI::Validator number_between(double least, double most) {
  return CLI::Validator(
      [least, most](const std::string& text) {
        double value = 0;
        const bool ok = read_number(text, value) && value >= least && value <= most;  // false for NaN
        return ok ? "" : fmt::format("'{}': accepted is a number from {} to {}", text, least, most);
      },
      "NUMBER");
}

/// Accepts a time in seconds in (0, most_seconds].
inline CLI::Validator seconds() {
  return CLI::Validator(
      [](const std::string& text) {
        double value = 0;
        const bool ok = read_number(text, value) && value > 0 && value <= most_seconds;
        return ok ? "" : fmt::format("'{}': accepted is a number of seconds above 0, at most {}", text, most_seconds);
      },
      "SECONDS");
}

}  // namespace ladder
