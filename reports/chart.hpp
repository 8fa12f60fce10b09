#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/statistics.hpp"
#include "reports/document.hpp"

/// Charts as data. A section says what it draws: axes, series of points, rows of bars. draw() chooses ticks and margins, places
/// labels and the key, and draws each chart twice: for a page, and for a narrow column such as a phone's.
namespace ladder::reports {

/// A value that is neither in a row nor in a publication.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The range of some values; NaN is ignored.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

/// The looks of a series: the colour says whose it is (see `color`), the symbol which one it is.
struct Look {
  const char* color;
  int point;  ///< gnuplot's `pt`; 0 for no symbol
};

struct Axis {
  enum class Scale { linear, logarithmic, bytes };  ///< bytes: logarithmic, with binary units

  std::string title;  ///< with the unit
  Scale scale = Scale::linear;
  Range shown = {};                                        ///< included in addition to the chart's values
  bool is_exact = false;                                   ///< whether `shown` is the whole range
  std::vector<std::pair<double, std::string>> ticks = {};  ///< instead of round values
};

struct ChartPoint {
  double x = 0, y = 0;
  std::string hover = {};
  Interval interval = {};  ///< of y; drawn as a bar if known
  std::string label = {};  ///< next to the point
  bool is_minor = false;   ///< small and faint
};

struct Curve {
  std::string name;  ///< in the key, unless empty
  Look look;
  int dashes = 0;        ///< gnuplot's `dt` of the line through the points; 0 for no line
  bool is_path = false;  ///< the line is thin and faint, and labels may cover it
  std::vector<ChartPoint> points = {};
};

/// Values against values.
struct Chart {
  std::string id, title;
  Axis x, y;
  std::vector<Curve> series = {};
  std::vector<std::pair<double, std::string>> levels = {};  ///< horizontal lines, named in the key unless the name is empty
  std::vector<std::pair<double, std::string>> marks = {};   ///< dashed vertical lines, named above the frame
};

/// A value in a row of a chart: a dot, with a bar from `from` if that is known.
struct Bar {
  std::size_t row = 0;
  double value = unknown;
  double from = unknown;
  std::string text = {};   ///< next to the value
  std::string start = {};  ///< next to `from`
  std::string hover = {};
  Interval interval = {};
};

/// Bars that belong together, at most one per row.
struct Lane {
  std::string name;  ///< in the key, unless empty
  Look look;         ///< without a symbol, the bars are opaque
  int place = 0;     ///< lanes of one place share a line of each row
  std::vector<Bar> bars = {};
};

/// Values by name: one row per name, one line in each row per place.
struct RowChart {
  std::string id, title;
  Axis x;
  std::vector<std::string> rows;
  std::vector<Lane> lanes;
  std::vector<std::size_t> rules = {};  ///< rows with a line above them
};

Figure draw(const Chart& chart);
Figure draw(const RowChart& chart);

}  // namespace ladder::reports
