#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// `text` on one line, without surrounding blanks, for table cells. Control characters become blanks.
std::string one_line(std::string_view text);

/// Only lower-case letters, digits and single dashes: safe as a file name everywhere.
std::string slug(std::string_view text);

/// Whether a shell-style glob (`d2q9/openmp/*`) matches the text; unlike in a shell, `*` also matches slashes.
bool matches(const std::string& glob, const std::string& text);
/// Whether any of the globs matches. True if there are none.
bool matches_any(const std::vector<std::string>& globs, const std::string& text);

/// The current time in UTC: `2026-11-21T03:15:00Z`.
std::string utc_now();

/// `1m 20s`, `45s`.
std::string duration_text(double seconds);

bool is_utf8(std::string_view text);

/// Whether UTF-8 begins with a control character in U+0080 to U+009F.
bool starts_with_c1(std::string_view text);

/// `text` with each `from` replaced.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// A word, quoted for the shell.
std::string shell_quoted(const std::string& word);

/// Parses `90s`, `10m`, `1.5h` or a plain number of seconds. The duration must be above 0 and at most one year. Nothing if
/// `text` has none of these forms.
std::optional<double> parse_duration(std::string_view text);

}  // namespace ladder
