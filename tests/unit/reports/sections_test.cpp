// The values that each kind of section except `steps` computes, read back from its CSV tables.
#include "reports/data_sheet.hpp"
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

class Sections : public SectionTest {};

TEST_F(Sections, TheSummaryTellsTheNoiseFloor) {
  study("kind = \"operations\"\n");
  experiments.write_rows(with_twins("m/s/1", "", {1e6, 1e6, 1e6}, 1.25));
  (void)experiments.report();
  const std::string csv = experiments.read("out/tables/waugh-box-00-noise.csv");
  EXPECT_TRUE(contains(csv, "serial,m/s/1,box-4,f32,3,0.8,")) << csv;
}

TEST_F(Sections, TheFirstScreenWarnsOfDisturbedMeasurements) {
  study("kind = \"operations\"\n");
  experiments.write_rows(with_twins("m/s/1", "", {1e6, 1e6, 1e6}, 1.25));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "<p class=\"warning\">These measurements are noisy: m/s/1 differs"));
  experiments.write_rows(with_twins("m/s/1", "", {1e6, 1e6, 1e6}, 1.01));
  (void)experiments.report();
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "measurements are noisy"));
}

TEST_F(Sections, TheSummarySaysWhenTheMemoryWasSeen) {
  study("kind = \"operations\"\n");
  experiments.write("results/box.s1.json", R"({"machine": {"name": "box", "memory_bytes": 5057573837}})");
  experiments.write_rows(measured({}, {1e6}));
  (void)experiments.report();
  const std::string csv = experiments.read("out/tables/waugh-box-00-machine.csv");
  EXPECT_TRUE(contains(csv, "\nMemory visible at the session's start,4.71 GiB\n")) << csv;
}

TEST_F(Sections, TheSummarySaysWhyTheCommitIsUnknown) {
  study("kind = \"operations\"\n");
  experiments.write_rows(measured({}, {1e6}));
  const auto facts = [&](const std::string& source) {
    experiments.write("results/box.s1.json", R"({"machine": {"name": "box"}, "source": )" + source + "}");
    (void)experiments.report();
    return experiments.read("out/tables/waugh-box-00-session-s1.csv");
  };
  EXPECT_TRUE(contains(facts(R"({"commit": "", "unknown": "git: fatal: not a git repository"})"),
                       "\nSource commit,unknown: git: fatal: not a git repository\n"));
  EXPECT_TRUE(contains(facts(R"({"commit": "0123", "dirty": true})"), "\nSource commit,\"0123, with changes\"\n"));
  EXPECT_TRUE(contains(facts(R"({"commit": "0123", "dirty": false})"), "\nSource commit,0123\n"));
  EXPECT_FALSE(contains(facts("{}"), "Source commit")) << "sessions of earlier versions name no reason";
}

TEST_F(Sections, TheSelfTestCountsVerdictsByGroupsOfRounds) {
  study(
      "kind = \"self_test\"\nrung = \"m/s/1\"\ncase = \"box-4\"\ngroup = 6\nbaseline = \"s=0\"\n"
      "rows = [{ label = \"itself\", tuning = \"s=1\", expect = [\"same\", \"unresolved\"] },\n"
      "{ label = \"slowed\", tuning = \"s=3\", expect = \"slower\" }]\n");
  const std::vector<double> base(20, 1e6);  // three groups, and two excess rounds
  std::vector<double> slowed(20, 0.95e6);
  for (int round = 6; round < 12; ++round)
    slowed[static_cast<std::size_t>(round)] = 1e6;
  experiments.write_rows(with_twins("m/s/1", "s=0", base, 1) + measured({.rung = "m/s/1", .tuning = "s=1", .key = "b"}, base) +
                         measured({.rung = "m/s/1", .tuning = "s=3", .key = "c"}, slowed));
  const std::string csv = table("self-test");
  EXPECT_TRUE(contains(csv, "\nitself,3,1,0,0,3,0,1,0.95,yes")) << csv;
  EXPECT_TRUE(contains(csv, "\nslowed,3,0.95,0,2,1,0,0.6666666666666666,0.95,no")) << csv;
}

TEST_F(Sections, TheSelfTestRefusesWhatItDoesNotKnow) {
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}));
  const auto refused = [&](const std::string& block) {
    study("kind = \"self_test\"\nrung = \"m/s/1\"\ncase = \"box-4\"\nbaseline = \"\"\n" + block);
    return input_error([&] { (void)experiments.report(); });
  };
  EXPECT_TRUE(contains(refused("group = 5\nrows = [{ label = \"a\", tuning = \"\", expect = \"same\" }]\n"), "from 6"));
  EXPECT_TRUE(
      contains(refused("rows = [{ label = \"a\", tuning = \"\", expect = \"quick\" }]\n"), "'quick'; accepted: faster"));
}

TEST_F(Sections, TheLimitsAreHeldAgainstTheRates) {
  study("kind = \"limits\"\n");
  const Entry large{.rung = "m/s/1", .case_name = "box-64", .cells = 4096, .bytes_model = 72, .footprint = 1 << 20};
  Entry slow = large;
  slow.rung = "m/s/2";
  experiments.write_rows(measured(large, {6e6}) + measured(slow, {2e6}) + measured({.rung = "m/s/1"}, {1e6}) +
                         measured({.rung = "m/s/2"}, {1e6}) + ceiling("copy-9", 1 << 20, "nt", {6.4e6}, 72) +
                         ceiling("fma", 0, "", {1e9}, 0, 2));
  // 16 µs for the shortest step and 640 µs for the bytes of the other
  const std::string csv = table("limits");
  EXPECT_TRUE(contains(csv, "m/s/1,box-64,f32,6.4,20,256,bandwidth,6.24390243902439,6,0.96")) << csv;
  EXPECT_TRUE(contains(csv, "m/s/2,box-64,f32,6.4,20,256,bandwidth,6.24390243902439,2,0.3203125\n")) << csv;
  EXPECT_TRUE(contains(csv, "m/s/1,box-4,f32,,20,,arithmetic,,1,\n")) << csv;
  EXPECT_TRUE(contains(table("limits-backends"), "\nserial,2,0.640625,")) << table("limits-backends");
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"), "The limits predict the rate within 15.0 % for 1 of 2 cells (50.0 %)"));
}

TEST_F(Sections, ARungWithoutTrafficHasNoPlaceUnderTheRoofs) {
  study("kind = \"roofline\"\ncases = [\"box-4\"]\nrungs = [\"*\"]\n");
  experiments.write_rows(measured({.bytes_model = 0}, {1e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-4: no rows of these rungs with counted operations"));
}

TEST_F(Sections, TheCacheOfAGpuIsARoofOverWhatRanOnIt) {
  study("kind = \"roofline\"\ncases = [\"box-4\"]\nrungs = [\"*\"]\n");
  experiments.write("results/box.s1.json", R"({"machine": {"name": "box", "caches": [{"level": 1, "bytes": 512, "count": 1}]},)"
                                           R"( "device_caches": {"a GPU": [{"level": 2, "bytes": 65536}]}})");
  experiments.write_rows(
      measured({.rung = "m/cuda/1", .device = "a GPU"}, {1e6}) + ceiling("copy-9", 1 << 20, "nt", {2e6}, 72, 0, "a GPU") +
      ceiling("copy-9", 8192, "nt", {4e6}, 72, 0, "a GPU") + ceiling("copy-9", 1 << 20, "nt", {9e7}, 72, 0, "cpu") +
      ceiling("l2-copy", 64, "nt", {1e9}, 8, 0, "a GPU") + ceiling("fma", 64, "plain", {3e9}, 0, 2, "a GPU"));
  const std::string csv = table("roofline-box-4");
  EXPECT_TRUE(contains(csv, ",L2,")) << csv;
  const std::string figure = experiments.read("out/figures/waugh-box-01-roofline-box-4.svg");
  for (const char* roof : {"copy-9, DRAM, 0.144 GB/s", "copy-9, L2, 0.288 GB/s", "l2-copy, 8.00 GB/s", "fma, 6.00 GFLOP/s"})
    EXPECT_TRUE(contains(figure, roof)) << roof;
}

TEST_F(Sections, HeatmapSortsShapesAndMarksTheBest) {
  study("kind = \"heatmap\"\nrung = \"m/o/1\"\ncases = [\"box-4\"]\n");
  experiments.write_rows(
      measured({.rung = "m/o/1", .tuning = "wx=2;wy=1"}, {1e6}) + measured({.rung = "m/o/1", .tuning = "wx=8;wy=4"}, {4e6}) +
      measured({.rung = "m/o/1", .tuning = "wx=0;wy=4"}, {3e6}) + measured({.rung = "m/o/1", .tuning = "wx=8"}, {9e6}) +
      line({.kind = "check", .rung = "m/o/1", .tuning = "wx=128;wy=128", .outcome = "skipped"}));
  const std::string csv = table("heatmap-box-4");
  EXPECT_TRUE(contains(csv, "\n8,4,4,4,1,1\n0,4,5.333333333333333,3,1.3333333333333333,1\n2,1,16,1,4,1\n"));
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-heatmap-box-4.svg"), "wx=8, wy=4: 4.000 µs per step"));
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "1 round per shape: too few to decide between"));
}

TEST_F(Sections, HeatmapOutlinesWhatTheNoiseDoesNotTellFromTheFastest) {
  study("kind = \"heatmap\"\nrung = \"m/o/1\"\ncases = [\"box-4\"]\n");
  const auto outlines = [&](std::size_t rounds, double noise) {
    const auto shape = [&](const char* tuning, double rate) {
      return measured({.rung = "m/o/1", .tuning = tuning}, std::vector<double>(rounds, rate));
    };
    experiments.write_rows(with_twins("m/o/1", "wx=8;wy=4", std::vector<double>(rounds, 4e6), noise) +
                           shape("wx=4;wy=4", 3.9e6) + shape("wx=2;wy=4", 3.7e6));
    (void)experiments.report();
    const std::string svg = experiments.read("out/figures/waugh-box-01-heatmap-box-4.svg");
    const std::size_t path = svg.find("<path stroke='rgb(  0, 114,");  // blue: in the key, and around the shapes
    return std::ranges::count(svg.substr(path, svg.find('>', path) - path), 'M') - 1;
  };
  const auto page = [&] { return experiments.read("out/index.html"); };
  EXPECT_EQ(outlines(6, 1.05), 2) << "4.8 %; the others are 2.6 % and 8.1 % slower";
  EXPECT_TRUE(contains(page(), "takes 1.08 times as long; 1 other is as fast within the noise."));
  EXPECT_TRUE(contains(page(), "the 2 outlined shapes do not differ from the fastest by more than the noise floor."));
  EXPECT_FALSE(contains(page(), "too few to decide")) << "six rounds suffice for a verdict";
  EXPECT_EQ(outlines(6, 1.01), 1);
  EXPECT_EQ(outlines(2, 1.05), 1) << "two rounds give no floor";
  EXPECT_FALSE(contains(page(), "outlined shapes"));
  EXPECT_TRUE(contains(page(), "2 rounds per shape: too few to decide between shapes of similar speed."));
  EXPECT_TRUE(
      contains(page(), "box-4: the fastest of 3 shapes is 8 × 4 with 4.00 µs per step; the slowest, 2 × 4, takes 1.08"));
  EXPECT_FALSE(contains(page(), "within the noise."));
}

TEST_F(Sections, AHeatmapTellsTheGainOverTheRungsOwnShape) {
  rungs["m/o/1"] = {
      {"tunables", {{{"name", "wx"}, {"values", {2, 8}}, {"initial", 2}}, {{"name", "wy"}, {"values", {4}}, {"initial", 4}}}}};
  study("kind = \"heatmap\"\nrung = \"m/o/1\"\ncases = [\"box-4\"]\n");
  experiments.write_rows(measured({.rung = "m/o/1", .tuning = "wx=8;wy=4", .key = "a"}, {4e6, 4e6, 4e6}) +
                         measured({.rung = "m/o/1", .tuning = "wx=2;wy=4", .key = "b"}, {2e6, 2e6, 2e6}));
  (void)experiments.report();
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"),
               "box-4: the fastest of 2 shapes is 8 × 4 with 4.00 µs per step, 2.00× [2.00, 2.00] over the rung&#39;s own, "
               "2 × 4; the slowest, 2 × 4, takes 2.00 times as long."));
}

TEST_F(Sections, FlagsAreComparedWithTheSlowestOrANamedBuild) {
  const std::string rows = measured({.build = "gcc-O0"}, {1e6, 1e6, 1e6}) + measured({.build = "gcc-O2"}, {2e6, 2e6, 2e6}) +
                           measured({.build = "clang-O2"}, {4e6, 4e6, 4e6});
  study("kind = \"flags\"\nrung = \"d2q9/serial/01_plain\"\ncases = [\"box-4\"]\n");
  experiments.write_rows(rows);
  EXPECT_TRUE(contains(table("flags"), "\nclang-O2,4,4\ngcc-O0,16,1\ngcc-O2,8,2\n"));
  study("kind = \"flags\"\nrung = \"d2q9/serial/01_plain\"\ncases = [\"box-4\"]\nbaseline = \"gcc-O2\"\n");
  EXPECT_TRUE(contains(table("flags"), "\nclang-O2,4,2\n"));
  study("kind = \"flags\"\nrung = \"d2q9/serial/01_plain\"\ncases = [\"box-4\"]\nbaseline = \"icc\"\n");
  EXPECT_TRUE(
      contains(input_error([&] { (void)experiments.report(); }), "'baseline' is 'icc', which has no rows; accepted: clang-O2"));
}

TEST_F(Sections, StreamFractionsCountMinimumTraffic) {
  study("kind = \"stream\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
  experiments.write_rows(measured({}, {1e8}) + ceiling("triad", 1 << 20, "nt", {3e9}, 12));
  EXPECT_TRUE(contains(table("stream"), "\n01_plain,7.2,0.2,L2\n"));
}

TEST_F(Sections, SharesOfTheDataSheetAreShownForKnownGpusOnly) {
  study("kind = \"stream\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
  experiments.write_rows(measured({.backend = "cuda", .device = "NVIDIA H200"}, {1e11}));
  const std::string known = table("stream");
  EXPECT_TRUE(contains(known, "_of_data_sheet")) << known;
  EXPECT_TRUE(contains(known, "\n01_plain,7200,1.5,")) << "72 bytes per update; 4.8 TB/s\n" << known;
  for (const char* device : {"NVIDIA T4", "cpu"}) {
    experiments.write_rows(measured({.backend = "cuda", .device = device}, {1e11}));
    const std::string unknown = table("stream");
    EXPECT_TRUE(contains(unknown, "\n01_plain,7200,")) << unknown;
    EXPECT_FALSE(contains(unknown, "of_data_sheet")) << unknown;
  }
}

TEST_F(Sections, OnlyCeilingsOfMemoryHaveAShareOfTheDataSheet) {
  study("kind = \"ceilings\"\n");
  const double large = 1 << 30;
  std::string rows;
  for (const char* name : {"copy-9", "triad", "l2-copy", "peer-copy"})
    rows += ceiling(name, large, "", {5e10}, 72, 0, "NVIDIA H200");
  experiments.write_rows(rows);
  const std::string csv = table("ceilings");
  for (const char* name : {"copy-9", "triad"})
    EXPECT_TRUE(contains(csv, std::string(name) + ",cuda,f32,1,1073741824,3600,0.75,")) << csv;
  EXPECT_TRUE(contains(csv, "\nl2-copy,cuda,f32,1,1152,3600,,1\n")) << csv;
  EXPECT_TRUE(contains(csv, "\npeer-copy,cuda,f32,1,1073741824,3600,,1\n")) << csv;
}

TEST(DataSheet, ARowHasTheBandwidthOfAllItsDevices) {
  Row row;
  row.backend = "devices+cuda";
  row.device = "NVIDIA H200";
  EXPECT_EQ(data_sheet_bandwidth(row), 4.8e12);
  row.placement = "devices=2";
  EXPECT_EQ(data_sheet_bandwidth(row), 9.6e12);
}

TEST_F(Sections, EveryLineOfAChartOverSizesHasItsName) {
  study("kind = \"sweep\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\n");
  std::string rows;
  for (int i = 10; i < 40; ++i)
    rows += measured({.rung = "m/s/" + std::to_string(i) + "_name"}, {1e6});
  experiments.write_rows(rows);
  (void)experiments.report();
  const std::string svg = experiments.read("out/figures/waugh-box-01-sweep.svg");
  for (int i = 10; i < 40; ++i)
    EXPECT_TRUE(contains(svg, ">" + std::to_string(i) + "_name<")) << i;
}

TEST_F(Sections, ASweepTellsWhatFitsWhere) {
  study("kind = \"sweep\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"box-64\"]\n");
  experiments.write_rows(measured({}, {1e8}) +
                         measured({.case_name = "box-64", .key = "l", .cells = 4096, .footprint = 294912}, {2e7}) +
                         ceiling("copy-9", 1 << 20, "nt", {4e7}, 72) + ceiling("copy-9", 1536, "nt", {4e8}, 72));
  const std::string csv = table("sweep");
  EXPECT_TRUE(contains(csv, "\nd2q9/serial/01_plain,box-4,16,1152,L2,0.16,100,2.5,0.25\n")) << "twice the rate from DRAM";
  EXPECT_TRUE(contains(csv, "\nd2q9/serial/01_plain,box-64,4096,294912,DRAM,204.8,20,0.5,0.5\n"));
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "copy-9 from DRAM"));
  EXPECT_TRUE(contains(page, "L2: 72 B a site") && contains(page, "L3: 72 B a site")) << "57 and 910 sites";
  EXPECT_TRUE(contains(page,
                       "The fastest on box-4 is d2q9/serial/01_plain with 100 MLUPS from L2; on box-64 it is "
                       "d2q9/serial/01_plain with 20.0 MLUPS from DRAM, 50.0 % of copy-9 from DRAM."))
      << page;
}

TEST_F(Sections, ASweepTellsTheGainOfTheFastestAndWhatTheRowsDoNotTellApart) {
  rungs["m/s/1"] = {{"tunables", {{{"name", "w"}, {"values", {1, 2}}, {"initial", 1}}}}};
  study("kind = \"sweep\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"box-64\"]\n");
  const auto rung = [](const char* name, const char* tuning, const char* case_name, const std::vector<double>& rates) {
    return measured({.rung = name,
                     .case_name = case_name,
                     .tuning = tuning,
                     .key = std::string(name) + case_name + tuning,
                     .cells = case_name == std::string("box-4") ? 16 : 4096},
                    rates);
  };
  experiments.write_rows(rung("m/s/1", "w=1", "box-4", {5e6, 5e6, 5e6}) + rung("m/s/1", "w=2", "box-4", {8e6, 8e6, 8e6}) +
                         rung("m/s/2", "", "box-4", {2e6, 2e6, 2e6}) + rung("m/s/1", "w=2", "box-64", {8e6, 8e6, 8e6}) +
                         rung("m/s/2", "", "box-64", {9e6, 7e6, 7.9e6}));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(
      contains(page,
               "The fastest on box-4 is m/s/1 with 8.00 MLUPS from L2, 1.60× [1.60, 1.60] over its default tuning, 4.00× "
               "[4.00, 4.00] over m/s/2;"))
      << page;
  EXPECT_TRUE(contains(page, "on box-64 it is m/s/1 with 8.00 MLUPS from L2; the rows do not distinguish it from m/s/2 (1.01×"))
      << page;
  EXPECT_TRUE(contains(page,
                       "<p class=\"conclusion\">On box-4 the fastest is 1 with 8.00 MLUPS; on box-64 the rows do not "
                       "distinguish 1 and 2, 8.00 MLUPS.</p>"))
      << page;
}

TEST_F(Sections, ASweepOfOneSizeFindsNothing) {
  study("kind = \"sweep\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"box-64\"]\n");
  experiments.write_rows(measured({}, {1e8}));
  (void)experiments.report();
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "The fastest on box-4"));
}

TEST_F(Sections, GrowthFitsAPowerOfTheNumberOfSites) {
  study("kind = \"growth\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"box-16\", \"box-64\"]\npaper = \"slow\"\n");
  // 16 sites in 16 µs, 256 in 32 µs, 4096 in 64 µs: twice the time for 16 times the sites gives the power 1/4.
  experiments.write_rows(measured({.key = "a", .cells = 16}, {1e6}) +
                         measured({.case_name = "box-16", .key = "b", .cells = 256}, {8e6}) +
                         measured({.case_name = "box-64", .key = "c", .cells = 4096}, {64e6}));
  const std::string csv = table("growth");
  EXPECT_TRUE(contains(csv, "\n01_plain,16,32,64,0.25\n")) << csv;
  EXPECT_TRUE(contains(csv, "\npaper: slow,10000,")) << csv;
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "Time per step by size: the exponent in the number of sites is 0.25 (01_plain)."));
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-growth.svg"), "paper: slow"));
}

TEST_F(Sections, GrowthOfMachinesComparesThemInOneFigure) {
  study(
      "kind = \"growth_of_machines\"\nrungs = [\"*\"]\n"
      "cases = [\"box-4\", \"box-16\"]\npaper = \"slow\"\n");
  experiments.write_rows(measured({.key = "a", .cells = 16}, {1e6}) +
                         measured({.case_name = "box-16", .key = "b", .cells = 256}, {8e6}));
  experiments.write("results/other.csv", header + measured({.key = "c", .cells = 16}, {4e6}));
  experiments.write("results/idle.csv", header);
  (void)experiments.report();
  const std::string csv = experiments.read("out/tables/waugh-machines-00-growth.csv");
  EXPECT_TRUE(contains(csv, "\n\"01_plain, box\",16,32\n\"01_plain, other\",4,\npaper: slow,10000,")) << csv;
  const std::string svg = experiments.read("out/figures/waugh-machines-00-growth.svg");
  EXPECT_TRUE(contains(svg, "01_plain, other") && contains(svg, "01_plain, box") && contains(svg, "paper: slow")) << svg;
  const std::string rows = experiments.read("out/rows/table-waugh-machines-00-growth.csv");
  EXPECT_TRUE(contains(rows, "\nbox.csv,") && contains(rows, "\nother.csv,")) << "rows of both machines";
  EXPECT_FALSE(contains(svg, "idle")) << "a machine without rows of the rungs";
}

TEST_F(Sections, GrowthShowsRatesBandwidthsAndKernels) {
  paper += "table1,slow,box-4,pull_time,30,µs,I\n";
  study(
      "kind = \"growth\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"box-16\"]\npaper = \"slow\"\n"
      "values = [\"mlups\", \"bandwidth\", \"kernel:pull\"]\n");
  experiments.write_rows(measured({.key = "a", .cells = 16}, {1e6}) +
                         measured({.case_name = "box-16", .key = "b", .cells = 256}, {8e6}));
  EXPECT_TRUE(contains(table("growth-mlups"), "\n01_plain,1,8\npaper: slow,0.0016,\n")) << table("growth-mlups");
  EXPECT_TRUE(contains(table("growth-bandwidth"), "\n01_plain,0.072,0.576\npaper: slow,0.00011520000000000001,\n"))
      << table("growth-bandwidth");
  EXPECT_TRUE(contains(table("growth-pull"), "\npaper: slow,30\n")) << table("growth-pull");
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "the exponent in the number of sites is"))
      << "two sizes give no exponent";
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "No counters of pull at box-4, box-16. To read them"));
}

TEST_F(Sections, RefusesAValueOfGrowthThatIsNone) {
  study("kind = \"growth\"\nrungs = [\"*\"]\ncases = [\"box-4\"]\nvalues = [\"step_tme\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }),
                       "has 'step_tme'; accepted: step_time, mlups, bandwidth, kernel:NAME"));
}

TEST_F(Sections, ASeriesShowsTheOrderInWhichTheErrorFalls) {
  study("kind = \"series\"\ncases = [\"box-8\", \"box-16\", \"box-32\"]\nvalue = \"e\"\nexact = \"x\"\nerror = \"d\"\n");
  experiments.write_rows(measured({}, {1e6}));  // a grid with two sides, 4x4
  experiments.write("results/box.series.box-8.csv", "step,e,x,d\n0,1,1,0\n64,0.5,0.4,0.08\n");
  experiments.write("results/box.series.box-16.csv", "step,e,x,d\n0,4,4,0\n256,1.7,1.6,0.02\n");
  const std::string csv = table("series");
  EXPECT_TRUE(contains(csv, "\nbox-8,64,64,0.5,0.4,0.08,\n")) << csv;
  EXPECT_TRUE(contains(csv, "\nbox-16,256,256,1.7,1.6,0.02,2\n")) << csv;
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-32: no series is stored"));
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-series.svg"), ">exact<"));
}

TEST_F(Sections, ASeriesCanSelectOneOfSeveralRungs) {
  experiments.write("results/box.flow.csv",
                    "utc,kind,rung,case,precision,steps,device,executable,key,file\n"
                    "2026-01-01T12:00:00Z,series,d2q9/serial/01_plain,box-8,f64,,,e,1,box.series.box-8.1.csv\n"
                    "2026-01-01T12:00:00Z,series,d2q9/openmp/01_tiles,box-8,f64,,,e,2,box.series.box-8.2.csv\n");
  experiments.write("results/box.series.box-8.1.csv", "step,e\n0,1\n64,0.5\n");
  experiments.write("results/box.series.box-8.2.csv", "step,e\n0,1\n64,0.25\n");
  experiments.write_rows(measured({}, {1e6}));
  study("kind = \"series\"\nrung = \"d2q9/serial/*\"\ncases = [\"box-8\"]\nvalue = \"e\"\n");
  EXPECT_TRUE(contains(table("series"), "\nbox-8,64,64,0.5\n")) << table("series");
  study("kind = \"series\"\nrung = \"d2q9/cuda/*\"\ncases = [\"box-8\"]\nvalue = \"e\"\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-8: no series is stored"));
}

TEST_F(Sections, StabilityGivesTheSmallestValueFromWhichNoFlowDiverges) {
  experiments.write("results/box.flow.csv",
                    "utc,kind,rung,case,precision,steps,device,executable,key,file\n"
                    "2026-01-01T12:00:00Z,stability,m/serial/01_old,a.6@1-8,f64,,,e,1,box.stability.a.6@1-8.1.csv\n"
                    "2026-01-01T12:00:00Z,stability,m/serial/01_old,a.6@1-8,f64,,,e,2,box.stability.a.6@1-8.2.csv\n"
                    "2026-01-01T12:00:00Z,stability,m/serial/02_new,a.6@1-8,f64,,,e,3,box.stability.a.6@1-8.3.csv\n"
                    "2026-01-01T12:00:00Z,stability,m/serial/02_new,a.6@1-8,f32,,,e,4,box.stability.a.6@1-8.4.csv\n");
  experiments.write("results/box.stability.a.6@1-8.1.csv", "case,outcome,step,reason\na0.6@1-8,bounded,9,\n");
  // The values are not in order, and the flow at 0.7 stays bounded although that at 0.8 diverges.
  experiments.write("results/box.stability.a.6@1-8.2.csv",
                    "case,outcome,step,reason\na1@1-8,bounded,9,\na0.6@1-8,diverged,3,\"too, fast\"\na0.8@1-8,diverged,4,x\n"
                    "a0.7@1-8,bounded,9,\na0.9@1-8,bounded,9,\na0.6@2-8,diverged,1,x\n");
  experiments.write("results/box.stability.a.6@1-8.3.csv",
                    "case,outcome,step,reason\na0.6@1-8,bounded,9,\na0.7@1-8,bounded,9,\n");
  experiments.write("results/box.stability.a.6@1-8.4.csv", "case,outcome,step,reason\na0.7@1-8,diverged,9,x\n");
  experiments.write_rows(measured({}, {1e6}));
  study("kind = \"stability\"\n");
  EXPECT_EQ(table("stability"),
            "rung,precision,cases,tested,least,bounded,diverged,below\n"
            "m/serial/01_old,f64,a*@1-8,5,0.6,0.9,0.8,1\n"
            "m/serial/01_old,f64,a*@2-8,1,0.6,,0.6,0\n"
            "m/serial/02_new,f32,a*@1-8,1,0.7,,0.7,0\n"
            "m/serial/02_new,f64,a*@1-8,2,0.6,0.6,,0\n");
  study("kind = \"stability\"\nrungs = [\"*/02_new\"]\n");
  EXPECT_FALSE(contains(table("stability"), "01_old"));
  study("kind = \"stability\"\nrungs = [\"*/03*\"]\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "No stability results are stored for these rungs yet."));
  study("kind = \"stability\"\n");
  for (const char* line : {"a0.6@1-8,fine,9,", "a@-,bounded,9,"}) {
    experiments.write("results/box.stability.a.6@1-8.3.csv", std::string("case,outcome,step,reason\n") + line + "\n");
    EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "a.6@1-8.3.csv:2: column '")) << line;
  }
}

TEST_F(Sections, StabilityKeepsTheNewestOutcomeOfEachCase) {
  const std::string header = "case,outcome,step,reason\n";
  // The study's list of cases began with one at a speed of 2, and later with one at 1.
  const auto list = [&](const char* last) {
    std::string text = "utc,kind,rung,case,precision,steps,device,executable,key,file\n";
    for (const std::string n : {"1", "2", last}) {
      const std::string name = n == "1" ? "a0.6@2-8" : "a0.6@1-8";
      text +=
          fmt::format("2026-01-01T12:00:00Z,stability,m/serial/01_old,{0},f64,,,e,{1},box.stability.{0}.{1}.csv\n", name, n);
    }
    experiments.write("results/box.flow.csv", text);
  };
  experiments.write("results/box.stability.a0.6@2-8.1.csv",
                    header + "a0.6@2-8,bounded,9,\na0.6@1-8,diverged,3,x\na0.7@1-8,diverged,3,x\n");
  experiments.write("results/box.stability.a0.6@1-8.2.csv", header + "a0.6@1-8,bounded,9,\n");
  experiments.write_rows(measured({}, {1e6}));
  study("kind = \"stability\"\n");
  const std::string columns = "rung,precision,cases,tested,least,bounded,diverged,below\n";
  const std::string fast = "m/serial/01_old,f64,a*@2-8,1,0.6,0.6,,0\n";
  list("2");
  EXPECT_EQ(table("stability"), columns + "m/serial/01_old,f64,a*@1-8,2,0.6,,0.7,1\n" + fast);
  list("1");
  EXPECT_EQ(table("stability"), columns + "m/serial/01_old,f64,a*@1-8,2,0.6,,0.7,0\n" + fast);
}

TEST_F(Sections, ASeriesWithoutAnExactSolutionHasNoError) {
  study("kind = \"series\"\ncases = [\"box-8\"]\nvalue = \"e\"\nexact = \"x\"\nerror = \"d\"\n");
  experiments.write_rows(measured({}, {1e6}));
  experiments.write("results/box.series.box-8.csv", "step,e,x,d\n0,1,nan,nan\n64,0.5,nan,nan\n");
  EXPECT_TRUE(contains(table("series"), "\nbox-8,64,64,0.5\n")) << table("series");
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "the value at the end is 0.500 of the initial value."));
  EXPECT_FALSE(contains(page, "is the exact solution")) << page;
}

TEST_F(Sections, ASeriesShowsValuesThemselvesIfTheyAreNotRelative) {
  study("kind = \"series\"\ncases = [\"box-8\"]\nvalue = \"e\"\nrelative = false\n");
  experiments.write_rows(measured({}, {1e6}));
  experiments.write("results/box.series.box-8.csv", "step,e\n0,100\n64,0.5\n128,-0.25\n");
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "the value at the end is -0.250.")) << "the start is not the unit";
  const std::string figure = experiments.read("out/figures/waugh-box-01-series.svg");
  EXPECT_TRUE(contains(figure, "step 64: 0.5") && contains(figure, "step 128: -0.25")) << figure;
  EXPECT_FALSE(contains(figure, "step 0:") || contains(figure, "log scale")) << figure;
}

TEST_F(Sections, CasesThatWereNotMeasuredHaveTheSidesOfTheirKind) {
  study("kind = \"growth\"\nrungs = [\"*\"]\ncases = [\"box-4\", \"box-8\", \"box-16\", \"cube-2\"]\npaper = \"slow\"\n");
  experiments.write(
      "paper.csv",
      "item,label,case,quantity,value,unit,where\nt,slow,box-4,seconds,1,s,I\nt,slow,box-8,seconds,4,s,I\n"
      "t,slow,box-16,seconds,16,s,I\nt,slow,cube-2,seconds,1,s,I\n"
      "t,slow,box-4,steps,10,,I\nt,slow,box-8,steps,10,,I\nt,slow,box-16,steps,10,,I\nt,slow,cube-2,steps,10,,I\n");
  experiments.write_rows(measured({}, {1e6}));  // box-4, with the grid 4x4
  const std::string csv = table("growth");
  EXPECT_TRUE(contains(csv, "\npaper: slow,100000,400000,1600000,1.0000000000000002\n"))
      << "nothing is known about a cube: " << csv;
  EXPECT_NEAR(std::stod(csv.substr(csv.rfind(',') + 1)), 1, 1e-12) << "four times the time for four times the sites";
}

/// A block that compares two codes on two machines.
constexpr const char* two_machines =
    "kind = \"portability\"\ncases = [\"box-4\"]\n"
    "applications = [{ label = \"one\", rung = \"m/s/1\" }, { label = \"best\", rung = \"m/s/*\" }]\n"
    "platforms = [{ label = \"here\", machine = \"box\", device = \"cpu\" }, { label = \"there\", machine = \"other\" }]\n";

TEST_F(Sections, PortabilityIsTheHarmonicMeanOverMachines) {
  study(two_machines);
  const std::string copy = ceiling("copy-9", 1 << 20, "nt", {1e7}, 72);
  experiments.write_rows(measured({.rung = "m/s/1"}, {8e6}) + measured({.rung = "m/s/2"}, {4e6}) +
                         measured({.rung = "m/s/3", .device = "gpu"}, {9e6}) + copy);
  experiments.write("results/other.csv",
                    header + measured({.rung = "m/s/1"}, {2e6}) + measured({.rung = "m/s/2"}, {4e6}) + copy);
  (void)experiments.report();
  const std::string csv = experiments.read("out/tables/waugh-machines-00-portability-box-4.csv");
  // 80 % and 20 % of the copies: 2 / (1 / 0.8 + 1 / 0.2) = 0.32; the best are 80 % and 40 %: 0.5333.
  EXPECT_TRUE(contains(csv, "\none,1,2,0.8,1,1,8,0.2,0.5,0.32,0.6666666666666666\n")) << csv;
  EXPECT_TRUE(contains(csv, "\nbest,1,2,0.8,1,2,4,0.4,1,0.5333333333333333"))
      << "the rung on the GPU is not part of it: " << csv;
  const std::string rows = experiments.read("out/rows/table-waugh-machines-00-portability-box-4.csv");
  EXPECT_TRUE(contains(rows, "\nbox.csv,") && contains(rows, "\nother.csv,")) << "rows of both machines";
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "<div id=\"waugh-machines-00-portability\">\n"))
      << "shown whatever machine is selected";
}

TEST_F(Sections, PortabilityIsACascadeFromTheBestPlatformToTheWorst) {
  study(two_machines);
  experiments.write_rows(measured({.rung = "m/s/1"}, {2e6}) + measured({.rung = "m/s/2"}, {8e6}));
  experiments.write("results/other.csv", header + measured({.rung = "m/s/1"}, {4e6}) + measured({.rung = "m/s/2"}, {8e6}));
  (void)experiments.report();
  const std::string svg = experiments.read("out/figures/waugh-machines-00-cascade-box-4.svg");
  EXPECT_TRUE(contains(svg, "one, there: 50.0 % of the fastest code; portability over 1 platform: 50.0 %"));
  EXPECT_TRUE(contains(svg, "one, here: 25.0 % of the fastest code; portability over 2 platforms: 33.3 %"));
  EXPECT_LT(svg.find("one, there"), svg.find("one, here"));
  std::filesystem::remove(experiments.path() / "waugh" / "results" / "other.csv");
  (void)experiments.report();
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "sorted for each code")) << "a single platform";
}

TEST_F(Sections, PortabilityShowsTheIntervalOfAFractionThatHasOne) {
  study(two_machines);
  experiments.write_rows(measured({.rung = "m/s/1"}, {8e6, 9.76e6, 11e6}) +
                         ceiling("copy-9", 1 << 20, "nt", {1e7, 1e7, 1e7}, 72));
  experiments.write("results/other.csv",
                    header + measured({.rung = "m/s/1"}, {2e6, 4e6}) + ceiling("copy-9", 1 << 20, "nt", {1e7, 1e7}, 72));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, ">97.6 % [80.0, 110]</td>"));
  EXPECT_TRUE(contains(page, ">30.0 %</td>")) << "two rounds give no interval";
  EXPECT_TRUE(contains(experiments.read("out/tables/waugh-machines-00-portability-box-4.csv"), ",0.976,"));
}

TEST_F(Sections, PortabilityIsNothingWhereACodeDoesNotRunAndUnknownWithoutResults) {
  study(two_machines);
  experiments.write_rows(measured({.rung = "m/s/2"}, {4e6}) + ceiling("copy-9", 1 << 20, "nt", {1e7}, 72));
  (void)experiments.report();
  const std::string name = "out/tables/waugh-machines-00-portability-box-4.csv";
  EXPECT_TRUE(contains(experiments.read(name), "\nbest,2,4,0.4,1,no results\n")) << experiments.read(name);
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "No results of machine other in this report."));
  experiments.write("results/other.csv", header + measured({.rung = "m/s/1", .case_name = "box-5"}, {2e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read(name), "\nbest,2,4,0.4,1,not measured\n")) << "nothing was measured there yet";
  experiments.write("results/other.csv",
                    header + measured({.rung = "m/s/1"}, {2e6}) + ceiling("copy-9", 1 << 20, "nt", {1e7}, 72));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read(name), "\none,not measured,,,,1,8,0.2,1,0,0\n")) << experiments.read(name);
}

TEST_F(Sections, ClaimsAreRecomputedFromThePapersOwnNumbers) {
  paper += "text,fast,box-4,claim,3,,II\n";
  study(
      "kind = \"claims\"\n[[report.rows]]\nstatement = \"three times\"\nstated = { label = \"fast\", case = \"box-4\", "
      "quantity = "
      "\"claim\" }\nover = [{ label = \"slow\", case = \"box-4\", quantity = \"seconds\" }]\nunder = [{ label = \"fast\", case "
      "= "
      "\"box-4\", quantity = \"seconds\" }]\n");
  experiments.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(table("claims"), "three times,II,3,2.5,0.19999999999999996,differs"));
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"), "Statements that agree with the publication&#39;s own values: 0 of 1."));
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "Differing from the publication&#39;s own values. three times: stated 3, computed 2.5."));
}

TEST_F(Sections, NumbersOfThePaperAreATable) {
  paper += "listing1,fast,box-4,time,250,µs,III\nlisting1,slow,box-4,time,1.5,ms,III\nlisting1,other,,time,1,s,III\n";
  study("kind = \"paper\"\nlabels = [\"slow\", \"fa*\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  (void)experiments.report();
  EXPECT_EQ(experiments.read("out/tables/waugh-machines-00-paper.csv"),
            "subject,case,seconds,speedup,time\nslow,box-4,10,,1.5\nfast,box-4,4,2,250\n");
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "seconds, s</th>") && contains(page, ">1.5 ms</td>") && contains(page, ">250 µs</td>"));
  study("kind = \"paper\"\nlabels = \"slow\"\nquantities = [\"speed\"]\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "names 'speed'; accepted: seconds, time"));
  study("kind = \"paper\"\nlabels = \"none\"\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "match none of"));
}

TEST_F(Sections, ClaimsAreHeldAgainstOurRows) {
  study(R"(kind = "claims"
[[report.rows]]
statement = "twice as fast"
stated = { label = "fast", case = "box-4", quantity = "speedup" }
over = [{ label = "slow", case = "box-4", quantity = "seconds" }]
under = [{ label = "fast", case = "box-4", quantity = "seconds" }]
relation = "at least"
ours = { over = [{ rung = "m/s/2", case = "box-4" }], under = [{ rung = "m/s/1", case = "box-4" }] }
[[report.rows]]
statement = "time"
stated = { label = "fast", case = "box-4", quantity = "seconds" }
case = "box-4"
ours = { over = [{ rung = "m/s/2", quantity = "step_time" }] }
[[report.rows]]
statement = "no row of ours"
where = "III"
implied = 1
relation = "at least"
case = "box-4"
over = [{ label = "slow", quantity = "seconds" }]
ours = { over = [{ rung = "m/s/3" }] }
)");
  experiments.write_rows(measured({.rung = "m/s/1", .key = "a"}, {1e6, 2e6, 1e6}) +
                         measured({.rung = "m/s/2", .key = "b"}, {1.5e6, 3e6, 1.5e6}));
  const std::string csv = table("claims");
  EXPECT_TRUE(contains(csv, "\ntwice as fast,II,2,2.5,,-0.19999999999999996,agrees,1.5,differs\n")) << csv;
  EXPECT_TRUE(contains(csv, "\ntime,I,4,,s,,—,10.666666666666666,—\n")) << "a time gets no verdict: " << csv;
  EXPECT_TRUE(contains(csv, "\nno row of ours,III,1,10,,-0.9,agrees,,—\n")) << csv;
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "1.50× [1.50, 1.50]")) << "paired by rounds";
  EXPECT_TRUE(contains(page, "the publication&#39;s own values: 2 of 2.")) << "the time has no computed value";
  EXPECT_TRUE(contains(page, "Statements that agree with our rows: 0 of 1."));
  EXPECT_TRUE(contains(page, "Differing from our rows. twice as fast: stated 2, ours 1.50× [1.50, 1.50]."));
  EXPECT_TRUE(contains(page, "m/s/3, box-4: not measured"));
  EXPECT_TRUE(contains(experiments.read("out/rows/table-waugh-box-01-claims.csv"), "m/s/2"));
}

TEST_F(Sections, ClaimsLeaveOutWhatIsNotMeasured) {
  study(R"(kind = "claims"
[[report.rows]]
statement = "ours alone"
where = "III"
implied = 1
ours = { over = [{ rung = "m/s/3", case = "box-4" }] }
[[report.rows]]
statement = "theirs"
over = [{ label = "slow", case = "box-4", quantity = "seconds" }]
ours = { over = [{ rung = "m/s/3", case = "box-4" }] }
)");
  experiments.write_rows(measured({}, {1e6}));
  EXPECT_EQ(table("claims"), "statement,computed\ntheirs,10\n");
}

TEST_F(Sections, ClaimsAddNumbersAndRepeatOverCases) {
  paper += "table1,slow,box-8,seconds,20,s,I\ntable1,fast,box-8,seconds,5,s,I\ntext,fast,,saved,60,%,III\n";
  study(R"(kind = "claims"
[[report.rows]]
statement = "saved"
stated = { label = "fast", case = "", quantity = "saved" }
cases = ["box-4", "box-8"]
factor = 100
over = [{ sum = [{ label = "slow", quantity = "seconds" }, { label = "fast", quantity = "seconds", factor = -1 }] }]
under = [{ label = "slow", quantity = "seconds" }]
)");
  experiments.write_rows(measured({}, {1e6}));
  const std::string csv = table("claims");
  EXPECT_TRUE(contains(csv, "\n\"saved, box-4\",III,60,60,%,0,agrees\n")) << csv;
  EXPECT_TRUE(contains(csv, "\n\"saved, box-8\",III,60,75,%,-0.19999999999999996,differs\n")) << csv;
}

TEST_F(Sections, ClaimsReadCeilingsAndRefuseWhatTheyDoNotKnow) {
  const std::string block = "kind = \"claims\"\n[[report.rows]]\nstatement = \"s\"\nours = ";
  study(block + "{ factor = 2, over = [{ ceiling = \"copy-9\" }] }\n");
  experiments.write_rows(measured({}, {1e6}) + ceiling("copy-9", 1 << 20, "nt", {1e9}, 72));
  EXPECT_TRUE(contains(table("claims"), "\ns,144\n")) << table("claims");
  study(block + "{ over = [{ rung = \"*\", case = \"box-4\", quantity = \"speed\" }] }\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }),
                       "accepted: mlups, step_time, queue_time, bandwidth, energy, flops, of_copy, cells"));
  study("kind = \"claims\"\n[[report.rows]]\nstatement = \"s\"\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "and so is 'ours'"));
}

TEST_F(Sections, ClaimsReadTheTimeOfQueuingOfRowsThatHaveIt) {
  study(
      "kind = \"claims\"\n[[report.rows]]\nstatement = \"queued\"\n"
      "ours = { over = [{ rung = \"*\", case = \"box-4\", quantity = \"queue_time\" }] }\n");
  std::vector<Row> rows = parse_rows("m.csv", header + measured({}, {1e6, 1e6, 1e6, 1e6})).rows;
  std::string text = csv_header<Row>() + "\n";
  double queued = 0;
  for (Row& row : rows) {
    // The first sample was stored by an older version.
    if (row.kind == "sample" && (queued += 2e-6) > 3e-6) row.queue_seconds = queued;
    text += csv_line(row) + "\n";
  }
  experiments.write("results/box.csv", text);
  EXPECT_TRUE(contains(table("claims"), "\nqueued,6\n")) << table("claims");
  experiments.write_rows(measured({}, {1e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "None of the rungs in these statements was measured here."));
}

TEST_F(Sections, MarkedNumbersAreExplained) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1", .key = "a"}, {2e6, 2e6, 2e6, 6e6, 6e6, 6e6}) +
                         measured({.rung = "m/s/2", .key = "b"}, {1e6, 1e6}) +
                         measured({.rung = "m/s/2", .session = "s2", .key = "b"}, {2e6, 2e6}));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "4.00 ◊</td>")) << "16 sites at the median of 4 MLUPS";
  EXPECT_TRUE(contains(
      page,
      "fall into two groups; the median belongs to the larger one, or lies between them: m/s/1, box-4, f32 (3 samples of "
      "2.00 MLUPS, 3 of 6.00)."));
  EXPECT_TRUE(contains(page, "1.50 §</td>"));
  EXPECT_TRUE(contains(page, "m/s/2, box-4, f32 (1.00 MLUPS in session s1, 2.00 in s2)."));
}

TEST_F(Sections, AccuracyShowsTheCheckWithTheMostSteps) {
  study("kind = \"accuracy\"\n");
  experiments.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(table("accuracy"), "d2q9/serial/01_plain,f32,box-4,7,1e-07,1e-05,"));
}

TEST_F(Sections, AccuracyDrawsErrorsAgainstTheRatesOfOneCase) {
  study("kind = \"accuracy\"\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2"}, {3e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "The fastest in each precision: m/s/2, f32: 3 MLUPS, error 1.00e-07 in 7 steps."));
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}) + measured({.rung = "m/s/2", .case_name = "box-8"}, {3e6}));
  (void)experiments.report();
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "The fastest in each precision"));
}

TEST_F(Sections, SayWhichRungsMayStandAboveTheCopy) {
  const std::string sentence =
      "1 (20 of 72 B) moves fewer bytes of DRAM per update than one step through memory needs, because a pass through "
      "memory advances several steps, or cells do not store all their populations; it may exceed copy-9";
  for (const char* kind : {"roofline", "stream", "sweep"}) {
    study(fmt::format("kind = \"{}\"\nrungs = [\"m/s/*\"]\ncases = [\"box-4\"]\n", kind));
    experiments.write_rows(measured({.rung = "m/s/1", .bytes_model = 20, .flops = 100}, {3e6}) +
                           measured({.rung = "m/s/2", .bytes_model = 73}, {1e6}) + ceiling("copy-9", 1 << 20, "nt", {1e6}, 72) +
                           ceiling("triad", 1 << 20, "nt", {6e6}, 12));
    (void)experiments.report();
    const std::string page = experiments.read("out/index.html");
    EXPECT_TRUE(contains(page, sentence)) << kind;
    EXPECT_FALSE(contains(page, "<td class=\"n flag\"")) << kind << ": 20 of 72 B explain 300 %";
  }
  study("kind = \"roofline\"\nrungs = [\"m/s/*\"]\ncases = [\"box-4\"]\n");
  EXPECT_TRUE(contains(table("roofline-box-4"), "\nm/s/1,5,0.3,")) << "100 operations on 20 B at 3 MLUPS";
}

TEST_F(Sections, OperationsAreThoseThatRungsCount) {
  paper +=
      "text,update,,flops_per_update,131,,VIII\ntext,update,,bytes_per_update,72,B,VIII\ntext,update,,intensity,1.82,,VIII\n";
  rungs = {{"m/s/1",
            {{"id", "m/s/1"},
             {"collision", "plain"},
             {"bytes_per_update", {{"f32", {{"read", 72}, {"write", 36}}}}},
             {"bytes_per_update_minimum", {{"f32", 72}}},
             {"operations", {{{"form", "plain"}, {"add", 100}, {"mul", 44}, {"total", 144}}}}}}};
  study("kind = \"operations\"\npaper = \"update\"\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}));
  const std::string csv = table("operations");
  EXPECT_TRUE(contains(csv, "\nplain,100,44,144,72,2,1\n"));
  EXPECT_TRUE(contains(csv, "\npaper: update,,,131,72,1.8194444444444444,it states 1.82 flop/B\n"));
  EXPECT_TRUE(
      contains(experiments.read("out/tables/waugh-box-01-traffic.csv"), "\nm/s/1,plain,144,72,36,72,1.3333333333333333\n"));
}

TEST_F(Sections, CeilingsAreLimitsAndASweep) {
  study("kind = \"ceilings\"\n");
  std::string rows = ceiling("fma", 64, "plain", {1e9}, 0, 2);
  for (const double bytes : {512.0, 8192.0, 1048576.0})
    rows += ceiling("copy-9", bytes, "nt", {1e9 / bytes * 512}, 72);
  experiments.write_rows(rows);
  rows += ceiling("launch", 64, "plain", {5e5}, 0) + ceiling("l2-copy", 64, "nt", {1e9}, 8);
  experiments.write_rows(rows);
  const std::string csv = table("ceilings");
  EXPECT_TRUE(contains(csv, "fma,openmp,f32,plain,1,,,2,,1\n")) << csv;
  EXPECT_TRUE(contains(csv, "launch,openmp,f32,plain,1,,,,2,1\n")) << csv;
  EXPECT_TRUE(contains(csv, "l2-copy,openmp,f32,nt,1,1152,8,,,1\n")) << csv;
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"),
               "Among the ceilings, the highest bandwidth is 0.0352 GB/s, copy-9 (openmp, store=nt, 1 MiB, f32); the highest "
               "arithmetic rate is 2.00 GFLOP/s, fma"))
      << "the larger bandwidths belong to the caches";
  EXPECT_TRUE(std::filesystem::exists(experiments.out() / "figures/waugh-box-01-ceilings-f32.svg"));
}

TEST_F(Sections, CeilingsStandByBackendNamePrecisionSizeAndStore) {
  study("kind = \"ceilings\"\n");
  const auto copy = [](double bytes, const char* store) { return ceiling("copy-9", bytes, store, {1e9}, 72); };
  const std::string doubles = line(
      {.kind = "ceiling", .rung = "ceiling/openmp/copy-9", .case_name = "ws-512", .backend = "openmp", .precision = "f64"});
  experiments.write_rows(doubles + ceiling("add", 512, "nt", {1e9}, 12) + copy(4096, "nt") + copy(512, "plain") +
                         copy(512, "nt") + ceiling("copy-9", 8192, "nt", {1e9}, 72, 0, "a GPU"));
  const std::string csv = table("ceilings-all");
  std::vector<std::size_t> places;
  for (const char* row : {"copy-9,cuda,f32,nt,1,8192,", "add,openmp,f32,nt,1,512,", "copy-9,openmp,f32,nt,1,512,",
                          "copy-9,openmp,f32,plain,1,512,", "copy-9,openmp,f32,nt,1,4096,", "copy-9,openmp,f64,,1,512,"})
    places.push_back(csv.find(row));
  EXPECT_TRUE(std::ranges::is_sorted(places) && places.back() != std::string::npos) << csv;
}

TEST_F(Sections, SeveralPicturesOfAFlowAreOneFigureOnOneScale) {
  study("kind = \"field\"\ncases = [\"box-2\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  const std::string header = "x,y,speed,solid\n";
  experiments.write("results/box.field.box-2.csv", header + "0,0,9,0\n");
  experiments.write("results/box.field.box-2.1000.csv", header + "0,0,0.1,0\n1,0,0.2,0\n");
  experiments.write("results/box.field.box-2.200.csv", header + "0,0,0.3,0\n1,0,0.4,0\n");
  experiments.write("results/box.field.box-2.old.csv", "not a picture\n");
  (void)experiments.report();
  const std::string figure = experiments.read("out/figures/waugh-box-01-field-box-2.svg");
  const auto first = figure.find("step 200");
  EXPECT_NE(first, std::string::npos);
  EXPECT_LT(first, figure.find("step 1000")) << "frames are in the order of their steps";
  EXPECT_TRUE(contains(figure, "0.4"));
  EXPECT_FALSE(contains(figure, ">9<")) << "the single picture is not one of them";
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box.field.box-2.200.csv, box.field.box-2.1000.csv"));
  experiments.write("results/box.field.box-2.1000.csv", header + "0,0,0.1,0\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "box.field.box-2.1000.csv:1: holds 1 × 1 sites"));
  experiments.write("results/box.field.box-2.1000.csv", header);
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "box.field.box-2.1000.csv:1: holds no sites"));
}

TEST_F(Sections, AMeshIsDrawnOnceForAllMachines) {
  study("kind = \"mesh\"\nfile = \"bodies/one.obj\"\n");
  experiments.write_rows(measured({}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "one.obj"));
  const std::string corners = "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\n";
  experiments.write("bodies/one.obj", corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "4 triangles in a closed surface. 3 × 2 × 1 units. Read from bodies/one.obj.")) << page;
  const auto first = page.find("<svg class=\"wide\"");
  EXPECT_NE(first, std::string::npos);
  EXPECT_NE(page.find("<svg class=\"narrow\"", first), std::string::npos);
  EXPECT_EQ(page.find("<svg class=\"wide\"", first + 1), std::string::npos);
  experiments.write("bodies/one.obj", corners + "f 1 2 9\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "one.obj:5: "));
}

TEST_F(Sections, SeveralValuesOfAPictureEachHaveTheirOwnScale) {
  study("kind = \"field\"\ncases = [\"box-2\"]\nvalues = [\"temperature\", \"heat_flux\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  const std::string header = "x,y,speed,solid,temperature,heat_flux\n";
  experiments.write("results/box.field.box-2.100.csv", header + "0,0,0.1,0,7,8\n1,0,0.2,0,7,8\n");
  experiments.write("results/box.field.box-2.200.csv", header + "0,0,0.1,0,1.25,-40\n1,0,0.2,0,1.5,-30\n");
  (void)experiments.report();
  const std::string figure = experiments.read("out/figures/waugh-box-01-fields-box-2.svg");
  for (const char* text : {">temperature<", ">heat flux<", ">1.25<", ">1.5<", ">-40<", ">-30<"})
    EXPECT_TRUE(contains(figure, text)) << text;
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "Temperature, heat flux, box-2 after 200 steps")) << "the last picture";
  study("kind = \"field\"\ncases = [\"box-2\"]\nvalues = \"heat_flux\"\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "Heat flux, box-2"));
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-field-box-2-heat-flux.svg"), "step 100"));
  study("kind = \"field\"\ncases = [\"box-2\"]\nvalues = \"colour\"\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "the header lacks the column 'colour'"));
}

TEST_F(Sections, APictureOfOneValueEverywhereIsDrawn) {
  study("kind = \"field\"\ncases = [\"box-2\"]\nvalues = [\"speed\", \"vorticity\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  experiments.write("results/box.field.box-2.1.csv", "x,y,speed,solid,vorticity\n0,0,0,0,-3\n1,0,0,0,-3\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-fields-box-2.svg"), ">vorticity<"));
}

TEST_F(Sections, LayersAreLinesOverTheHeight) {
  study("kind = \"layers\"\ncases = [\"box-2\", \"box-9\"]\nvalue = \"t\"\n");
  experiments.write_rows(measured({}, {1e6}));
  experiments.write("results/box.flow.csv",
                    "utc,kind,rung,case,precision,steps,device,executable,key,file\n"
                    "2026-11-21T03:15:00Z,layers,r/a,box-2,f64,,cpu,e,k,box.layers.box-2.k.csv\n");
  experiments.write("results/box.layers.box-2.k.csv", "step,y,t\n0,0,1.5\n0,1,0.5\n5000,0,1.25\n5000,1,0.25\n");
  EXPECT_EQ(table("layers-box-2-t"), "step,lowest,mean,highest\n0,0.5,1,1.5\n5000,0.25,0.75,1.25\n");
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-layers-box-2-t.svg"), "step 5,000"));
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-9: no row means are stored."));
  EXPECT_TRUE(contains(experiments.read("out/manifest.csv"), "read,waugh/results/box.layers.box-2.k.csv,"));
  experiments.write("results/box.layers.box-2.k.csv", "step,y,t\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "holds no rows of the lattice"));
}

TEST_F(Sections, TheFlowIsAPictureAndItsAbsenceIsSaid) {
  study("kind = \"field\"\ncases = [\"box-2\", \"box-9\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  experiments.write("results/box.field.box-2.csv", "x,y,speed,solid\n0,0,0.1,0\n1,0,0.2,0\n0,1,0,1\n1,1,0.3,0\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/figures/waugh-box-01-field-box-2.svg"), "<image"));
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-9: no velocity field is stored"));
  experiments.write("results/box.field.box-2.csv", "x,y,speed,solid\n0,-1,0.1,0\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "box.field.box-2.csv:2: y is -1; accepted: "));
}

TEST_F(Sections, RandomFaultsAreThoseOfTheLastTime) {
  study("kind = \"faults\"\n");
  experiments.write_rows(measured({}, {1e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "No random faults are stored yet"));
  experiments.write("results/box.faults.csv",
                    "utc,commit,seed,seconds,fault,disturbances,studies,rows,lost,doubled,others,findings\n"
                    "2026-11-21T03:15:00Z,abc,1,60,signal,10,2,30,0,0,0,0\n"
                    "2026-11-22T03:15:00Z,,2,3600,signal,1234,99,30,0,0,0,0\n"
                    "2026-11-22T03:15:00Z,,2,3600,I/O error,4321,98,30,2,1,0,1\n");
  EXPECT_EQ(table("faults"),
            "fault,disturbances,studies,rows,lost,doubled,others,passed\n"
            "signal,1234,99,30,0,0,0,yes\n"
            "I/O error,4321,98,30,2,1,0,no\n");
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "3600 s of random faults, seed 2, ended 2026-11-22T03:15:00Z; commit unknown."));
}

TEST_F(Sections, APictureIsOfTheSitesThatItsFileHasAndNoMore) {
  study("kind = \"field\"\ncases = [\"box-2\"]\n");
  experiments.write_rows(measured({}, {1e6}));
  const std::string header = "x,y,speed,solid\n";
  experiments.write("results/box.field.box-2.csv", header + "0,0,0.1,0\n32767,32767,0.2,0\n");
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }),
                       "box.field.box-2.csv:1: holds 2 lines of 2 × 2 sites; accepted: one line per site"));
  // For large lattices, only every fourth site is stored.
  experiments.write("results/box.field.box-2.csv", header + "0,0,0.1,0\n4,0,0.2,0\n0,4,0,1\n4,4,0.3,0\n");
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "2 × 2 sites, 4 apart, walls grey."));
}

/// Rows with the phases of a step.
std::string with_phases(const std::string& rows, const std::string& phases) {
  std::string longer;
  for (const char c : rows)
    longer += c == '\n' ? std::string(21, ',') + phases + "\n" : std::string(1, c);
  return longer;
}

/// A file of rows with a column for phases.
std::string file_with_phases(const std::string& rows) { return test::header_to("phases") + "\n" + rows; }

TEST_F(Sections, PhasesStandBesideThePapers) {
  paper +=
      "table1,GPU,box-4,phase_comm,0.5,ms,Table 1\ntable1,GPU,box-4,phase_stream,1500,µs,Table 1\n"
      "table1,GPU,box-4,mlups,0.004,MLUPS,Table 1\n";
  study("kind = \"phases\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\npaper = \"GPU\"\n");
  experiments.write("results/box.csv",
                    file_with_phases(with_phases(measured({.rung = "m/s/1", .key = "a"}, {4e3}), "stream=0.001;collide=0.003") +
                                     with_phases(measured({.rung = "m/s/2", .key = "b"}, {4e3}), "")));
  const std::string csv = table("phases-box-4");
  EXPECT_EQ(csv,
            "phase,paper-gpu_ms,s-1_ms\n"
            "comm,0.5,\nstream,1.5,1\ncollide,,3\nall phases,2,4\nstep,4,4\nns per site,250000,250000\nMLUPS,0.004,0.004\n");
  EXPECT_TRUE(
      contains(experiments.read("out/index.html"),
               "box-4: the longest phase of s/1 is collide with 3.00 of 4.00 ms (75.0 %); for the publication&#39;s GPU "
               "it is stream with 1.50 of 2.00 ms (75.0 %)."));
}

TEST_F(Sections, RatesOfPhasesStandBesideThePapersAndTheCeilings) {
  paper +=
      "table4,GPU,,stream_bandwidth,155,GB/"
      "s,IV\ntable4,GPU,,stream_peak_fraction,65,%,IV\ntable4,GPU,,collide_mlups,55,MLUPS,IV\n"
      "table4,GPU,,collide_gflops,356,GFLOP/s,IV\ntable4,GPU,,collide_peak_fraction,24,%,IV\ntable4,GPU,,mlups,45.6,MLUPS,IV\n";
  study("kind = \"rates\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\npaper = \"GPU\"\n");
  experiments.write("results/box.csv", file_with_phases(with_phases(measured({.rung = "m/s/1", .key = "a"}, {4e6, 4e6, 4e6}),
                                                                    "stream=2e-6;collide=8e-6") +
                                                        with_phases(measured({.rung = "m/s/2", .key = "b"}, {4e6}), "") +
                                                        with_phases(ceiling("copy-9", 1 << 20, "nt", {1e7, 1e7, 1e7}, 72) +
                                                                        ceiling("fma", 64, "plain", {1e9, 1e9, 1e9}, 0, 2),
                                                                    "")));
  // 16 cells: 8 M updates/s of 72 B streamed, 2 M updates/s of 100 operations collided.
  EXPECT_EQ(table("rates-box-4"),
            "code,stream_gbytes_per_s,stream_fraction,collide_mlups,collide_gflops,collide_fraction,sequence_mlups,step_mlups\n"
            "paper: GPU,155,0.65,55,356,0.24,45.6,\n"
            "m/s/1,0.576,0.8,2,0.2,0.1,1.6,4\nm/s/2,,,,,,,4\n");
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "box-4: m/s/1 has the fastest stream, with 0.576 GB/s, 0.00372 times the publication&#39;s fastest "
                       "(GPU, 155 GB/s); m/s/1 has the fastest collide, with 2.00 MLUPS, 0.0364 times the "
                       "publication&#39;s fastest (GPU, 55.0 MLUPS)."));
}

TEST_F(Sections, ClaimsReadPhases) {
  study(
      "kind = \"claims\"\n[[report.rows]]\nstatement = \"s\"\nimplied = 3\ncase = \"box-4\"\n"
      "ours = { over = [{ rung = \"m/s/2\", phase = \"stream\" }], under = [{ rung = \"m/s/1\", phase = \"stream\" }] }\n"
      "[[report.rows]]\nstatement = \"t\"\ncase = \"box-4\"\n"
      "ours = { over = [{ rung = \"m/s/1\", phase = \"stream\", quantity = \"step_time\" }] }\n"
      "[[report.rows]]\nstatement = \"none\"\ncase = \"box-4\"\nours = { over = [{ rung = \"m/s/1\", phase = \"bc\" }] }\n");
  experiments.write(
      "results/box.csv",
      file_with_phases(with_phases(measured({.rung = "m/s/1", .key = "a"}, {1e6, 1e6, 1e6}), "stream=6e-6;collide=8e-6") +
                       with_phases(measured({.rung = "m/s/2", .key = "b"}, {1e6, 1e6, 1e6}), "stream=2e-6;collide=8e-6")));
  EXPECT_EQ(table("claims"), "statement,stated,ours,verdict_ours\ns,3,3,agrees\nt,,6,—\n");
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "3.00× [3.00, 3.00]"));
}

TEST_F(Sections, RungsWithoutPhasesAreNamedInANote) {
  study("kind = \"phases\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "box-4: no rows of these rungs have phase times."));
}

TEST_F(Sections, APhaseOfThePaperInAnotherUnitIsRefused) {
  paper += "table1,GPU,box-4,phase_comm,0.5,GB/s,Table 1\n";
  study("kind = \"phases\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\npaper = \"GPU\"\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}));
  EXPECT_TRUE(contains(input_error([&] { (void)experiments.report(); }), "'phase_comm' is in 'GB/s'; accepted: s, ms, µs, ns"));
}

TEST_F(Sections, TheBoundIsTheLargerOfArithmeticAndMemory) {
  paper +=
      "text,GPU,,flops_per_update,7800,,6\ntext,GPU,,bytes_per_update,592,B,6\ntext,GPU,,peak_gflops,500,GFLOP/s,6\n"
      "text,GPU,,peak_bandwidth,148,GB/s,6\ntable1,GPU,box-4,mlups,20,MLUPS,Table 1\n";
  study("kind = \"bound\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\npaper = \"GPU\"\n");
  experiments.write_rows(measured({.rung = "m/s/1", .bytes_model = 144, .flops = 100}, {1e6}) +
                         ceiling("copy-9", 1 << 20, "nt", {2e6}, 72) + ceiling("fma", 64, "plain", {1e9}, 0, 2));
  const std::string csv = table("bound-box-4");
  EXPECT_TRUE(contains(csv, "\npaper: GPU,7800,592,500,148,15.6,4,arithmetic,15.6,50,0.312\n")) << csv;
  EXPECT_TRUE(contains(csv, "\nm/s/1,100,144,2,0.144,50,1000,memory,1000,1000,1\n")) << csv;
  const std::string swapped = table("swapped-box-4");
  EXPECT_TRUE(contains(swapped, "\npaper: GPU,this machine,7800,592,2,0.144,3900,4111.")) << swapped;
  EXPECT_TRUE(contains(swapped, "\nm/s/1,paper: GPU,100,144,500,148,0.2,0.97297")) << swapped;
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "box-4: the fastest rung, m/s/1, is bound by memory, 1,000 ns per update; it reaches 100 % "
                       "of that bound with 1,000 ns. The publication&#39;s GPU: arithmetic, 15.6 ns per update; it reaches "
                       "31.2 % of that bound with 50.0 "
                       "ns."));
}

TEST_F(Sections, TheBoundOnOtherMachinesShowsTheFastestOfEqualCodes) {
  paper +=
      "text,GPU,,flops_per_update,7800,,6\ntext,GPU,,bytes_per_update,592,B,6\ntext,GPU,,peak_gflops,500,GFLOP/s,6\n"
      "text,GPU,,peak_bandwidth,148,GB/s,6\n";
  study("kind = \"bound\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\npaper = \"GPU\"\n");
  experiments.write_rows(measured({.rung = "m/s/1", .bytes_model = 144, .flops = 100}, {1e6}) +
                         measured({.rung = "m/s/2", .bytes_model = 144, .flops = 100}, {2e6}) +
                         measured({.rung = "m/s/3", .bytes_model = 72, .flops = 100}, {1.5e6}) +
                         ceiling("copy-9", 1 << 20, "nt", {2e6}, 72) + ceiling("fma", 64, "plain", {1e9}, 0, 2));
  const std::string swapped = table("swapped-box-4");
  EXPECT_EQ(std::ranges::count(swapped, '\n'), 4) << swapped;
  EXPECT_TRUE(contains(swapped, "\npaper: GPU,this machine,")) << swapped;
  EXPECT_TRUE(contains(swapped, "\nm/s/2,paper: GPU,100,144,")) << swapped;
  EXPECT_TRUE(contains(swapped, "\nm/s/3,paper: GPU,100,72,")) << swapped;
}

TEST_F(Sections, ABoundWithoutCeilingsFindsNothing) {
  study("kind = \"bound\"\ncases = [\"box-4\"]\nrungs = [\"m/s/*\"]\n");
  experiments.write_rows(measured({.rung = "m/s/1"}, {1e6}));
  EXPECT_TRUE(contains(table("bound-box-4"), "\nm/s/1,100,"));
  EXPECT_FALSE(contains(experiments.read("out/index.html"), "is bound by"));
}

}  // namespace
}  // namespace ladder::reports::test
