// Stored rows: accepted values, and where errors are reported.
#include "harness/record/rows.hpp"

#include <array>
#include <string>
#include <tuple>

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
  EXPECT_TRUE(contains(message({.kind = "guess"}), "column 'kind' is 'guess'; accepted: check, sample, twin, ceiling"));
  EXPECT_TRUE(contains(message({.precision = "f15"}), "column 'precision' is 'f15'; accepted: f32, f64, f16"));
}

TEST(Rows, AnOkSampleHasARate) {
  const Folder folder;
  for (const double rate : {0.0, -1.0, std::nan("")}) {
    const std::string rows = test::header + line({.updates_per_second = rate});
    EXPECT_TRUE(contains(input_error([&] { read_rows(folder.write("m.csv", rows)); }), "m.csv:2: column 'updates_per_second'"));
  }
}

TEST(Rows, ARateIsThatOfTheSecondsBesideIt) {
  std::string row = line({.updates_per_second = 1e6});
  const std::size_t at = row.find(",1000000,");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(parse_rows("m.csv", test::header + row).rows.size(), 1U);
  row.replace(at, 9, ",10000000,");
  EXPECT_TRUE(contains(input_error([&] { parse_rows("m.csv", test::header + row); }),
                       "m.csv:2: column 'updates_per_second' is '10000000', but 16 cells, 10 steps and 0.00016 s give "));
}

TEST(Rows, ACountIsNotNegativeAndAQuantityIsOneThatAMachineMayHave) {
  const auto message = [&](const Entry& e) { return input_error([&] { parse_rows("m.csv", test::header + line(e)); }); };
  EXPECT_TRUE(contains(message({.cells = -16}), "m.csv:2: column 'cells' is '-16'; accepted: an integer from 0"));
  EXPECT_TRUE(contains(message({.cells = 0}), "m.csv:2: column 'cells' is '0'; accepted in an ok row: an integer from 1"));
  EXPECT_TRUE(contains(message({.updates_per_second = 1e31}),
                       "m.csv:2: column 'updates_per_second' is '1e+31'; accepted: 0, or a number from 1e-30 to 1e30"));
  EXPECT_TRUE(contains(message({.flops = std::numeric_limits<double>::infinity()}), "column 'flops_per_update' is 'inf'"));
  EXPECT_TRUE(contains(message({.footprint = 1e-31}), "column 'footprint_bytes' is '1e-31'"));
}

TEST(Rows, AnErrorMayBeAnyNumber) {
  const std::string wrong =
      "s,0,1,2026-11-21T03:15:00Z,check,r,default,serial,c,4x4,16,f32,,1,wrong,,7,1e300,1e-5,inf,10,,,72,72,1,1,cpu,k\n";
  EXPECT_EQ(parse_rows("m.csv", test::header + wrong).rows.at(0).population_error, 1e300);
}

TEST(Rows, ImpossibleValuesAreRefused) {
  const Row sample = parse_rows("m.csv", test::header + line({})).rows.at(0);
  Row check = sample;
  check.kind = "check";
  check.population_error = check.tolerance = 1e-6;
  const auto why = [](Row row, auto&& change) {
    EXPECT_EQ(why_refused(row), "");
    change(row);
    return why_refused(row);
  };
  EXPECT_TRUE(
      contains(why(sample, [](Row& r) { r.joules = 1e9; }), "column 'joules' is '1000000000'; accepted: at most 20000 W"));
  EXPECT_TRUE(contains(why(sample, [](Row& r) { r.phases = "stream=fast"; }), "column 'phases' is 'stream=fast'"));
  EXPECT_TRUE(contains(why(sample, [](Row& r) { r.bytes_per_update_levels = "dram=36"; }), "column 'bytes_per_update_levels'"));
  EXPECT_TRUE(contains(why(check, [](Row& r) { r.population_error = 2e-6; }),
                       "column 'population_error' is '2e-06'; accepted in an ok row: at most its tolerance, 1e-06"));
  for (const char* utc : {"", "abc", "2026", "2026-11-21", "2026-02-30T03:15:00Z", "2026-11-21T24:15:00Z", "2026-1-1T03:15:00Z",
                          "2026-11-21T03:15:00"})
    EXPECT_EQ(why(check, [&](Row& r) { r.utc = utc; }),
              std::string("column 'utc' is '") + utc + "'; accepted: e.g. 2026-01-01T12:00:00Z");
  EXPECT_EQ(why(check, [](Row& r) { r.session.clear(); }),
            "column 'session' is ''; accepted: the id of a session, e.g. 20260101T120000Z-1a2b");
  for (const auto& sides : {std::array{4, 4, 2}, {4, 2, 1}, {3, 4, 1}, {8, 3, 1}, {4, 0, 1}, {16, 16, 0}})
    EXPECT_EQ(
        why(check, [&](Row& r) { std::tie(r.nx, r.ny, r.nz) = std::tuple_cat(sides); }),
        fmt::format("column 'cells' is '16'; accepted: {} x {} x {}, the cells of the lattice", sides[0], sides[1], sides[2]));
  EXPECT_TRUE(contains(why(sample, [](Row& r) { r.cells = 64; }), "column 'cells' is '64'"));
  const std::string negative =
      "s,0,1,2026-11-21T03:15:00Z,check,r,default,serial,c,4x4,16,f32,,1,wrong,,7,-1,1e-5,1,10,,,72,72,1,1,cpu,k\n";
  EXPECT_TRUE(contains(input_error([&] { parse_rows("m.csv", test::header + negative); }),
                       "column 'population_error' is '-1'; accepted: a number from 0"));
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
  EXPECT_TRUE(file.csv.is_truncated());
}

TEST(Rows, ALastRowWithoutALineBreakCountsIfNothingOfItCanBeMissing) {
  const auto today = [](const std::string& older) {
    return csv_line(
        parse_rows("m.csv", test::header + older).rows.front());  // with today's columns, of which the last is empty
  };
  const std::string text = csv_header<Row>() + "\n" + today(line({})) + "\n" + today(line({.round = 2}));
  EXPECT_EQ(parse_rows("m.csv", text).rows.size(), 2U);
  EXPECT_FALSE(parse_rows("m.csv", text).csv.is_truncated());
  const std::string number = text + "3";  // may have had more digits
  EXPECT_EQ(parse_rows("m.csv", number + "\n").rows.size(), 2U);
  const std::string wrong = text.substr(0, text.rfind(",ok,")) + ",o," + text.substr(text.rfind(",ok,") + 4);
  for (const std::string& cut : {number, wrong}) {
    const RowFile file = parse_rows("m.csv", cut);
    EXPECT_EQ(file.rows.size(), 1U) << cut;
    EXPECT_EQ(file.csv.records().size(), 1U) << cut;
    EXPECT_TRUE(file.csv.is_truncated()) << cut;
  }
}

TEST(Rows, AStoreThatHasNotBegunHoldsNone) {
  const std::string header = csv_header<Row>();
  for (const std::string& text : {std::string(), header.substr(0, 1), header.substr(0, 40), header, header + "\n"})
    EXPECT_TRUE(parse_rows("m.csv", text).rows.empty()) << text;
  EXPECT_TRUE(contains(input_error([] { parse_rows("m.csv", "\n"); }), "m.csv:1: no header line"));
}

TEST(Rows, HaveEnergySinceTheLatestVersion) {
  const RowFile old = parse_rows("m.csv", test::header + line({}));
  EXPECT_TRUE(std::isnan(old.rows.at(0).joules_per_update())) << "a file without the column";
  Row row = old.rows[0];
  row.joules = 0.32;
  row.energy_domain = "gpu";
  const RowFile file = parse_rows("m.csv", csv_header<Row>() + "\n" + csv_line(row) + "\n");
  EXPECT_DOUBLE_EQ(file.rows.at(0).joules_per_update(), 0.002) << "16 cells, 10 steps";
  EXPECT_EQ(file.rows[0].energy_domain, "gpu");
  EXPECT_TRUE(contains(csv_header<Row>(), ",phases,joules,energy_domain,")) << "new columns are added at the end";
  const std::string header = csv_header<Row>();
  EXPECT_TRUE(is_older_header<Row>(header.substr(0, header.find(",joules")))) << "such files get the new columns";
}

TEST(Rows, AreThereOnce) {
  const std::string once = line({.round = 1}) + line({.round = 2});
  EXPECT_EQ(parse_rows("m.csv", test::header + once + line({.round = 2, .session = "s2"})).rows.size(), 3U);
  EXPECT_TRUE(contains(input_error([&] { parse_rows("m.csv", test::header + once + once); }),
                       "m.csv:4: a second sample d2q9/serial/01_plain default box-4 f32 k in round 1 of session s1; "
                       "accepted: one, as in line 2"));
}

TEST(Rows, AFormulaIsStoredAsText) {
  Row row;
  row.session = "s";
  row.utc = "2026-11-21T03:15:00Z";
  row.kind = "check";
  row.precision = "f32";
  row.outcome = "failed";
  row.reason = "=HYPERLINK(\"http://evil\")";
  const std::string text = csv_line(row);
  EXPECT_TRUE(contains(text, ",\"'=HYPERLINK(")) << text;
  EXPECT_EQ(parse_rows("m.csv", csv_header<Row>() + "\n" + text + "\n").rows.at(0).reason, row.reason);
}

}  // namespace
}  // namespace ladder::reports
