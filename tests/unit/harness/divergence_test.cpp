#include "harness/bench/divergence.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>

#include "tests/support/text.hpp"
#include "variants/d2q9/model.hpp"

namespace ladder {
namespace {

using test::contains;

/// Stores, box by box, the state given by the test.
class Fixed final : public Solver<d2q9::Model> {
 public:
  Populations state;
  void advance(std::int64_t) override {}
  void store(Populations& out) override { out.take(state); }
  void load(const Populations& in) override { state = in; }
  double conserved() override { return state.total(); }
};

class Watch : public testing::Test {
 protected:
  Watch() : c_(d2q9::Model::make_case("porous-16x12")) {
    d2q9::Reference reference(c_);
    reference.advance(10);
    solver_.state = Populations(d2q9::q, {{}, c_.grid()});
    reference.store(solver_.state);
    while (c_.is_solid(x_, 7))
      ++x_;
  }

  /// Returns what is said about the state after `spoil` has changed the populations f(i) of the fluid cell (x_, 7).
  std::string said(const std::function<void(std::function<double&(int)>)>& spoil, std::int64_t step = 40) {
    FlowWatch<d2q9::Model> watch(solver_, c_, f64);
    watch.look(30);
    spoil([&](int i) -> double& { return solver_.state.at(i, x_ + 7 * c_.nx); });
    try {
      watch.look(step);
    } catch (const Diverged& e) {
      return e.what();
    }
    return "";
  }

  d2q9::Case c_;
  Fixed solver_;
  std::int64_t x_ = 3;
  const double infinite_ = std::numeric_limits<double>::infinity();
};

TEST_F(Watch, AcceptsAFlow) {
  EXPECT_EQ(said([](const auto&) {}), "");
}

TEST_F(Watch, NamesTheStepAndTheCellOfAStateThatIsNotFinite) {
  const std::string cell =
      fmt::format("porous-16x12: step 40: the state of cell ({}, 7, 0) is not finite (nothing was wrong at step 30); ", x_);
  for (const double value : {infinite_, -infinite_, std::numeric_limits<double>::quiet_NaN()}) {
    const double before = solver_.state.at(4, x_ + 7 * c_.nx);
    EXPECT_TRUE(contains(said([&](const auto& f) { f(4) = value; }), cell)) << value;
    solver_.state.at(4, x_ + 7 * c_.nx) = before;
  }
}

// Moving one half of the mass by one cell makes the speed 1/2, below that of sound; moving all of it makes it 1. Both keep the
// mass.
TEST_F(Watch, AcceptsSpeedsUpToThatOfSound) {
  const auto move = [&](double share) {
    return said([&](const auto& f) {
      double all = 0;
      for (int i = 0; i < d2q9::q; ++i) {
        all += f(i);
        f(i) = 0;
      }
      f(0) = (1 - share) * all;
      f(1) = share * all;
    });
  };
  EXPECT_EQ(move(0.5), "");
  const std::string text = move(0.6);
  EXPECT_TRUE(contains(text, fmt::format("the speed in cell ({}, 7, 0) is 0.6, above the speed of sound, 0.5774", x_)));
  EXPECT_TRUE(contains(text, "the flow is unstable, nothing is written (accepted: a smaller force or omega)"));
}

TEST_F(Watch, RefusesACellOfNegativeDensity) {
  EXPECT_TRUE(contains(said([](const auto& f) { f(0) = -1; }), fmt::format("the density of cell ({}, 7, 0) is -0.9", x_)));
}

TEST_F(Watch, IgnoresTheSpeedInObstacles) {
  while (!c_.is_solid(x_, 7))
    ++x_;
  EXPECT_EQ(said([](const auto& f) { std::swap(f(0), f(1)); }), "");
}

TEST_F(Watch, RefusesAFlowThatLosesMass) {
  EXPECT_TRUE(contains(said([](const auto& f) { f(0) *= 0.99; }), "step 40: the conserved sum went from"));
}

/// A gas at rest, in which the fluid of one cell becomes faster by 1/100 in every step.
class Accelerating final : public Solver<d2q9::Model> {
 public:
  Accelerating(const d2q9::Case& c, std::int64_t cell) : state_(d2q9::q, {{}, c.grid()}), cell_(cell) {
    for (int i = 0; i < d2q9::q; ++i)
      for (std::int64_t n = 0; n < state_.cells(); ++n)
        state_.at(i, n) = d2q9::Lattice::weight(i);
  }
  void advance(std::int64_t steps) override {
    state_.at(1, cell_) += 0.01 * static_cast<double>(steps);
    state_.at(0, cell_) -= 0.01 * static_cast<double>(steps);
  }
  void store(Populations& out) override { out.take(state_); }
  void load(const Populations& in) override { state_.take(in); }
  double conserved() override { return state_.total(); }

 private:
  Populations state_;
  std::int64_t cell_;
};

TEST_F(Watch, FindsTheFirstWrongStepIfItMayRestart) {
  const std::int64_t cell = x_ + 7 * c_.nx;
  std::optional<Accelerating> solver(std::in_place, c_, cell);
  int restarts = 0;
  FlowWatch<d2q9::Model> watch(*solver, c_, f64, "", [&]() -> Solver<d2q9::Model>& {
    ++restarts;
    return solver.emplace(c_, cell);
  });
  watch.look(0);
  solver->advance(40);
  watch.look(40);
  solver->advance(60);
  try {
    watch.look(100);
    FAIL() << "accepted";
  } catch (const Diverged& e) {
    EXPECT_TRUE(
        contains(e.what(), fmt::format("step 58: the speed in cell ({}, 7, 0) is 0.58, above the speed of sound, 0.5774 "
                                       "(nothing was wrong at step 57)",
                                       x_)));
  }
  EXPECT_EQ(restarts, 1);
}

}  // namespace
}  // namespace ladder
