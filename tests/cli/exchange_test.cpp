// `ladder export` and `ladder import`: results for other programs, and from other machines.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "harness/record/csv.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* study_text =
    "rounds = 2\nsample_seconds = 0.02\n[[matrix]]\nrungs = [\"d2q9/serial/01_skeleton\"]\ncases = [\"box-16\"]\n"
    "precisions = [\"f32\"]\n";

/// A study with results of machine `here`.
class Exchange : public testing::Test {
 protected:
  Installation on;
  const std::string results = on.path("experiments/one/results/");

  Exchange() {
    on.study("one", study_text);
    EXPECT_EQ(on.ladder({"run", "one", "--machine", "here", "--no-report"}).code, exit_ok);
  }
  /// Moves the results to the folder `mail`, as files of a colleague.
  void mail() const { fs::rename(results, on.path("mail")); }
  [[nodiscard]] ProcessResult import_rows(const std::string& machine = "there") const {
    return on.ladder({"import", on.path("mail/here.csv"), "--machine", machine});
  }
  [[nodiscard]] std::map<std::string, std::string> stored() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(results))
      all[entry.path().filename()] = read_whole(entry.path());
    return all;
  }
  [[nodiscard]] fs::path session_file(const std::string& folder) const {
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".json") return entry.path();
    return {};
  }
};

/// A CSV text with another column, which is empty.
std::string with_column(const std::string& text, const std::string& name) {
  std::string all;
  for (const std::string& line : lines(text))
    all += line + "," + (all.empty() ? name : "") + "\n";
  return all;
}

TEST_F(Exchange, ExportsAllMachinesAsOneTable) {
  fs::create_directory(on.path("mail"));
  fs::copy(results, on.path("mail"), fs::copy_options::recursive);
  ASSERT_EQ(import_rows().code, exit_ok);
  const ProcessResult result = on.ladder({"export", "one", "--out", on.path("all.csv")});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const CsvFile table = CsvFile::read(on.path("all.csv"));
  std::map<std::string, int> rows;
  for (const CsvRecord& record : table.records()) {
    EXPECT_EQ(record.fields[table.column("study")], "one");
    ++rows[record.fields[table.column("machine")]];
  }
  const int own = static_cast<int>(read_rows(results + "here.csv").rows.size());
  EXPECT_EQ(rows, (std::map<std::string, int>{{"here", own}, {"there", own}}));
  EXPECT_EQ(on.ladder({"export", "one"}).out, read_whole(on.path("all.csv")));
  EXPECT_FALSE(contains(on.ladder({"export", "one", "--machine", "here"}).out, ",there,"));
}

TEST_F(Exchange, ExportSaysThatALastRowIsIncomplete) {
  const std::string text = read_whole(results + "here.csv");
  on.work().write("experiments/one/results/here.csv", text.substr(0, text.size() - 20));
  const ProcessResult result = on.ladder({"export", "one"});
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_TRUE(contains(result.err, "here.csv: the last row is incomplete and was left out")) << result.err;
}

TEST_F(Exchange, ExportRefusesRowsThatItCannotRead) {
  fs::create_symlink("anns@laptop:1234", results + ".#here.csv");  // the lock of an editor
  EXPECT_EQ(on.ladder({"export", "one"}).code, exit_ok);
  for (const std::string name : {"here (copy)", "here.old"}) {
    fs::copy_file(results + "here.csv", results + name + ".csv");
    const ProcessResult copy = on.ladder({"export", "one"});
    EXPECT_EQ(copy.code, exit_bad_input);
    EXPECT_TRUE(contains(copy.err, "'" + name + "' is not a machine name")) << copy.err;
    fs::remove(results + name + ".csv");
  }
  fs::create_symlink("moved.csv", results + "other.csv");
  const ProcessResult result = on.ladder({"export", "one"});
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "other.csv: cannot be read: it is neither a regular file nor a link to one")) << result.err;
}

TEST_F(Exchange, ExportNamesTheColumnsThatItLeavesOut) {
  on.work().write("experiments/one/results/here.csv", with_column(read_whole(results + "here.csv"), "mood"));
  const ProcessResult result = on.ladder({"export", "one"});
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_TRUE(contains(result.err, "unknown columns were left out: mood")) << result.err;
}

TEST_F(Exchange, ExportReplacesOnlyAnEarlierExport) {
  const std::map<std::string, std::string> before = stored();
  ASSERT_EQ(mkfifo(on.path("pipe").c_str(), 0600), 0);
  const std::vector<std::pair<std::string, std::string>> kept = {
      {results + "here.csv", "another program wrote this file"},
      {session_file(results), "another program wrote this file"},
      {on.path("experiments/one/study.toml"), "another program wrote this file"},
      {on.path("pipe"), "it is not a regular file"}};
  for (const auto& [file, message] : kept) {
    const ProcessResult result = on.ladder({"export", "one", "--out", file});
    EXPECT_EQ(result.code, exit_bad_input) << file;
    EXPECT_TRUE(contains(result.err, file + ": ") && contains(result.err, message)) << result.err;
  }
  EXPECT_EQ(stored(), before);
  EXPECT_TRUE(fs::is_fifo(on.path("pipe")));
  for (const char* format : {"csv", "csv", "benchmark-json", "benchmark-json", "csv"})
    EXPECT_EQ(on.ladder({"export", "one", "--format", format, "--out", on.path("all")}).code, exit_ok);
}

TEST_F(Exchange, ExportsTheLastSessionAsGoogleBenchmark) {
  ASSERT_EQ(on.ladder({"run", "one", "--machine", "here", "--no-report", "--again"}).code, exit_ok);
  const ProcessResult result = on.ladder({"export", "one", "--format", "benchmark-json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("context").at("host_name"), "here");
  std::vector<Row> samples;
  const std::vector<Row> rows = read_rows(results + "here.csv").rows;
  for (const Row& row : rows)
    if (row.kind == "sample" && row.session == rows.back().session) samples.push_back(row);
  ASSERT_EQ(samples.size(), 2u);
  const auto& all = json.at("benchmarks");
  ASSERT_EQ(all.size(), 3u) << "two samples and their median";
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(all[i].at("name"), "d2q9/serial/01_skeleton/box-16/f32");
    EXPECT_EQ(all[i].at("run_type"), "iteration");
    EXPECT_EQ(all[i].at("repetition_index"), i);
    EXPECT_EQ(all[i].at("time_unit"), "ns");
    EXPECT_EQ(all[i].at("iterations"), samples[i].steps);
    EXPECT_NEAR(all[i].at("real_time").get<double>() * static_cast<double>(samples[i].steps), 1e9 * samples[i].seconds, 1);
    EXPECT_NEAR(all[i].at("items_per_second").get<double>() / samples[i].updates_per_second, 1, 1e-6);
  }
  EXPECT_EQ(all[2].at("name"), "d2q9/serial/01_skeleton/box-16/f32_median");
  EXPECT_EQ(all[2].at("run_type"), "aggregate");
}

TEST_F(Exchange, ImportsOnceAndKeepsWhatIsStored) {
  mail();
  const ProcessResult result = import_rows();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto once = stored();
  EXPECT_EQ(once.at("there.csv"), read_whole(on.path("mail/here.csv")));
  const auto provenance = nlohmann::json::parse(read_whole(session_file(results)));
  EXPECT_EQ(provenance.at("machine").at("name"), "there");
  EXPECT_TRUE(contains(import_rows().out, ": 0 rows added"));
  EXPECT_EQ(stored(), once);
  EXPECT_EQ(on.ladder({"report", "one", "--out", on.path("report")}).code, exit_ok);
}

TEST_F(Exchange, ImportsWhatAColleagueMeasuredLater) {
  mail();
  const std::string whole = read_whole(on.path("mail/here.csv"));
  on.work().write("mail/here.csv", whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
  nlohmann::ordered_json provenance = nlohmann::ordered_json::parse(read_whole(session_file(on.path("mail"))));
  nlohmann::ordered_json interrupted = provenance;
  interrupted.erase("rows");
  on.work().write("mail/" + session_file(on.path("mail")).filename().string(), interrupted.dump(1));
  ASSERT_EQ(import_rows().code, exit_ok);
  on.work().write("mail/here.csv", whole);
  provenance["timing"]["wall_seconds"] = 1234;
  on.work().write("mail/" + session_file(on.path("mail")).filename().string(), provenance.dump(1));
  ASSERT_TRUE(contains(import_rows().out, ": 1 row added"));
  EXPECT_EQ(stored().at("there.csv"), whole);
  EXPECT_TRUE(contains(read_whole(session_file(results)), "1234"));
  provenance["timing"]["wall_seconds"] = 4321;
  on.work().write("mail/" + session_file(on.path("mail")).filename().string(), provenance.dump(1));
  ASSERT_EQ(import_rows().code, exit_ok);
  EXPECT_TRUE(contains(read_whole(session_file(results)), "1234")) << "no new rows: the stored provenance stays";
}

TEST_F(Exchange, ImportsTheSecondCheckOfAContinuedSession) {
  mail();
  const fs::path session = session_file(on.path("mail"));
  nlohmann::ordered_json provenance = nlohmann::ordered_json::parse(read_whole(session));
  provenance.erase("rows");
  on.work().write("mail/" + session.filename().string(), provenance.dump(1));
  ASSERT_EQ(import_rows().code, exit_ok);
  const std::string rows = read_whole(on.path("mail/here.csv"));
  Row check = read_rows(on.path("mail/here.csv")).rows.front();
  ASSERT_EQ(check.kind, "check");
  check.order += 1;
  on.work().write("mail/here.csv", rows + csv_line(check) + "\n");
  EXPECT_TRUE(contains(import_rows().out, ": 1 row added"));
  EXPECT_EQ(stored().at("there.csv"), rows + csv_line(check) + "\n");
}

TEST_F(Exchange, ImportsAnEarlierSessionBeforeLaterOnes) {
  mail();
  const std::string late = read_whole(on.path("mail/here.csv"));
  const fs::path session = session_file(on.path("mail"));
  const std::string id = read_rows(on.path("mail/here.csv")).rows.front().session;
  const std::string earlier_id = "20200101T000000Z-0000";
  on.work().write("mail/here." + earlier_id + ".json", replace_all(read_whole(session), id, earlier_id));
  const std::size_t header = late.find('\n') + 1;
  const std::string both = late.substr(0, header) + replace_all(late.substr(header), id, earlier_id) + late.substr(header);
  ASSERT_EQ(import_rows().code, exit_ok);
  on.work().write("mail/here.csv", both);
  const ProcessResult result = import_rows();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(stored().at("there.csv"), both);
  const std::string exported = on.ladder({"export", "one", "--format", "benchmark-json"}).out;
  EXPECT_EQ(nlohmann::json::parse(exported).at("context").at("date"), nlohmann::json::parse(read_whole(session)).at("utc"));
  ASSERT_EQ(on.ladder({"import", on.path("mail/here.csv"), "--machine", "in-order"}).code, exit_ok);
  EXPECT_EQ(stored().at("in-order.csv"), both);
}

TEST_F(Exchange, NoticesEditedRows) {
  const std::string rows = read_whole(results + "here.csv");
  const std::vector<std::string> all = lines(rows);
  std::string without_one = rows, another_device = rows;
  without_one.erase(rows.find(all[2]), all[2].size() + 1);
  const std::size_t at = rows.rfind(",serial,");
  another_device.replace(at, 8, ",openmp,");
  for (const std::string& edited : {without_one, another_device}) {
    on.work().write("experiments/one/results/here.csv", edited);
    const ProcessResult imported = on.ladder({"import", results + "here.csv", "--machine", "there"});
    EXPECT_EQ(imported.code, exit_bad_input) << imported.err;
    EXPECT_TRUE(contains(imported.err, "here.csv:2: the rows of session '")) << imported.err;
    EXPECT_FALSE(fs::exists(results + "there.csv"));
    const ProcessResult report = on.ladder({"report", "one", "--out", on.path("report")});
    EXPECT_TRUE(contains(report.err, "here.csv:2: the rows of session ")) << report.err;
  }
  on.work().write("experiments/one/results/here.csv", rows);
  EXPECT_EQ(on.ladder({"import", results + "here.csv", "--machine", "there"}).code, exit_ok);
}

TEST_F(Exchange, EditedRowsAreNotContinued) {
  on.study("two", study_text);
  ASSERT_EQ(on.ladder({"run", "two", "--machine", "here", "--no-report", "--budget", "0.000001s"}).code, exit_ok);
  const std::string file = "experiments/two/results/here.csv", rows = on.work().read(file);
  on.work().write(file, replace_all(rows, ",serial,", ",openmp,"));
  const ProcessResult refused = on.ladder({"run", "two", "--machine", "here", "--no-report"});
  EXPECT_EQ(refused.code, exit_bad_input);
  EXPECT_TRUE(contains(refused.err, file + ":2: the rows of session '")) << refused.err;
  on.work().write(file, rows);
  const ProcessResult next = on.ladder({"run", "two", "--machine", "here", "--no-report"});
  EXPECT_EQ(next.code, exit_ok) << next.err;
  EXPECT_TRUE(contains(next.err, "continuing session")) << next.err;
}

TEST_F(Exchange, RefusesTheSessionOfOtherRows) {
  const fs::path session = session_file(results);
  const std::string provenance = read_whole(session), name = "experiments/one/results/" + session.filename().string();
  const std::string id = read_rows(results + "here.csv").rows.front().session;
  const std::vector<std::pair<std::string, std::string>> others = {
      {replace_all(provenance, id, "20200101T000000Z-0000"), ":2: session is '20200101T000000Z-0000'; accepted: '" + id + "'"},
      {replace_all(provenance, "\"name\": \"here\"", "\"name\": \"there\""), ": machine.name is 'there'; accepted: 'here'"}};
  for (const auto& [text, message] : others) {
    on.work().write(name, text);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"import", results + "here.csv", "--machine", "there"},
                                               {"run", "one", "--machine", "here", "--no-report"},
                                               {"report", "one", "--out", on.path("report")}}) {
      const ProcessResult result = on.ladder(words);
      EXPECT_EQ(result.code, exit_bad_input) << words[0] << result.err;
      EXPECT_TRUE(contains(result.err, session.filename().string() + ":") && contains(result.err, message)) << result.err;
    }
  }
}

TEST_F(Exchange, RefusesWhatItCannotMerge) {
  mail();
  ASSERT_EQ(import_rows().code, exit_ok);
  const auto before = stored();
  const std::string rows = read_whole(on.path("mail/here.csv"));
  const fs::path session = session_file(on.path("mail"));
  const std::string provenance = read_whole(session);
  const auto refused = [&](const std::string& message) {
    const ProcessResult result = import_rows();
    EXPECT_EQ(result.code, exit_bad_input) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_EQ(stored(), before);
    on.work().write("mail/here.csv", rows);
    on.work().write("mail/" + session.filename().string(), provenance);
  };
  on.work().write("mail/here.csv", replace_all(rows, ",serial,", ",cereal,"));
  refused("differs from the stored row");
  on.work().write("mail/here.csv", replace_all(rows, ",ok,", ",good,"));
  refused("mail/here.csv:2: column 'outcome' is 'good'");
  on.work().write("mail/here.csv", rows.substr(0, rows.size() - 5));
  refused("accepted: complete rows");
  on.work().write("mail/here.csv", with_column(rows, "mood"));
  refused("mail/here.csv:1: unknown column 'mood'");
  on.work().write("mail/here.csv", rows + lines(rows).back() + "\n");
  refused("accepted: one, as in line " + std::to_string(lines(rows).size()));
  fs::remove(session);
  refused("has no provenance");
  on.work().write("mail/" + session.filename().string(), replace_all(provenance, "\"plan\": \"", "\"plan\": 7, \"plan2\": \""));
  refused("'plan' is number");
  on.work().write("mail/" + session.filename().string(), replace_all(provenance, "\"study\": \"one\"", "\"study\": \"two\""));
  refused("its sessions belong to 'two'");
  on.work().write("mail/" + session.filename().string(), replace_all(provenance, "\"plan\": \"", "\"plan\": \"0"));
  refused("accepted: provenance of new sessions");
}

TEST_F(Exchange, RefusesResultsOfAnotherMachineWithTheSameName) {
  mail();
  ASSERT_EQ(import_rows().code, exit_ok);
  const fs::path session = session_file(on.path("mail"));
  auto provenance = nlohmann::ordered_json::parse(read_whole(session));
  provenance["machine"]["cpu"] = "Another Processor";
  on.work().write("mail/" + session.filename().string(), provenance.dump(1));
  const ProcessResult result = import_rows();
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "holds results of another machine")) << result.err;
}

TEST_F(Exchange, RefusesBadInput) {
  on.work().write("empty.csv", "");
  const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
      {{"export", "none"}, "no study 'none'"},
      {{"export", "one", "--machine", "other"}, "no results of machine 'other'; accepted: here"},
      {{"export", "one", "--format", "xml"}, "xml not in"},
      {{"import", results + "none.csv", "--machine", "x"}, "none.csv: accepted is a file of stored rows"},
      {{"import", on.path("empty.csv"), "--machine", "x"}, "empty.csv: holds no rows"},
      {{"import", "", "--machine", "x"}, "import: ''; accepted is a file of stored rows"},
      {{"export", "one", "--out", ""}, "--out: ''; accepted is a name"},
      {{"import", results + "here.csv"}, "--machine is required"},
      {{"import", results + "here.csv", "--machine", "A/b"}, "machine name 'A/b'"}};
  for (const auto& [words, message] : bad) {
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  }
}

/// The first Python block in the page on sharing results.
std::string example_in(const std::string& page) {
  const std::size_t from = page.find("```python\n", page.find("./ladder export"));
  return page.substr(from + 10, page.find("```", from + 10) - from - 10);
}

TEST_F(Exchange, IsReadByThePandasExample) {
  std::string python;
  for (const std::string name : {"python3", "/usr/bin/python3"})  // the first may lack Debian's packages
    if (on.shell(name + " -c 'import pandas'").code == exit_ok) python = name;
  if (python.empty()) GTEST_SKIP() << "python3-pandas is not installed";
  const std::string example = example_in(read_whole(fs::path(LADDER_SOURCE) / "docs/sharing.md"));
  ASSERT_TRUE(contains(example, "read_csv(\"results.csv\")")) << example;
  on.work().write("example.py", example);
  ASSERT_EQ(on.ladder({"export", "one", "--out", on.path("results.csv")}).code, exit_ok);
  const ProcessResult result = on.shell(python + " example.py");
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "here")) << result.out;
}

}  // namespace
}  // namespace ladder::test
