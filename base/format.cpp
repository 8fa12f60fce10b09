#include "base/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"

namespace ladder {
namespace {

/// Length of the valid UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogate
  if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (first == 0xF4 && byte(1) > 0x8F) return 0;  // beyond Unicode
  return length;
}

/// printable() text in which other texts stand for some characters.
std::string escaped(std::string_view text, const std::map<char, std::string_view>& escapes) {
  std::string result;
  for (const char c : printable(text)) {
    const auto found = escapes.find(c);
    result += found == escapes.end() ? std::string_view(&c, 1) : found->second;
  }
  return result;
}

}  // namespace

std::string significant(double value, int digits) {
  if (std::isnan(value)) return "—";
  if (value == 0 || std::isinf(value)) return fmt::format("{}", value);
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (exponent < -4 || exponent >= 6) return fmt::format("{:.{}e}", value, digits - 1);
  const std::string text = fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
  return std::abs(value) < 1000 ? text : grouped(std::llround(value));
}

std::string percent(double fraction) {
  return std::isnan(fraction) ? "—" : fmt::format("{:.{}f} %", 100 * fraction, std::abs(fraction) < 1.0 ? 1 : 0);
}

std::string times(double ratio) { return std::isnan(ratio) ? "—" : significant(ratio) + "×"; }

std::string binary_bytes(double bytes) {
  if (std::isnan(bytes)) return "—";
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit)
    bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes,
                     unit == 0 || bytes >= 100 || bytes == std::floor(bytes) ? 0
                     : bytes >= 10                                           ? 1
                                                                             : 2,
                     units[unit]);
}

std::string grouped(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3)
    digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(static_cast<std::int64_t>(count)), noun, count == 1 ? "" : "s");
}

std::string exact(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::string joined(const std::vector<std::string>& items, std::size_t most) {
  if (items.size() <= most) return fmt::format("{}", fmt::join(items, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(most), ", "),
                     items.size());
}

std::string id_slug(std::string_view text) {
  const std::string name = ladder::slug(text);
  return name.empty() ? "x" : name;
}

std::string last_part(std::string_view rung) { return std::string(rung.substr(rung.rfind('/') + 1)); }

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (first == '\n' || first == '\r' || first == '\t') {
      result += ' ';
    } else if (length == 0 || first < 0x20 || first == 0x7F || starts_with_c1(text)) {
      result += '?';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string html(std::string_view text) {
  return escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string markdown(std::string_view text) {
  return escaped(text, {{'&', "&amp;"},
                        {'<', "&lt;"},
                        {'>', "&gt;"},
                        {'\\', "\\\\"},
                        {'|', "\\|"},
                        {'`', "\\`"},
                        {'*', "\\*"},
                        {'[', "\\["},
                        {']', "\\]"}});
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace ladder
