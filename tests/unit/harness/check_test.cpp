// The check itself: which results it accepts and refuses, and its messages.
#include "harness/bench/check.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/text.hpp"
#include "variants/d2q9/model.hpp"

namespace ladder {
namespace {

using test::contains;

/// Changes applied to the results of a correct solver.
struct Tampering {
  std::function<void(Populations&, std::int64_t step)> state = [](Populations&, std::int64_t) {};
  std::function<void(std::vector<double>&)> history = [](std::vector<double>&) {};
};

/// The reference behind a rung's interface, with altered results.
class Tampered final : public d2q9::Solver {
 public:
  Tampered(const d2q9::Case& c, const Tampering& tampering) : reference_(c), tampering_(tampering) {}

  void advance(std::int64_t steps) override {
    reference_.advance(steps);
    history_.assign(reference_.history().begin(), reference_.history().end());
    tampering_.history(history_);
  }
  void store(Populations& out) override {
    reference_.store(out);
    tampering_.state(out, static_cast<std::int64_t>(reference_.history().size()));
  }
  void load(const Populations&) override {}
  double conserved() override { return 0; }
  std::span<const double> history() override { return history_; }

 private:
  d2q9::Reference reference_;
  const Tampering& tampering_;
  std::vector<double> history_;
};

Tampering current;

CheckResult check_tampered(Tampering tampering, const Number& p = f64, std::vector<std::int64_t> steps = {1, 2, 9}) {
  current = std::move(tampering);
  const d2q9::Rung rung = {.follows = "",
                           .traffic =
                               [](double real) {
                                 return Traffic{9 * real, 9 * real};
                               },
                           .make = {[](const d2q9::Case& c, const Number&, const Tuning&) -> std::unique_ptr<d2q9::Solver> {
                                      return std::make_unique<Tampered>(c, current);
                                    },
                                    numbers}};
  return check<d2q9::Model>(rung, d2q9::Model::make_case("porous-12x10"), p, {}, std::move(steps));
}

/// Changes one population by `factor` times the tolerance at that step.
Tampering moved(double factor, const Number& p, std::int64_t only_at = 0) {
  return {.state = [=](Populations& out, std::int64_t step) {
    if (only_at != 0 && step != only_at) return;
    double largest = 0;
    for (const double f : out.f)
      largest = std::max(largest, f);
    out.at(5, out.cells() - 1) += factor * accepted_error<d2q9::Model>(p, step) * largest;
  }};
}

TEST(Check, AcceptsTheReferenceItself) {
  const CheckResult result = check_tampered({});
  EXPECT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.steps, 9);
  EXPECT_EQ(result.population_error, 0);
  EXPECT_EQ(result.history_error, 0);
  EXPECT_EQ(result.tolerance, accepted_error<d2q9::Model>(f64, 9));
}

TEST(Check, AcceptsAnErrorJustBelowTheTolerance) {
  for (const Number& p : numbers) {
    const CheckResult result = check_tampered(moved(0.99, p), p);
    EXPECT_TRUE(result.ok) << result.reason;
    EXPECT_NEAR(result.population_error, 0.99 * accepted_error<d2q9::Model>(p, 9), 1e-2 * accepted_error<d2q9::Model>(p, 9));
  }
}

TEST(Check, RefusesAnErrorJustAboveTheTolerance) {
  for (const Number& p : numbers) {
    const CheckResult result = check_tampered(moved(1.01, p), p);
    EXPECT_FALSE(result.ok);
    EXPECT_TRUE(contains(result.reason, "step 1: population 5 at (36, 22, 0) is")) << "the last cell of the first companion";
  }
}

TEST(Check, RefusesAnErrorThatOnlyOneStepShows) {
  for (const std::int64_t step : {1, 2, 9}) {
    // The companions are compared after steps 1, 2, 7 and 20; step 9 is requested for the case only.
    const CheckResult result = check_tampered(moved(1.5, f64, step));
    EXPECT_FALSE(result.ok) << step;
    EXPECT_TRUE(contains(result.reason, "step " + std::to_string(step) + ": population 5"));
  }
}

TEST(Check, ComparesEveryPopulationOfEveryCellOfTheCaseItself) {
  for (int i = 0; i < d2q9::q; ++i)
    for (const std::int64_t cell : {0, 11, 57, 108, 119}) {
      const CheckResult result = check_tampered({.state = [=](Populations& out, std::int64_t) {
        if (out.cells() == 120) out.at(i, cell) *= 1 + 1e-9;
      }});
      EXPECT_FALSE(result.ok) << i << " of cell " << cell;
      EXPECT_TRUE(
          contains(result.reason, fmt::format("porous-12x10, step 1: population {} at ({}, {}, 0)", i, cell % 12, cell / 12)));
    }
}

TEST(Check, RefusesWhatIsNotANumber) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
    const CheckResult result = check_tampered({.state = [=](Populations& out, std::int64_t) { out.at(8, 3) = value; }});
    EXPECT_FALSE(result.ok) << value;
    EXPECT_TRUE(contains(result.reason, fmt::format("population 8 at (3, 0, 0) is {}", value)));
  }
}

TEST(Check, RefusesACellThatIsNotStored) {
  const CheckResult result = check_tampered({.state = [](Populations& out, std::int64_t) {
    Populations forgetful(out.q, out.box);
    for (std::size_t i = 0; i + 1 < out.f.size(); ++i)
      forgetful.f[i] = out.f[i];
    out = forgetful;
  }});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.reason, "is nan"));
}

TEST(Check, SaysThatAStateHasNotMoved) {
  for (const Number& p : numbers) {
    const auto standing = [p](Populations& out, std::int64_t) {
      for (const auto& c : d2q9::Model::companion_cases())
        if (c.cells() == out.cells()) d2q9::Reference(c).store(out);
      for (double& f : out.f)
        if (p == f32) f = static_cast<double>(static_cast<float>(f));
    };
    EXPECT_TRUE(contains(check_tampered({.state = standing}, p).reason, "step 1: the state has not changed")) << p.name;
  }
}

TEST(Check, RefusesAHistoryOfAnotherLength) {
  const CheckResult shorter = check_tampered({.history = [](std::vector<double>& h) { h.pop_back(); }});
  EXPECT_TRUE(contains(shorter.reason, "0 values of average speed after 1 steps"));
  const CheckResult longer = check_tampered({.history = [](std::vector<double>& h) { h.push_back(h.back()); }});
  EXPECT_TRUE(contains(longer.reason, "2 values of average speed after 1 steps"));
}

TEST(Check, RefusesAnObservableThatDoesNotFollowFromTheState) {
  for (const Number& p : {f32, f64}) {
    // Omits one of a few hundred fluid cells from the mean. In f16, rounding changes the velocities of a small grid by as much.
    const CheckResult result = check_tampered({.history = [](std::vector<double>& h) { h.back() *= 1 - 1.0 / 700; }}, p);
    EXPECT_FALSE(result.ok) << p.name;
    EXPECT_TRUE(contains(result.reason, "step 1: average speed is"));
    EXPECT_TRUE(contains(result.reason, "of the stored state"));
  }
}

TEST(Check, InF16StillRefusesAnObservableThatIsWrongByOnePercent) {
  const CheckResult result = check_tampered({.history = [](std::vector<double>& h) { h.back() *= 0.99; }}, f16);
  EXPECT_TRUE(contains(result.reason, "step 1: average speed is")) << result.reason;
}

TEST(Check, RefusesAnObservableThatIsWrongBetweenTheStepsCompared) {
  const CheckResult result = check_tampered({.history = [](std::vector<double>& h) {
    if (h.size() > 3) h[3] *= 1.01;
  }});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.reason, "step 4: average speed is"));
  EXPECT_TRUE(contains(result.reason, ", reference "));
}

TEST(Check, RefusesAnObservableThatIsNotANumber) {
  const CheckResult result = check_tampered({.history = [](std::vector<double>& h) {
    if (h.size() > 3) h[3] = std::numeric_limits<double>::quiet_NaN();
  }});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.reason, "step 4: average speed is nan"));
}

TEST(Check, ComparesStepsInOrderHoweverTheyAreGiven) {
  const CheckResult result = check_tampered({}, f64, {9, 2, 2, 9, 1});
  EXPECT_TRUE(result.ok) << result.reason;
  EXPECT_EQ(result.steps, 9);
}

TEST(Tolerance, GrowsAsARandomWalkAtFirstAndAsABiasInTheEnd) {
  for (const Number& p : numbers) {
    const auto growth = [&](std::int64_t steps) { return population_tolerance(p, steps) - population_tolerance(p, 0); };
    EXPECT_LT(growth(16) / growth(4), 2.5);  // a random walk doubles, a bias quadruples
    EXPECT_NEAR(growth(4'000'000) / growth(1'000'000), 4, 0.05);
  }
}

TEST(Tolerance, OfDistancesFromRestGrowsAsARandomWalk) {
  for (const Number& p : {f32, f64}) {
    const auto accepted = [&](std::int64_t steps) { return accepted_error<d2q9::Model>(p, steps); };
    EXPECT_LT(accepted(0), population_tolerance(p, 0));
    EXPECT_NEAR(accepted(4'000'000) / accepted(1'000'000), 2, 0.01);
  }
  EXPECT_EQ(accepted_error<d2q9::Model>(f16, 200), population_tolerance(f16, 200));
  EXPECT_LT(accepted_error<d2q9::Model>(f32, 200), 3e-6);
}

TEST(Tolerance, IsOfTheOrderOfRounding) {
  EXPECT_LT(population_tolerance(f32, 200), 2e-5);
  EXPECT_LT(population_tolerance(f64, 200), 3e-14);
  EXPECT_LT(population_tolerance(f16, 200), 1e-3);
  EXPECT_GT(population_tolerance(f64, 0), std::numeric_limits<double>::epsilon());
}

TEST(DefaultSteps, AreOddAndEvenAndAscending) {
  for (const std::int64_t cells : {9, 1'000, 65'536, 1'048'576, 16'777'216}) {
    const auto steps = default_check_steps(9, cells);
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end())) << cells;
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](auto n) { return n % 2 == 1; })) << cells;
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](auto n) { return n % 2 == 0; })) << cells;
    EXPECT_LE(steps.back() * cells, std::max<std::int64_t>(3 * cells, 20'000'000)) << cells;
    EXPECT_GE(steps.back(), 3) << cells;
  }
}

TEST(Check, FindsTheWrongNumberInWhicheverPartOfALargeLatticeItIs) {
  const d2q9::Case c = d2q9::Model::make_case("box-512x256");
  Populations reference(d2q9::q, {{}, c.grid()});
  std::fill(reference.f.begin(), reference.f.end(), 0.5);
  for (const std::size_t where : {std::size_t{0}, reference.f.size() / 2, reference.f.size() - 1}) {
    for (const double wrong : {0.6, std::numeric_limits<double>::quiet_NaN()}) {
      Populations got = reference;
      got.f[where] = wrong;
      CheckResult result;
      detail::compare(got, reference, c.name, 1, accepted_error<d2q9::Model>(f64, 1), result);
      EXPECT_FALSE(result.ok);
      const auto cell = static_cast<std::int64_t>(where) % c.cells();
      EXPECT_TRUE(contains(result.reason, fmt::format("population {} at ({}, {}, 0)",
                                                      static_cast<std::int64_t>(where) / c.cells(), cell % c.nx, cell / c.nx)))
          << result.reason;
    }
  }
}

TEST(Populations, StartAsNaN) {
  const Populations state(9, {{}, {7, 1, 1}});
  EXPECT_EQ(state.f.size(), 63u);
  for (const double f : state.f)
    EXPECT_TRUE(std::isnan(f));
}

TEST(Populations, LieDirectionByDirection) {
  Populations state(9, {{}, {7, 1, 1}});
  state.at(3, 5) = 1;
  EXPECT_EQ(state.f[3 * 7 + 5], 1);
}

}  // namespace
}  // namespace ladder
