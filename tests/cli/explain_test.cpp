// `ladder explain`: a rung's description, its difference from its parent, and its gain according to stored rows.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* parent = "d2q9/opencl/07_deferred";

constexpr const char* explained_study = R"(title = "One"
citation = "Anon, On steps, 2020"
paper = "paper.csv"
[[matrix]]
rungs = ["d2q9/*"]
cases = ["box-16"]
[[report]]
kind = "steps"
cases = ["box-16"]
rows = [
  { label = "before", paper = "Sums later", rung = "d2q9/opencl/07_deferred" },
  { label = "after", paper = "Work size", rung = "d2q9/opencl/08_tuned" },
  { label = "alone", paper = "Alone", rung = "d2q9/serial/01_skeleton", over = "" },
]
)";

constexpr const char* paper = R"(item,label,case,quantity,value,unit,where
table1,Sums later,box-16,seconds,6,s,Table I
table1,Work size,box-16,seconds,4,s,Table I
table1,Work size,box-16,speedup,1.4,,IV
table1,Alone,box-16,seconds,9,s,Table I
)";

/// Rows of one cell: its check, and a sample in each of five rounds.
std::string explained_rows(const std::string& rung, const std::string& tuning, double updates_per_second) {
  Row row;
  row.session = "20260101T000000Z-0001";
  row.utc = "2026-01-01T00:00:00Z";
  row.kind = "check";
  row.rung = rung;
  row.build = "default";
  row.backend = "opencl";
  row.case_name = "box-16";
  row.grid = "16x16";
  row.cells = 256;
  row.precision = "f32";
  row.tuning = tuning;
  row.outcome = "ok";
  row.key = rung;
  std::string text = csv_line(row) + "\n";
  row.kind = rung.starts_with("ceiling/") ? "ceiling" : "sample";
  if (row.kind == "ceiling") row.case_name = "ws-1000000000";
  for (row.round = 1; row.round <= 6; ++row.round) {
    row.steps = 10;
    row.updates_per_second = updates_per_second * (1 + 0.001 * row.round);
    row.seconds = static_cast<double>(row.cells * row.steps) / row.updates_per_second;
    row.bytes_per_update_model = rung.ends_with("fma") ? 0 : 72;
    row.bytes_per_update_minimum = 72;
    row.flops_per_update = rung.ends_with("fma") ? 2 : 85;
    row.footprint_bytes = 18432;
    text += csv_line(row) + "\n";
    if (row.kind == "ceiling") continue;
    Row twin = row;
    twin.kind = "twin";
    text += csv_line(twin) + "\n";
  }
  return text;
}

class Explain : public testing::Test {
 protected:
  Installation on;

  void SetUp() override { on.copy_variants({"opencl"}); }

  void store(const std::string& text) const {
    on.study("one", explained_study);
    on.work().write("experiments/one/paper.csv", paper);
    fs::create_directories(on.path("experiments/one/results"));
    on.work().write("experiments/one/results/here.csv", csv_header<Row>() + "\n" + text);
  }

  [[nodiscard]] ProcessResult explain(const std::string& rung, const Words& more = {}) const {
    Words words = {"explain", rung, "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }
};

TEST_F(Explain, SaysWhatTheRungSaysOfItself) {
  const ProcessResult result = explain(tuned);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  for (const std::string part :
       {tuned, "work-group's shape as a tunable", "follows    d2q9/opencl/07_deferred", "Waugh, section VII",
        "bytes read                      37        73", "minimum, in and out             72       144",
        "operations per byte           1.19      0.60", "memory bandwidth", "wx: work-items per work-group along x",
        "accepted together: wx * wy <= 4096", "ladder tune d2q9/opencl/08_tuned --case"})
    EXPECT_TRUE(contains(result.out, part));
}

TEST_F(Explain, ShowsTheDifferenceFromTheParentWithoutColoursInAFile) {
  if (!fs::exists("/usr/bin/git")) GTEST_SKIP() << "no git";
  const ProcessResult result = explain(tuned);
  EXPECT_TRUE(contains(result.out, "What changes from d2q9/opencl/07_deferred"));
  EXPECT_TRUE(contains(result.out, "-    .follows = \"d2q9/opencl/06_masked\""));
  EXPECT_TRUE(contains(result.out, "+    .follows = \"d2q9/opencl/07_deferred\""));
  EXPECT_EQ(result.out.find('\033'), std::string::npos);
  EXPECT_EQ(explain(tuned, {"--no-color"}).out, result.out);
}

TEST_F(Explain, SaysWhichCommandMeasuresWhatIsNotStored) {
  const ProcessResult result = explain(tuned);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "No ceilings of machine here are stored: `./ladder ceilings`"));
  EXPECT_TRUE(contains(result.out, "`./ladder compare d2q9/opencl/07_deferred d2q9/opencl/08_tuned --case"));
  EXPECT_EQ(result.out.find("publication"), std::string::npos);
  EXPECT_EQ(result.err, "");
}

TEST_F(Explain, SaysWhatTheStepGainedHereAndInThePublication) {
  store(explained_rows(parent, "", 1e8) + explained_rows(tuned, "wx=128;wy=1", 2e8));
  const ProcessResult result = explain(tuned);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "2.00× [2.00, 2.00]  faster, 6 paired rounds"));
  EXPECT_TRUE(contains(result.out, "Anon, On steps, 2020"));
  EXPECT_TRUE(contains(result.out, "box-16 'Work size': 4.00 s, 1.50× over 'Sums later' (6.00 s); its text says 1.40×"));
}

TEST_F(Explain, CountsTheRowsOfCompare) {
  fs::create_directories(on.path("experiments/compare/results"));
  on.work().write("experiments/compare/results/here.csv",
                  csv_header<Row>() + "\n" + explained_rows(parent, "", 1e8) + explained_rows(tuned, "wx=128;wy=1", 2e8));
  const ProcessResult result = explain(tuned);
  EXPECT_TRUE(contains(result.out, "compare      box-16"));
  EXPECT_TRUE(contains(result.out, "2.00× [2.00, 2.00]  faster, 6 paired rounds"));
  EXPECT_FALSE(contains(result.out, "No study has measured"));
}

TEST_F(Explain, SaysWhereItsRowsAreStored) {
  store(explained_rows(tuned, "wx=128;wy=1", 2e8));
  EXPECT_TRUE(contains(explain(tuned).out,
                       "  rows of one: experiments/one/results/here.csv, stored by `ladder run`, last on 2026-01-01\n"));
  const Json source = Json::parse(explain(tuned, {"--json"}).out).at("sources").at(0);
  EXPECT_EQ(source.at("file"), "experiments/one/results/here.csv");
  EXPECT_EQ(source.at("command"), "ladder run");
  EXPECT_TRUE(source.at("machine").is_null()) << "the only one";
  EXPECT_FALSE(contains(explain(skeleton).out, "rows of one")) << "it has none there";
}

TEST_F(Explain, MarksDifferentMachinesWithTheSameName) {
  const std::string rows = explained_rows(tuned, "wx=128;wy=1", 2e8);
  store(rows);
  for (const auto& [study, cores] : {std::pair{"compare", 8}, {"one", 1}}) {
    const std::string results = std::string("experiments/") + study + "/results";
    fs::create_directories(on.path(results));
    on.work().write(results + "/here.csv", csv_header<Row>() + "\n" + rows);
    on.work().write(
        results + "/here.20260101T000000Z-0001.json",
        Json{{"session", "20260101T000000Z-0001"}, {"machine", {{"name", "here"}, {"cpu", "CPU"}, {"cores", cores}}}}.dump());
  }
  const std::string out = explain(tuned).out;
  for (const char* part : {"one (machine 1)", "compare (machine 2)", "machine 1: CPU, 1 core", "machine 2: CPU, 8 cores",
                           "rows of compare (machine 2): "})
    EXPECT_TRUE(contains(out, part));
  const Json found = Json::parse(explain(tuned, {"--json"}).out);
  for (const char* list : {"gains", "sources"})
    for (const Json& one : found.at(list))
      EXPECT_EQ(one.at("machine"), one.at("study") == "one" ? 1 : 2) << one;
  EXPECT_EQ(found.at("machines").at(1), (Json{{"machine", 2}, {"identity", "CPU, 8 cores"}}));
}

TEST_F(Explain, ShowsTheFastestTuningThatTuneHasFound) {
  const std::string name = "tune-d2q9-opencl-08-tuned-box-16-f32";
  on.study(name, "title = \"T\"\n[[matrix]]\nrungs = [\"d2q9/*\"]\ncases = [\"box-16\"]\n");
  fs::create_directories(on.path("experiments/" + name + "/results"));
  on.work().write(
      "experiments/" + name + "/results/here.csv",
      csv_header<Row>() + "\n" + explained_rows(tuned, "wx=128;wy=1", 2e8) + explained_rows(tuned, "wx=64;wy=2", 3e8));
  const std::string text = explain(tuned).out;
  EXPECT_TRUE(contains(text, "201 MLUPS  (wx=128;wy=1)")) << text;
  EXPECT_TRUE(contains(text, "1.50× [1.50, 1.50]  faster, 6 paired rounds, over the initial tuning  (wx=64;wy=2)")) << text;
  EXPECT_TRUE(contains(text, name + "/results/here.csv, stored by `ladder tune`"));
  const Json gains = Json::parse(explain(tuned, {"--json"}).out).at("gains");
  EXPECT_NEAR(gains.at(1).at("over_initial").at("ratio").get<double>(), 1.5, 1e-9);
}

TEST_F(Explain, ShowsEveryComparisonOfTheRung) {
  fs::create_directories(on.path("experiments/compare/results"));
  std::string commit = explained_rows(tuned, "wx=128;wy=1", 1e8);
  for (std::size_t at = 0; (at = commit.find(",default,", at)) != std::string::npos;)
    commit.replace(at, 9, ",commit-0123456789ab,");
  on.work().write("experiments/compare/results/here.csv", csv_header<Row>() + "\n" + explained_rows(skeleton, "", 4e8) +
                                                              explained_rows(tuned, "wx=128;wy=1", 2e8) + commit);
  const std::string text = explain(tuned).out;
  EXPECT_TRUE(contains(text, "0.500× [0.500, 0.500]  slower, 6 paired rounds, over d2q9/serial/01_skeleton")) << text;
  EXPECT_TRUE(contains(text, "2.00× [2.00, 2.00]  faster, 6 paired rounds, over d2q9/opencl/08_tuned@0123456789ab")) << text;
  EXPECT_TRUE(contains(text, "rows of compare: experiments/compare/results/here.csv, stored by `ladder compare`"));
  EXPECT_TRUE(contains(on.ladder({"explain", tuned, "--machine", "there"}).out, "Stored on here"));
}

TEST_F(Explain, ComparesEveryTuningOfTheRungWithItsParent) {
  fs::create_directories(on.path("experiments/compare/results"));
  on.work().write("experiments/compare/results/here.csv", csv_header<Row>() + "\n" + explained_rows(parent, "", 1e8) +
                                                              explained_rows(tuned, "wx=128;wy=1", 2e8) +
                                                              explained_rows(tuned, "wx=64;wy=2", 3e8));
  const std::string text = explain(tuned).out;
  EXPECT_TRUE(contains(text, "2.00× [2.00, 2.00]  faster, 6 paired rounds  (wx=128;wy=1)")) << text;
  EXPECT_TRUE(contains(text, "3.00× [3.00, 3.00]  faster, 6 paired rounds, over d2q9/opencl/07_deferred  (wx=64;wy=2)"))
      << text;
}

TEST_F(Explain, ReadsAStudyInAnotherFolder) {
  fs::create_directories(on.path("mine/results"));
  on.work().write("mine/study.toml", "title = \"Mine\"\n[[matrix]]\nrungs = [\"d2q9/*\"]\ncases = [\"box-16\"]\n");
  on.work().write("mine/results/here.csv", csv_header<Row>() + "\n" + explained_rows(tuned, "wx=128;wy=1", 2e8));
  EXPECT_FALSE(contains(explain(tuned).out, "201 MLUPS"));
  for (const std::string& study : {on.path("mine"), on.path("mine/study.toml")}) {
    const std::string text = explain(tuned, {"--study", study}).out;
    EXPECT_TRUE(contains(text, "  mine         box-16           f32      201 MLUPS")) << text;
    EXPECT_TRUE(contains(text, "rows of mine: mine/results/here.csv")) << text;
  }
  EXPECT_EQ(explain(tuned, {"--study", on.path("nowhere")}).code, exit_bad_input);
  on.work().write("mine/results/here.csv", "this is no row\n");
  EXPECT_EQ(explain(tuned, {"--study", on.path("mine")}).code, exit_bad_input);
}

TEST_F(Explain, ShowsShortDefinitionsThatTheDifferenceNeedsAndThePlaceOfLongOnes) {
  fs::create_directories(on.path("backends/opencl"));
  on.work().write("backends/opencl/short.hpp", "/// Adds one.\ninline int next(int x) { return x + 1; }\n");
  on.work().write("backends/opencl/long.hpp", "struct Long {\n" + std::string(30, '\n') + "};\n");
  const std::string host = "variants/d2q9/opencl/08_tuned/host.cpp";
  on.work().write(host, "#include \"backends/opencl/short.hpp\"\n#include \"backends/opencl/long.hpp\"\n" +
                            on.work().read(host) + "int a = next(sizeof(Long));\n");
  const std::string text = explain(tuned).out;
  EXPECT_TRUE(contains(text, "  backends/opencl/short.hpp:2: next\n/// Adds one.\ninline int next(int x) { return x + 1; }\n"))
      << text;
  EXPECT_TRUE(contains(text, "  backends/opencl/long.hpp:1: Long, 32 lines\n")) << text;
  const Json definitions = Json::parse(explain(tuned, {"--json"}).out).at("definitions");
  ASSERT_EQ(definitions.size(), 2u);
  EXPECT_EQ(definitions.at(1).at("name"), "next");
  EXPECT_EQ(definitions.at(1).at("line"), 2);
}

TEST_F(Explain, ShowsTheFastestTuningIfTheInitialOneIsNotStored) {
  store(explained_rows(tuned, "wx=64;wy=2", 2e8));
  EXPECT_TRUE(contains(explain(tuned).out, "(wx=64;wy=2)"));
}

TEST_F(Explain, TakesTheRoofsFromStoredCeilings) {
  store(explained_rows("ceiling/opencl/copy-9", "store=nt", 5e8) + explained_rows("ceiling/opencl/fma", "", 1e12));
  const Json found = Json::parse(explain(tuned, {"--json"}).out);
  const Json& roof = found.at("roofline").at("f32");
  EXPECT_EQ(roof.at("limit"), "memory bandwidth");
  EXPECT_NEAR(roof.at("bytes_per_second").get<double>(), 72 * 5e8 * 1.0035, 1);
  EXPECT_NEAR(roof.at("updates_per_second").get<double>(), 72 * 5e8 * 1.0035 / 73, 1);
  EXPECT_FALSE(found.at("roofline").contains("f64")) << "no value is stored";
  EXPECT_TRUE(contains(explain(tuned).out, "f32: memory bandwidth; at most 495 MLUPS from memory"));
  EXPECT_TRUE(contains(explain(skeleton).out, "limits of all cores; no ceilings of backend serial are stored"));
}

TEST_F(Explain, IsArithmeticBelowAHighRoof) {
  store(explained_rows("ceiling/opencl/copy-9", "store=nt", 5e9) + explained_rows("ceiling/opencl/fma", "", 1e9));
  EXPECT_TRUE(contains(explain(tuned).out, "f32: arithmetic; at most 23.1 MLUPS"));
}

TEST_F(Explain, NamesTheLimitsAndWhatToTryNext) {
  store(explained_rows(tuned, "wx=128;wy=1", 4e8) + explained_rows("ceiling/opencl/copy-9", "store=nt", 5e8) +
        explained_rows("ceiling/opencl/fma", "", 1e12));
  const std::string text = explain(tuned).out;
  EXPECT_TRUE(contains(text, "What limits it on here, MLUPS"));
  EXPECT_TRUE(contains(text, "from the bandwidth of DRAM, copy-9")) << text;
  EXPECT_TRUE(contains(text, "next: fewer bytes per update: at most"));
  const Json found = Json::parse(explain(tuned, {"--json"}).out).at("limits").at(0);
  EXPECT_EQ(found.at("case"), "box-16");
  EXPECT_NEAR(found.at("fraction_of_lowest").get<double>(), 0.8, 1e-3);
  EXPECT_EQ(found.at("limits").size(), 2U);
}

TEST_F(Explain, AnswersWithJson) {
  store(explained_rows(parent, "", 1e8) + explained_rows(tuned, "wx=128;wy=1", 2e8));
  const ProcessResult result = explain(tuned, {"--json"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const Json found = Json::parse(result.out);
  EXPECT_EQ(found.at("id"), tuned);
  EXPECT_EQ(found.at("machine"), "here");
  EXPECT_EQ(found.at("gains").size(), 1u);
  EXPECT_NEAR(found.at("gains").at(0).at("over_parent").at("ratio").get<double>(), 2, 1e-9);
  EXPECT_EQ(found.at("gains").at(0).at("over_parent").at("verdict"), "faster");
  EXPECT_EQ(found.at("paper").at(0).at("over"), "Sums later");
  EXPECT_DOUBLE_EQ(found.at("paper").at(0).at("speedup").get<double>(), 1.5);
}

TEST_F(Explain, ExplainsEachRungThatMatches) {
  const ProcessResult result = explain("d2q9/*");
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_LT(result.out.find(std::string(skeleton) + "\n"), result.out.find(std::string(tuned) + "\n"));
  const Json all = Json::parse(explain("d2q9/*", {"--json"}).out);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at(1).at("id"), tuned);
  EXPECT_TRUE(Json::parse(explain("d2q9/opencl/*", {"--json"}).out).is_array()) << "a glob gives a list, even of one rung";
}

TEST_F(Explain, NamesOtherMachinesWithRows) {
  store(explained_rows(tuned, "wx=128;wy=1", 2e8));
  EXPECT_EQ(explain(tuned).out.find("tored on"), std::string::npos);
  const std::string command = ": `./ladder explain d2q9/opencl/08_tuned --machine ";
  EXPECT_TRUE(contains(on.ladder({"explain", tuned, "--machine", "there"}).out, "Stored on here" + command + "here`"));
  fs::copy_file(on.path("experiments/one/results/here.csv"), on.path("experiments/one/results/there.csv"));
  EXPECT_TRUE(contains(explain(tuned).out, "Also stored on there" + command + "there`"));
  EXPECT_EQ(Json::parse(explain(tuned, {"--json"}).out).at("other_machines"), Json::array({"there"}));
}

TEST_F(Explain, ComparesTheFirstOfALadderWithNothing) {
  store(explained_rows(skeleton, "", 1e8));
  const ProcessResult result = explain(skeleton);
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(result.out.find("What changes from"), std::string::npos);
  EXPECT_TRUE(contains(result.out, "box-16 'Alone': 9.00 s\n"));
}

TEST_F(Explain, GoesOnWithoutASourceTreeOrAStudyThatIsWrong) {
  store("this is no row\n");
  fs::remove_all(on.path("variants"));
  const ProcessResult result = explain(tuned);
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_TRUE(contains(result.err, "one/results/here.csv"));
  EXPECT_TRUE(contains(result.err, "left out"));
  EXPECT_TRUE(contains(result.out, "07_deferred: no such folder"));
}

constexpr const char* flags_rung = "d2q9/cuda/80_flags";
constexpr const char* words_rung = "d2q9/cuda/81_words";

/// Prints the file `sass` next to the given executable.
constexpr const char* cuobjdump_script = R"sh(#!/bin/sh
[ "$1" = -sass ] || exit 1
exec cat "$(dirname "$2")/sass"
)sh";

/// Output of `cuobjdump -sass` with these kernels, given by their symbols and instructions.
std::string sass_of_kernels(const std::vector<std::pair<std::string, Words>>& kernels) {
  std::string text = "\nFatbin elf code:\n================\narch = sm_90\n\n\tcode for sm_90\n\t.target\tsm_90\n\n";
  for (const auto& [symbol, instructions] : kernels) {
    text += "\t\tFunction : " + symbol + "\n\t.headerflags\t@\"EF_CUDA_SM90\"\n";
    for (const std::string& instruction : instructions)
      text += "        /*0000*/    " + instruction + " ;    /* 0x000000000000794d */\n        /* 0x000fea0003800000 */\n";
    text += "        /*00f0*/    BRA 0xf0;    /* 0xfffffffc00fc7947 */\n        /* 0x000fc0000383ffff */\n";
  }
  return text + "\t\t..........\n";
}

/// A rung with three kernels and its parent with three others, and a fake cuobjdump.
class ExplainSass : public testing::Test {
 protected:
  Installation on;

  void SetUp() override {
    fs::create_directories(on.path("tools"));
    const fs::path tool = on.work().write("tools/cuobjdump", cuobjdump_script);
    fs::permissions(tool, fs::perms::owner_all);
    add(flags_rung, "",
        sass_of_kernels(
            {{"_ZN4d2q96updateIfEEvPT_", {"LDG.E.U8 R2, desc[UR6][R2.64]", "ISETP.NE.AND P0, PT, R2, RZ, PT", "EXIT"}},
             {"_ZN4d2q96updateIdEEvPT_", {"EXIT"}},
             {"_ZN4d2q95sweepIfEEvPT_", {"NOP", "EXIT"}}}));
    add(words_rung, flags_rung,
        sass_of_kernels({{"_ZN4d2q96updateIfEEvPT_",
                          {"LDG.E.U8 R2, desc[UR6][R2.64]", "VIADD R3, R2, 0xfefefeff", "LOP3.LUT R2, R2, R3, RZ, 0xc8, !PT",
                           "@!P0 LOP3.LUT P0, RZ, R2, 0x80, RZ, 0xc0, !PT", "EXIT"}},
                         {"_ZN4d2q95wordsIfEEvPT_", {"EXIT"}},
                         {"_ZN4d2q93own6updateIdEEvPT_", {"EXIT"}}}));
  }

  void add(const std::string& id, const std::string& follows, const std::string& sass) const {
    Json description = Json::parse(description_of(id));
    description["follows"] = follows;
    std::ofstream(on.add_rung(description.dump(), "#!/bin/sh\necho '{\"available\": false, \"reason\": \"no GPU\"}'\n") /
                  "sass")
        << sass;
  }

  [[nodiscard]] ProcessResult explain(const std::string& arguments,
                                      const std::string& path = "$LADDER_ROOT/tools:$PATH") const {
    return on.shell("PATH=\"" + path + "\" exec \"$LADDER\" explain --machine here " + arguments);
  }
};

TEST_F(ExplainSass, ComparesTheInstructionsWithThoseOfTheParent) {
  const ProcessResult result = explain(words_rung + std::string(" --sass"));
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, R"(
GPU instructions (SASS), compared with d2q9/cuda/80_flags
  sm_90 d2q9::update<float>: 5 instructions, 3 in the parent
    opcode                     rung   parent   difference
    ISETP.NE.AND                  0        1           -1
    LOP3.LUT                      2        0           +2
    VIADD                         1        0           +1
  sm_90 d2q9::words<float>: 1 instruction, not in the parent
  sm_90 d2q9::own::update<double>: 1 instruction, 1 in the parent; same opcodes
  sm_90 d2q9::sweep<float>: 2 instructions, only in the parent

)")) << result.out;
  EXPECT_FALSE(contains(explain(words_rung).out, "SASS"));
}

TEST_F(ExplainSass, ListsAllInstructionsOnRequest) {
  const std::string text = explain(words_rung + std::string(" --sass=full")).out;
  EXPECT_TRUE(contains(text,
                       "VIADD                         1        0           +1\n"
                       "    LDG.E.U8 R2, desc[UR6][R2.64]\n    VIADD R3, R2, 0xfefefeff\n"))
      << text;
  EXPECT_FALSE(contains(text, "BRA"));
  EXPECT_EQ(explain(words_rung + std::string(" --sass=some")).code, exit_bad_input);
}

TEST_F(ExplainSass, AnswersWithJson) {
  const Json sass = Json::parse(explain(words_rung + std::string(" --sass --json")).out).at("sass");
  ASSERT_EQ(sass.at("kernels").size(), 4u);
  const Json& update = sass.at("kernels").at(0);
  EXPECT_EQ(update.at("name"), "d2q9::update<float>");
  EXPECT_EQ(update.at("architecture"), "sm_90");
  EXPECT_EQ(update.at("instructions"), 5);
  EXPECT_EQ(update.at("parent_instructions"), 3);
  ASSERT_EQ(update.at("opcodes").size(), 3u);
  EXPECT_EQ(update.at("opcodes").at(1), (Json{{"opcode", "LOP3.LUT"}, {"rung", 2}, {"parent", 0}, {"difference", 2}}));
  EXPECT_FALSE(update.contains("listing"));
  EXPECT_FALSE(sass.at("kernels").at(1).contains("parent_instructions"));
  EXPECT_FALSE(sass.at("kernels").at(3).contains("instructions"));
  EXPECT_FALSE(sass.contains("missing"));
  const Json full = Json::parse(explain(words_rung + std::string(" --sass=full --json")).out).at("sass");
  EXPECT_EQ(full.at("kernels").at(1).at("listing"), Json({"EXIT"}));
  EXPECT_FALSE(Json::parse(explain(words_rung + std::string(" --json")).out).contains("sass"));
}

TEST_F(ExplainSass, ComparesTheFirstOfALadderWithNothing) {
  const std::string text = explain(flags_rung + std::string(" --sass")).out;
  EXPECT_TRUE(contains(text, "\nGPU instructions (SASS)\n  sm_90 d2q9::update<float>: 3 instructions\n")) << text;
}

TEST_F(ExplainSass, GivesTheReasonWhereThereAreNone) {
  const auto reason = [&](const std::string& rung, const std::string& text, const std::string& key,
                          const std::string& path = "$LADDER_ROOT/tools:$PATH") {
    const ProcessResult result = explain(rung + " --sass", path);
    EXPECT_EQ(result.code, exit_ok) << result.err;
    EXPECT_TRUE(contains(result.out, text)) << result.out;
    return Json::parse(explain(rung + " --sass --json", path).out).at("sass").at(key).get<std::string>();
  };
  if (!fs::exists("/usr/local/cuda/bin/cuobjdump")) {
    const std::string none = "there is no cuobjdump on PATH or in /usr/local/cuda/bin";
    EXPECT_EQ(reason(words_rung, "80_flags\n  " + none + "\n", "missing", "/nowhere"), none);
  }
  add("d2q9/cuda/82_orphan", "d2q9/cuda/79_absent", sass_of_kernels({{"_ZN4d2q96updateIfEEvPT_", {"EXIT"}}}));
  EXPECT_EQ(reason("d2q9/cuda/82_orphan",
                   "  d2q9/cuda/79_absent: not built; `./ladder check d2q9/cuda/79_absent` builds it\n"
                   "  sm_90 d2q9::update<float>: 1 instruction\n",
                   "parent_missing"),
            "not built; `./ladder check d2q9/cuda/79_absent` builds it");
  add("d2q9/cuda/83_empty", "", "cuobjdump info    : File 'default' does not contain device code\n");
  EXPECT_EQ(reason("d2q9/cuda/83_empty", "  the executable contains no machine code for NVIDIA GPUs\n", "missing"),
            "the executable contains no machine code for NVIDIA GPUs");
  on.work().write("tools/cuobjdump", "#!/bin/sh\necho 'cuobjdump fatal   : no' >&2\nexit 255\n");
  EXPECT_EQ(reason(words_rung, "  cuobjdump: cuobjdump fatal : no\n", "missing"), "cuobjdump: cuobjdump fatal : no");
}

TEST_F(ExplainSass, BuildsTheRungAndItsParent) {
  for (const std::string name : {"84_parent", "85_child"}) {
    const std::string kernel = "variants/d2q9/cuda/" + name + "/kernel.cu";
    fs::create_directories(on.path(kernel).substr(0, on.path(kernel).rfind('/')));
    on.work().write(kernel, "// Idea:    none\nconst Rung rung = {.follows = \"d2q9/cuda/84_parent\"};\n");
    on.add_to_manifest("rung rungs/d2q9/cuda/" + name + "/default d2q9.cuda." + name + " " + kernel);
  }
  EXPECT_EQ(on.ladder({"targets", "explain", "d2q9/cuda/85_child"}).out, "") << "it was not built before";
  EXPECT_EQ(on.ladder({"targets", "explain", "d2q9/cuda/85_child", "--sass"}).out, "d2q9.cuda.85_child\nd2q9.cuda.84_parent\n");
}

TEST_F(Explain, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(on.ladder({"explain", "--help"}).code, exit_ok);
  for (const Words& words : std::vector<Words>{{"explain"},
                                               {"explain", "d2q9/opencl/08_tunde"},
                                               {"explain", "d2q9/cuda/*"},
                                               {"explain", tuned, "--machine", "../up"},
                                               {"explain", tuned, "--frobnicate"}}) {
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, exit_bad_input) << result.out;
    EXPECT_NE(result.err, "");
    EXPECT_EQ(result.out, "");
  }
  EXPECT_TRUE(contains(on.ladder({"explain", "d2q9/opencl/08_tunde"}).err, "'d2q9/opencl/08_tuned'"));
  EXPECT_TRUE(contains(on.ladder({"explain", "08_tuned"}).err, "no rung matches '08_tuned'; accepted: d2q9/opencl/08_tuned\n"));
}

}  // namespace
}  // namespace ladder::test
