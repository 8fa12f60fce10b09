#include "reports/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/plot.hpp"

namespace ladder::reports {
namespace {

constexpr double line_height = 15;  ///< pixels
constexpr int font = 12;            ///< pixels
constexpr int farthest = 16;        ///< maximum distance of a label from its point, in steps

/// Whether a line crosses a rectangle (Liang and Barsky's clipping).
bool crosses(const std::pair<Labels::Place, Labels::Place>& line, const Rectangle& r) {
  const auto& [a, b] = line;
  const double dx = b.first - a.first, dy = b.second - a.second;
  double from = 0, to = 1;
  const auto clip = [&](double along, double distance) {
    if (along == 0) return distance >= 0;
    if (along < 0)
      from = std::max(from, distance / along);
    else
      to = std::min(to, distance / along);
    return from <= to;
  };
  return clip(-dx, a.first - r.left) && clip(dx, r.right - a.first) && clip(-dy, a.second - r.bottom) &&
         clip(dy, r.top - a.second);
}

/// Where the line from a point to its label ends.
Labels::Place edge(const Labels::Place& point, const Rectangle& label) {
  return {label.left > point.first ? label.left : label.right, (label.bottom + label.top) / 2};
}

}  // namespace

Rectangle Labels::place(const Place& point, const std::string& label) {
  const double width = text_width(label, font);
  for (int away = 0; away <= farthest; ++away)
    for (const bool is_right : {true, false})
      for (const double up : {8. * away, -8. * away}) {
        const double gap = 12 + 2 * away;
        const double left = is_right ? point.first + gap : point.first - gap - width,
                     bottom = point.second + up - line_height / 2;
        const Rectangle at{left, bottom, left + width, bottom + line_height};
        if (at.left < frame_.left || at.right > frame_.right || at.bottom < frame_.bottom || at.top > frame_.top) continue;
        const auto meets = [&](const Rectangle& other) { return other.meets(at); };
        if (std::ranges::any_of(labels_, meets) || std::ranges::any_of(points_, meets)) continue;
        if (std::ranges::any_of(lines_, [&](const auto& line) { return crosses(line, at); })) continue;
        const std::pair leader{point, edge(point, at)};
        if (std::ranges::any_of(labels_, [&](const Rectangle& other) { return crosses(leader, other); })) continue;
        const auto passes = [&](const Rectangle& other) {
          return crosses(leader, other) && !other.meets({point.first, point.second, point.first, point.second});
        };
        if (away > 0 && std::ranges::any_of(points_, passes)) continue;
        labels_.push_back(at);
        if (away > 0) lines_.push_back(leader);
        return at;
      }
  return {};
}

std::string Labels::draw(const Place& point, const std::string& label, const char* color) {
  const Rectangle at = place(point, label);
  if (at.right <= at.left) return "";
  const auto end = edge(point, at);
  const auto screen = [&](const Place& p) {
    return fmt::format("screen {}, screen {}", p.first / picture_.first, p.second / picture_.second);
  };
  std::string script = fmt::format("set label {} at {} {} font ',12' tc rgb '{}' front\n", plot_string(label), screen(end),
                                   at.left > point.first ? "left" : "right", color::ink);
  if (std::abs(end.second - point.second) > 7 || std::abs(end.first - point.first) > 15)
    script += fmt::format("set arrow from {} to {} nohead lw 0.7 lc rgb '{}' back\n", screen(point), screen(end), color);
  return script;
}

}  // namespace ladder::reports
