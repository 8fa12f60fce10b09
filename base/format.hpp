#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

/// Formats numbers for readers and escapes text for the place where it is printed.
namespace ladder {

/// `value` with `digits` significant digits, without an exponent between 1e-4 and 1e6; "—" for NaN.
std::string significant(double value, int digits = 3);

/// "57.6 %"; "—" for NaN.
std::string percent(double fraction);

/// "1.72×"; "—" for NaN.
std::string times(double ratio);

/// "1.13 MiB": bytes in the largest binary unit that does not exceed the value.
std::string binary_bytes(double bytes);

/// "40,000".
std::string grouped(std::int64_t value);

/// "1 row", "3 rows".
std::string counted(std::size_t count, std::string_view noun);

/// The shortest text that reads back as the same number, for files that programs read; empty for NaN.
std::string exact(double value);

/// Items joined by ", ". A list of more than `most` items is cut and ends in "… (12 in all)".
std::string joined(const std::vector<std::string>& items, std::size_t most = 8);

/// Like ladder::slug(), but never empty. For file names and HTML ids.
std::string id_slug(std::string_view text);

/// The last part of a rung id, which distinguishes it within its ladder: `03_soa` of `d2q9/serial/03_soa`.
std::string last_part(std::string_view rung);

/// Valid UTF-8 without control characters; other bytes become '?', line breaks become spaces.
std::string printable(std::string_view text);

/// printable() text with & < > " ' escaped, for text and attributes in HTML and SVG.
std::string html(std::string_view text);

/// printable() text in which the characters that Markdown tables and inline HTML interpret are escaped.
std::string markdown(std::string_view text);

/// Number of characters (code points, not bytes).
std::size_t characters(std::string_view text);

}  // namespace ladder
