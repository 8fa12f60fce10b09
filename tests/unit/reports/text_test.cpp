// Formatted values, and text that must not become markup.
#include <gtest/gtest.h>

#include <cmath>

#include "base/format.hpp"
#include "reports/plot.hpp"

namespace ladder::reports {
namespace {

TEST(Text, HtmlEscapesMarkupAndQuotes) {
  EXPECT_EQ(html("<script>alert('x')</script> & \"y\""), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;");
  EXPECT_EQ(html("µs – 128²"), "µs – 128²");
}

TEST(Text, WhatIsNotTextBecomesAQuestionMark) {
  EXPECT_EQ(printable(std::string("a\0b\x1b[31m", 8)), "a?b?[31m");
  EXPECT_EQ(printable("\xff\xc3x"), "??x");
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "a lone surrogate is not UTF-8";
  EXPECT_EQ(printable("two\nlines"), "two lines");
}

TEST(Text, MarkdownCannotLeaveItsTableField) {
  EXPECT_EQ(markdown("a|b`c`*d*[e]<b>\n"), "a\\|b\\`c\\`\\*d\\*\\[e\\]&lt;b&gt; ");
}

TEST(Text, GnuplotSeesNothingButAString) {
  EXPECT_EQ(plot_string("it's `rm -rf` \"x\" \\n @y"), "'it’s ’rm -rf’ ’x’ /n @y'");
  Plot plot(10, 10);
  EXPECT_EQ(plot.data({{1.0, std::string("`a` \"b\"\t\\\nEND"), Hover{"<c>"}}}), "$data1");
  EXPECT_EQ(plot.definitions(), "$data1 << END\n1\t\"'a' 'b' / END\"\t\"h0\"\nEND\n");
  EXPECT_EQ(plot.hovers().at(0), "<c>");
}

TEST(Text, NumbersHaveThreeDigitsAndNoNeedlessExponent) {
  EXPECT_EQ(significant(0.012345), "0.0123");
  EXPECT_EQ(significant(57.64), "57.6");
  EXPECT_EQ(significant(999.6), "1000");
  EXPECT_EQ(significant(123456), "123,456");
  EXPECT_EQ(significant(2.5e9), "2.50e+09");
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(std::nan("")), "—");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(percent(0.5764), "57.6 %");
  EXPECT_EQ(percent(1.16), "116 %");
  EXPECT_EQ(binary_bytes(1207959552), "1.12 GiB");
  EXPECT_EQ(binary_bytes(96 * 1024), "96 KiB");
}

TEST(Text, NamesOfFilesAreTame) {
  EXPECT_EQ(id_slug("../../etc/passwd & Co"), "etc-passwd-co");
  EXPECT_EQ(id_slug("..."), "x");
}

TEST(Text, PatternsMatchWholeIds) {
  EXPECT_TRUE(matches("d2q9/openmp/*", "d2q9/openmp/03_x"));
  EXPECT_FALSE(matches("d2q9/openmp", "d2q9/openmp/03_x"));
}

}  // namespace
}  // namespace ladder::reports
