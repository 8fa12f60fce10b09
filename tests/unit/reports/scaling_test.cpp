// The section `scaling`: speed, efficiency and Amdahl's law over the number of threads.
#include "reports/sections/scaling.hpp"

#include <cmath>

#include "harness/record/rows.hpp"
#include "reports/chapters.hpp"
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

TEST(FitAmdahl, FindsTheSharesThatMadeTheSpeeds) {
  const Amdahl made{0.1, 0.9};
  const Amdahl found = fit_amdahl({{1, made.speed(1)}, {2, made.speed(2)}, {4, made.speed(4)}, {8, made.speed(8)}});
  EXPECT_NEAR(found.serial, 0.1, 1e-12);
  EXPECT_NEAR(found.parallel, 0.9, 1e-12);
  EXPECT_NEAR(found.serial_share(), 0.1, 1e-12);
}

TEST(FitAmdahl, HasNoShareBelowZero) {
  const Amdahl superlinear = fit_amdahl({{1, 1}, {2, 2.5}, {4, 6}});
  EXPECT_EQ(superlinear.serial, 0);
  EXPECT_GT(superlinear.parallel, 0);
  const Amdahl falling = fit_amdahl({{1, 6}, {2, 3}, {4, 1}});
  EXPECT_GT(falling.serial, 0);
  EXPECT_EQ(falling.parallel, 0);
}

TEST(FitAmdahl, TakesThreePoints) {
  EXPECT_TRUE(std::isnan(fit_amdahl({{1, 1}, {2, 2}}).speed(1)));
  EXPECT_FALSE(std::isnan(fit_amdahl({{1, 1}, {2, 2}, {4, 4}}).speed(1)));
}

/// Rows of the first version with a number of threads, and with the placement that requested it.
std::string placed(const std::string& rows, int threads, const std::string& placement) {
  std::string text;
  std::istringstream lines(rows);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = 0;
    for (int column = 0; column < 13; ++column)
      at = line.find(',', at) + 1;
    text += line.replace(at, line.find(',', at) - at, std::to_string(threads)) + std::string(18, ',') + placement + ",,,\n";
  }
  return text;
}

class Scaling : public SectionTest {
 protected:
  void write(const std::string& rows) const { experiments.write("results/box.csv", header_to("phases") + "\n" + rows); }
  static std::string rung(int threads, const std::string& placement, double rate) {
    const Entry entry{.rung = "m/t/1", .key = "k" + std::to_string(threads) + placement};
    return placed(measured(entry, {rate, rate, rate}), threads, placement);
  }
};

TEST_F(Scaling, TellsSpeedUpEfficiencyAndTheLaw) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\n");
  write(rung(1, "threads=1", 1e6) + rung(2, "threads=2", 1.6e6) + rung(4, "", 2e6));
  const std::string csv = table("scaling-box-4");
  EXPECT_TRUE(contains(csv, "m/t/1,1,threads=1,1,1,1,")) << csv;
  EXPECT_TRUE(contains(csv, "m/t/1,2,threads=2,1.6,1.6,0.8,")) << csv;
  EXPECT_TRUE(contains(csv, "m/t/1,4,,2,2,0.5,")) << csv;
  EXPECT_TRUE(contains(experiments.read("out/index.html"), "Parallel efficiency, box-4"));
}

TEST_F(Scaling, CountsTheThreadsOfAllProcesses) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\n");
  write(rung(1, "threads=1", 1e6) + rung(2, "processes=4;threads=2", 4e6));
  EXPECT_TRUE(contains(table("scaling-box-4"), "m/t/1,8,processes=4;threads=2,4,4,0.5\n"));
}

TEST_F(Scaling, CountsTheDevicesOfAProcess) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\n");
  write(rung(0, "", 1e6) + rung(0, "devices=4", 3e6));
  EXPECT_TRUE(contains(table("scaling-box-4"), "m/t/1,4,devices=4,3,3,0.75\n"));
}

TEST_F(Scaling, LeavesOutWorkersThatShareADevice) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\n");
  const Entry shared{.rung = "m/t/1", .key = "k2", .device = shared_device("gpu", 2, "parts")};
  write(rung(0, "", 1e6) + placed(measured(shared, {9e5, 9e5, 9e5}), 0, "devices=2") + rung(0, "devices=4", 3e6));
  const std::string csv = table("scaling-box-4");
  EXPECT_TRUE(contains(csv, "m/t/1,4,devices=4,3,3,0.75\n")) << csv;
  EXPECT_FALSE(contains(csv, "devices=2")) << csv;
}

TEST_F(Scaling, SetsSeveralDevicesBesideAsManyCopiesOfOne) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\n");
  const auto share = [&](const std::string& backend) {
    const Entry entry{.rung = "m/t/1", .key = "k" + backend, .backend = backend, .bytes_model = 72};
    write(placed(measured(entry, {8e6, 8e6, 8e6}), 0, "devices=2") +
          placed(ceiling("copy-9", 1152, "nt", {8e6, 8e6, 8e6}, 72), 0, ""));
    return answers_of(experiments.path() / "waugh", "box").back();
  };
  EXPECT_TRUE(contains(share("devices+cuda"), "It reaches 50.0 % of it")) << share("devices+cuda");
  EXPECT_TRUE(contains(share("mpi"), "It reaches 100 % of it")) << share("mpi");
}

TEST_F(Scaling, SetsEachNumberOfThreadsBesideTheCopyOfAsMany) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\n");
  write(rung(1, "threads=1", 1e6) + rung(2, "", 1.5e6) +
        placed(ceiling("copy-9", 1152, "nt", {2e6, 2e6, 2e6}, 72), 1, "threads=1") +
        placed(ceiling("copy-9", 1152, "nt", {6e6, 6e6, 6e6}, 72), 2, ""));
  const std::string csv = table("scaling-box-4");
  EXPECT_TRUE(contains(csv, "m/t/1,1,threads=1,1,1,1,0.5\n")) << csv;
  EXPECT_TRUE(contains(csv, "m/t/1,2,,1.5,1.5,0.75,0.25\n")) << csv;
}

TEST_F(Scaling, OfLatticesThatGrowWithTheWorkersIsWeak) {
  study("kind = \"scaling\"\nweak = true\nrungs = \"m/*\"\ncases = [\"box-4\", \"box-4x8\", \"box-4x16\"]\n");
  const auto on = [](const char* case_name, int cells, int processes, std::vector<double> rates) {
    const std::string placement = "processes=" + std::to_string(processes);
    const Entry entry{.rung = "m/t/1", .case_name = case_name, .key = case_name + placement, .cells = cells};
    return placed(measured(entry, rates), 1, placement);
  };
  // 16 cells for each of 1, 2 and 4 processes, and two cases with more or fewer. Rounds are paired: each has a ratio of 1.8.
  write(on("box-4", 16, 1, {1e6, 2e6, 1e6}) + on("box-4x8", 32, 2, {1.8e6, 3.6e6, 1.8e6}) +
        on("box-4x16", 64, 4, {2e6, 4e6, 2e6}) + on("box-4x16", 64, 1, {9e6, 9e6, 9e6}) + on("box-4", 16, 2, {9e6, 9e6, 9e6}));
  const std::string csv = table("scaling-16-cells-per-worker");
  EXPECT_EQ(csv,
            "rung,case,workers,placement,mlups,speedup,efficiency\n"
            "m/t/1,box-4,1,processes=1,1,1,1\nm/t/1,box-4x8,2,processes=2,1.8,1.8,0.9\n"
            "m/t/1,box-4x16,4,processes=4,2,2,0.5\n");
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "90.0 % [90.0, 90.0]"));
  EXPECT_TRUE(
      contains(page,
               "16 cells per worker: the fastest is 1 with 2.00 MLUPS on 4 workers, an efficiency of 50.0 % [50.0, 50.0] "
               "over 1 worker."));
  EXPECT_TRUE(contains(page, "Weak efficiency, 16 cells per worker"));
}

TEST_F(Scaling, ShowsRatesPerProcessNextToThePublications) {
  paper += "table2,fast,box-4,mlups,6,,I\ntable2,fast,box-4,mlups_process,3,,I\ntable2,fast,box-4,mflups_process,2,,I\n";
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = \"box-4\"\npaper = [\"slow\", \"fast\"]\n");
  write(rung(1, "threads=1", 1e6) + rung(1, "processes=2;threads=1", 1.6e6));
  EXPECT_EQ(table("scaling-box-4"),
            "rung,workers,placement,mlups,speedup,efficiency,mlups_process,mflups_process\n"
            "paper: fast,,—,6,,,3,2\n"
            "m/t/1,1,threads=1,1,1,1,1,1\nm/t/1,2,processes=2;threads=1,1.6,1.6,0.8,0.8,0.8\n");
}

TEST_F(Scaling, OfLatticesThatDoNotGrowIsNotWeak) {
  study("kind = \"scaling\"\nweak = true\nrungs = \"m/*\"\ncases = [\"box-4\"]\n");
  write(rung(1, "threads=1", 1e6) + rung(2, "threads=2", 1.6e6));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "No rung was measured with the same number of cells per worker for two numbers of workers."));
}

TEST_F(Scaling, SaysWhereThereIsNothingToCompare) {
  study("kind = \"scaling\"\nrungs = \"m/*\"\ncases = [\"box-4\"]\n");
  write(rung(2, "", 1e6));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "box-4: no rung was measured with two numbers of workers on separate devices."));
}

TEST_F(Scaling, OtherSectionsShowTheMostThreads) {
  study("kind = \"steps\"\ncases = [\"box-4\"]\nrungs = [\"m/*\"]\n");
  write(rung(1, "threads=1", 9e6) + rung(2, "", 1e6));
  const std::string csv = table("steps-box-4");
  EXPECT_TRUE(contains(csv, "16,")) << csv;
  EXPECT_FALSE(contains(csv, "1.7777")) << csv;
}

}  // namespace
}  // namespace ladder::reports::test
