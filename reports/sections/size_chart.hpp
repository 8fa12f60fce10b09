#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/sections/common.hpp"

/// Charts of a quantity over the number of sites or threads.
namespace ladder::reports {

/// The cells of one rung, in the order of the cases.
struct RungOverSizes {
  std::string name;  ///< for a figure
  Look look;
  std::vector<const Cell*> cells;
};

/// The rungs that match any of `patterns` and have a cell for at least one of the cases.
std::vector<RungOverSizes> rungs_over_sizes(const Context& context, const std::vector<std::string>& patterns,
                                            const std::vector<std::string>& cases, const std::string& precision,
                                            const std::string& tuning);

/// One size of one line.
struct SizePoint {
  std::string case_name;
  double sites = 0;
  double value = 0;  ///< not drawn if NaN
  std::string hover;
  Interval interval = {};  ///< of the value; drawn as a bar if known
};

/// One of our rungs, a label of the paper (dashed) or a model (dashed), over the sizes.
struct SizeLine {
  std::string name;
  bool is_dashed = false;
  Look look;
  std::vector<SizePoint> points;
};

struct SizeChart {
  std::string id, title, y_label;
  std::string x_label = "case (number of sites, log scale)";
  bool is_logarithmic = false;  ///< whether the value axis is logarithmic; otherwise it begins at 0
  double least_top = 0;         ///< a value that the axis must include
  std::vector<SizeLine> lines = {};
  std::vector<std::pair<double, std::string>> levels = {};  ///< horizontal lines with their names, which may be empty
  std::vector<std::pair<double, std::string>> marks = {};   ///< vertical lines at these numbers of sites
  std::string conclusion = {};                              ///< of the figure
};

/// Whether the lines have any drawable point. The number of sites of a case may be unknown.
bool is_drawable(const SizeChart& chart);

/// The figure for a drawable chart, without its caption.
Figure draw_sizes(SizeChart chart);

}  // namespace ladder::reports
