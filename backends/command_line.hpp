#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

/// Checks of command-line values that several programs share.
namespace ladder {

/// Accepts an integer from 1 to `most`.
inline CLI::Validator count(std::int64_t most) {
  return CLI::Validator(
      [most](const std::string& text) {
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool ok = error == std::errc{} && stop == text.data() + text.size() && value >= 1 && value <= most;
        return ok ? "" : fmt::format("'{}': accepted is an integer from 1 to {}", text, most);
      },
      "COUNT");
}

/// Accepts a time in seconds above 0, at most 1e6.
inline CLI::Validator seconds() {
  return CLI::Validator(
      [](const std::string& text) {
        double value = 0;
        const bool ok = CLI::detail::lexical_cast(text, value) && value > 0 && value <= 1e6;
        return ok ? "" : fmt::format("'{}': accepted is a number of seconds above 0, at most 1e6", text);
      },
      "SECONDS");
}

constexpr std::int64_t most_steps = 1'000'000'000'000'000;
constexpr std::int64_t most_samples = 1'000'000;
constexpr std::int64_t most_boxes = 64;  ///< along an axis

}  // namespace ladder
