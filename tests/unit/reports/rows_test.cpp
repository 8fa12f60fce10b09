// Stored rows: what a row may say, and where it is said that it may not.
#include "reports/rows.hpp"

#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Entry;
using test::Folder;
using test::input_error;
using test::line;

TEST(Rows, ColumnsAreFoundByName) {
  const Folder folder;
  const RowFile file =
      read_rows(folder.write("m.csv", test::header + line({.reason = "a, \"b\"", .updates_per_second = 2.5e8})));
  ASSERT_EQ(file.rows.size(), 1U);
  const Row& row = file.rows[0];
  EXPECT_EQ(row.line, 2U);
  EXPECT_EQ(row.rung, "d2q9/serial/01_plain");
  EXPECT_EQ(row.reason, "a, \"b\"");
  EXPECT_EQ(row.updates_per_second, 2.5e8);
  EXPECT_EQ(row.bytes_per_update_minimum, 72);
  EXPECT_TRUE(std::isnan(row.population_error)) << "a sample has none";
}

TEST(Rows, AnUnknownOutcomeKindOrPrecisionIsAnError) {
  const Folder folder;
  const auto message = [&](const Entry& e) {
    return input_error([&] { read_rows(folder.write("m.csv", test::header + line({}) + line(e))); });
  };
  EXPECT_TRUE(contains(message({.outcome = "fine"}), "m.csv:3: column 'outcome' is 'fine'; accepted: ok, wrong, skipped"));
  EXPECT_TRUE(contains(message({.kind = "guess"}), "column 'kind' is 'guess'; accepted: check, sample, ceiling"));
  EXPECT_TRUE(contains(message({.precision = "f16"}), "column 'precision' is 'f16'; accepted: f32, f64"));
}

TEST(Rows, AnOkSampleHasARate) {
  const Folder folder;
  for (const double rate : {0.0, -1.0, std::nan("")}) {
    const std::string rows = test::header + line({.updates_per_second = rate});
    EXPECT_TRUE(contains(input_error([&] { read_rows(folder.write("m.csv", rows)); }), "m.csv:2: column 'updates_per_second'"));
  }
}

TEST(Rows, AMissingColumnIsNamed) {
  const Folder folder;
  EXPECT_TRUE(
      contains(input_error([&] { read_rows(folder.write("m.csv", "session,round\ns1,1\n")); }), "m.csv:1: the header lacks"));
  EXPECT_TRUE(contains(input_error([&] { read_rows(folder.path() / "none.csv"); }), "none.csv: cannot be read"));
}

TEST(Rows, AHalfWrittenLastRowIsLeftOut) {
  const Folder folder;
  const std::string half = line({}).substr(0, 40);
  const RowFile file = read_rows(folder.write("m.csv", test::header + line({}) + half));
  EXPECT_EQ(file.rows.size(), 1U);
  EXPECT_TRUE(file.truncated);
}

}  // namespace
}  // namespace ladder::reports
