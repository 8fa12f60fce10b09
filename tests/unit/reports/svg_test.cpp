// Makes gnuplot's SVG harmless and fit for a page with other figures.
#include <gtest/gtest.h>

#include <cstdlib>

#include "reports/gnuplot.hpp"
#include "tests/support/text.hpp"

namespace ladder::reports {
namespace {

using ladder::test::contains;

const std::string raw =
    "<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 1 1\">\n<title>Gnuplot</title>\n<g id=\"gnuplot_canvas\">\n"
    "<circle id='gpDot' r='0.5'/><use xlink:href='#gpDot'/>\n<g id=\"gnuplot_plot_1\" ><title>gnuplot_plot_1</title>\n"
    "<g onmousemove=\"gnuplot_svg.showHypertext(evt,'h0')\" onmouseout=\"gnuplot_svg.hideHypertext()\"><title> </title>\n"
    "<use xlink:href='#gpDot'/></g></g></g></svg>";

TEST(Svg, HoverTextBecomesATitleWithoutAnyScript) {
  const std::string svg = finish_svg(raw, "fig", "A \"title\"", {"5 < 6 \" onload=\"x"});
  EXPECT_TRUE(contains(svg, "<g><title>5 &lt; 6 &quot; onload=&quot;x</title>"));
  EXPECT_TRUE(contains(svg, "aria-label=\"A &quot;title&quot;\""));
  EXPECT_EQ(svg.find("onmouse"), std::string::npos);
  EXPECT_EQ(svg.find("gnuplot_plot_1</title>"), std::string::npos) << "it would pop up over the whole figure";
}

TEST(Svg, IdsDoNotMeetThoseOfOtherFigures) {
  const std::string svg = finish_svg(raw, "fig 7", "t", {""});
  EXPECT_TRUE(contains(svg, "id='fig-7-gpDot'"));
  EXPECT_TRUE(contains(svg, "href='#fig-7-gpDot'"));
  EXPECT_TRUE(contains(svg, "id=\"fig-7-gnuplot_canvas\""));
}

TEST(Svg, TextIsNoEndOfAnXmlSection) {
  Figure figure{"fig", "t ]]>", "", Plot(600, 400)};
  figure.plot.add("set xtics {}", tick_list({{0, "a ]]> b"}}));
  figure.plot.add("set xlabel {}", plot_string("c ]]> d"));
  figure.plot.add("plot {} using 1:2:3 with labels notitle", figure.plot.data({{0.0, 0.0, std::string("e ]]> f")}}));
  const std::string svg = draw({&figure}).at(0).svg;
  EXPECT_EQ(svg.find("]]>"), std::string::npos);
  for (const char* text : {"a ]]&gt; b", "c ]]&gt; d", "e ]]&gt; f"})
    EXPECT_TRUE(contains(svg, text));
}

TEST(Svg, HypertextThatWasNotAskedForIsAnError) { EXPECT_THROW(finish_svg(raw, "f", "t", {}), std::runtime_error); }

TEST(Gnuplot, TakesNoLabelForAFormat) {
  Figure figure{"fig", "t", "", Plot(600, 400)};
  figure.plot.add("set xtics {}", tick_list({{0, "30% faster"}, {1, "50%"}, {2, "100 %% %s %d %"}}));
  figure.plot.add("set xlabel {}\nset title {}", plot_string("20% x"), plot_string("10% t"));
  figure.plot.add("set label {} at 1, 1", plot_string("5% l"));
  const std::string data = figure.plot.data({{0.0, 0.0, std::string("40% d")}, {2.0, 2.0, std::string("%")}});
  figure.plot.add("plot {} using 1:2:3 with labels title {}", data, plot_string("60% k"));
  const std::string svg = draw({&figure}).at(0).svg;
  for (const char* text :
       {">30% faster<", ">50%<", ">100 %% %s %d %<", ">20% x<", ">10% t<", ">5% l<", ">40% d<", ">%<", ">60% k<"})
    EXPECT_TRUE(contains(svg, text));
}

TEST(Gnuplot, NeedsNoFolderForTemporaryFiles) {
  Figure figure{"fig", "t", "", Plot(100, 100)};
  figure.plot.add("plot {} using 1:2 with lines notitle", figure.plot.data({{0.0, 0.0}, {}, {1.0, 1.0}}));
  const char* set = std::getenv("TMPDIR");
  const std::string before = set == nullptr ? "" : set;
  setenv("TMPDIR", "/nowhere", 1);
  const auto drawings = draw({&figure});
  set == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);
  EXPECT_TRUE(contains(drawings.at(0).svg, "<svg"));
  EXPECT_TRUE(drawings.at(0).pdf.starts_with("%PDF"));
}

TEST(Gnuplot, SaysWhatWasWrong) {
  Figure figure{"fig", "t", "", Plot(100, 100)};
  figure.plot.add("plot sin(");
  try {
    draw({&figure});
    FAIL() << "expected an exception";
  } catch (const std::runtime_error& e) {
    EXPECT_TRUE(contains(e.what(), "figure fig: gnuplot failed"));
  }
}

}  // namespace
}  // namespace ladder::reports
