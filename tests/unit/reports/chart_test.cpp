// Charts from data: ticks, places of texts, and looks.
#include "reports/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>
#include <set>

#include "reports/gnuplot.hpp"
#include "reports/labels.hpp"
#include "tests/support/text.hpp"

namespace ladder::reports {
namespace {

using ladder::test::contains;

/// A text of a picture, with the box that it fills, in pixels from the upper left corner.
struct Text {
  std::string text;
  Rectangle box;
  bool is_turned;
};

std::vector<Text> texts_of(const std::string& svg) {
  static const std::regex pattern(
      R"re(translate\(([-\d.]+),([-\d.]+)\)( rotate\(([-\d.]+)\))?"[^>]*font-size="([\d.]+)"\s+text-anchor="(\w+)">\s*<text>([^<]*)<)re");
  std::vector<Text> texts;
  for (std::sregex_iterator i(svg.begin(), svg.end(), pattern), end; i != end; ++i) {
    const std::smatch& m = *i;
    const double x = std::stod(m[1]), y = std::stod(m[2]), size = std::stod(m[5]);
    const double angle = m[4].matched ? std::stod(m[4]) * std::numbers::pi / 180 : 0;
    const double width = text_width(m[7].str(), static_cast<int>(size)) - 3;
    const double from = m[6] == "end" ? -width : m[6] == "middle" ? -width / 2 : 0;
    Rectangle box{1e9, 1e9, -1e9, -1e9};
    for (const double along : {from, from + width})
      for (const double down : {-0.75 * size, 0.2 * size}) {
        const double at_x = x + along * std::cos(angle) - down * std::sin(angle);
        const double at_y = y + along * std::sin(angle) + down * std::cos(angle);
        box = {std::min(box.left, at_x), std::min(box.bottom, at_y), std::max(box.right, at_x), std::max(box.top, at_y)};
      }
    texts.push_back({m[7], box, angle != 0});
  }
  return texts;
}

/// Both drawings of a figure: no text reaches out of the picture or over another text.
std::vector<std::string> expect_legible(Figure figure) {
  figure.id = "f";
  std::vector<std::string> svgs;
  for (const Plot& plot : {figure.plot, figure.narrow.value()}) {
    const Figure one{"f", "t", "", plot};
    svgs.push_back(draw({&one}).at(0).svg);
    const std::vector<Text> texts = texts_of(svgs.back());
    EXPECT_GE(texts.size(), 6u);
    for (const Text& t : texts) {
      EXPECT_GE(t.box.left, 0) << t.text;
      EXPECT_GE(t.box.bottom, 0) << t.text;
      EXPECT_LE(t.box.right, plot.width()) << t.text;
      EXPECT_LE(t.box.top, plot.height()) << t.text;
      for (const Text& other : texts)
        EXPECT_FALSE(&other != &t && !t.is_turned && !other.is_turned && t.box.meets(other.box))
            << t.text << " and " << other.text << " at width " << plot.width();
    }
  }
  return svgs;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

Chart sizes(std::size_t lines) {
  Chart chart{.id = "c",
              .title = "t",
              .x = {"case (number of sites, log scale)", Axis::Scale::logarithmic},
              .y = {"MLUPS", Axis::Scale::logarithmic},
              .levels = {{9000, "copy-27 from DRAM"}},
              .marks = {{2e5, "L2: 432 B a site"}, {2.6e5, "L2: 216 B a site"}}};
  for (const double side : {8., 10., 15., 20., 30., 64., 128., 256., 512.})
    chart.x.ticks.emplace_back(std::pow(side, 3), "tgv-" + std::to_string(static_cast<int>(side)));
  for (std::size_t i = 0; i < lines; ++i) {
    Curve line{std::to_string(i) + "_a_rung_with_a_name", {color::ours(i), point_type(i)}, 1};
    for (const auto& [at, name] : chart.x.ticks)
      line.points.push_back({.x = at, .y = 10 * static_cast<double>(i + 1) * std::sqrt(at), .hover = name});
    chart.series.push_back(std::move(line));
  }
  return chart;
}

TEST(Chart, KeepsTextsInsideAndApart) {
  for (const std::size_t lines : {1, 12, 30})
    for (const std::string& svg : expect_legible(draw(sizes(lines)))) {
      EXPECT_TRUE(contains(svg, "0_a_rung_with_a_name"));
      EXPECT_TRUE(contains(svg, "copy-27 from DRAM"));
      EXPECT_TRUE(contains(svg, "L2: 432 B a site"));
    }
}

TEST(Chart, HasThreeTicksHoweverSmallTheRange) {
  for (const Axis::Scale scale : {Axis::Scale::linear, Axis::Scale::logarithmic})
    for (const double high : {1.01, 1.3, 2., 7., 30., 1e4, 1e9})
      for (const double low : {1e-3, 1., 1250.}) {
        Chart chart{.id = "c", .title = "t", .x = {"x", scale}, .y = {"y", scale}};
        chart.series.push_back({"s", {color::blue, 7}, 1, false, {{low, low}, {low * high, low * high}}});
        const std::string script = draw(chart).plot.script();
        for (const char* axis : {"set xtics nomirror (", "set ytics nomirror ("}) {
          const std::size_t start = script.find(axis), end = script.find(")\n", start);
          EXPECT_GE(count(script.substr(start, end - start), "'"), 6u) << axis << " from " << low << " by " << high;
        }
      }
}

TEST(Chart, IsDrawnWithoutAnyPoint) { (void)expect_legible(draw(sizes(0))); }

TEST(Chart, LabelsLieNextToRoofsAndPoints) {
  Chart chart{.id = "c",
              .title = "t",
              .x = {"operational intensity, flop/B", Axis::Scale::logarithmic, {0.1, 100}, true},
              .y = {"performance, GFLOP/s", Axis::Scale::logarithmic, {1, 1000}, true}};
  chart.series.push_back({"triad, DRAM, 54 GB/s", {color::muted, 0}, 1, false, {{0.1, 5.4}, {9.6, 522}}});
  chart.series.push_back({"fma, 522 GFLOP/s", {color::muted, 0}, 1, false, {{9.6, 522}, {100, 522}}});
  Curve ladder{"openmp", {color::blue, 7}, 1, true};
  for (int i = 0; i < 8; ++i)
    ladder.points.push_back({.x = 1, .y = 5 + 5. * i, .label = "0" + std::to_string(i) + " an idea"});
  chart.series.push_back(std::move(ladder));
  for (const std::string& svg : expect_legible(draw(chart)))
    EXPECT_TRUE(contains(svg, "an idea"));
}

RowChart steps() {
  RowChart chart{.id = "r",
                 .title = "t",
                 .x = {"time per step, µs (log scale; further left is faster)", Axis::Scale::logarithmic},
                 .rows = {},
                 .lanes = {{"paper", {color::vermilion, 5}, 0}, {"ours", {color::blue, 7}, 1}}};
  double before = unknown;
  for (std::size_t i = 0; i < 12; ++i) {
    chart.rows.push_back("0" + std::to_string(i) + " the work-group’s shape as a tunable, and more words");
    const double at = i % 4 == 3 ? before * 1.5 : 5e4 / std::pow(2, i);
    for (Lane& lane : chart.lanes)
      lane.bars.push_back(
          {.row = i, .value = at, .from = before, .text = "12,300", .start = i > 0 ? "1.72×" : "", .hover = "h"});
    before = at;
  }
  return chart;
}

TEST(RowChart, HasAValueAtEachDotAndAGainAtEachBar) {
  for (const std::string& svg : expect_legible(draw(steps()))) {
    EXPECT_EQ(count(svg, ">12,300<"), 24u);
    EXPECT_EQ(count(svg, ">1.72×<"), 22u);
  }
}

TEST(RowChart, KeepsLongTextsInside) {
  for (const Axis::Scale scale : {Axis::Scale::linear, Axis::Scale::logarithmic}) {
    RowChart chart{.id = "r", .title = "t", .x = {"%", scale}, .rows = {"a host", "a device"}, .lanes = {}};
    if (scale == Axis::Scale::linear) chart.x.shown = {0, 100};
    for (int place = 0; place < 4; ++place) {
      Lane lane{"", {color::blue, 7}, place};
      for (std::size_t row = 0; row < 2; ++row)
        lane.bars.push_back({.row = row,
                             .value = row == 0 ? 13. + 28 * place : 79. + 6 * place,
                             .from = scale == Axis::Scale::linear ? 0 : unknown,
                             .text = "97.6 %  OpenCL, 12_nontemporal everywhere"});
      chart.lanes.push_back(std::move(lane));
    }
    (void)expect_legible(draw(chart));
  }
}

TEST(Colors, OfAMeaningAreDifferent) {
  const std::set<std::string> all = {color::ink,   color::muted,     color::blue, color::deep,
                                     color::light, color::vermilion, color::green};
  EXPECT_EQ(all.size(), 7u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_TRUE(std::set<std::string>({color::blue, color::deep, color::light}).contains(color::ours(i)));
}

TEST(Text, IsWrappedBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 70, 13), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("", 70, 13).size(), 0u);
  EXPECT_GT(text_width("mmmm"), text_width("iiii"));
}

}  // namespace
}  // namespace ladder::reports
