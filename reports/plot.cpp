#include "reports/plot.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"

namespace ladder::reports {
namespace {

/// Text without the characters that gnuplot interprets in data blocks or quoted strings.
std::string tame(std::string_view text) {
  std::string result = printable(text);
  for (char& c : result) {
    if (c == '"' || c == '`') c = '\'';
    if (c == '\\') c = '/';
  }
  return result;
}

}  // namespace

const char* color::ours(std::size_t i) {
  constexpr std::array shades{blue, light, deep};
  return shades[i % shades.size()];
}

std::string faint(std::string_view color) { return "#a0" + std::string(color.substr(1)); }

int point_type(std::size_t i) {
  constexpr std::array types{7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
  return types[i % types.size()];
}

std::string Plot::data(const std::vector<std::vector<Datum>>& rows) {
  const std::string name = fmt::format("$data{}", ++blocks_);
  std::string content;
  for (const std::vector<Datum>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) content += '\t';
      if (const auto* number = std::get_if<double>(&row[i])) {
        content += std::isnan(*number) ? "NaN" : fmt::format("{}", *number);
      } else if (const auto* text = std::get_if<std::string>(&row[i])) {
        content += '"' + tame(*text) + '"';
      } else {
        content += fmt::format("\"h{}\"", hovers_.size());
        hovers_.push_back(std::get<Hover>(row[i]).text);
      }
    }
    content += '\n';
  }
  definitions_ += fmt::format("{} << END\n{}END\n", name, content);
  return name;
}

void Plot::draw_points(const std::string& data, int point_type, double size, std::string_view color) {
  draw("{} using 1:2:3 with labels hypertext point pt {} ps {} lw 1.5 lc rgb '{}' notitle", data, point_type, size, color);
}

void Plot::margins(int left, int right, int top, int bottom) {
  add("set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}",
      static_cast<double>(left) / width_, 1 - static_cast<double>(right) / width_, 1 - static_cast<double>(top) / height_,
      static_cast<double>(bottom) / height_);
}

void Plot::text(double x, double y, std::string_view text, const char* align, const char* color, int size) {
  add("set label {} at screen {}, screen {} {} font ',{}' tc rgb '{}' front", plot_string(text), x / width_, y / height_, align,
      size, color);
}

std::string Plot::script() const {
  return elements_.empty() ? script_ : fmt::format("{}plot {}\n", script_, fmt::join(elements_, ", "));
}

std::string plot_string(std::string_view text) {
  std::string result = "'";
  // gnuplot 5.4 miscounts consecutive doubled quotation marks, so apostrophes become typographic ones.
  for (const char c : tame(text))
    result += c == '\'' ? "’" : std::string(1, c);
  return result + '\'';
}

std::string tick_list(const std::vector<std::pair<double, std::string>>& labels) {
  std::string result;
  for (const auto& [at, label] : labels) {
    std::string text;  // gnuplot uses a label as a format string for the value
    for (const char c : label)
      text += c == '%' ? "%%" : std::string(1, c);
    result += fmt::format("{}{} {}", result.empty() ? "" : ", ", plot_string(text), at);
  }
  return '(' + result + ')';
}

int text_width(std::string_view text, int size) {
  double width = 0;  // in letters
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xc0) == 0x80) continue;  // not the first byte of a character
    const auto in = [&](std::string_view some) { return some.find(text[i]) != std::string_view::npos; };
    width += c >= 0xe2                         ? 1.0
             : in("ijl|'.,:;!I")               ? 0.35
             : in("ft()[]r/- \"J")             ? 0.42
             : in("mMW%@Ow+=<>~") || c == 0xc3 ? 0.98
             : c >= 'A' && c <= 'Z'            ? 0.77
                                               : 0.64;
  }
  return static_cast<int>(width * size) + 3;
}

std::vector<std::string> wrapped(std::string_view text, int width, int size) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t space = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, space - start);
    if (lines.empty() || text_width(fmt::format("{} {}", lines.back(), word), size) > width)
      lines.emplace_back(word);
    else
      lines.back().append(" ").append(word);
    start = space + 1;
  }
  return lines;
}

}  // namespace ladder::reports
