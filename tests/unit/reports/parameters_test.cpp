// [[report]] blocks: what is missing, wrong or unknown is named with its line.
#include "reports/parameters.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Folder;
using test::input_error;

/// The only block of a study.toml that starts with these lines.
Parameters block(const Folder& folder, const std::string& lines) {
  return read_study_file(folder.write("study.toml", "title = \"t\"\n[[report]]\n" + lines)).blocks.at(0);
}

TEST(Parameters, ReadsTextsNumbersAndTables) {
  const Folder folder;
  const Parameters p = block(folder, "a = \"x\"\nb = [\"y\", \"z\"]\nc = 3\nd = [{ e = \"w\" }]\n");
  EXPECT_EQ(p.text("a"), "x");
  EXPECT_EQ(p.texts("a"), std::vector<std::string>{"x"}) << "one text is a list of one";
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
  const StudyFile file = parse_study_file("study.toml", "[[report]]\na = 9007199254740993\n");
  EXPECT_EQ(file.blocks.at(0).number("a", 0), 9007199254740992.0);
}

TEST(Parameters, RejectsWhatNobodyAskedFor) {
  const Folder folder;
  const Parameters p = block(folder, "cases = [\"x\"]\ncasse = [\"y\"]\n");
  (void)p.texts("cases");
  EXPECT_TRUE(contains(input_error([&] { p.finish(); }), "study.toml:4: 'casse' is unknown here; accepted: cases"));
}

TEST(Parameters, AFileThatIsNotTomlIsNamedWithItsLine) {
  const Folder folder;
  const auto path = folder.write("study.toml", "title = \"t\"\nb = = 3\n");
  EXPECT_TRUE(contains(input_error([&] { (void)read_study_file(path); }), "study.toml:2: is not TOML"));
  const auto scalar = folder.write("study.toml", "report = 3\n");
  EXPECT_TRUE(contains(input_error([&] { (void)read_study_file(scalar); }), "study.toml:1: 'report' is not a list of tables"));
}

}  // namespace
}  // namespace ladder::reports
