#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/document.hpp"

namespace ladder::reports {

/// A drawn figure.
struct Drawing {
  std::string svg;
  std::string pdf;
};

/// Draws figures with gnuplot, a few at a time, each in a child process (no shell). The files of the child are in memory.
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot fails; the message has its output
std::vector<Drawing> draw(const std::vector<const Figure*>& figures);

/// Checks whether gnuplot can draw. @throws the same exceptions as draw()
void require_gnuplot();

/// Adapts gnuplot's SVG for a page with several figures: ids start with `id`, hypertext tokens become <title> elements with the
/// texts of `hovers`, the figure has a description instead of a title, whose tooltip would cover it, and no script is needed.
std::string finish_svg(std::string svg, std::string_view id, std::string_view title, const std::vector<std::string>& hovers);

}  // namespace ladder::reports
