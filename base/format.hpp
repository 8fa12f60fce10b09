#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

/// Formatting of numbers for readers, and escaping of text for the place it is printed in.
namespace ladder {

/// `value` with `digits` significant digits and without exponent if it is between 1e-4 and 1e6; "—" for NaN.
std::string significant(double value, int digits = 3);

/// "57.6 %"; "—" for NaN.
std::string percent(double fraction);

/// "1.72×"; "—" for NaN.
std::string times(double ratio);

/// "1.13 MiB": bytes in the largest binary unit that is not larger.
std::string binary_bytes(double bytes);

/// "40,000".
std::string grouped(std::int64_t value);

/// "1 row", "3 rows".
std::string counted(std::size_t count, std::string_view noun);

/// The number for files that programs read: the shortest text that reads back the same; empty for NaN.
std::string exact(double value);

/// Items joined by ", "; beyond `most` of them "… (12 in all)".
std::string joined(const std::vector<std::string>& items, std::size_t most = 8);

/// As ladder::slug(), never empty: for file names and HTML ids.
std::string id_slug(std::string_view text);

/// The last part of a rung id, which distinguishes it within its ladder: `03_soa` of `d2q9/serial/03_soa`.
std::string last_part(std::string_view rung);

/// Valid UTF-8 without control characters; other bytes become '?', line breaks become spaces.
std::string printable(std::string_view text);

/// printable() text with & < > " ' escaped: for HTML and SVG text and attributes.
std::string html(std::string_view text);

/// printable() text with the characters escaped that Markdown tables and inline HTML interpret.
std::string markdown(std::string_view text);

/// Number of characters (code points), not bytes.
std::size_t characters(std::string_view text);

}  // namespace ladder
