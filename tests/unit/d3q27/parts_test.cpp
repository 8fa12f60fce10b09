// Checks of a box whose reference processes it in parts, one after another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "harness/bench/check.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"
#include "variants/d3q27/model.hpp"

namespace d3q27 {
namespace {

using ladder::f64;
using ladder::Number;
using ladder::test::contains;

/// First plane and number of planes of each box that a reference was started on.
std::vector<std::pair<std::int64_t, std::int64_t>> references;
/// The boxes themselves.
std::vector<ladder::Box> bars;

/// The model with a reference that records its boxes.
struct Counting : Model {
  struct Reference : d3q27::Reference {
    explicit Reference(const Case& c) : d3q27::Reference(c) { record(c); }
    void start(const Case& c) {
      d3q27::Reference::start(c);
      record(c);
    }
    static void record(const Case& c) {
      references.emplace_back(c.origin[2], c.nz);
      bars.push_back({c.origin, c.grid()});
    }
  };
};

/// The error in a solver's results: a population in one plane, from a given step on, or no movement at all.
struct Fault {
  int plane = -1;
  double value = 0;
  std::int64_t from_step = 1;
  bool stands_still = false;
};
Fault fault;

class Faulty final : public ladder::Solver<Counting> {
 public:
  explicit Faulty(const Case& c) : reference_(c) {}

  void advance(std::int64_t steps) override {
    step_ += steps;
    if (!fault.stands_still) reference_.advance(steps);
  }
  void store(ladder::Populations& out) override {
    reference_.store(out);
    const ladder::Box wrong = out.box.common({{2, 1, fault.plane}, {1, 1, 1}});
    if (wrong.cells() == 0 || step_ < fault.from_step) return;
    const auto& corner = out.box.origin;
    out.at(26, out.box.number(2 - corner[0], 1 - corner[1], fault.plane - corner[2])) = fault.value;
  }
  void load(const ladder::Populations&) override {}
  double conserved() override { return 0; }

 private:
  d3q27::Reference reference_;
  std::int64_t step_ = 0;
};

constexpr std::string_view box = "tgv-5x4x23";

ladder::CheckResult check(const Fault& with, int planes, const std::vector<std::int64_t>& steps = {1, 2, 3},
                          std::string_view name = box) {
  fault = with;
  references.clear();
  const ladder::Rung<Counting> rung = {
      .follows = "",
      .traffic =
          [](double real) {
            return ladder::Traffic{27 * real, 27 * real};
          },
      .make = {[](const Case& c, const Number&, const ladder::Tuning&) -> std::unique_ptr<ladder::Solver<Counting>> {
        return std::make_unique<Faulty>(c);
      }}};
  const Case c = Model::seeded(Model::make_case(name));
  const double plane_bytes = 27. * 8 * c.nx * c.ny;
  ladder::CheckResult result;
  ladder::detail::check_case<Counting>(rung, c, f64, {}, {1, 1, 1}, steps, result, planes * plane_bytes);
  return result;
}

TEST(Parts, OfTheReferenceHoldWhatTheWholeHolds) {
  const Case c = Model::seeded(Model::make_case(box));
  Reference whole(c);
  whole.advance(3);
  for (const int first : {-3, 0, 11, 20}) {
    Reference part(Model::part(c, {{0, 0, first}, {c.nx, c.ny, 9}}));
    part.advance(3);
    for (int z = 3; z < 6; ++z)
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const auto expected = whole.cell(x, y, (first + z + c.nz) % c.nz);
          const auto got = part.cell(x, y, z);
          EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin())) << first << ' ' << x << ' ' << y << ' ' << z;
        }
    bool is_own_box = false;  // a separate box has outermost planes that differ from the whole's
    for (int i = 0; i < q; ++i)
      is_own_box |= part.cell(0, 0, 0)[i] != whole.cell(0, 0, (first + c.nz) % c.nz)[i];
    EXPECT_TRUE(is_own_box) << first;
  }
}

TEST(Parts, AcceptWhatIsRight) {
  for (const int planes : {1, 4, 16, 23, 100}) {
    const auto result = check({}, planes);
    EXPECT_TRUE(result.ok) << planes << ": " << result.reason;
    EXPECT_EQ(result.population_error, 0) << planes;
    EXPECT_EQ(result.steps, 3) << planes;
  }
}

TEST(Parts, AreAsLargeAsAskedForWithAPlaneMoreAtEitherEndForEachStep) {
  using Made = std::vector<std::pair<std::int64_t, std::int64_t>>;
  check({}, 16, {1, 3});
  EXPECT_EQ(references, (Made{{-1, 18}, {15, 9}, {-3, 22}, {13, 13}}));
  check({}, 23, {1, 3});
  EXPECT_EQ(references, (Made{{0, 23}})) << "the whole box fits";
  check({}, 4, {1, 40});
  EXPECT_EQ(references, (Made{{0, 23}})) << "40 steps reach across the box";
}

TEST(Parts, FindTheWrongNumberInWhicheverPlaneAndStepItIs) {
  for (const int planes : {1, 4, 16})
    for (const int plane : {0, 3, 4, 15, 16, 22})
      for (const int step : {1, 2, 3})
        for (const double value : {1.0, std::numeric_limits<double>::quiet_NaN()}) {
          const auto result = check({.plane = plane, .value = value, .from_step = step}, planes);
          EXPECT_FALSE(result.ok) << planes << ' ' << plane;
          EXPECT_TRUE(contains(result.reason, fmt::format("step {}: population 26 at (2, 1, {})", step, plane)))
              << result.reason;
        }
}

TEST(Parts, RefuseARungThatStandsStill) {
  for (const int planes : {4, 23}) {
    const auto result = check({.stands_still = true}, planes);
    EXPECT_FALSE(result.ok);
    EXPECT_TRUE(contains(result.reason, "step 1: ")) << result.reason;
  }
  EXPECT_TRUE(contains(check({.stands_still = true}, 23).reason, "the state has not changed"));
}

TEST(Parts, TakeAWholeReferenceFromTheCache) {
  const ladder::test::Folder folder;
  ASSERT_EQ(setenv("LADDER_REFERENCES", folder.path().c_str(), 1), 0);
  EXPECT_TRUE(check({}, 23).ok);
  EXPECT_EQ(references.size(), 1U);
  EXPECT_TRUE(check({}, 23).ok);
  EXPECT_EQ(references.size(), 0U) << "the second check computes none";
  EXPECT_FALSE(check({.plane = 3, .value = 1}, 23).ok);
  EXPECT_FALSE(check({.stands_still = true}, 23).ok);
  unsetenv("LADDER_REFERENCES");
}

TEST(Parts, AreBarsIfTheHaloOfASlabWouldHaveMoreCellsThanTheSlab) {
  using ladder::Triple;
  using ladder::detail::part_size;
  constexpr double cell = 27 * 8, slab = 33'554'432;
  EXPECT_EQ(part_size({512, 512, 512}, cell, slab, 6), (Triple{512, 32, 16}));
  EXPECT_EQ(part_size({512, 512, 512}, cell, slab, 1), (Triple{512, 128, 4}));
  EXPECT_EQ(part_size({128, 128, 512}, cell, slab, 2), (Triple{128, 128, 9})) << "a thick slab";
  EXPECT_EQ(part_size({8192, 8192, 1}, 9 * 8, slab, 6), (Triple{8192, 56, 1})) << "two dimensions";

  bars.clear();
  const auto right = check({}, 1, {1, 3}, "tgv-5x40x23");
  EXPECT_TRUE(right.ok) << right.reason;
  EXPECT_EQ(right.population_error, 0);
  EXPECT_EQ(bars.front(), (ladder::Box{{0, -1, -1}, {5, 12, 6}})) << "a bar of 10 x 4 cells with a halo, after one step";
  EXPECT_EQ(bars.size(), 48U);
  const auto wrong = check({.plane = 22, .value = 1}, 1, {1, 3}, "tgv-5x40x23");
  EXPECT_TRUE(contains(wrong.reason, "step 1: population 26 at (2, 1, 22)")) << wrong.reason;
}

TEST(Parts, OfALargeBoxIncludeItsEndsAndOthersThatDependOnTheRungAndTheStep) {
  const std::vector<std::int64_t> a = ladder::detail::chosen_parts(100, 8, 1), b = ladder::detail::chosen_parts(100, 8, 2);
  for (const auto& chosen : {a, b}) {
    EXPECT_EQ(chosen.size(), 8U);
    EXPECT_EQ(chosen.front(), 0);
    EXPECT_EQ(chosen.back(), 99);
  }
  EXPECT_NE(a, b);
  EXPECT_EQ(ladder::detail::chosen_parts(3, 8, 1), (std::vector<std::int64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace d3q27
