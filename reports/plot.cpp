#include "reports/plot.hpp"

#include <fmt/ranges.h>

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

const char* color::series(std::size_t i) {
  constexpr std::array colors{blue, vermilion, green, purple, orange, sky};
  return colors[i % colors.size()];
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

void Plot::draw_points(const std::string& data, int point_type, double size, std::string_view color, std::string_view title) {
  draw("{} using 1:2:3 with labels hypertext point pt {} ps {} lc rgb '{}' notitle", data, point_type, size, color);
  draw("keyentry with points pt {} ps {} lc rgb '{}' title {}", point_type, size, color, plot_string(title));
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

std::string margins(const Plot& plot, int left, int right, int top, int bottom) {
  return fmt::format("set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}",
                     static_cast<double>(left) / plot.width(), 1 - static_cast<double>(right) / plot.width(),
                     1 - static_cast<double>(top) / plot.height(), static_cast<double>(bottom) / plot.height());
}

int text_width(std::string_view text) { return static_cast<int>(7.6 * static_cast<double>(characters(text))) + 8; }

}  // namespace ladder::reports
