#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/statistics.hpp"
#include "reports/document.hpp"

/// Charts as data. A section provides axes, series of points, or rows of bars. draw() chooses ticks and margins, places labels
/// and the key, and draws each chart twice: for a page, and for a narrow column such as on a phone.
namespace ladder::reports {

/// Stands for a value that neither a row nor a publication has.
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

/// The look of a series: the colour shows whose it is (see `color`), and the symbol identifies it.
struct Look {
  const char* color;
  int point;  ///< gnuplot's `pt`; 0 for no symbol
};

struct Axis {
  enum class Scale { linear, logarithmic, bytes };  ///< bytes: logarithmic, in binary units

  std::string title;  ///< with the unit
  Scale scale = Scale::linear;
  Range shown = {};                                        ///< included along with the chart's values
  bool is_exact = false;                                   ///< whether the axis ends where `shown` does
  std::vector<std::pair<double, std::string>> ticks = {};  ///< replace round values
};

struct ChartPoint {
  double x = 0, y = 0;
  std::string hover = {};
  Interval interval = {};  ///< of y; drawn as a bar if known
  std::string label = {};  ///< next to the point
  bool is_minor = false;   ///< drawn small and faint
};

struct Curve {
  std::string name;  ///< in the key unless empty
  Look look;
  int dashes = 0;        ///< gnuplot's `dt` of the line through the points; 0 for no line
  bool is_path = false;  ///< a thin, faint line that labels may cover
  std::vector<ChartPoint> points = {};
};

/// Values plotted against other values.
struct Chart {
  std::string id, title;
  Axis x, y;
  std::vector<Curve> series = {};
  std::vector<std::pair<double, std::string>> levels = {};  ///< horizontal lines, named in the key unless the name is empty
  std::vector<std::pair<double, std::string>> marks = {};   ///< dashed vertical lines, named above the frame
};

/// A value in a row of a chart: a dot, with a bar that starts at `from` if known.
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
  Look look;         ///< bars without a symbol are opaque
  int place = 0;     ///< lanes with the same place share a line in each row
  std::vector<Bar> bars = {};
};

/// Values by name: one row per name, and in each row one line per place.
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
