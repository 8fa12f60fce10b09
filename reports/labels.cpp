#include "reports/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/plot.hpp"

namespace ladder::reports {
namespace {

constexpr double line_height = 15;   ///< pixels
constexpr double text_scale = 0.85;  ///< size of labels relative to other text in figures
constexpr int farthest = 14;         ///< maximum distance of a label from its point, in steps
constexpr double meeting = 1000;     ///< cost of overlapping another label, in steps; covering a point costs 3

}  // namespace

Rectangle Labels::place(const Place& point, const std::string& label) {
  const double width = text_scale * text_width(label);
  Rectangle best;
  double least = std::numeric_limits<double>::infinity();
  for (int away = 0; away <= farthest; ++away)
    for (const bool is_right : {true, false})
      for (const double up : {8. * away, -8. * away}) {
        const double gap = 12 + 2 * away;
        const double left = is_right ? point.first + gap : point.first - gap - width,
                     bottom = point.second + up - line_height / 2;
        const Rectangle at{left, bottom, left + width, bottom + line_height};
        if (at.left < frame_.left || at.right > frame_.right || at.bottom < frame_.bottom || at.top > frame_.top) continue;
        const auto meets = [&](const Rectangle& other) { return other.meets(at); };
        const double cost = (std::ranges::any_of(labels_, meets) ? meeting : 0) +
                            3 * static_cast<double>(std::ranges::count_if(points_, meets)) + away;
        if (cost >= least) continue;
        least = cost;
        best = at;
      }
  if (least < meeting) labels_.push_back(best);
  return least < meeting ? best : Rectangle{};
}

std::string Labels::draw(const Place& point, const std::string& label, const char* color) {
  const Rectangle at = place(point, label);
  if (at.right <= at.left) return "";
  const bool is_right = at.left > point.first;
  const double edge = is_right ? at.left : at.right, middle = (at.bottom + at.top) / 2;
  const auto screen = [&](double x, double y) {
    return fmt::format("screen {}, screen {}", x / picture_.first, y / picture_.second);
  };
  std::string script = fmt::format("set label {} at {} {} font ',11' tc rgb '{}' front\n", plot_string(label),
                                   screen(edge, middle), is_right ? "left" : "right", color::ink);
  if (std::abs(middle - point.second) > 7 || std::abs(edge - point.first) > 15)
    script += fmt::format("set arrow from {} to {} nohead lw 0.7 lc rgb '{}' back\n", screen(point.first, point.second),
                          screen(edge, middle), color);
  return script;
}

}  // namespace ladder::reports
