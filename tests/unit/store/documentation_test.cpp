// docs/architecture.md lists every stored column and field as defined in the code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.hpp"
#include "harness/record/flows.hpp"
#include "harness/record/profiles.hpp"
#include "harness/record/provenance.hpp"
#include "harness/record/rows.hpp"

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

void expect_documented(const std::string& expected) {
  const std::string page = read_whole(std::filesystem::path(LADDER_SOURCE) / "docs/architecture.md");
  EXPECT_NE(page.find("\n\n" + expected + "\n"), std::string::npos) << "docs/architecture.md lacks this table:\n" << expected;
}

TEST(Documentation, ListsTheColumnsOfRows) { expect_documented(table("column", columns<Row>())); }
TEST(Documentation, ListsTheColumnsOfProfiles) { expect_documented(table("column", columns<Profile>())); }
TEST(Documentation, ListsTheColumnsOfFlowFiles) { expect_documented(table("column", columns<Flow>())); }
TEST(Documentation, ListsTheFieldsOfProvenance) { expect_documented(table("field", provenance_fields())); }

TEST(Documentation, GivesEveryColumnAndFieldAMeaning) {
  for (const auto& column : columns<Row>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& column : columns<Profile>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& column : columns<Flow>())
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  for (const auto& field : provenance_fields())
    EXPECT_FALSE(field.meaning.empty()) << field.name;
}

}  // namespace
}  // namespace ladder
