#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ladder::reports {

/// Colours of all figures. Series use Okabe and Ito's palette for colour-blind readers, without black and yellow. The page's
/// style sheet replaces the neutral colours on dark pages.
namespace color {
inline constexpr const char* ink = "#1a1a1a";
inline constexpr const char* muted = "#6b6b6b";
inline constexpr const char* grid = "#dcdcdc";
inline constexpr const char* paper = "#ffffff";
inline constexpr const char* blue = "#0072b2";
inline constexpr const char* vermilion = "#d55e00";
inline constexpr const char* green = "#009e73";
inline constexpr const char* purple = "#cc79a7";
inline constexpr const char* orange = "#e69f00";
inline constexpr const char* sky = "#56b4e9";

/// Colour of the i-th series; repeats after six.
const char* series(std::size_t i);
}  // namespace color

/// The same colour, mostly transparent.
std::string faint(std::string_view color);

/// Point style of the i-th series (gnuplot's `pt`): five filled symbols, then the same symbols hollow.
int point_type(std::size_t i);

/// Text that appears when the pointer hovers over a point (SVG only).
struct Hover {
  std::string text;
};

/// One field of a plot's data.
using Datum = std::variant<double, std::string, Hover>;

/// A gnuplot figure: a script and its data. Text reaches gnuplot only through data(), plot_string() and tick_list(), which
/// sanitize it. gnuplot's enhanced text is off.
class Plot {
 public:
  /// Size of the SVG in pixels; the PDF has the same size at 96 pixels per inch.
  Plot(int width, int height) : width_(width), height_(height) {}

  /// Appends a line of script.
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    script_ += fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }

  /// Adds an element to the `plot` command, which follows the script.
  template <class... Arguments>
  void draw(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    elements_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  /// Draws points with hover text, from data with the columns x, y and hover, and their entry in the key.
  void draw_points(const std::string& data, int point_type, double size, std::string_view color, std::string_view title);

  /// Stores data and returns its name for use in a `plot` command, e.g. `$data1`.
  std::string data(const std::vector<std::vector<Datum>>& rows);

  /// Number of elements of the `plot` command.
  [[nodiscard]] std::size_t elements() const { return elements_.size(); }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] std::string script() const;
  /// Script that defines all data blocks.
  [[nodiscard]] const std::string& definitions() const { return definitions_; }
  [[nodiscard]] const std::vector<std::string>& hovers() const { return hovers_; }

 private:
  int width_;
  int height_;
  std::string script_;
  std::vector<std::string> elements_;
  std::string definitions_;
  int blocks_ = 0;                   // number of data blocks
  std::vector<std::string> hovers_;  // hover texts by token: h<i>
};

/// A gnuplot string constant that prints `text` literally.
std::string plot_string(std::string_view text);

/// Labelled positions on an axis, as the list for a `set xtics` command.
std::string tick_list(const std::vector<std::pair<double, std::string>>& labels);

/// Margins in pixels that keep labels inside the picture, as a script for a plot of this size.
std::string margins(const Plot& plot, int left, int right, int top, int bottom);

/// Upper estimate of the width of `text` in pixels at the font size of figures.
int text_width(std::string_view text);

}  // namespace ladder::reports
