#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ladder::reports {

/// A rectangle of a picture, in pixels from its lower left corner.
struct Rectangle {
  double left = 0, bottom = 0, right = 0, top = 0;

  [[nodiscard]] bool meets(const Rectangle& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

/// Places labels next to points of a picture so that they cover no other label, no point and no line.
class Labels {
 public:
  /// A point of the picture, in pixels.
  using Place = std::pair<double, double>;

  /// @param picture width and height in pixels
  /// @param frame labels stay inside it
  Labels(std::pair<double, double> picture, const Rectangle& frame) : picture_(picture), frame_(frame) {}

  /// A point, or a line between two points, that labels do not cover.
  void avoid(const Place& from, const Place& to) { lines_.emplace_back(from, to); }
  void avoid(const Place& point) { points_.push_back({point.first - 5, point.second - 5, point.first + 5, point.second + 5}); }

  /// The best place for a point's label; an empty rectangle if there is no room. Later labels avoid it.
  Rectangle place(const Place& point, const std::string& label);

  /// gnuplot commands that draw the label, and a line to its point unless the two are adjacent. Empty if there is no room.
  std::string draw(const Place& point, const std::string& label, const char* color);

 private:
  std::pair<double, double> picture_;
  Rectangle frame_;
  std::vector<Rectangle> points_, labels_;
  std::vector<std::pair<Place, Place>> lines_;
};

}  // namespace ladder::reports
