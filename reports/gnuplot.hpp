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
  std::string on_page;  ///< the SVG for a page; if the figure has a narrow drawing, both, of the classes `wide` and `narrow`
};

/// Draws figures with gnuplot, a few at a time, each in a child process without a shell. All files are in memory.
/// @throws Unavailable         gnuplot is not installed
/// @throws std::runtime_error  gnuplot failed; the message contains its output
std::vector<Drawing> draw(const std::vector<const Figure*>& figures);

/// Checks whether gnuplot can draw. @throws the same exceptions as draw()
void require_gnuplot();

/// Adapts gnuplot's SVG for a page with several figures. Ids get the prefix `id`, and hypertext tokens become <title> elements
/// with the texts of `hovers`. A description replaces the figure's title, whose tooltip would cover the figure. No script is
/// needed.
std::string finish_svg(std::string svg, std::string_view id, std::string_view title, const std::vector<std::string>& hovers);

}  // namespace ladder::reports
