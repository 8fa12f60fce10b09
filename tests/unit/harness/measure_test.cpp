#include "harness/bench/measure.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/error.hpp"
#include "variants/d2q9/model.hpp"

namespace ladder {
namespace {

using test::contains;
using test::input_error;

/// Has a state and a history given by the test.
template <class Model>
class Given final : public Solver<Model> {
 public:
  Populations state;
  std::vector<double> speeds;
  void advance(std::int64_t) override {}
  void store(Populations& out) override { out = state; }
  void load(const Populations& in) override { state = in; }
  double conserved() override { return state.total(); }
  std::span<const double> history() override { return speeds; }
};

class EndOfARun : public testing::Test {
 protected:
  EndOfARun() : c_(d2q9::Model::make_case("porous-16x12")) {
    d2q9::Reference reference(c_);
    reference.advance(10);
    solver_.state = Populations(d2q9::q, {{}, c_.grid()});
    reference.store(solver_.state);
    before_ = solver_.conserved();
    solver_.speeds.assign(reference.history().begin(), reference.history().end());
  }
  d2q9::Case c_;
  Given<d2q9::Model> solver_;
  double before_ = 0;
};

/// Queues work immediately and takes 300 ms to execute it.
class Device final : public Solver<d2q9::Model> {
 public:
  std::int64_t queued = 0;
  void advance(std::int64_t steps) override { queued += steps; }
  void wait() override {
    if (queued > 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    queued = 0;
  }
  void store(Populations&) override {}
  void load(const Populations&) override {}
  double conserved() override { return 0; }
  std::span<const double> history() override { return {}; }
};

TEST(TimeOfQueuing, LeavesOutTheWorkAndWaitsForItAfterwards) {
  Device device;
  const double seconds = queue_seconds<d2q9::Model>(device, 2);
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 0.15) << "half of the work";
  EXPECT_EQ(device.queued, 0);
}

TEST_F(EndOfARun, IsPlausibleWhereMassIsConserved) {
  EXPECT_EQ(implausible<d2q9::Model>(solver_, c_, before_, f64, 10), "");
  EXPECT_EQ(not_finite<d2q9::Model>(solver_), "");
}

TEST_F(EndOfARun, IsImplausibleWhereMassIsLost) {
  solver_.state.at(0, 17) *= 0.8;
  for (const Number& p : numbers)
    EXPECT_TRUE(contains(implausible<d2q9::Model>(solver_, c_, before_, p, 10), "the conserved sum went from")) << p.name;
}

/// A model with cases that lose mass, as through an outflow.
struct Losing : d2q9::Model {
  static bool conserves(const Case&) { return false; }
};

TEST_F(EndOfARun, MayLoseMassWhereTheCaseDoesNotConserveItButNotBecomeInfinite) {
  Given<Losing> solver;
  solver.state = solver_.state;
  solver.speeds = solver_.speeds;
  solver.state.at(0, 17) *= 0.99;
  EXPECT_EQ(implausible<Losing>(solver, c_, before_, f64, 10), "");
  for (const double value : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    solver.state.at(4, 3) = value;
    EXPECT_TRUE(contains(implausible<Losing>(solver, c_, before_, f64, 10), "the sum of all populations is "));
  }
}

TEST_F(EndOfARun, IsImplausibleWhereAPopulationIsNotANumber) {
  solver_.state.at(4, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(implausible<d2q9::Model>(solver_, c_, before_, f32, 10), "to nan in 10 steps"));
}

TEST_F(EndOfARun, NamesTheFirstStepWhoseSpeedIsNotANumber) {
  solver_.speeds[6] = std::numeric_limits<double>::infinity();
  solver_.speeds[8] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(not_finite<d2q9::Model>(solver_), "average speed of step 7 is infinite");
  EXPECT_EQ(implausible<d2q9::Model>(solver_, c_, before_, f32, 10), "average speed of step 7 is infinite");
}

/// Records the calls it receives as text.
class Noted final : public d2q9::Solver, public Phased {
 public:
  std::string done;
  void advance(std::int64_t) override { done += "advance "; }
  void wait() override { done += "wait "; }
  std::vector<Phase> phases() override {
    return {{"stream", [this] { done += "stream "; }}, {"collide", [this] { done += "collide "; }}};
  }
  void store(Populations&) override {}
  void load(const Populations&) override {}
  double conserved() override { return 0; }
};

TEST(Phases, AreRunInTheirOrderAndEachIsWaitedFor) {
  Noted solver;
  const std::string text = phases_text<d2q9::Model>(solver, 2);
  EXPECT_EQ(solver.done, "stream wait collide wait stream wait collide wait ");
  EXPECT_TRUE(text.starts_with("stream=") && contains(text, ";collide=")) << text;
  EXPECT_FALSE(contains(text, " ")) << "it is part of a label";
}

TEST(Phases, OfASolverWithoutAnyAreAnEmptyText) {
  Given<d2q9::Model> solver;
  EXPECT_EQ(phases_text<d2q9::Model>(solver, 2), "");
}

TEST(Memory, IsThereAndFinite) {
  EXPECT_GT(available_memory(), 1e6);
  EXPECT_LT(available_memory(), 1e15);
}

TEST(Memory, IsRefusedWithWhatWasAskedForAndWhatThereIs) {
  require_memory(1e3, "a little");
  EXPECT_TRUE(
      contains(input_error([] { require_memory(1e18, "a grid"); }), "a grid needs 1000000000.0 GB of memory; this machine"));
}

}  // namespace
}  // namespace ladder
