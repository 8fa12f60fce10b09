// Hardware counters compared with the rungs' declarations: rows, tables, and warnings.
#include "harness/record/profiles.hpp"

#include <cmath>
#include <map>

#include "base/text.hpp"
#include "reports/docs.hpp"
#include "tests/unit/reports/store.hpp"

namespace ladder::reports {
namespace {

using test::contains;
using test::Experiments;
using test::input_error;
using test::measured;

constexpr const char* profiles_header =
    "session,utc,kind,rung,build,backend,case,grid,cells,precision,tuning,device,executable,profiler,replay,steps,kernel,"
    "launches,registers_per_thread,seconds,dram_bytes_read,dram_bytes_written,l2_bytes,l1_bytes,occupancy,instructions,"
    "fma_instructions,stalls,dram_bytes_per_update,l2_bytes_per_update,l1_bytes_per_update,bytes_per_update_model,"
    "bytes_per_update_minimum,flops_per_update,footprint_bytes\n";

/// Counters for 10 steps on 16 sites.
struct Counted {
  std::string rung = "m/cuda/1";
  std::string kind = "step";
  std::string kernel = "";
  std::string case_name = "box-4";
  double read = 40;     ///< bytes per update
  double written = 32;  ///< bytes per update
  double model = 80;
  std::string tuning = "";
  std::string executable = "e1";
  std::string stalls = "long_scoreboard=6;wait=3;drain=1";
  std::string session = "p1";
  int cells = 16;
  std::string precision = "f32";
};

std::string row(const Counted& c) {
  const double updates = 10.0 * c.cells;
  return fmt::format(
      "{},2026-11-21T03:15:00Z,{},{},default,cuda,{},{},{},{},{},a GPU,{},ncu "
      "2025.3.1.0,application,10,{},12,40,2e-5,{},{},{},"
      "{},0.625,1000,250,{},0,0,0,{},72,100,1152\n",
      c.session, c.kind, c.rung, c.case_name, test::grid_of(c.cells), c.cells, c.precision, c.tuning, c.executable, c.kernel,
      c.read * updates, c.written * updates, 100 * updates, 120 * updates, c.stalls, c.model);
}

TEST(Profiles, AreReadWithTheirLines) {
  const ProfileFile file = parse_profiles("f", profiles_header + row({.kind = "kernel", .kernel = "k"}) + row({}) + "s,half");
  EXPECT_TRUE(file.csv.is_truncated());
  ASSERT_EQ(file.rows.size(), 2u);
  const Profile& step = file.rows[1];
  EXPECT_EQ(step.line, 3u);
  EXPECT_DOUBLE_EQ(step.dram_bytes_per_update(), 72);
  EXPECT_DOUBLE_EQ(step.per_update(step.l2_bytes), 100);
  EXPECT_DOUBLE_EQ(step.fma_share(), 0.25);
  const auto stalls = step.stalls();
  ASSERT_EQ(stalls.size(), 3u);
  EXPECT_EQ(stalls[0].first, "long_scoreboard");
  EXPECT_EQ(stalls[2].second, 1);
}

TEST(Profiles, OfEmptyFieldsAreUnknown) {
  std::string text = row({.stalls = ""});
  const std::string occupancy = ",0.625,";
  text.replace(text.find(occupancy), occupancy.size(), ",,");
  const ProfileFile file = parse_profiles("f", profiles_header + text);
  EXPECT_TRUE(std::isnan(file.rows[0].occupancy));
  EXPECT_TRUE(file.rows[0].stalls().empty());
}

TEST(Profiles, SayWhatIsWrongWithThem) {
  const auto refused = [](const std::string& text) { return input_error([&] { parse_profiles("f", text); }); };
  EXPECT_TRUE(contains(refused("a,b\n1,2\n"), "f:1: the header lacks the column 'session'"));
  EXPECT_TRUE(
      contains(refused(profiles_header + row({.kind = "steps"})), "f:2: column 'kind' is 'steps'; accepted: kernel, step"));
  EXPECT_TRUE(
      contains(refused(profiles_header + row({.cells = 0})), "f:2: column 'cells' is '0'; accepted: an integer from 1"));
  EXPECT_TRUE(contains(refused(profiles_header + row({.precision = "single"})), "column 'precision' is 'single'"));
  EXPECT_TRUE(contains(refused(profiles_header + row({.read = -1})), "column 'dram_bytes_read' is '-160'"));
  EXPECT_TRUE(contains(refused(profiles_header + row({.read = 1e40})), "column 'dram_bytes_read'"));
  EXPECT_TRUE(contains(refused(profiles_header + row({.model = 0}) + "x\n"), "f:3: 1 fields"));
}

TEST(Profiles, HaveAnOccupancyOfAtMostOne) {
  const auto with = [](const std::string& occupancy) {
    return profiles_header + replace_all(row({}), ",0.625,", "," + occupancy + ",");
  };
  EXPECT_EQ(parse_profiles("f", with("1")).rows.at(0).occupancy, 1);
  for (const std::string occupancy : {"1.001", "62.5", "1e20"})
    EXPECT_TRUE(contains(input_error([&] { parse_profiles("f", with(occupancy)); }), "f:2: column 'occupancy' is '"))
        << occupancy;
}

TEST(Profiles, WhoseStallsAreNoneAreLeftOut) {
  Profile p;
  for (const std::string text : {"=", ";", "a", "a=", "a=b", "a=nan", "=;=", "a==1", "=1", "a=-1", "a=1e300"}) {
    p.stalls_text = text;
    EXPECT_TRUE(p.stalls().empty()) << text;
  }
}

/// Experiments with one section, and the table that it writes.
class ProfileSections : public testing::Test {
 protected:
  void study(const std::string& block) const {
    experiments.write("study.toml", "title = \"t\"\n[[report]]\n" + block);
    experiments.write_session(rungs);
  }
  void profiles(const std::string& rows) const { experiments.write("results/box.profile.csv", profiles_header + rows); }
  [[nodiscard]] std::string table(const std::string& name) const {
    (void)experiments.report();
    return experiments.read("out/tables/waugh-box-01-" + name + ".csv");
  }
  [[nodiscard]] std::string page() const { return experiments.read("out/index.html"); }

  /// Six rounds of a rung, and as many of its twin.
  static std::string timed(const std::string& rung, const std::string& backend, double rate, const std::string& tuning = "") {
    test::Entry entry{.rung = rung, .tuning = tuning, .key = "key of " + rung, .backend = backend, .bytes_model = 80};
    std::string text = measured(entry, std::vector<double>(6, rate));
    entry.kind = "twin";
    entry.updates_per_second = rate;
    for (entry.round = 1; entry.round <= 6; ++entry.round)
      text += test::line(entry);
    return text;
  }

  static nlohmann::json described(const std::string& id, const std::string& backend, const std::string& executable) {
    return {{"id", id},
            {"backend", backend},
            {"collision", "factored"},
            {"executable", executable},
            {"operations", {{{"form", "factored"}, {"add", 100}, {"total", 100}}}},
            {"bytes_per_update", {{"f32", {{"read", 44}, {"write", 36}}}}},
            {"bytes_per_update_minimum", {{"f32", 72}}}};
  }

  Experiments experiments;
  nlohmann::json rungs = nlohmann::json::object();
};

TEST_F(ProfileSections, CountersOfAnotherHostOfTheSameGpuBelongToTheMachine) {
  const auto session = [&](const std::string& file, int cores, const std::string& gpu) {
    experiments.write("results/box." + file + ".json",
                      nlohmann::json{{"utc", "2026-11-21T03:15:00Z"},
                                     {"machine",
                                      {{"name", "box"},
                                       {"cpu", "a processor"},
                                       {"cores", cores},
                                       {"gpus", {{{"name", gpu}, {"compute_capability", "9.0"}, {"memory_bytes", 85e9}}}}}}}
                          .dump());
  };
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  profiles(row({.kind = "kernel", .kernel = "timestep"}) + row({}));
  study("kind = \"growth\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\nvalues = [\"kernel:timestep\"]\n");
  session("s1", 32, "NVIDIA H100");
  session("profile.p1", 16, "NVIDIA H100");
  EXPECT_TRUE(contains(table("growth-timestep"), "\n1,1.6666666666666667\n")) << table("growth-timestep");
  session("profile.p1", 16, "NVIDIA H200");
  EXPECT_FALSE(contains(table("growth-timestep"), "1.6666666666666667")) << "from another GPU";
}

TEST_F(ProfileSections, FindingsAreAsOldAsTheProfileOfTheRungThatTheirLineNames) {
  experiments.write("study.toml",
                    "title = \"t\"\nsource = \"box\"\n[[finding]]\nname = \"counted\"\ntext = \"It is {a}.\"\n"
                    "holds = \"a > 0\"\n[finding.values]\n"
                    "a = { table = \"profile-box-4-f32\", row = [\"m/cuda/1\"], column = \"dram_bytes_per_update\" }\n"
                    "[[report]]\nkind = \"profile\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
  experiments.write_session(rungs);
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9) + timed("m/cuda/2", "cuda", 2e9));
  profiles(row({}) + row({.rung = "m/cuda/2"}));
  const auto marked = [&](const std::string& rung) {
    return with_blocks("a.md", "<!-- findings: waugh counted -->\n<!-- end -->\n", experiments.path(),
                       [&](const Origin& o) { return o.rung == rung; });
  };
  EXPECT_TRUE(contains(marked("m/cuda/1"), "older")) << marked("m/cuda/1");
  EXPECT_FALSE(contains(marked("m/cuda/2"), "older")) << marked("m/cuda/2");
}

TEST_F(ProfileSections, FindingsFromOlderProfilesAreMarked) {
  const std::string block = "<!-- findings: waugh counted -->\n<!-- end -->\n";
  const auto marked_with = [&](const std::string& value) {
    experiments.write(
        "study.toml",
        "title = \"t\"\nsource = \"box\"\n[[finding]]\nname = \"counted\"\ntext = \"It is {a}.\"\nholds = \"a > 0\"\n"
        "[finding.values]\na = " +
            value + "\n[[report]]\nkind = \"profile\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
    experiments.write_session(rungs);
    const auto with = [&](const std::string& session) {
      return with_blocks("a.md", block, experiments.path(), [&](const Origin& o) { return o.session == session; });
    };
    EXPECT_FALSE(contains(with("p2"), "older than")) << with("p2");
    return with("p1");
  };
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  profiles(row({.kind = "kernel", .kernel = "timestep"}) + row({}));
  const std::string of_kernel = marked_with(R"({ rung = "m/cuda/1", case = "box-4", kernel = "timestep" })");
  EXPECT_TRUE(contains(of_kernel, "*(box, older than the current code)*")) << of_kernel;
  const std::string of_table =
      marked_with(R"({ table = "profile-box-4-f32", row = ["m/cuda/1"], column = "dram_bytes_per_update" })");
  EXPECT_TRUE(contains(of_table, "*(box, older than the current code)*")) << of_table;
}

TEST_F(ProfileSections, TheTimeOfAKernelIsThatOfItsLatestLaunches) {
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  profiles(row({.kind = "kernel", .kernel = "timestep"}) + row({}));
  study("kind = \"growth\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\nvalues = [\"kernel:timestep\"]\n");
  EXPECT_TRUE(contains(table("growth-timestep"), "\n1,1.6666666666666667\n"))
      << table("growth-timestep");  // 20 µs for 12 launches
  EXPECT_TRUE(contains(page(), "box.profile.csv (line 2), session p1"));
  EXPECT_FALSE(contains(page(), "No counters of timestep"));
  study(
      "kind = \"claims\"\n[[report.rows]]\nstatement = \"s\"\ncase = \"box-4\"\n"
      "ours = { over = [{ rung = \"m/*\", kernel = \"timestep\" }] }\n");
  EXPECT_TRUE(contains(table("claims"), "\ns,1.6666666666666667\n")) << table("claims");
  study(
      "kind = \"accuracy\"\n[[finding]]\ntext = \"Two launches take {two}.\"\nholds = \"two > 0\"\ncase = \"box-4\"\n"
      "[finding.values]\none = { rung = \"m/*\", kernel = \"timestep\" }\ntwo = { formula = \"2 * one\", unit = \"µs\" }\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(page(), "Two launches take 3.33 µs."));
}

TEST_F(ProfileSections, SetCountersBesideTheModelAndTheMinimum) {
  study("kind = \"profile\"\ncases = [\"box-4\"]\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9) + timed("m/opencl/1", "opencl", 1e9));
  profiles(row({.kind = "kernel", .kernel = "timestep"}) + row({}));
  const std::string csv = table("profile-box-4-f32");
  EXPECT_TRUE(contains(csv, "\nm/cuda/1,72,40,32,80,72,0.9,144,100,120,0.625,40,0.25,long_scoreboard=6;wait=3;drain=1\n"));
  EXPECT_TRUE(contains(csv, "\nm/opencl/1,80,,,80,72,,,,,,,,—\n")) << "from the model";
  EXPECT_TRUE(contains(page(), "80.0 (model)"));
  EXPECT_TRUE(contains(page(), "no counters of m/opencl/1"));
  EXPECT_TRUE(contains(page(), "long_scoreboard 60.0 %, wait 30.0 %, drain 10.0 %"));
  EXPECT_TRUE(contains(page(), "box.profile.csv (line 3), session p1; ncu 2025.3.1.0 on a GPU"));
  const std::string kernels = experiments.read("out/tables/waugh-box-01-kernels-box-4-f32.csv");
  EXPECT_TRUE(contains(kernels, "\nm/cuda/1,timestep,10,12,1,72,100,0.625,40,"));
}

TEST_F(ProfileSections, ShowTheLatestAndWarnOfAnotherExecutable) {
  rungs["m/cuda/1"] = described("m/cuda/1", "cuda", "e2");
  study("kind = \"profile\"\ncases = [\"box-4\"]\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  profiles(row({}) + row({.read = 90, .session = "p2"}));
  EXPECT_TRUE(contains(table("profile-box-4-f32"), "\nm/cuda/1,122,90,32,80,72,1.525,"));
  EXPECT_TRUE(contains(page(), "the profiled executable differs from the one measured last: m/cuda/1"));
  EXPECT_TRUE(contains(page(), "the counters contradict the model, which declares fewer bytes: m/cuda/1 (1.52×)"));
}

TEST_F(ProfileSections, BelongToTheTuningThatWasProfiled) {
  study("kind = \"profile\"\ncases = [\"box-4\"]\ntuning = \"best\"\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9, "wx=1") + timed("m/cuda/1", "cuda", 3e9, "wx=2"));
  profiles(row({.tuning = "wx=2"}) + row({.read = 90, .tuning = "wx=1"}));
  EXPECT_TRUE(contains(table("profile-box-4-f32"), "\nm/cuda/1,wx=2,72,40,32,80,72,0.9,216,"));
}

TEST_F(ProfileSections, NeedNothingThatWasTimed) {
  study("kind = \"profile\"\n");
  profiles(row({.case_name = "box-8", .cells = 64}) + row({}) + row({.rung = "m/cuda/2", .precision = "f64"}));
  EXPECT_TRUE(contains(table("profile-box-4-f32"), "\nm/cuda/1,72,40,32,80,72,0.9,100,"));
  EXPECT_TRUE(contains(experiments.read("out/tables/waugh-box-01-profile-box-4-f64.csv"), "\nm/cuda/2,72,"));
  const std::string html = page();
  EXPECT_LT(html.find("per update by the counters, box-4"), html.find("per update by the counters, box-8")) << "smallest first";
  EXPECT_TRUE(contains(html, "Nothing was timed"));
}

TEST_F(ProfileSections, SayWhereThereAreNoProfiles) {
  study("kind = \"profile\"\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  (void)experiments.report();
  EXPECT_TRUE(contains(page(), "No profiles of these rungs are stored yet"));
}

TEST_F(ProfileSections, WarnOfACutOffRow) {
  study("kind = \"profile\"\n");
  profiles(row({}) + "p1,half");
  EXPECT_TRUE(contains(experiments.report().warnings.at(0), "box.profile.csv: the last row is incomplete"));
}

TEST_F(ProfileSections, OperationsHaveTheIntensityByTheCounters) {
  rungs["m/cuda/1"] = described("m/cuda/1", "cuda", "e1");
  rungs["m/opencl/1"] = described("m/opencl/1", "opencl", "e1");
  study("kind = \"operations\"\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  EXPECT_FALSE(contains(table("traffic"), "dram_bytes_per_update")) << "no column without counters";
  profiles(row({.case_name = "box-8", .read = 18, .cells = 64}) + row({}));
  const std::string csv = table("traffic");
  EXPECT_TRUE(contains(csv, "\nm/cuda/1,factored,100,44,36,72,1.25,50,2,box-8\n")) << "for the largest case";
  EXPECT_TRUE(contains(csv, "\nm/opencl/1,factored,100,44,36,72,1.25,,1.25,—\n")) << "the model's";
  EXPECT_TRUE(contains(page(), "1.25 (model)"));
  study("kind = \"operations\"\ncase = \"box-4\"\n");
  EXPECT_TRUE(contains(table("traffic"), "\nm/cuda/1,factored,100,44,36,72,1.25,72,1.3888888888888888,box-4\n"));
}

TEST_F(ProfileSections, TheRooflineHasPointsByTheCounters) {
  study("kind = \"roofline\"\nrungs = \"*\"\ncases = \"box-4\"\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9) + timed("m/cuda/2", "cuda", 1e9) +
                         test::ceiling("triad", 1 << 20, "nt", {1e9, 1e9, 1e9}, 12));
  profiles(row({}) + row({.rung = "m/cuda/2", .read = 0.01, .written = 0}));
  const std::string csv = table("roofline-box-4");
  EXPECT_TRUE(contains(csv, "flops_per_dram_byte,dram_gbytes_per_s\n"));
  EXPECT_TRUE(contains(csv, ",1.3888888888888888,144\n"));
  const std::string svg = experiments.read("out/figures/waugh-box-01-roofline-box-4.svg");
  EXPECT_TRUE(contains(svg, "1, counters"));
  EXPECT_FALSE(contains(svg, "2, counters")) << "a cache holds it, so DRAM is not its roof";
}

TEST_F(ProfileSections, BackendsStandSideBySideWithTheirCauses) {
  study(
      "kind = \"backends\"\ncases = [\"box-4\"]\npairs = [\n"
      "{ label = \"fused\", rung = \"m/cuda/1\", over = \"m/opencl/1\", cause = \"fewer registers\" },\n"
      "{ label = \"tuned\", rung = \"m/cuda/2\", over = \"m/opencl/2\" }]\n");
  experiments.write_rows(timed("m/cuda/1", "cuda", 2e9) + timed("m/opencl/1", "opencl", 1e9) +
                         timed("m/opencl/2", "opencl", 1e9));
  profiles(row({}));
  const std::string csv = table("backends-box-4-f32");
  EXPECT_TRUE(contains(csv, "\nfused,m/opencl/1,m/cuda/1,1000,2000,2,faster,80,72,40,0.625\n")) << "no empty columns";
  EXPECT_TRUE(contains(csv, "\ntuned,m/opencl/2,m/cuda/2: not measured,1000,,,—,80,,,\n"));
  EXPECT_TRUE(contains(page(), "fused: fewer registers."));
  EXPECT_TRUE(contains(page(), "MLUPS, opencl"));
  EXPECT_TRUE(contains(page(), "2.00× [2.00, 2.00]"));
  EXPECT_TRUE(contains(page(), "80.0 (model)"));
}

/// A row with these details and times of a step, without columns of processors. Its file needs this version's header.
std::string detailed(const Counted& c, const std::map<std::string, double>& details, const std::string& times = ",,,",
                     const std::string& occupancy_limit = "") {
  std::string text = row(c);
  text.pop_back();
  text += ",";  // bytes_per_update_levels
  for (const DetailedCounter& counter : detailed_counters) {
    const auto found = details.find(std::string(counter.name));
    text += found == details.end() ? "," : fmt::format(",{}", found->second);
  }
  return text + "," + times + ",,,," + occupancy_limit + "\n";
}

constexpr const char* paper =
    "item,label,case,quantity,value,unit,where\n"
    "table1,Master,box-4,duration,19.49,µs,3\n"
    "table1,Master,box-4,dram_frequency,1.01,GHz,3\n"
    "table1,Master,box-4,l1_throughput,48.39,%,3\n"
    "table3,Master,box-4,l1_loads_requests,12264,,3\n"
    "table3,Master,box-4,l1_loads_hit_rate,73.45,%,3\n"
    "table5,Master,box-4,dram_read_rate,43178981937.6,B/s,3\n";

/// Counters of a processor for 10 steps on 16 sites: 200 instructions and 80 cycles per update.
Profile of_processor() {
  Profile p;
  p.session = "p1";
  p.utc = "2026-11-21T03:15:00Z";
  p.kind = "step";
  p.rung = "m/serial/1";
  p.build = "default";
  p.backend = "serial";
  p.case_name = "box-4";
  p.grid = "4x4";
  p.cells = 16;
  p.precision = "f32";
  p.device = "a processor";
  p.executable = "e1";
  p.profiler = processor_profiler;
  p.steps = 10;
  p.seconds = 2e-5;
  p.instructions = 200 * 160;
  p.cycles = 80 * 160;
  p.running_share = 1;
  p.bytes_per_update_model = 80;
  p.bytes_per_update_minimum = 72;
  return p;
}

std::string file_of(const Profile& profile) { return csv_header<Profile>() + "\n" + csv_line(profile) + "\n"; }

TEST(ProcessorProfiles, HaveNoLaunches) {
  EXPECT_EQ(parse_profiles("f", file_of(of_processor())).rows.at(0).launches, 0);
  Profile gpu = of_processor();
  gpu.profiler = "ncu 2025.3.1.0";
  EXPECT_TRUE(contains(input_error([&] { parse_profiles("f", file_of(gpu)); }), "f:2: column 'launches' is '0'"));
}

TEST(ProcessorProfiles, WereNotCountedForMoreThanAllOfTheTime) {
  Profile p = of_processor();
  p.running_share = 1.5;
  EXPECT_TRUE(contains(input_error([&] { parse_profiles("f", file_of(p)); }), "column 'running_share' is '1.5'"));
}

TEST_F(ProfileSections, ShowCountersOfProcessors) {
  study("kind = \"profile\"\n");
  Profile p = of_processor();
  experiments.write("results/box.profile.csv", file_of(p));
  EXPECT_EQ(table("profile-box-4-f32"),
            "rung,dram_bytes_per_update,bytes_per_update_model,bytes_per_update_minimum,instructions_per_update,"
            "cycles_per_update,instructions_per_cycle\nm/serial/1,80,80,72,200,80,2.5\n");
  EXPECT_TRUE(contains(page(), "80.0 (model)"));
  EXPECT_TRUE(contains(page(), "perf_event_open on a processor"));
  p.cache_misses = 160;
  p.dram_bytes_read = 64 * 160;
  p.running_share = 0.5;
  experiments.write("results/box.profile.csv", file_of(p));
  EXPECT_EQ(table("profile-box-4-f32"),
            "rung,dram_bytes_per_update,dram_bytes_read_per_update,bytes_per_update_model,bytes_per_update_minimum,"
            "instructions_per_update,cycles_per_update,instructions_per_cycle,running_share\n"
            "m/serial/1,80,64,80,72,200,80,2.5,0.5\n");
}

TEST_F(ProfileSections, CompareTheModelWithTheMemoryControllers) {
  study("kind = \"profile\"\n");
  Profile p = of_processor();
  p.dram_bytes_read = 64 * 160;
  p.dram_bytes_written = 36 * 160;
  experiments.write("results/box.profile.csv", file_of(p));
  EXPECT_TRUE(contains(table("profile-box-4-f32"), "\nm/serial/1,100,64,36,80,72,1.25,200,"));
  EXPECT_TRUE(contains(page(), "the counters contradict the model, which declares fewer bytes: m/serial/1"));
}

TEST_F(ProfileSections, HaveTheTimeOfAStepAndItsSlowDown) {
  study("kind = \"profile\"\n");
  experiments.write("results/box.profile.csv", csv_header<Profile>() + "\n" + detailed({}, {}, "0.25,0.375,2,16") +
                                                   detailed({.rung = "m/cuda/2"}, {}, "0.25,,2,"));
  const std::string csv = table("profile-box-4-f32");
  EXPECT_TRUE(contains(csv, ",step_us,recorded,one_counter,all_counters,stalls\n")) << csv;
  EXPECT_TRUE(contains(csv, ",0.25,250000,1.5,8,64,long_scoreboard=6")) << csv;
  EXPECT_TRUE(contains(csv, ",0.25,250000,,8,,long_scoreboard=6")) << csv;
  EXPECT_TRUE(contains(page(), "how many times as long it takes"));
}

class CounterSections : public ProfileSections {
 protected:
  void stored(const std::string& rows) const {
    experiments.write("results/box.profile.csv", csv_header<Profile>() + "\n" + rows);
  }
  void compared(const std::string& columns, const std::string& more = "") const {
    experiments.write("paper.csv", paper);
    experiments.write("study.toml",
                      "title = \"t\"\npaper = \"paper.csv\"\n[[report]]\nkind = \"counters\"\ncase = \"box-4\"\n" + more +
                          "columns = [" + columns + "]\n");
    experiments.write_session(rungs);
    experiments.write_rows(timed("m/cuda/1", "cuda", 2e9));
  }
  const std::map<std::string, double> details = {
      {"l1_throughput", 0.25},          {"dram_frequency", 2.6e9},     {"l1_global_load_requests", 3040},
      {"l1_global_load_sectors", 4000}, {"l1_global_load_hits", 1000}, {"l1_local_load_requests", 160},
      {"l1_local_load_sectors", 1000},  {"l1_local_load_hits", 1000},  {"l1_global_store_requests", 7},
      {"sm_throughput", 0.5},           {"l2_requests", 1e12}};
};

TEST_F(CounterSections, HaveCountersOfProcessors) {
  compared("{ title = \"ours\", rung = \"m/serial/1\" }");
  Profile p = of_processor();
  p.cache_misses = 320;
  p.running_share = 0.5;
  experiments.write("results/box.profile.csv", file_of(p));
  const std::string csv = table("counters");
  for (const char* line : {"\nProcessor cycles of all threads,,1280\n", "\nLast-level cache misses,,32\n",
                           "\nInstructions per processor cycle,,2.5\n", "\n\"Counted, of the time\",%,50\n"})
    EXPECT_TRUE(contains(csv, line));
  EXPECT_TRUE(contains(experiments.read("out/tables/waugh-box-01-counters-per-update.csv"), "\nLast-level cache misses,,2\n"));
  EXPECT_FALSE(contains(page(), "No detailed counters"));
}

TEST_F(CounterSections, HaveWaitsAndTheLargestOccupancy) {
  compared("{ title = \"ours\", rung = \"m/cuda/1\" }");
  stored(detailed({.stalls = "wait=6;barrier=3;branch_resolving=1"}, details, ",,,", "0.75"));
  const std::string csv = table("counters");
  for (const char* line : {"\n\"Occupancy, at most\",%,75\n", "\nWarp cycles waiting for branches,%,10\n",
                           "\nWarp cycles waiting at barriers,%,30\n"})
    EXPECT_TRUE(contains(csv, line)) << csv;
  EXPECT_TRUE(
      contains(input_error([&] { parse_profiles("f", csv_header<Profile>() + "\n" + detailed({}, details, ",,,", "75")); }),
               "f:2: column 'occupancy_limit' is '75'"));
}

TEST_F(CounterSections, StandBesideThePublications) {
  compared("{ title = \"Master\", paper = \"Master\" }, { title = \"ours\", rung = \"m/cuda/1\" }");
  stored(detailed({}, details));
  // Ten steps on 16 sites; a step took 2 µs and read 640 B.
  EXPECT_EQ(table("counters"),
            "quantity,unit,master,ours\n"
            "L1/TEX throughput,%,48.39,25\n"
            "Duration,µs,19.49,2\n"
            "DRAM frequency,MHz,1010,2600\n"
            "\"L1/TEX loads, requests\",,12264,320\n"
            "\"L1/TEX loads, hit rate\",%,73.45,40\n"
            "DRAM load,GB/s,43.1789819376,0.32\n");
  const std::string shares = experiments.read("out/tables/waugh-box-01-counters-per-update.csv");
  EXPECT_TRUE(
      shares.starts_with("quantity,unit,master,ours\n"
                         "Duration,ns,1218.125,125\n"
                         "\"L1/TEX loads, requests\",,766.5,20\n"
                         "DRAM load,B,52597.3973727"))
      << shares;
  EXPECT_TRUE(shares.ends_with(",40\n")) << shares;
  EXPECT_TRUE(contains(experiments.read("out/tables/waugh-box-01-counters.md"), "12,264"));
  EXPECT_TRUE(contains(page(), "box.profile.csv (line 2), session p1"));
  EXPECT_FALSE(contains(page(), "To read them"));
}

TEST_F(CounterSections, AreOfAsManyStepsAsThePublications) {
  compared("{ paper = \"Master\" }, { rung = \"m/cuda/1\" }", "steps = 100\n");
  stored(detailed({}, details));
  const std::string csv = table("counters");
  EXPECT_TRUE(contains(csv, "quantity,unit,paper-master,m-cuda-1-box-4-f32\n"));
  EXPECT_TRUE(contains(csv, "requests\",,12264,32000\n"));
  EXPECT_TRUE(contains(csv, "DRAM load,GB/s,43.1789819376,0.32\n"));
  EXPECT_TRUE(contains(experiments.read("out/tables/waugh-box-01-counters-per-update.csv"), "requests\",,7.665,20\n"));
}

TEST_F(CounterSections, AreTheLatestWithDetails) {
  compared("{ rung = \"m/cuda/1\" }");
  stored(detailed({.session = "p1"}, {{"sm_throughput", 0.1}}) + detailed({.session = "p2"}, {{"sm_throughput", 0.2}}) +
         detailed({.session = "p3"}, {}));
  EXPECT_TRUE(contains(table("counters"), "\nCompute (SM) throughput,%,20\n")) << "without a publication, all known ones";
  EXPECT_TRUE(contains(page(), "session p2"));
}

TEST_F(CounterSections, HaveInstructionsAndTheWaitsOfWarps) {
  compared("{ rung = \"m/cuda/1\" }");
  stored(detailed({.stalls = "long_scoreboard=6;branch_resolving=3;selected=1"}, details));
  const std::string csv = table("counters");
  EXPECT_TRUE(contains(csv, "\nOccupancy,%,62.5\n")) << csv;
  EXPECT_TRUE(contains(csv, "\nCycles of a warp per instruction,,10\n"));
  EXPECT_TRUE(contains(csv, "\nWarp cycles waiting for branches,%,30\n"));
  EXPECT_TRUE(contains(csv, "\nInstructions of all threads,,"));
  stored(detailed({.stalls = ""}, details));
  EXPECT_FALSE(contains(table("counters"), "Cycles of a warp"));
}

TEST_F(CounterSections, NameTheCommandThatReadsThem) {
  compared(
      "{ paper = \"Master\" }, { rung = \"m/cuda/1\" }, "
      "{ rung = \"m/cuda/2\", case = \"box-8\", precision = \"f64\", tuning = \"wx=2;wy=8\" }");
  profiles(row({}));
  EXPECT_TRUE(contains(table("counters"), "\nL1/TEX throughput,%,48.39,\n"));
  EXPECT_TRUE(contains(experiments.read("out/tables/waugh-box-01-counters.csv"), "\nDuration,µs,19.49,2\n"));
  const std::string html = page();
  EXPECT_TRUE(contains(html,
                       "No detailed counters of m/cuda/1, box-4, f32. To read them: ladder profile &#39;m/cuda/1&#39; "
                       "--case box-4 --precision f32 --details --study waugh"));
  EXPECT_TRUE(contains(html, "--case box-8 --precision f64 --set wx=2 --set wy=8 --details --study waugh"));
}

TEST_F(CounterSections, WarnOfAnotherExecutable) {
  rungs["m/cuda/1"] = described("m/cuda/1", "cuda", "e2");
  compared("{ rung = \"m/cuda/1\" }");
  stored(detailed({}, details));
  (void)experiments.report();
  EXPECT_TRUE(contains(page(), "differs from the one measured last: m/cuda/1, box-4, f32."));
}

TEST_F(CounterSections, RefuseWhatTheyDoNotKnow) {
  const auto refused = [&](const std::string& columns, const std::string& more = "") {
    compared(columns, more);
    return input_error([&] { (void)experiments.report(); });
  };
  stored(detailed({}, details));
  EXPECT_TRUE(contains(refused("{ paper = \"Mistress\" }"), "'Mistress', which"));
  EXPECT_TRUE(contains(refused("{ title = \"a\" }"), "rung"));
  EXPECT_TRUE(contains(refused("{ paper = \"Master\", rung = \"m/cuda/1\" }"), "rung"));
  EXPECT_TRUE(contains(refused("{ rung = \"m/cuda/1\" }", "steps = 0.5\n"), "steps"));
  EXPECT_TRUE(contains(refused("{ rung = \"m/cuda/1\" }", "cases = \"box-4\"\n"), "cases"));
  compared("{ paper = \"Master\" }");
  experiments.write("paper.csv", std::string(paper) + "table1,Master,box-4,sm_frequency,909,cycle/usecond,3\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }),
                       "'sm_frequency' is in 'cycle/usecond'; accepted: GHz, Hz, MHz, kHz"));
}

TEST_F(ProfileSections, RefuseWhatTheyDoNotKnow) {
  const auto refused = [&](const std::string& block) {
    study(block);
    return input_error([&] { (void)experiments.report(); });
  };
  profiles(row({}));
  EXPECT_TRUE(contains(refused("kind = \"profile\"\nsteps = 3\n"), "steps"));
  EXPECT_TRUE(contains(refused("kind = \"backends\"\ncases = [\"box-4\"]\n"), "pairs"));
  EXPECT_TRUE(
      contains(refused("kind = \"backends\"\ncases = [\"box-4\"]\npairs = [{ label = \"a\", rung = \"b\" }]\n"), "over"));
  EXPECT_TRUE(contains(
      refused("kind = \"backends\"\ncases = \"box-4\"\npairs = [{ label = \"a\", rung = \"b\", over = \"c\", why = \"d\" }]\n"),
      "why"));
  experiments.write("results/box.profile.csv", "not,a,profile\n");
  EXPECT_TRUE(contains(refused("kind = \"profile\"\n"), "box.profile.csv:1: the header lacks the column 'session'"));
}

}  // namespace
}  // namespace ladder::reports
