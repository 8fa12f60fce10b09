#pragma once

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <optional>
#include <string>

namespace ladder {

/// Seconds since 1970 at a moment as utc_now() writes it; nullopt if the text is none.
inline std::optional<std::time_t> seconds_of_utc(const std::string& text) {
  std::tm time{};
  if (strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) == nullptr) return std::nullopt;
  const std::time_t seconds = timegm(&time);
  // strptime() also accepts shorter numbers, 31 February and text after the end.
  const bool is_exact = text == fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
  return is_exact ? std::optional(seconds) : std::nullopt;
}

}  // namespace ladder
