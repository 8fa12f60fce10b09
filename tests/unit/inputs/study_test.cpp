// Values in a study.toml.
#include "harness/study/study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/study/commands.hpp"
#include "harness/study/parameters.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

constexpr const char* matrix = "\n[[matrix]]\nrungs = [\"*\"]\ncases = [\"box-4\"]\n";

TEST(Study, TimesAreNumbersAboveZero) {
  EXPECT_EQ(parse_study("study.toml", std::string("sample_seconds = 2") + matrix).sample_seconds, 2);
  EXPECT_EQ(parse_study("study.toml", std::string("sample_seconds = 2\nenergy = true") + matrix).sample_seconds, 2);
  EXPECT_EQ(parse_study("study.toml", std::string("energy = false") + matrix).sample_seconds, 0.2);
  EXPECT_EQ(parse_study("study.toml", std::string("energy = true") + matrix).sample_seconds, 1.25) << "enough for energy";
  for (const char* value :
       {"9007199254740993", "-9007199254740993", "9223372036854775807", "nan", "inf", "0", "10000001.5", "'1'"})
    EXPECT_TRUE(contains(input_error([&] { parse_study("study.toml", std::string("sample_seconds = ") + value + matrix); }),
                         fmt::format("study.toml:1: sample_seconds: {}; accepted is a number above 0, at most 1000000", value)))
        << value;
}

TEST(Study, ASeriesHasLayersOrStability) {
  const std::string series = "[[series]]\nrung = \"a\"\ncases = [\"box-4\", \"box-5\"]\nstability = true\n";
  Study study = parse_study("study.toml", series);
  EXPECT_TRUE(study.series.at(0).stability);
  EXPECT_TRUE(contains(input_error([&] { parse_study("study.toml", series + "layers = true\n"); }),
                       "study.toml:4: stability: together with layers; accepted: one of the two"));
  take_part(study, {}, {"box-*"}, {});
  EXPECT_EQ(study.series.size(), 1u);
  take_part(study, {}, {"box-4"}, {});
  EXPECT_TRUE(study.series.empty()) << "its cases share a file";
}

TEST(Study, TestsTheStabilityOfACaseOnce) {
  const auto block = [](const char* cases, const char* more) {
    return fmt::format("[[series]]\nrung = \"a\"\ncases = [{}]\n{}\n", cases, more);
  };
  const std::string first = block("\"box-4\", \"box-5\"", "stability = true");
  EXPECT_EQ(parse_study("study.toml", first + block("\"box-4\"", "stability = true\nprecision = \"f32\"") +
                                          block("\"box-4\"", "points = 2") + block("\"box-6\"", "stability = true"))
                .series.size(),
            4U);
  for (const char* cases : {"\"box-4\", \"box-6\"", "\"box-6\", \"box-5\"", "\"box-6\", \"box-6\""}) {
    const std::string error =
        input_error([&] { parse_study("study.toml", first + block(cases, "stability = true\npoints = 2")); });
    EXPECT_TRUE(contains(error, "study.toml:5: stability: tests 'box-")) << error;
    EXPECT_TRUE(contains(error, "with a in f64 a second time; accepted: each case once per rung and precision")) << error;
  }
}

TEST(Study, CountsHaveLimits) {
  const std::string good = matrix;
  const std::string field = "\n[[field]]\nrung = \"a\"\ncase = \"box-4\"\n";
  const std::string series = "\n[[series]]\nrung = \"a\"\ncases = [\"box-4\"]\n";
  const std::string ceilings = "\n[[ceilings]]\nbackend = \"openmp\"\nnames = [\"copy\"]\n";
  EXPECT_EQ(parse_study("study.toml", "rounds = 1000000" + good).rounds, 1'000'000);
  for (const auto& study : std::vector<std::pair<std::string, std::string>>{
           {"rounds = 2147483647" + good, ":1: rounds: 2147483647; accepted is an integer from 1 to 1000000"},
           {"rounds = 1000001" + good, ":1: rounds: 1000001; accepted is an integer from 1 to 1000000"},
           {good + "rounds = 2147483647", ":5: rounds: 2147483647; accepted is an integer from 1 to 1000000"},
           {good + "steps = 1000000000000001",
            ":5: steps: 1000000000000001; accepted is an integer from 1 to 1000000000000000"},
           {good + "check_steps = [1, 9223372036854775807]",
            ":5: check_steps: 9223372036854775807; accepted is an integer from 1 to 1000000000000000"},
           {ceilings + "bytes = [65536, 4096]", ":5: bytes: 4096; accepted is an integer from 8192 to 281474976710656"},
           {ceilings + "bytes = [9223372036854775807]",
            ":5: bytes: 9223372036854775807; accepted is an integer from 8192 to 281474976710656"},
           {field + "steps = 9223372036854775807",
            ":5: steps: 9223372036854775807; accepted is an integer from 1 to 1000000000000000"},
           {field + "steps = 20000\nframes = 20000", ":6: frames: 20000; accepted is an integer from 1 to 10000"},
           {series + "points = 10001", ":5: points: 10001; accepted is an integer from 1 to 10000"},
           {series + "layers = 1", ":5: layers: 1; accepted is true or false"},
           {"rounds = [2]" + good, ":1: rounds: a list; accepted is an integer"},
           {"\n[[matrix]]\nrungs = [\"*\"]\ncases = []", ":4: cases: []; accepted is a list"}})
    EXPECT_TRUE(contains(input_error([&] { parse_study("study.toml", study.first); }), "study.toml" + study.second))
        << study.first;
}

TEST(Command, IsSplitAsAShellDoes) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(command_words(" mpirun -n\t{processes} "), (Words{"mpirun", "-n", "{processes}"}));
  EXPECT_EQ(command_words(R"('my folder'/run "it's" a\ b '' "\"" '\')"),
            (Words{"my folder/run", "it's", "a b", "", "\"", "\\"}));
  EXPECT_TRUE(contains(input_error([] { command_words("mpirun \"-n {processes}"); }), "matching quotes"));
  const Words words = {"my folder/run", "-n", "", "it's", "\\", "a\"b"};
  EXPECT_EQ(command_words(command_text(words)), words);
  EXPECT_EQ(command_text({"mpirun", "-n", "{processes}"}), "mpirun -n {processes}");
}

TEST(Study, IsRestrictedToAPart) {
  const auto part = [](const std::vector<std::string>& cases, const std::vector<std::string>& placements) {
    Study study = parse_study("study.toml", R"(
[[matrix]]
rungs = ["*"]
cases = ["box-4", "box-8"]
placements = ["processes=1", "processes=2"]
[[matrix]]
rungs = ["*"]
cases = ["box-4"]
[[field]]
rung = "a"
case = "box-8"
steps = 4
)");
    take_part(study, {}, cases, placements);
    return study;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(part({}, {}).matrix.size(), 2u);
  const Study eight = part({"*-8"}, {});
  ASSERT_EQ(eight.matrix.size(), 1u);
  EXPECT_EQ(eight.matrix[0].cases, Names{"box-8"});
  EXPECT_EQ(eight.fields.size(), 1u);
  EXPECT_EQ(part({"box-4"}, {}).fields.size(), 0u);
  const Study two = part({}, {"processes=2"});
  ASSERT_EQ(two.matrix.size(), 2u) << "a block without placements stays";
  EXPECT_EQ(two.matrix[0].placements, Names{"processes=2"});
  EXPECT_TRUE(contains(input_error([&] { part({"box-5"}, {}); }), "no case of the study"));
  EXPECT_TRUE(contains(input_error([&] { part({}, {"processes=3"}); }), "accepted: processes=1, processes=2"));
}

TEST(Study, KeysAreShort) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
      text += part;
    return text;
  };
  const std::string deep = repeated("a.", 200'000) + "a";
  for (const std::string& text :
       {deep + " = 1", "[" + deep + "]", "[[" + deep + "]]", "x = { " + deep + " = 1 }", "x = [{ " + deep + " = 1 }]",
        "x = { y = \"\"\"a\"\"\"\", " + deep + " = 1 }", "x = { y = '''a''''', " + deep + " = 1 }",
        "x = { y = \"\\\"\", " + deep + " = 1 }", repeated("'a'\t. ", 17) + "a = 1"}) {
    const std::string message = "study.toml:2: a key of more than 16 parts; accepted: at most 16";
    const std::string whole = "# a key\n" + text + matrix;
    EXPECT_TRUE(contains(input_error([&] { parse_study("study.toml", whole); }), message));
    EXPECT_TRUE(contains(input_error([&] { parse_parameters("study.toml", whole); }), message));
  }
  // Text in a string or a comment is not a key.
  const std::string title = "title = \"\"\"" + deep + "\"\"\" # " + deep + "\n";
  EXPECT_EQ(parse_study("study.toml", title + "rounds = 3\n" + matrix).rounds, 3);
  // The library limits how deeply values are nested.
  const std::string nested = repeated("[{" + repeated("a.", 15) + "a = ", 120) + "1" + repeated("}]", 120);
  EXPECT_TRUE(contains(input_error([&] { parse_study("study.toml", "x = " + nested + matrix); }), "unknown key 'x'"));
}

TEST(Study, MayBeAskedForByAnyName) {
  for (const std::string& name : {std::string(300, 'a'), std::string("none"), std::string("\0x", 2)})
    EXPECT_TRUE(contains(input_error([&] { find_study("experiments", name); }), "no study '"));
}

TEST(Study, IsMissedInAFolderThatIsNamed) {
  EXPECT_TRUE(contains(input_error([] { find_study("/none/experiments", "one"); }),
                       "no study 'one', and none in /none/experiments (LADDER_ROOT, --experiments)"));
}

TEST(Study, IsNotHiddenByAFileOfItsName) {
  const test::Folder folder;
  std::filesystem::create_directories(folder.path() / "experiments/one");
  folder.write("experiments/one/study.toml", "");
  folder.write("one", "notes");
  folder.write("one.toml", "");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(find_study("experiments", "one").filename(), "study.toml");
  EXPECT_TRUE(contains(input_error([&] { find_study("experiments", "one.toml"); }), "one.toml: is not a study"));
  std::filesystem::current_path(before);
}

TEST(Study, FoldersHaveNamesThatReportsAndScriptsCanHave) {
  const auto why = [](const std::string& name) { return input_error([&] { parse_study(name + "/study.toml", matrix); }); };
  EXPECT_TRUE(contains(why("all"), "another name than 'all' and 'index.html'"));
  EXPECT_TRUE(contains(why("index.html"), "another name than 'all' and 'index.html'"));
  EXPECT_TRUE(contains(why("a\n#SBATCH --wrap"), "no control characters"));
  for (const std::string name : {"javascript:x", "a#b", "a%2fb", "it's $(here)", "überall"})
    EXPECT_EQ(parse_study(name + "/study.toml", matrix).name, name);
}

TEST(Study, ACaseHasOneName) {
  for (const std::string name : {"box-016", "tgv-0016", "box-16x012"})
    EXPECT_TRUE(contains(input_error([&] { require_case_name(name); }), "numbers have no leading zeros")) << name;
  for (const std::string name : {"box-16", "porous-100x200", "x-0", "x-0.05", "x-1.005"})
    EXPECT_NO_THROW(require_case_name(name)) << name;
}

}  // namespace
}  // namespace ladder
