// [[report]] blocks: errors name the line of a missing, wrong or unknown parameter.
#include "harness/study/parameters.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Folder;
using test::input_error;

/// The only block of a study.toml that starts with these lines.
Parameters block(const Folder& folder, const std::string& lines) {
  return read_parameters(folder.write("study.toml", "title = \"t\"\n[[report]]\n" + lines)).tables("report").at(0);
}

TEST(Parameters, ReadsTextsNumbersAndTables) {
  const Folder folder;
  const Parameters p = block(folder, "a = \"x\"\nb = [\"y\", \"z\"]\nc = 3\nd = [{ e = \"w\" }]\n");
  EXPECT_EQ(p.text("a"), "x");
  EXPECT_EQ(p.texts("a"), std::vector<std::string>{"x"}) << "a single text is a list with one element";
  EXPECT_EQ(p.texts("b").size(), 2U);
  EXPECT_EQ(p.number("c", 0), 3.0);
  EXPECT_EQ(p.tables("d").at(0).text("e"), "w");
  EXPECT_EQ(p.text("none", "absent"), "absent");
  p.finish();
}

TEST(Parameters, NamesFileLineAndWhatIsAccepted) {
  const Folder folder;
  const Parameters p = block(folder, "a = 1\nb = []\n");
  EXPECT_TRUE(contains(input_error([&] { (void)p.text("a"); }), "study.toml:3: 'a' is not text; accepted: text in quotes"));
  EXPECT_TRUE(contains(input_error([&] { (void)p.texts("b"); }), "study.toml:4: 'b' is not a list of texts"));
  EXPECT_TRUE(contains(input_error([&] { (void)p.text("c"); }), "study.toml:2: lacks 'c'"));
}

TEST(Parameters, IntegersAreNumbersEvenWhereADoubleDoesNotHoldThem) {
  const Parameters file = parse_parameters("study.toml", "a = 9007199254740993\n");
  EXPECT_EQ(file.number("a", 0), 9007199254740992.0);
  std::int64_t exact = 0;
  file.take_integer("a", exact, 9007199254740993);
  EXPECT_EQ(exact, 9007199254740993);
}

TEST(Parameters, RejectsWhatNobodyAskedFor) {
  const Folder folder;
  const Parameters p = block(folder, "cases = [\"x\"]\ncasse = [\"y\"]\n");
  (void)p.texts("cases");
  EXPECT_TRUE(contains(input_error([&] { p.finish(); }),
                       "study.toml:4: unknown key 'casse' in [[report]] (did you mean 'cases'?); accepted: cases"));
}

TEST(Parameters, AFileThatIsNotTomlIsNamedWithItsLine) {
  const Folder folder;
  const auto path = folder.write("study.toml", "title = \"t\"\nb = = 3\n");
  EXPECT_TRUE(contains(input_error([&] { (void)read_parameters(path); }), "study.toml:2: is not TOML"));
  const auto scalar = folder.write("study.toml", "report = 3\n");
  EXPECT_TRUE(contains(input_error([&] { (void)read_parameters(scalar).tables("report"); }),
                       "study.toml:1: 'report' is not a list of tables"));
}

}  // namespace
}  // namespace ladder::reports
