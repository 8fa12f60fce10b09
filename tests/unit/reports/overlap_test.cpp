// The section `overlap`: the model of work that hides the exchange of halos.
#include "reports/sections/overlap.hpp"

#include <cmath>

#include "harness/record/rows.hpp"
#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

TEST(FitLine, FindsTheLineThatMadeThePoints) {
  const Line line = fit_line({{1, 5}, {2, 7}, {10, 23}});
  EXPECT_NEAR(line.a, 3, 1e-12);
  EXPECT_NEAR(line.b, 2, 1e-12);
  EXPECT_NEAR(line.spread(1, 1), 0, 1e-20);
}

TEST(FitLine, HasNoPartBelowZero) {
  const Line through_0 = fit_line({{1, 1}, {2, 3}, {4, 8}});
  EXPECT_EQ(through_0.a, 0);
  EXPECT_GT(through_0.b, 0);
  const Line flat = fit_line({{1, 8}, {2, 3}, {4, 1}});
  EXPECT_GT(flat.a, 0);
  EXPECT_EQ(flat.b, 0);
}

TEST(FitLine, HasNoConstantOnRequest) {
  const Line line = fit_line({{1, 5}, {2, 7}, {10, 23}}, false);
  EXPECT_EQ(line.a, 0);
  EXPECT_GT(line.b, 2);
}

TEST(FitLine, CannotTellTheParametersOfOneX) {
  const Line line = fit_line({{4, 8}, {4, 8}});
  EXPECT_EQ(line.a, 0);
  EXPECT_NEAR(line.b, 2, 1e-12);
  EXPECT_TRUE(std::isnan(fit_line({}).b));
}

/// For y = b x and relative differences r with a known spread, the variance of b is the variance of r / n, times b^2.
TEST(FitLine, TellsHowWellItKnowsTheParameters) {
  const Line line = fit_line({{1, 0.99}, {1, 1.01}, {1, 0.99}, {1, 1.01}});
  EXPECT_NEAR(line.variance_b, 1e-4 / 3, 1e-6);
  EXPECT_TRUE(std::isnan(fit_line({{1, 1}, {2, 1.9}}).variance_b));
}

const OverlapModel model{{20e-6, 10e-9, 0, 0, 0}, {100e-6, 50e-9, 0, 0, 0}};

TEST(OverlapModel, HidesTheShorterPart) {
  EXPECT_NEAR(model.seconds(1e6, 1000, 1), 20e-6 + 10e-3, 1e-12);  // one process exchanges nothing
  EXPECT_NEAR(model.seconds(1e6, 1000, 10), 20e-6 + 1e-3, 1e-12);  // work
  EXPECT_NEAR(model.seconds(1e6, 1000, 100), 150e-6, 1e-12);       // exchange
  EXPECT_NEAR(model.speedup(1e6, 1000, 100).value, 10.02e-3 / 150e-6, 1e-9);
  EXPECT_EQ(model.speedup(1e6, 1000, 1).value, 1);
}

TEST(OverlapModel, SlowsDownTheExchangeOnOneHost) {
  OverlapModel crowded = model;
  crowded.contention = 0.1;
  crowded.per_host = 4;
  EXPECT_NEAR(crowded.outside(1000, 2), 150e-6, 1e-12);
  EXPECT_NEAR(crowded.outside(1000, 4), 180e-6, 1e-12);
  EXPECT_NEAR(crowded.seconds(1e6, 1000, 100), 180e-6, 1e-12);  // on 25 hosts
}

TEST(OverlapModel, CarriesTheErrorOfItsParameters) {
  OverlapModel uncertain = model;
  uncertain.edge.variance_a = 1e-12;  // 1 us out of 150
  const Estimate bound_by_exchange = uncertain.speedup(1e6, 1000, 100);
  EXPECT_NEAR(std::sqrt(bound_by_exchange.variance) / bound_by_exchange.value, 1. / 150, 1e-9);
  EXPECT_EQ(uncertain.speedup(1e6, 1000, 10).variance, 0);
  uncertain.work.variance_b = 1e-20;  // 1 % of 10 ns, which mostly cancels between work on 1 and on 10 processes
  const Estimate bound_by_work = uncertain.speedup(1e6, 1000, 10);
  EXPECT_LT(std::sqrt(bound_by_work.variance) / bound_by_work.value, 0.001);
}

TEST(OverlapModel, PredictsNoBetterThanItFits) {
  OverlapModel coarse = model;
  coarse.misfit = 0.01;
  const Estimate predicted = coarse.speedup(1e6, 1000, 100);
  EXPECT_NEAR(std::sqrt(predicted.variance) / predicted.value, 0.1, 1e-12);
  EXPECT_EQ(coarse.speedup(1e6, 1000, 1).variance, 0);
}

/// Rows for the lattice of 100 x 200 cells on the given number of processes: seconds per phase, or per step without phases.
std::string rows(const std::string& rung, int processes, double step, const std::string& phases,
                 const std::string& sides = "100,200") {
  const auto cells = sides == "100,200" ? 20000 : 80000;
  const Entry entry{.rung = rung,
                    .case_name = sides == "100,200" ? "rt-100x200" : "rt-200x400",
                    .key = rung + std::to_string(processes),
                    .cells = cells};
  const double rate = cells / step;
  std::string text;
  std::istringstream lines(measured(entry, {rate, rate, rate}));
  for (std::string line; std::getline(lines, line);)
    text +=
        line + std::string(12, ',') + "37,3,," + sides + ",1,processes=" + std::to_string(processes) + ",,," + phases + "\n";
  return text;
}

class Overlap : public SectionTest {
 protected:
  Overlap() {
    study(
        "kind = \"overlap\"\nsequence = \"m/t/1\"\noverlapped = \"m/t/2\"\ncases = [\"rt-100x200\", \"rt-200x400\"]\n"
        "predict = \"rt-1000x1000\"\nprocesses = 64\n");
  }
  void write(const std::string& text) const { experiments.write("results/box.csv", header_to("phases") + "\n" + text); }
};

/// 10 ns per cell; 30 us and 100 ns per border site, 10 us of which are work at borders. Sequence and steps on 1 and 2
/// processes.
std::string two_processes() {
  return rows("m/t/1", 1, 220e-6, "comm=1e-7;borders=1e-9;bulk=0.00022") +
         rows("m/t/1", 2, 170e-6, "comm=4e-05;borders=1e-05;bulk=0.00011") +
         rows("m/t/1", 1, 820e-6, "comm=1e-7;borders=1e-9;bulk=0.00082", "200,400") +
         rows("m/t/1", 2, 470e-6, "comm=5e-05;borders=1e-05;bulk=0.00041", "200,400") + rows("m/t/2", 1, 220e-6, "") +
         rows("m/t/2", 2, 120e-6, "");
}
/// The same on 4 processes.
std::string four_processes() {
  return rows("m/t/1", 4, 110e-6, "comm=4e-05;borders=1e-05;bulk=6e-05") +
         rows("m/t/1", 4, 270e-6, "comm=5e-05;borders=1e-05;bulk=0.00021", "200,400") + rows("m/t/2", 4, 70e-6, "");
}

TEST_F(Overlap, FitsTheModelAndSaysHowFarItIsOff) {
  write(two_processes() + four_processes());
  const std::string parameters = table("parameters");
  EXPECT_TRUE(contains(parameters, "α,work per cell,11.22")) << parameters;
  EXPECT_TRUE(contains(parameters, "β,constant work per step,,")) << parameters;
  EXPECT_TRUE(contains(parameters, "γ,")) << parameters;
  const std::string times = experiments.read("out/tables/waugh-box-01-times.csv");
  EXPECT_TRUE(contains(times, "rt-100x200,1,0.22,")) << times;
  EXPECT_TRUE(contains(times, "rt-100x200,2,0.11,0.01,0.04,0.12000000000000001,0.05,")) << times;
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "it is furthest off for rt-100x200 on ")) << page;
  EXPECT_TRUE(contains(page, "As published, without constants, it is within "));
  EXPECT_TRUE(contains(page, "Without a fit, the longer of the measured T_a and T_b is within 0.0 % of each step"));
  EXPECT_TRUE(contains(page, "Speed-up, measured and predicted"));
  EXPECT_TRUE(contains(page, "rt-1000x1000 (model)"));
  EXPECT_FALSE(contains(page, "The model is not extrapolated"));
}

TEST_F(Overlap, PredictsNothingFromTwoNumbersOfProcesses) {
  write(two_processes());
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "The model is not extrapolated beyond 2 processes: 2 process counts are too few")) << page;
  EXPECT_FALSE(contains(page, "rt-1000x1000 (model)"));
}

TEST_F(Overlap, PredictsNothingIfItIsOff) {
  write(two_processes() + rows("m/t/1", 4, 110e-6, "comm=4e-05;borders=1e-05;bulk=6e-05") + rows("m/t/2", 4, 110e-6, ""));
  (void)experiments.report();
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "The model is not extrapolated beyond 4 processes: it is off by ")) << page;
  EXPECT_TRUE(contains(page, "the parts in sequence, T_a + comm, within"));
}

/// A disturbed sample changes neither the fit nor the step that it is compared with.
TEST_F(Overlap, UsesTheFastestSamples) {
  std::string text = two_processes();
  const std::size_t last = text.rfind("comm=4e-05;borders=1e-05");
  text.replace(last, std::string("comm=4e-05").size(), "comm=9e-04");
  write(text);
  (void)table("parameters");
  const std::string times = experiments.read("out/tables/waugh-box-01-times.csv");
  EXPECT_TRUE(contains(times, "rt-100x200,2,0.11,0.01,0.04,0.12000000000000001,0.05,0.12")) << times;
}

TEST_F(Overlap, CutsColumnsIfToldTo) {
  study(
      "kind = \"overlap\"\nsequence = \"m/t/1\"\noverlapped = \"m/t/2\"\ncases = [\"rt-100x200\", \"rt-200x400\"]\n"
      "strips = \"columns\"\n");
  // 40 us and 100 ns per border site; columns have 200 and 400 sites. As published, without a constant, 230.77 ns fit best.
  write(rows("m/t/1", 2, 170e-6, "comm=5e-05;borders=1e-05;bulk=0.00011") +
        rows("m/t/1", 2, 470e-6, "comm=7e-05;borders=1e-05;bulk=0.00041", "200,400"));
  const std::string parameters = table("parameters");
  EXPECT_TRUE(contains(parameters, "exchange and border work per site of the cut,230.769")) << parameters;
  EXPECT_TRUE(contains(parameters, ",99.9999")) << parameters;
}

TEST_F(Overlap, FitsContentionOnOneHost) {
  // 30 us plus 100 ns per border site; four processes increase both by 20 %.
  const std::string short_border = rows("m/t/1", 2, 120e-6, "comm=3e-05;borders=1e-05;bulk=0.00011") +
                                   rows("m/t/1", 4, 70e-6, "comm=3.8e-05;borders=1e-05;bulk=6e-05");
  write(short_border + rows("m/t/1", 2, 420e-6, "comm=4e-05;borders=1e-05;bulk=0.00041", "200,400") +
        rows("m/t/1", 4, 220e-6, "comm=5e-05;borders=1e-05;bulk=0.00021", "200,400"));
  const std::string contention = "increase in T_b per process beyond the second on a host,,";
  EXPECT_TRUE(contains(table("parameters"), contention + "10,%")) << table("parameters");
  // Borders of one length suffice.
  write(short_border);
  EXPECT_TRUE(contains(table("parameters"), contention + "10,%")) << table("parameters");
  // A single process count does not.
  write(two_processes());
  EXPECT_TRUE(contains(table("parameters"), contention + ",%")) << table("parameters");
}

TEST_F(Overlap, TellsFromHowManyProcessesTheExchangeDominates) {
  write(two_processes() + four_processes());
  (void)experiments.report();
  // T_b is 50 us; T_a is about 20 us and 10 ns per cell.
  const std::string page = experiments.read("out/index.html");
  EXPECT_TRUE(contains(page, "rt-100x200: from 7 processes on, the exchange takes longer than the work inside")) << page;
}

TEST_F(Overlap, SaysWhatIsMissing) {
  write(rows("m/t/1", 1, 220e-6, "comm=1e-7;borders=1e-9;bulk=0.00022"));
  (void)experiments.report();
  EXPECT_TRUE(contains(experiments.read("out/index.html"),
                       "m/t/1 has no rows with the phases bulk, borders and comm on two "
                       "processes or more, on rt-100x200, rt-200x400."));
}

}  // namespace
}  // namespace ladder::reports::test
