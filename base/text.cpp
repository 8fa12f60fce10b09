#include "base/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/key_values.hpp"

namespace ladder {

bool starts_with_c1(std::string_view text) {
  return text.starts_with('\xc2') && text.size() > 1 && (static_cast<unsigned char>(text[1]) & 0xe0U) == 0x80;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_c1 = starts_with_c1(text.substr(i));
    if (is_c1) ++i;
    if (!is_c1 && (c < 0 || c > ' ') && c != 0x7f)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out;
}

std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      out += c;
    else if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-')
    out.pop_back();
  return out;
}

bool matches(const std::string& glob, const std::string& text) { return fnmatch(glob.c_str(), text.c_str(), 0) == 0; }

bool matches_any(const std::vector<std::string>& globs, const std::string& text) {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) { return matches(glob, text); });
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string duration_text(double seconds) {
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}h {:02}m", whole / 3600, whole / 60 % 60);
}

bool is_utf8(std::string_view text) try {
  (void)nlohmann::json(text).dump();  // throws if the text is not UTF-8
  return true;
} catch (const nlohmann::json::type_error&) {
  return false;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string shell_quoted(const std::string& word) { return "'" + replace_all(word, "'", "'\\''") + "'"; }

std::optional<double> parse_duration(std::string_view text) {
  double unit = 1;
  if (text.ends_with('s') || text.ends_with('m') || text.ends_with('h')) {
    unit = text.back() == 's' ? 1 : text.back() == 'm' ? 60 : 3600;
    text.remove_suffix(1);
  }
  double number = 0;
  if (!read_number(text, number)) return std::nullopt;
  const double seconds = number * unit;
  if (!(seconds > 0) || seconds > 366 * 24 * 3600.0) return std::nullopt;
  return seconds;
}

}  // namespace ladder
