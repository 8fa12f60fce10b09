#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/store/text.hpp"

namespace ladder {

/// Now, in UTC: `2026-11-21T03:15:00Z`.
std::string utc_now();

/// `1m 20s`, `45s`.
std::string duration_text(double seconds);

bool is_utf8(std::string_view text);

/// Seconds of `90s`, `10m`, `1.5h` or a plain number of seconds, above 0 and at most one year; nothing if `text` has none of
/// these forms.
std::optional<double> parse_duration(std::string_view text);

}  // namespace ladder
