#include "reports/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/format.hpp"
#include "reports/labels.hpp"

namespace ladder::reports {
namespace {

/// What depends on where a chart is shown. Lengths are in pixels.
struct Style {
  int width, font, small;
  int frame_height;  ///< of values against values
  bool is_narrow;
};
constexpr Style wide{1080, 13, 12, 430, false}, narrow{380, 12, 11, 300, true};

constexpr int gap = 8;
constexpr int text_height = 17;  ///< of text
constexpr int lane_height = 18, row_gap = 8;

using Ticks = std::vector<std::pair<double, std::string>>;

double part(double value, const Range& range, bool is_log) {
  return is_log ? std::log(value / range.low) / std::log(range.high / range.low)
                : (value - range.low) / (range.high - range.low);
}

/// The range with `before` and `after` more pixels at its ends, on an axis of `length` pixels.
Range extended(Range range, double before, double after, double length, bool is_log) {
  const double room = std::max(length - before - after, length / 8);
  if (is_log) {
    const double pixel = std::log(range.high / range.low) / room;
    return {range.low / std::exp(before * pixel), range.high * std::exp(after * pixel)};
  }
  const double pixel = (range.high - range.low) / room;
  return {range.low - before * pixel, range.high + after * pixel};
}

/// The values of an axis, never empty.
Range values_of(const Axis& axis, Range values) {
  const bool is_log = axis.scale != Axis::Scale::linear;
  for (const double end : {axis.shown.low, axis.shown.high})
    if (std::isfinite(end)) values.take(end);
  if (!(values.low <= values.high)) values = is_log ? Range{1, 10} : Range{0, 1};
  if (axis.is_exact || values.high > values.low) return values;
  if (is_log) return {values.low / 2, values.high * 2};
  const double around = values.low == 0 ? 1 : std::abs(values.low) / 2;
  return {values.low - around, values.high + around};
}

std::string plain(double value, int decimals) {
  if (value != 0 && (std::abs(value) >= 1e15 || decimals > 6)) return fmt::format("{:.3g}", value);
  if (decimals > 0) return fmt::format("{:.{}f}", value, decimals);
  return (value < 0 ? "−" : "") + grouped(std::llround(std::abs(value)));
}

Ticks multiples(const Range& range, double step) {
  Ticks ticks;
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  const bool is_quarter = std::abs(step * std::pow(10, decimals) - std::round(step * std::pow(10, decimals))) > 1e-6;
  for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + 1e-9 * step; ++i)
    ticks.emplace_back(i * step + 0.0, plain(i * step + 0.0, decimals + (is_quarter ? 1 : 0)));
  return ticks;
}

/// Positions for ticks on an axis, from coarse to fine.
std::vector<Ticks> candidates(Axis::Scale scale, const Range& range) {
  std::vector<Ticks> all;
  if (scale == Axis::Scale::bytes) {
    for (const int step : {10, 5, 4, 2, 1}) {
      Ticks& ticks = all.emplace_back();
      for (double at = std::ceil(std::log2(range.low) / step) * step; std::exp2(at) <= range.high; at += step)
        ticks.emplace_back(std::exp2(at), binary_bytes(std::exp2(at)));
    }
    return all;
  }
  if (scale == Axis::Scale::logarithmic) {
    const std::vector<std::vector<double>> digits = {{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}};
    for (const int decades : {4, 2, 1})
      for (const std::vector<double>& some : digits) {
        if (decades > 1 && some.size() > 1) continue;
        Ticks& ticks = all.emplace_back();
        for (int e = static_cast<int>(std::floor(std::log10(range.low) / decades)) * decades; std::pow(10, e) <= range.high;
             e += decades)
          for (const double digit : some)
            if (const double at = digit * std::pow(10, e); at >= range.low * 0.999 && at <= range.high * 1.001)
              ticks.emplace_back(at, plain(at, std::max(0, (digit == 1.5 ? 1 : 0) - e)));
      }
    if (range.high > 8 * range.low) return all;
  }
  const double decade = std::pow(10, std::floor(std::log10(range.high - range.low)));
  for (const double digit : {5., 2.5, 2., 1., 0.5, 0.25, 0.2, 0.1})
    all.push_back(multiples(range, digit * decade));
  return all;
}

/// The finest ticks, at most eight, whose texts have the distance `room(text)` from each other, or the coarsest with three.
Ticks round_ticks(Axis::Scale scale, const Range& range, double length, const std::function<double(const std::string&)>& room) {
  const bool is_log = scale != Axis::Scale::linear;
  Ticks best;
  for (const Ticks& ticks : candidates(scale, range)) {
    bool fits = ticks.size() <= 8;
    for (std::size_t i = 1; i < ticks.size() && fits; ++i)
      fits = (part(ticks[i].first, range, is_log) - part(ticks[i - 1].first, range, is_log)) * length >=
             (room(ticks[i].second) + room(ticks[i - 1].second)) / 2;
    if ((fits && ticks.size() >= best.size()) || (best.size() < 3 && ticks.size() >= 3)) best = ticks;
  }
  return best;
}

void set_axis(Plot& plot, const char* name, const Range& range, bool is_log) {
  plot.add("{}set {}range [{}:{}]", is_log ? fmt::format("set logscale {}\n", name) : "", name, range.low, range.high);
}

struct KeyEntry {
  std::string name;
  Look look;
  int dashes = 0;
};

/// Names of series with samples of their looks, in one column or one after the other.
class Key {
 public:
  Key(const std::vector<KeyEntry>& entries, int width, const Style& style, bool is_column) : style_(style) {
    int x = 0, y = 0;
    for (const KeyEntry& entry : entries) {
      if (entry.name.empty()) continue;
      Placed placed{entry, x, y, wrapped(entry.name, width - sample - gap, style.small)};
      int wide = 0;
      for (const std::string& line : placed.lines)
        wide = std::max(wide, sample + gap + text_width(line, style.small));
      if (x > 0 && (is_column || x + wide > width)) {
        placed.x = 0;
        placed.y = y = height_;
      }
      x = placed.x + wide + 2 * gap;
      width_ = std::max(width_, placed.x + wide);
      height_ = std::max(height_, placed.y + text_height * static_cast<int>(placed.lines.size()) + (is_column ? 2 : 0));
      placed_.push_back(std::move(placed));
    }
  }

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  /// @param left, top of the key, in pixels from the lower left corner
  void draw(Plot& plot, double left, double top) const {
    // gnuplot joins lines that differ only in their dashes, so the widths differ as well.
    double line_width = 1.5;
    for (const Placed& p : placed_) {
      const double x = left + p.x, y = top - p.y - text_height / 2.;
      const auto screen = [&](double to_x, double to_y) {
        return fmt::format("screen {}, screen {}", to_x / plot.width(), to_y / plot.height());
      };
      const auto& [name, look, dashes] = p.entry;
      if (dashes > 0)
        plot.add("set arrow from {} to {} nohead lw {} dt {} lc rgb '{}' front", screen(x, y), screen(x + sample, y),
                 line_width += 0.01, dashes, look.color);
      if (look.point > 0)
        plot.add("set label '' at {} point pt {} ps 0.9 lw 1.5 lc rgb '{}' front", screen(x + sample / 2., y), look.point,
                 look.color);
      if (dashes == 0 && look.point == 0)
        plot.add("set object rectangle from {} to {} fc rgb '{}' fs solid noborder front", screen(x, y - 5),
                 screen(x + sample, y + 5), look.color);
      for (std::size_t i = 0; i < p.lines.size(); ++i)
        plot.text(x + sample + gap, y - static_cast<double>(i) * text_height, p.lines[i], "left", color::ink, style_.small);
    }
  }

 private:
  struct Placed {
    KeyEntry entry;
    int x, y;  ///< from the upper left corner of the key
    std::vector<std::string> lines;
  };
  static constexpr int sample = 24;
  const Style& style_;
  std::vector<Placed> placed_;
  int width_ = 0, height_ = 0;
};

/// Writes lines of text, the first at the height `top`.
void write(Plot& plot, double x, double top, const std::vector<std::string>& lines, const char* align, int size) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    plot.text(x, top - (static_cast<double>(i) + 0.5) * text_height, lines[i], align, color::ink, size);
}

/// Names of vertical lines above the frame, in as many lines as they need.
struct Above {
  double x;
  std::string name;
  int line = 0;
};

std::vector<Above> names_above(const Chart& chart, const Range& x, const Rectangle& frame, const Style& style, int& lines) {
  std::vector<Above> names;
  std::vector<double> ends;  // of the text in each line
  Ticks marks = chart.marks;
  std::ranges::sort(marks);
  for (const auto& [at, name] : marks) {
    if (!(at > x.low && at < x.high)) continue;
    const double half = text_width(name, style.small) / 2.;
    const double middle =
        std::clamp(frame.left + part(at, x, chart.x.scale != Axis::Scale::linear) * (frame.right - frame.left), half + 2,
                   std::max(half + 2, style.width - half - 2));
    std::size_t line = 0;
    while (line < ends.size() && ends[line] + gap > middle - half)
      ++line;
    if (line == ends.size()) ends.push_back(0);
    ends[line] = middle + half;
    names.push_back({middle, name, static_cast<int>(line)});
  }
  lines = static_cast<int>(ends.size());
  return names;
}

std::vector<KeyEntry> key_of(const Chart& chart) {
  std::vector<KeyEntry> entries;
  for (const Curve& s : chart.series)
    entries.push_back({s.name, s.look, s.is_path ? 0 : s.dashes});
  int dashes = 0;
  for (const auto& [at, name] : chart.levels)
    entries.push_back({name, {color::ink, 0}, 1 + dashes++ % 5});
  return entries;
}

/// Draws lines and bars, then all points, so that the pointer reaches them. Returns the series of each element; lines without
/// symbols are always shown.
std::vector<std::string> draw_series(Plot& plot, const std::vector<Curve>& all) {
  std::vector<std::string> names;
  const auto of = [&](const Curve& s) { names.resize(plot.elements(), s.look.point > 0 ? s.name : ""); };
  for (const Curve& s : all) {
    std::vector<std::vector<Datum>> line, bars;
    for (const ChartPoint& p : s.points) {
      line.push_back({p.x, p.y});
      if (p.interval.is_known()) bars.push_back({p.x, p.y, p.interval.low, p.interval.high});
    }
    if (!bars.empty())
      plot.draw("{} using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '{}' notitle", plot.data(bars), s.look.color);
    if (s.dashes > 0 && line.size() > 1)
      plot.draw("{} using 1:2 with lines lw {} dt {} lc rgb '{}' notitle", plot.data(line), s.is_path ? 1.0 : 1.5, s.dashes,
                s.is_path ? faint(s.look.color) : s.look.color);
    of(s);
  }
  for (const bool is_minor : {true, false})
    for (const Curve& s : all) {
      std::vector<std::vector<Datum>> points;
      for (const ChartPoint& p : s.points)
        if (p.is_minor == is_minor) points.push_back({p.x, p.y, Hover{p.hover.empty() ? s.name : p.hover}});
      if (points.empty() || s.look.point == 0) continue;
      plot.draw_points(plot.data(points), s.look.point, is_minor ? 0.7 : 0.9, is_minor ? faint(s.look.color) : s.look.color);
      of(s);
    }
  if (plot.elements() == 0) plot.draw("NaN notitle");
  names.resize(plot.elements());
  return names;
}

void draw_labels(Plot& plot, const Chart& chart, const Rectangle& frame, const Range& x, const Range& y) {
  const auto at = [&](const ChartPoint& p) {
    return Labels::Place{frame.left + part(p.x, x, chart.x.scale != Axis::Scale::linear) * (frame.right - frame.left),
                         frame.bottom + part(p.y, y, chart.y.scale != Axis::Scale::linear) * (frame.top - frame.bottom)};
  };
  Labels labels({plot.width(), plot.height()}, frame);
  for (const Curve& s : chart.series)
    for (std::size_t i = 0; i < s.points.size(); ++i) {
      if (s.look.point > 0) labels.avoid(at(s.points[i]));
      if (i > 0 && s.dashes > 0 && !s.is_path) labels.avoid(at(s.points[i - 1]), at(s.points[i]));
    }
  for (const Curve& s : chart.series)
    for (const ChartPoint& p : s.points)
      if (!p.label.empty()) plot.add("{}", labels.draw(at(p), p.label, s.look.color));
}

/// How to write the ticks below a frame.
struct Below {
  Ticks ticks;
  bool is_turned = false;
  int height = text_height;
};

/// The ticks of an axis: its own if it has any, else round values. `before` and `after` are the pixels beyond its ends.
Below ticks_below(const Axis& axis, const Range& range, double length, int before, int after, const Style& style) {
  const auto room = [&](const std::string& text) { return text_width(text, style.font) + 10.; };
  if (axis.ticks.empty()) {
    Below below{round_ticks(axis.scale, range, length, room)};
    std::erase_if(below.ticks, [&](const auto& tick) {
      const double at = part(tick.first, range, axis.scale != Axis::Scale::linear) * length;
      const double half = text_width(tick.second, style.font) / 2.;
      return at - half < -before || at + half > length + after;
    });
    return below;
  }
  Below below{axis.ticks};
  std::ranges::sort(below.ticks);
  const auto distance = [&](const auto& a, const auto& b) {
    return (part(b.first, range, axis.scale != Axis::Scale::linear) - part(a.first, range, axis.scale != Axis::Scale::linear)) *
           length;
  };
  for (std::size_t i = 1; i < below.ticks.size(); ++i)
    below.is_turned = below.is_turned || distance(below.ticks[i - 1], below.ticks[i]) <
                                             (room(below.ticks[i - 1].second) + room(below.ticks[i].second)) / 2;
  if (!below.is_turned) return below;
  for (std::size_t i = 1; i < below.ticks.size();)
    if (distance(below.ticks[i - 1], below.ticks[i]) < 18)
      below.ticks.erase(below.ticks.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  for (const auto& [at, text] : below.ticks)
    below.height = std::max(below.height, static_cast<int>(0.71 * (text_width(text, style.font) + style.font)) + 4);
  return below;
}

Plot draw_as(const Chart& chart, const Style& style, std::vector<std::string>& series) {
  const bool is_log_x = chart.x.scale != Axis::Scale::linear, is_log_y = chart.y.scale != Axis::Scale::linear;
  Range xs, ys;
  for (const Curve& s : chart.series)
    for (const ChartPoint& p : s.points) {
      xs.take(p.x);
      ys.take(p.y);
    }
  for (const auto& [at, name] : chart.levels)
    ys.take(at);
  xs = values_of(chart.x, xs);
  ys = values_of(chart.y, ys);

  const std::vector<KeyEntry> entries = key_of(chart);
  const Key key(entries, style.is_narrow ? style.width - 24 : 300, style, !style.is_narrow);
  const int frame_height = style.is_narrow ? style.frame_height : std::max(style.frame_height, key.height());
  const double pad = style.is_narrow ? 14 : 22;
  const Range y = chart.y.is_exact           ? ys
                  : !is_log_y && ys.low == 0 ? extended(ys, 0, pad, frame_height, false)
                                             : extended(ys, pad, pad, frame_height, is_log_y);
  const Ticks y_ticks = round_ticks(chart.y.scale, y, frame_height, [](const std::string&) { return 24; });
  int left = 0;
  for (const auto& [at, text] : y_ticks)
    left = std::max(left, text_width(text, style.font) + 16);
  int right = style.is_narrow || key.width() == 0 ? 26 : key.width() + 40;
  const Range x = chart.x.is_exact ? xs : extended(xs, pad, pad, style.width - left - right, is_log_x);
  const Below below = ticks_below(chart.x, x, style.width - left - right, left, right, style);
  if (below.is_turned && !below.ticks.empty())  // the first text reaches to the left of the frame
    left = std::max(left, static_cast<int>(0.75 * text_width(below.ticks.front().second, style.font)));

  int lines_above = 0;
  const Rectangle across{double(left), 0, double(style.width - right), 0};
  const std::vector<Above> above = names_above(chart, x, across, style, lines_above);
  const std::vector<std::string> y_title = wrapped(chart.y.title, style.width - 2 * gap, style.font);
  const std::vector<std::string> x_title = wrapped(chart.x.title, style.width - 2 * gap, style.font);
  const int top = text_height * (static_cast<int>(y_title.size()) + lines_above) + gap;
  const int below_frame = gap + below.height + 8;
  const int key_below = style.is_narrow && key.height() > 0 ? key.height() + gap : 0;
  const int bottom = below_frame + text_height * static_cast<int>(x_title.size()) + key_below + gap;

  Plot plot(style.width, top + frame_height + bottom, style.font);
  const Rectangle frame{double(left), double(bottom), double(style.width - right), double(bottom + frame_height)};
  plot.margins(left, right, top, bottom);
  set_axis(plot, "x", x, is_log_x);
  set_axis(plot, "y", y, is_log_y);
  plot.add("set xtics nomirror {}{}\nset ytics nomirror {}\nset grid ls 1\nunset key", tick_list(below.ticks),
           below.is_turned ? " rotate by 45 right" : "", tick_list(y_ticks));
  write(plot, gap, plot.height(), y_title, "left", style.font);
  const double middle = std::clamp((frame.left + frame.right) / 2, 0., style.width / 2.);
  write(plot, style.is_narrow ? style.width / 2. : middle, frame.bottom - below_frame, x_title, "center", style.font);
  if (style.is_narrow)
    key.draw(plot, 12, key_below);
  else
    key.draw(plot, frame.right + 20, frame.top);
  for (const Above& a : above)
    plot.text(a.x, frame.top + gap / 2. + (a.line + 0.5) * text_height, a.name, "center", color::muted, style.small);
  for (const auto& [at, name] : chart.marks)
    if (at > x.low && at < x.high)
      plot.add("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc rgb '{1}' lw 1.2", at, color::muted);
  for (std::size_t i = 0; i < chart.levels.size(); ++i)
    plot.add("set arrow from graph 0, first {0} to graph 1, first {0} nohead dt {1} lc rgb '{2}' lw {3}", chart.levels[i].first,
             1 + i % 5, color::ink, 1.5 + 0.01 * static_cast<double>(i));
  draw_labels(plot, chart, frame, x, y);
  series = draw_series(plot, chart.series);
  return plot;
}

/// Whether the texts at the values are so long that they are placed on separate lines above the bars.
bool has_text_lines(const RowChart& chart, double length, const Style& style) {
  return std::ranges::any_of(chart.lanes, [&](const Lane& lane) {
    return std::ranges::any_of(lane.bars, [&](const Bar& bar) { return text_width(bar.text, style.small) > length / 2; });
  });
}

/// Where the texts of a bar are: outside its ends. If the text of a value without a bar does not fit on the right, it is on the
/// left; so is the text of a long faint bar from 0.
struct Ends {
  bool is_left = false;      ///< whether the value's text is on the left of the value
  int value = 0, start = 0;  ///< widths of the texts
};

Ends ends_of(const Bar& bar, const Lane& lane, const RowChart& chart, const Range& values, double length, const Style& style) {
  const auto width = [&](const std::string& text) { return text.empty() ? 0 : text_width(text, style.small) + 12; };
  Ends ends{bar.from > bar.value, has_text_lines(chart, length, style) ? 8 : width(bar.text), width(bar.start)};
  const double at = part(bar.value, values, chart.x.scale != Axis::Scale::linear) * length;
  if (std::isnan(bar.from)) ends.is_left = at + ends.value > length && !bar.interval.is_known() && ends.value < length / 4;
  if (bar.from == 0 && lane.look.point > 0) ends.is_left = at > ends.value + 8;
  return ends;
}

/// The range of the values that leaves room for all texts inside a frame of `length` pixels.
Range room_for_texts(const RowChart& chart, const Range& values, double length, const Style& style) {
  const bool is_log = chart.x.scale != Axis::Scale::linear;
  Range range = values;
  for (int i = 0; i < 12; ++i) {
    double before = 0, after = 0;
    const auto take = [&](double value, int before_it, int after_it) {
      const double at = part(value, range, is_log) * length;
      before = std::max(before, before_it - at);
      after = std::max(after, at + after_it - length);
    };
    for (const Lane& lane : chart.lanes)
      for (const Bar& bar : lane.bars) {
        if (std::isnan(bar.value)) continue;
        const Ends ends = ends_of(bar, lane, chart, values, length, style);
        take(bar.value, ends.is_left ? ends.value : 8, ends.is_left ? 8 : ends.value);
        if (bar.interval.is_known()) take(bar.interval.high, 8, ends.value);
        if (!std::isnan(bar.from) && ends.start > 0)
          take(bar.from, ends.is_left ? 0 : ends.start, ends.is_left ? ends.start : 0);
      }
    if (!is_log && range.low == 0) before = 0;
    if (before < 1 && after < 1) break;
    range = extended(range, before, after, length, is_log);
  }
  return range;
}

Plot draw_as(const RowChart& chart, const Style& style, std::vector<std::string>& series) {
  const bool is_log = chart.x.scale != Axis::Scale::linear;
  Range values;
  int places = 1;
  std::vector<KeyEntry> entries;
  for (const Lane& lane : chart.lanes) {
    places = std::max(places, lane.place + 1);
    entries.push_back({lane.name, lane.look});
    for (const Bar& bar : lane.bars)
      for (const double value : {bar.value, bar.from, bar.interval.low, bar.interval.high})
        if (!is_log || value > 0) values.take(value);
  }
  // Names of rows are left of the frame, or above the bars of a narrow chart.
  int longest = 0;
  std::vector<std::vector<std::string>> names;
  for (const std::string& row : chart.rows) {
    names.push_back(wrapped(row, style.is_narrow ? style.width - 3 * gap : 280, style.font));
    for (const std::string& line : names.back())
      longest = std::max(longest, text_width(line, style.font));
  }
  const int left = style.is_narrow ? gap : longest + 2 * gap, right = style.is_narrow ? gap : 2 * gap;
  const double length = style.width - left - right;
  values = values_of(chart.x, values);
  const Range x = room_for_texts(chart, values, length, style);
  const Below below = ticks_below(chart.x, x, length, left, right, style);

  const bool has_lines = has_text_lines(chart, length, style);
  const int place_height = lane_height + (has_lines ? text_height : 0);
  std::vector<double> tops;  // of each row, in pixels from the top of the frame
  double frame_height = row_gap / 2.;
  for (const std::vector<std::string>& lines : names) {
    tops.push_back(frame_height);
    const int text = text_height * static_cast<int>(lines.size()), bars = place_height * places;
    frame_height += row_gap + (style.is_narrow ? text + bars : std::max(text, bars));
  }
  tops.push_back(frame_height);
  const Key key(entries, static_cast<int>(length), style, false);
  const std::vector<std::string> title = wrapped(chart.x.title, style.width - 2 * gap, style.font);
  const int top = key.height() + (key.height() > 0 ? 2 : 1) * gap;
  const int bottom = gap + below.height + 8 + text_height * static_cast<int>(title.size()) + gap;
  Plot plot(style.width, top + static_cast<int>(std::ceil(frame_height)) + bottom, style.font);
  const Rectangle frame{double(left), double(bottom), double(style.width - right), double(plot.height() - top)};
  frame_height = frame.top - frame.bottom;
  plot.margins(left, right, top, bottom);
  set_axis(plot, "x", x, is_log);
  plot.add("set yrange [0:{}]\nunset ytics\nset xtics nomirror {}\nset grid xtics ls 1\nunset key", frame_height,
           tick_list(below.ticks));
  key.draw(plot, frame.right - key.width(), plot.height() - gap);
  write(plot, style.is_narrow ? style.width / 2. : (frame.left + frame.right) / 2, frame.bottom - gap - below.height - 8, title,
        "center", style.font);
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const double row_top = frame.top - tops[i];
    const double text = text_height * static_cast<double>(names[i].size());
    if (style.is_narrow)
      write(plot, left + gap, row_top, names[i], "left", style.font);
    else
      write(plot, left - gap, row_top - std::max(0., (place_height * places - text) / 2), names[i], "right", style.font);
    if (i == 0) continue;
    const bool is_rule = std::ranges::find(chart.rules, i) != chart.rules.end();
    plot.add("set arrow from graph 0, first {0} to graph 1, first {0} nohead {1} back", frame_height - tops[i] + row_gap / 2.,
             is_rule ? fmt::format("lc rgb '{}' lw 1", color::muted) : "ls 2");
  }
  std::vector<std::pair<std::string, const Lane*>> dots;
  for (const Lane& lane : chart.lanes) {
    std::vector<std::vector<Datum>> bars, intervals, points;
    const double half = lane.look.point == 0 ? 8 : 5;
    for (const Bar& bar : lane.bars) {
      if (std::isnan(bar.value) || bar.row >= chart.rows.size()) continue;
      const double above = style.is_narrow ? text_height * static_cast<double>(names[bar.row].size()) : 0;
      const double y = frame_height - tops[bar.row] - above - place_height * (lane.place + 1) + lane_height / 2.;
      const auto write_at = [&](double value, bool is_left, double away, const std::string& text) {
        const double at = frame.left + part(value, x, is_log) * length;
        if (!text.empty())
          plot.text(is_left ? at - away : at + away, frame.bottom + y, text, is_left ? "right" : "left", color::ink,
                    style.small);
      };
      const Ends ends = ends_of(bar, lane, chart, values, length, style);
      if (has_lines)
        plot.text(frame.left + gap, frame.bottom + y + text_height, bar.text, "left", color::ink, style.small);
      else
        write_at(bar.interval.is_known() && !ends.is_left ? bar.interval.high : bar.value, ends.is_left, 9, bar.text);
      points.push_back({bar.value, y, Hover{bar.hover}});
      if (bar.interval.is_known()) intervals.push_back({bar.value, y, bar.interval.low, bar.interval.high});
      if (std::isnan(bar.from)) continue;
      const double long_as = std::abs(part(bar.value, x, is_log) - part(bar.from, x, is_log)) * length;
      write_at(bar.from, bar.from <= bar.value, std::max(5., 9 - long_as), bar.start);  // clear of the dot of a short bar
      bars.push_back(
          {(bar.value + bar.from) / 2, y, std::min(bar.value, bar.from), std::max(bar.value, bar.from), y - half, y + half});
    }
    if (!bars.empty())
      plot.draw("{} using 1:2:3:4:5:6 with boxxyerror fc rgb '{}' fs solid noborder notitle", plot.data(bars),
                lane.look.point == 0 ? lane.look.color : faint(lane.look.color));
    if (!intervals.empty())
      plot.draw("{} using 1:2:3:4 with xerrorbars pt 0 lw 1.2 lc rgb '{}' notitle", plot.data(intervals), lane.look.color);
    series.resize(plot.elements(), lane.name);
    if (!points.empty()) dots.emplace_back(plot.data(points), &lane);
  }
  for (const auto& [data, lane] : dots) {
    if (lane->look.point == 0)
      plot.draw("{} using 1:2:3 with labels hypertext point pt 5 ps 1 lc rgb '#fe000000' notitle", data);
    else
      plot.draw_points(data, lane->look.point, 0.9, lane->look.color);
    series.resize(plot.elements(), lane->name);
  }
  if (plot.elements() == 0) plot.draw("NaN notitle");
  series.resize(plot.elements());
  return plot;
}

template <class AnyChart>
Figure draw_both(const AnyChart& chart) {
  std::vector<std::string> series;
  Plot plot = draw_as(chart, wide, series), small = draw_as(chart, narrow, series);
  return {.id = chart.id,
          .title = chart.title,
          .caption = "",
          .plot = std::move(plot),
          .series = std::move(series),
          .narrow = std::move(small)};
}

}  // namespace

Figure draw(const Chart& chart) { return draw_both(chart); }

Figure draw(const RowChart& chart) { return draw_both(chart); }

}  // namespace ladder::reports
