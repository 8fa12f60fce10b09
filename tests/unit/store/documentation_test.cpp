// docs/architecture.md lists every stored column and field as defined in the code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/flows.hpp"
#include "harness/record/foreign.hpp"
#include "harness/record/profiles.hpp"
#include "harness/record/provenance.hpp"
#include "harness/record/rows.hpp"
#include "harness/record/timelines.hpp"

namespace ladder {
namespace {

/// The definitions as a Markdown table.
template <class Texts>
std::string table(const char* kind, const Texts& all) {
  std::string text = fmt::format("| {} | type | unit or form | meaning |\n|---|---|---|---|\n", kind);
  for (const auto& one : all)
    text += fmt::format("| `{}` | {} | {} | {} |\n", one.name, one.type, one.unit, one.meaning);
  return text;
}

/// Compares the page with a table, which stands between markers. With LADDER_UPDATE_DOCS=1 the table is written there.
void expect_documented(const std::string& name, const std::string& expected) {
  const auto path = std::filesystem::path(LADDER_SOURCE) / "docs/architecture.md";
  const std::string begin = fmt::format("<!-- generated: {} -->\n", name);
  const std::string page = read_whole(path);
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find("<!-- end -->", from);
  ASSERT_TRUE(from < to && to != std::string::npos) << "docs/architecture.md lacks the markers of " << name;
  const std::string generated = page.substr(0, from) + begin + "\n" + expected + "\n" + page.substr(to);
  if (std::getenv("LADDER_UPDATE_DOCS") != nullptr)
    std::ofstream(path) << generated;
  else
    EXPECT_TRUE(page == generated) << "docs/architecture.md is stale; LADDER_UPDATE_DOCS=1 writes this table:\n" << expected;
}

TEST(Documentation, ListsTheColumnsOfRows) { expect_documented("rows", table("column", columns<Row>())); }
TEST(Documentation, ListsTheColumnsOfProfiles) { expect_documented("profiles", table("column", columns<Profile>())); }
TEST(Documentation, ListsTheColumnsOfTimelines) {
  expect_documented("activities", table("column", columns<Activity>()));
  expect_documented("timelines", table("column", columns<TimelineEvent>()));
}
TEST(Documentation, ListsTheColumnsOfFlowFiles) { expect_documented("flows", table("column", columns<Flow>())); }
TEST(Documentation, ListsTheFieldsOfProvenance) { expect_documented("provenance", table("field", provenance_fields())); }
TEST(Documentation, ListsWhatExecutablesAnswer) {
  expect_documented("probe", table("field", probe_fields()));
  expect_documented("case", table("field", case_fields()));
  expect_documented("sample", table("column", sample_columns()));
  expect_documented("contender", table("field", foreign_fields()));
}

TEST(Documentation, GivesEveryColumnAndFieldAMeaning) {
  for (const auto& column : columns<Row>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& column : columns<Profile>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& column : columns<TimelineEvent>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& column : columns<Flow>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& fields : {provenance_fields(), probe_fields(), case_fields(), foreign_fields()})
    for (const auto& field : fields)
      EXPECT_FALSE(field.meaning.empty()) << field.name;
}

}  // namespace
}  // namespace ladder
