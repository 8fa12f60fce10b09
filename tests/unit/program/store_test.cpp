#include "harness/run/store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "harness/archive/archive.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

using test::contains;
using test::Folder;
using test::input_error;

Row sample(const std::string& key, int round) {
  Row row;
  row.session = "20261121T000000Z-0001";
  row.utc = "2026-11-21T00:00:00Z";
  row.kind = "sample";
  row.outcome = "ok";
  row.key = key;
  row.backend = "serial";
  row.precision = "f32";
  row.round = round;
  row.cells = 125;
  row.steps = 1000;
  row.seconds = 1e-3;
  row.updates_per_second = 1.25e8;
  return row;
}

/// Header of the first version, in which the key was the last column.
std::string first_header() {
  const std::string header = csv_header<Row>();
  return header.substr(0, header.find(",key") + 4);
}

TEST(Store, KeepsWhatIsAppended) {
  const Folder folder;
  {
    Store store(folder.path() / "here.csv");
    store.append({sample("a", 1)});
    store.append({sample("b", 2)});
  }
  const Store again(folder.path() / "here.csv");
  ASSERT_EQ(again.rows().size(), 2u);
  EXPECT_EQ(again.rows()[1].key, "b");
  EXPECT_EQ(again.rows()[0].round, 1);
  EXPECT_EQ(again.rows()[0].updates_per_second, 1.25e8);
}

TEST(Store, GivesAStoreOfTheFirstVersionTheColumnsThatItLacks) {
  const Folder folder;
  std::string line = csv_line(sample("a", 1));
  const std::string header = csv_header<Row>();
  const auto columns = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  line.resize(line.size() - static_cast<std::size_t>(columns(header) - columns(first_header())));  // all empty
  folder.write("here.csv", first_header() + "\n" + line + "\nhalf a ro");
  {
    Store store(folder.path() / "here.csv");
    ASSERT_EQ(store.rows().size(), 1u);
    store.append({sample("b", 2)});
  }
  EXPECT_EQ(folder.read("here.csv"),
            csv_header<Row>() + "\n" + csv_line(sample("a", 1)) + "\n" + csv_line(sample("b", 2)) + "\n");
  EXPECT_EQ(folder.listing(), std::vector<std::string>{"here.csv"});
}

/// The row as a spreadsheet might save it, with a line break in a quoted field.
std::string with_line_break(const Row& row) {
  Row wild = row;
  wild.build = "a, \"b\" -";
  std::string line = csv_line(wild);
  line[line.find(" -")] = '\n';
  return line;
}

TEST(Store, KeepsLineBreaksInFieldsWhenItAddsColumns) {
  const Folder folder;
  std::string line = with_line_break(sample("a", 1));
  const std::string header = csv_header<Row>();
  line.resize(line.find(",a,", line.find("\n-")) + 2);
  folder.write("here.csv", first_header() + "\n" + line + "\n");
  const Store store(folder.path() / "here.csv");
  ASSERT_EQ(store.rows().size(), 1u);
  EXPECT_EQ(store.rows()[0].build, "a, \"b\"\n-");
  EXPECT_EQ(read_rows(folder.path() / "here.csv").rows.at(0).build, "a, \"b\"\n-");
}

TEST(Store, KeepsLineBreaksInFieldsWhenItMerges) {
  const Folder folder;
  const std::string line = with_line_break(sample("a", 1));
  folder.write("here.csv", csv_header<Row>() + "\n" + line + "\n");
  Store store(folder.path() / "here.csv");
  Row earlier = sample("b", 1);
  earlier.session = "20260101T000000Z-0001";
  store.merge({earlier});
  EXPECT_EQ(folder.read("here.csv"), csv_header<Row>() + "\n" + csv_line(earlier) + "\n" + line + "\n");
}

TEST(Store, AcceptsQuotesInItsHeader) {
  const Folder folder;
  const std::string row = csv_line(sample("a", 1)) + "\n", header = csv_header<Row>();
  for (const std::string& end : {header.substr(header.find(',')), first_header().substr(header.find(','))}) {
    std::string line = row;
    if (end.size() + 7 < header.size()) line = row.substr(0, row.find(",a,") + 2) + "\n";
    folder.write("here.csv", "\"session\"" + end + "\n" + line);
    {
      Store store(folder.path() / "here.csv");
      ASSERT_EQ(store.rows().size(), 1u) << end;
      store.append({sample("a", 2)});
    }
    EXPECT_EQ(Store(folder.path() / "here.csv").rows().size(), 2u) << end;
  }
}

TEST(Store, RefusesAHeaderThatNoVersionWrote) {
  const Folder folder;
  for (const std::string& header : {std::string("session,round"), "\"session,round\"" + first_header().substr(13),
                                    first_header() + ",extra", "x" + first_header(), first_header() + ","}) {
    folder.write("here.csv", header + "\n");
    EXPECT_TRUE(contains(input_error([&] { Store(folder.path() / "here.csv"); }), "not a store of rows")) << header;
    EXPECT_EQ(folder.read("here.csv"), header + "\n");
  }
}

TEST(Store, SaysHowAHeaderDiffers) {
  const Folder folder;
  const std::string header = csv_header<Row>();
  const auto columns = std::to_string(std::count(header.begin(), header.end(), ',') + 1);
  const std::pair<std::string, std::string> headers[] = {
      {"\xef\xbb\xbf" + header, "begins with a byte-order mark"},
      {header + "\r", "lines end in CR or CR LF"},
      {header + ",mine", "column " + std::to_string(std::stoi(columns) + 1) + ", 'mine', is unknown"},
      {header.substr(0, header.find(',', 20)), "column 5, 'kind', is missing"},
      {header + ",", "column " + std::to_string(std::stoi(columns) + 1) + ", '', is unknown"},
      {header.substr(0, header.rfind(',')) + ",mine", "column " + columns + " is 'mine' instead of '"},
      {"sessions" + header.substr(header.find(',')), "column 1 is 'sessions' instead of 'session'"}};
  for (const auto& [line, message] : headers) {
    folder.write("here.csv", line + "\n");
    const std::string error = input_error([&] { Store(folder.path() / "here.csv"); });
    EXPECT_TRUE(contains(error, message)) << error;
  }
}

TEST(Store, KeepsAWholeLastRowThatLacksItsLineBreak) {
  const Folder folder;
  const std::string text = csv_header<Row>() + "\n" + csv_line(sample("a", 1)) + "\n" + csv_line(sample("a", 2));
  folder.write("here.csv", text);
  {
    Store store(folder.path() / "here.csv");
    ASSERT_EQ(store.rows().size(), 2u);
    EXPECT_EQ(folder.read("here.csv"), text);
    store.append({sample("a", 3)});
  }
  EXPECT_EQ(folder.read("here.csv"), text + "\n" + csv_line(sample("a", 3)) + "\n");
}

TEST(Store, RefusesAQuoteThatSwallowsRows) {
  const Folder folder;
  std::string text = csv_header<Row>() + "\n";
  for (int round = 1; round <= 3; ++round)
    text += csv_line(sample("a", round)) + "\n";
  text.insert(text.find(",sample,") + 1, "\"");
  folder.write("here.csv", text);
  EXPECT_TRUE(contains(input_error([&] { Store(folder.path() / "here.csv"); }), "here.csv:2: a quote is not closed"));
  EXPECT_EQ(folder.read("here.csv"), text);
}

TEST(Store, BeginsAFileThatIsEmptyOrHasAPartOfItsHeader) {
  const Folder folder;
  const std::string header = csv_header<Row>();
  for (const std::string& begun : {std::string(), header.substr(0, 9), header}) {
    folder.write("here.csv", begun);
    Store(folder.path() / "here.csv").append({sample("a", 1)});
    EXPECT_EQ(folder.read("here.csv"), header + "\n" + csv_line(sample("a", 1)) + "\n");
  }
}

TEST(Store, LeavesWhatOthersAppendInTheMeantime) {
  const Folder folder;
  std::string expected = csv_header<Row>() + "\n";
  Store store(folder.path() / "here.csv");
  const auto other = [&](const std::string& text) {
    std::ofstream(folder.path() / "here.csv", std::ios::app) << text;
    expected += text;
  };
  const auto own = [&](int round) {
    store.append({sample("a", round)});
    expected += csv_line(sample("a", round)) + "\n";
  };
  own(1);
  other(csv_line(sample("b", 1)) + "\n");
  own(2);
  other(csv_line(sample("b", 2)));
  expected += "\n";
  own(3);
  EXPECT_EQ(folder.read("here.csv"), expected);
}

TEST(Store, AppendsToACompressedFile) {
  const Folder folder;
  const auto path = folder.path() / "here.csv";
  Store(path).append({sample("a", 1)});
  const std::string before = folder.read("here.csv");
  compress_stored(path);
  {
    Store store(path);
    EXPECT_EQ(store.rows().size(), 1U);
    store.append({sample("a", 2)});
  }
  EXPECT_EQ(folder.read("here.csv"), before + csv_line(sample("a", 2)) + "\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "here.csv.gz"));
}

TEST(Store, TakesNoRowOnceItsFileIsRemovedOrReplaced) {
  const Folder folder;
  const auto path = folder.path() / "here.csv";
  const std::string others = csv_header<Row>() + "\n" + csv_line(sample("b", 1)) + "\n";
  for (const bool replaced : {false, true}) {
    std::filesystem::remove(path);
    Store store(path);
    store.append({sample("a", 1)});
    std::filesystem::remove(path);
    if (replaced) folder.write("here.csv", others);
    EXPECT_TRUE(contains(input_error([&] { store.append({sample("a", 2)}); }), "here.csv: has been removed or replaced"));
    EXPECT_EQ(std::filesystem::exists(path) ? folder.read("here.csv") : "", replaced ? others : "");
  }
}

TEST(Store, TakesNoRowThatItCouldNotReadAgain) {
  const Folder folder;
  Store store(folder.path() / "here.csv");
  Row row = sample("a", 1);
  row.bytes_per_update_model = 1e-300;
  const std::string before = folder.read("here.csv");
  EXPECT_TRUE(contains(input_error([&] { store.append({row}); }), "column 'bytes_per_update_model' is '1e-300'"));
  EXPECT_EQ(folder.read("here.csv"), before);

  const Row failed = storable(row);
  EXPECT_EQ(failed.outcome, "failed");
  EXPECT_EQ(failed.key, row.key);
  EXPECT_EQ(failed.round, row.round);
  EXPECT_TRUE(contains(failed.reason, "the answer cannot be stored: column 'bytes_per_update_model' is '1e-300'"));
  store.append({failed});
  EXPECT_EQ(storable(sample("a", 1)).outcome, "ok");
}

TEST(Store, IsAFile) {
  const Folder folder;
  const auto path = folder.path() / "here.csv";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(contains(input_error([&] { const Store store(path); }), "here.csv: is a device or a pipe; accepted: a file"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  EXPECT_TRUE(contains(input_error([&] { const Store store(path); }), "here.csv: is a device or a pipe"));
}

TEST(Store, IsWrittenByOneAtATime) {
  const Folder folder;
  const Store first(folder.path() / "here.csv");
  EXPECT_TRUE(contains(input_error([&] { Store(folder.path() / "here.csv"); }), "is writing this store"));
}

}  // namespace
}  // namespace ladder
