#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ladder::reports {

/// Colours of all figures; each has one meaning. They are from Okabe and Ito's palette for colour-blind readers, and differ in
/// lightness, so that they can be told apart in grey. The page's style sheet replaces the neutral colours and `deep` on dark
/// pages.
namespace color {
inline constexpr const char* ink = "#1a1a1a";    ///< text, and the copies that rates are compared with
inline constexpr const char* muted = "#6b6b6b";  ///< roofs, models and other lines to compare with
inline constexpr const char* grid = "#dcdcdc";
inline constexpr const char* blue = "#0072b2";       ///< ours
inline constexpr const char* deep = "#0a3a66";       ///< ours
inline constexpr const char* light = "#4ba3de";      ///< ours
inline constexpr const char* vermilion = "#d55e00";  ///< the publication
inline constexpr const char* green = "#009e73";      ///< other codes

/// Shade of our i-th series; repeats after three.
const char* ours(std::size_t i);
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
  /// Size of the SVG and of its text in pixels; the PDF has the same size at 96 pixels per inch.
  Plot(int width, int height, int font = 13) : width_(width), height_(height), font_(font) {}

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

  /// Draws points with hover text, from data with the columns x, y and hover.
  void draw_points(const std::string& data, int point_type, double size, std::string_view color);

  /// Sets the edges of the frame, in pixels from the edges of the picture.
  void margins(int left, int right, int top, int bottom);

  /// Writes text at a point, in pixels from the lower left corner, at its middle height.
  /// @param align `left`, `center` or `right`
  void text(double x, double y, std::string_view text, const char* align, const char* color, int size);

  /// Stores data and returns its name for use in a `plot` command, e.g. `$data1`.
  std::string data(const std::vector<std::vector<Datum>>& rows);

  /// Number of elements of the `plot` command.
  [[nodiscard]] std::size_t elements() const { return elements_.size(); }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] int font() const { return font_; }
  [[nodiscard]] std::string script() const;
  /// Script that defines all data blocks.
  [[nodiscard]] const std::string& definitions() const { return definitions_; }
  [[nodiscard]] const std::vector<std::string>& hovers() const { return hovers_; }

 private:
  int width_;
  int height_;
  int font_;
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

/// Upper estimate of the width in pixels of `text` in letters of `size` pixels.
int text_width(std::string_view text, int size = 13);

/// The lines of `text` if none may be wider than `width` pixels, unless it is a single word.
std::vector<std::string> wrapped(std::string_view text, int width, int size = 13);

}  // namespace ladder::reports
