// All commands of `ladder` except `solve` and `run`: help, usage errors, unknown names, JSON.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

class Commands : public testing::Test {
 protected:
  Installation on;

  void expect_refused(const Words& words, const Words& parts) {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.end, ProcessResult::End::exited);
    EXPECT_EQ(result.code, exit_bad_input) << result.out << result.err;
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }
};

TEST_F(Commands, EachHasHelp) {
  const ProcessResult all = on.ladder({"--help"});
  EXPECT_EQ(all.code, exit_ok);
  for (const std::string command : {"list", "check", "run", "report", "ceilings"}) {
    EXPECT_TRUE(contains(all.out, "\n  " + command + " "));
    const ProcessResult help = on.ladder({command, "--help"});
    EXPECT_EQ(help.code, exit_ok) << command;
    EXPECT_TRUE(contains(help.out, "Options:"));
    EXPECT_TRUE(contains(help.out, "Example: ./ladder " + command));
    EXPECT_EQ(help.err, "");
  }
  EXPECT_TRUE(contains(all.out, "\n  solve "));
  const ProcessResult any_rung = on.ladder({"solve", "--help"});
  EXPECT_EQ(any_rung.code, exit_ok);
  for (const std::string option : {"--case", "--precision", "--set", "--steps", "--every", "--out", "ladder solve RUNG --help"})
    EXPECT_TRUE(contains(any_rung.out, option)) << option;
  const ProcessResult solve = on.ladder({"solve", skeleton, "--help"});
  EXPECT_EQ(solve.code, exit_ok);
  for (const std::string option : {"--params", "--obstacles", "--out", "--precision", "--set", "--steps", "--case"})
    EXPECT_TRUE(contains(solve.out, option));
  EXPECT_EQ(on.work().listing(), Words{});
}

TEST_F(Commands, PrintTheVersionInTheCitationFile) {
  const ProcessResult result = on.ladder({"--version"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(result.err, "");
  ASSERT_TRUE(std::regex_match(result.out, std::regex("ladder [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << result.out;
  std::ifstream file(LADDER_SOURCE "/CITATION.cff");
  const std::string citation{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(contains(citation, "\nversion: " + result.out.substr(7, result.out.size() - 8) + " ")) << citation;
}

TEST_F(Commands, NameTheStudiesAndSayHowToListCasesInTheirHelp) {
  EXPECT_TRUE(contains(on.ladder({"--help"}).out, "Studies (folders in experiments with a study.toml): none\n"));
  std::string all;
  for (int n = 10; n < 30; ++n) {
    const std::string name = "study-" + std::to_string(n);
    on.study(name, "title = \"T\"\n");
    all += name;
  }
  std::filesystem::create_directories(on.path("others/another"));
  std::ofstream(on.path("others/another/study.toml")) << "title = \"T\"\n";
  for (const Words& words : {Words{"--help"}, Words{"run", "--help"}, Words{"solve", "--help"}}) {
    const std::string text = on.ladder(words).out;
    EXPECT_TRUE(contains(text, "study-10, study-11,")) << text;
    EXPECT_TRUE(contains(text, "study-29\nCases: `ladder list GLOB` lists those of rungs that are built")) << text;
    for (const std::string& line : lines(text))
      EXPECT_TRUE(!contains(line, "study-") || line.size() <= 100) << line;
    EXPECT_TRUE(text.ends_with("Start with `ladder run`.\n")) << text;
    Words elsewhere = {"--experiments", on.path("others")};
    elsewhere.insert(elsewhere.end(), words.begin(), words.end());
    EXPECT_TRUE(contains(on.ladder(elsewhere).out, "Studies (folders in others with a study.toml): another\n"));
  }
  EXPECT_TRUE(contains(on.ladder({"list", skeleton}).out, "    cases    box-128, box-256, box-1024, porous-256\n"));
}

TEST_F(Commands, RefuseWhatTheyDoNotKnow) {
  expect_refused({}, {"ladder: ", "subcommand", "./ladder --help"});
  expect_refused({"lisst"}, {"'lisst'", "'list'"});
  expect_refused({"solve"}, {"solve: the rung is missing; accepted: "});
  expect_refused({"solve", "--case", "box-16", "--out", on.path("d")}, {"solve: the rung is missing; accepted: "});
  for (const std::string command : {"list", "check", "run", "report", "ceilings"})
    expect_refused({command, "--frobnicate"}, {"--frobnicate"});
  expect_refused({"--frobnicate", "list"}, {"--frobnicate"});
}

TEST_F(Commands, RefuseEmptyNames) {
  for (const Words& words : {Words{"run", "--job", ""}, Words{"history", skeleton, "--chart", ""}, Words{"export", "--out", ""},
                             Words{"import", "FILE", "--machine", ""}})
    expect_refused(words, {words[words.size() - 2] + ": ''; accepted is a name"});
}

TEST_F(Commands, NameARemovedWorkingFolder) {
  for (const std::string command : {"list", "check d2q9/serial/01_skeleton --case box-16 --steps 2"}) {
    const std::string script = "mkdir gone && cd gone && rmdir ../gone && \"$LADDER\" " + command;
    const ProcessResult found = on.shell(script);
    EXPECT_EQ(found.code, exit_ok) << "LADDER_ROOT names another folder: " << found.err;
    const ProcessResult refused = on.shell("unset LADDER_ROOT && " + script);
    EXPECT_EQ(refused.code, exit_bad_input) << command;
    EXPECT_TRUE(contains(refused.err, "ladder: the working folder no longer exists; change to an existing folder"))
        << refused.err;
  }
}

TEST_F(Commands, RefuseNumbersThatAreNone) {
  for (const std::string value : {"0", "-1", "many", "1.5", "99999999999999999999"}) {
    expect_refused({"run", "--rounds", value}, {"--rounds", value});
    expect_refused({"ceilings", "--rounds", value}, {"--rounds", value});
    expect_refused({"check", "--steps", value}, {"--steps", value});
  }
}

TEST_F(Commands, RefuseNumbersThatAreNotFinite) {
  const Words compare = {"compare", skeleton, skeleton, "--case", "box-16"};
  const Words tune = {"tune", tuned, "--case", "box-16"};
  const auto with = [](Words words, const std::string& option, const std::string& value) {
    words.push_back(option + "=" + value);
    return words;
  };
  for (const std::string value : {"nan", "-nan", "inf", "-inf", "1e999", "NAN(1)", "", "1e3x"}) {
    for (const std::string option : {"--fail-if-slower", "--budget", "--rounds"})
      expect_refused(with(compare, option, value), {option, value});
    for (const std::string option : {"--sample-seconds", "--budget", "--seed"})
      expect_refused(with(tune, option, value), {option, value});
    for (const std::string option : {"--rounds", "--budget"})
      expect_refused(with({"run"}, option, value), {option, value});
    EXPECT_EQ(on.rung(skeleton, {"measure", "--case", "box-16", "--min-time=" + value}).code, exit_bad_input) << value;
    EXPECT_EQ(on.shell("\"${SKELETON%/rungs/*}\"/ceilings/openmp measure --name copy --bytes='" + value + "'").code,
              exit_bad_input)
        << value;
  }
}

TEST_F(Commands, RefuseWhatIsNotUtf8) {
  for (const std::string text : {"\377", "a\200b", "\355\240\200", "\300\257"})
    for (const Words& words : {Words{"list", text}, Words{"check", skeleton, "--case", text}, Words{"run", text},
                               Words{"report", "--out", text}, Words{"compare", skeleton, skeleton, "--case", text},
                               Words{"tune", tuned, "--case", text}, Words{"new", text, "--from", text},
                               Words{"--experiments", text, "list"}, Words{"solve", skeleton, "--out", text}, Words{text}})
      expect_refused(words, {"accepted are arguments in UTF-8"});
  on.study("one", "[[matrix]]\nrungs = [\"d2q9/serial/*\"]\ncases = [\"box-16\"]\n");
  const ProcessResult result = on.shell(
      "name=$(printf '\\377') && mv experiments/one \"experiments/$name\" && cd \"experiments/$name\" && \"$LADDER\" run .");
  EXPECT_EQ(result.code, exit_bad_input) << result.err;
  EXPECT_TRUE(contains(result.err, "accepted is a folder with a name in UTF-8"));
}

TEST_F(Commands, ListIsJson) {
  const ProcessResult result = on.ladder({"list", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const Json all = Json::parse(result.out);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at("id"), skeleton);
  EXPECT_EQ(all[0].at("available"), true);
  EXPECT_EQ(all[1].at("id"), tuned);
  EXPECT_EQ(all[1].at("available"), on.can_run(tuned));
}

TEST_F(Commands, ListShowsALineForEachLadderOrAllRungs) {
  const ProcessResult ladders = on.ladder({"list"});
  EXPECT_EQ(ladders.code, exit_ok);
  EXPECT_TRUE(std::regex_search(ladders.out, std::regex("^d2q9/serial +1  01_skeleton"))) << ladders.out;
  EXPECT_FALSE(contains(ladders.out, "idea "));
  EXPECT_TRUE(contains(ladders.out, "'ladder list d2q9/serial/*' shows the rungs of a ladder"));
  const ProcessResult rungs = on.ladder({"list", "--all"});
  EXPECT_TRUE(contains(rungs.out, std::string(skeleton) + "\n    idea"));
  EXPECT_TRUE(contains(rungs.out, std::string(tuned) + "\n    idea"));
}

TEST_F(Commands, ListFiltersByGlob) {
  const ProcessResult result = on.ladder({"list", "*/serial/*"});
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_TRUE(contains(result.out, skeleton));
  EXPECT_EQ(result.out.find(tuned), std::string::npos);
  expect_refused({"list", "d2q9/serial/01_skeletn"}, {"'d2q9/serial/01_skeletn'", "'d2q9/serial/01_skeleton'"});
}

TEST_F(Commands, CheckIsJson) {
  const ProcessResult result = on.ladder({"check", skeleton, "--case", "box-16", "--steps", "3", "--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const Json all = Json::parse(result.out);
  ASSERT_EQ(all.size(), 2u);
  for (const auto& row : all) {
    EXPECT_EQ(row.at("outcome"), "ok");
    EXPECT_LE(row.at("population_error").get<double>(), row.at("tolerance").get<double>());
  }
  EXPECT_EQ(all[0].at("precision"), "f32");
  EXPECT_EQ(all[1].at("precision"), "f64");
}

TEST_F(Commands, CheckEstimatesHowLongManyChecksTake) {
  const auto check = [&](const std::string& glob, int cases, const Words& more = {}) {
    Words words = {"check", glob, "--steps", "2"};
    for (int i = 0; i < cases; ++i)
      words.insert(words.end(), {"--case", "box-16"});
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words).err;
  };
  for (const char* id : {"d2q9/script/01_one", "d2q9/script/02_two"})
    on.add_rung(description_of(id), R"(#!/bin/sh
case $1 in
  probe) echo '{"available": true, "device": "none"}' ;;
  check) echo '{"outcome": "ok", "check_steps": 2, "population_error": 0, "tolerance": 1}' ;;
esac
)");
  EXPECT_EQ(check(skeleton, 16), "32 checks may take about 1m 04s; to run fewer, use --precision\n");
  EXPECT_EQ(check(skeleton, 30, {"--precision", "f32"}), "30 checks may take about 1m 00s\n");
  EXPECT_EQ(check(skeleton, 1), "");
  EXPECT_EQ(check("d2q9/script/*", 15), "30 checks may take about 1m 00s; to run fewer, narrow the glob\n");
  EXPECT_EQ(check("d2q9/s*", 15), "60 checks may take about 2m 00s; to run fewer, narrow the glob or use --precision\n");
  EXPECT_EQ(check("d2q9/script/*", 15, {"--precision", "f64"}), "") << "they store only f32";
}

TEST_F(Commands, CheckRefusesUnknownNames) {
  const Words check = {"check", skeleton};
  const auto with = [&](const Words& more) {
    Words words = check;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused({"check", "d2q9/serial/01_skeletn"}, {"'d2q9/serial/01_skeletn'", "'d2q9/serial/01_skeleton'"});
  expect_refused(with({"--case", "bok-16"}), {"unknown case 'bok-16'", "box-N"});
  expect_refused(with({"--case", "box-0"}), {"case 'box-0'", "'0'", "from 3"});
  expect_refused(with({"--case", "box--5"}), {"case 'box--5'", "'-5'"});
  expect_refused(with({"--case", "box-1000000"}), {"'box-1000000'", "memory"});
  expect_refused(with({"--precision", "double"}), {"precision 'double'", "f32, f64 and f16"});
  expect_refused(with({"--set", "wx=8"}), {"unknown tunable 'wx'"});
}

TEST_F(Commands, CheckOfAGlobSkipsARungBeyondALimit) {
  const std::string large = "d2q9/serial/00_large", mistaken = "d2q9/serial/90_mistaken";
  const std::string probe = "#!/bin/sh\n[ $1 = probe ] && exec echo '{\"available\": true, \"device\": \"none\"}'\n";
  on.add_rung(description_of(large), probe + "echo '{\"code\": \"no-memory\"}'\necho 'too large here' >&2\nexit 2\n");
  const Words all = {"check", "d2q9/serial/*", "--case", "box-16", "--steps", "3", "--precision", "f32"};
  const ProcessResult result = on.ladder(all);
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "too large here"));
  EXPECT_TRUE(contains(result.out, "2 checks: 1 ok, 0 failed, 1 skipped"));
  expect_refused({"check", large}, {large, "too large here"});
  on.add_rung(description_of(mistaken), probe + "echo 'unknown case' >&2\nexit 2\n");
  expect_refused(all, {mistaken, "unknown case"});
}

TEST_F(Commands, CheckRefusesTunablesThatTheRungDoesNotDeclare) {
  if (!on.can_run(tuned)) GTEST_SKIP() << "no OpenCL device";
  const Words check = {"check", tuned, "--case", "box-16", "--steps", "2", "--precision", "f32", "--set"};
  const auto with = [&](const Words& more) {
    Words words = check;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(with({"wz=8"}), {"unknown tunable 'wz'", "wx, wy"});
  expect_refused(with({"wx=3"}), {"'3' is not a value of wx", "accepted: "});
  expect_refused(with({"wx=128", "--set", "wy=128"}), {"wx=128;wy=128", "wx * wy <= 4096", "work-group"});
}

TEST_F(Commands, ReportRefusesUnknownStudiesAndWritesNothing) {
  on.study("quick", "title = \"Quick\"\n");
  expect_refused({"report", "quikc"}, {"no study 'quikc'", "'quick'"});
  expect_refused({"run", "quikc"}, {"no study 'quikc'", "'quick'"});
  expect_refused({"--experiments", on.path("nowhere"), "run", "quick"}, {"no study 'quick'"});
  expect_refused({"--experiments", on.path("nowhere"), "report"}, {on.path("nowhere")});
}

TEST_F(Commands, ReportRefusesAFolderThatCannotBeWritten) {
  on.study("one", "title = \"One\"\n");
  on.work().write("out", "a file");
  expect_refused({"report", "one", "--out", on.path("out")}, {on.path("out"), "cannot be made a folder"});
  expect_refused({"report", "one", "--out", on.path("out/below")}, {on.path("out/below"), "cannot be made a folder"});
  EXPECT_EQ(on.work().read("out"), "a file");
  std::filesystem::create_directory(on.path("report"));
  on.work().write("report/manifest.csv", "what,file,hash\n");
  on.work().write("report/figures", "a file");
  expect_refused({"report", "one", "--out", on.path("report")}, {on.path("report/figures"), "cannot be made a folder"});
}

TEST_F(Commands, ReportRefusesAStoreThatIsNone) {
  on.study("one", "title = \"One\"\n[[report]]\nkind = \"steps\"\n");
  std::filesystem::create_directory(on.path("experiments/one/results"));
  on.work().write("experiments/one/results/here.csv", "this is\nno store\n");
  expect_refused({"report", "one", "--out", on.path("out")}, {on.path("experiments/one/results/here.csv")});
}

TEST_F(Commands, MachineNamesAreFileNames) {
  on.study("one", "[[matrix]]\nrungs = [\"d2q9/serial/*\"]\ncases = [\"box-16\"]\n");
  expect_refused({"run", "one", "--machine", "../up"}, {"machine name '../up'", "accepted"});
  expect_refused({"run", "one", "--machine", "My PC"}, {"machine name 'My PC'", "accepted"});
  expect_refused({"run", "one", "--machine", std::string(240, 'a')}, {"accepted: at most 80 lower-case letters"});
}

}  // namespace
}  // namespace ladder::test
