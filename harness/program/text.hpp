#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ladder {

/// `text` on one line, without surrounding blanks: what goes into a table cell.
std::string one_line(std::string_view text);

/// Lower-case letters, digits and single dashes: a name that is safe as a file name everywhere.
std::string slug(std::string_view text);

/// Now, in UTC: `2026-11-21T03:15:00Z`.
std::string utc_now();

/// `1m 20s`, `45s`.
std::string duration_text(double seconds);

/// Seconds of `90s`, `10m` or `1.5h`. @throws InputError where it is none of these, or no more than nothing
double parse_duration(const std::string& text);

}  // namespace ladder
