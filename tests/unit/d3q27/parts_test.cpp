// Checking a box whose reference works on parts of it, one after another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "harness/check.hpp"
#include "tests/support/text.hpp"
#include "variants/d3q27/model.hpp"

namespace d3q27 {
namespace {

using ladder::Precision;
using ladder::test::contains;

/// What is wrong with a solver's answers after the last of `steps` steps: a population of a plane, or all of them.
struct Fault {
  int plane = -1;
  double value = 0;
  bool stands_still = false;
};
Fault fault;

class Faulty final : public Solver {
 public:
  explicit Faulty(const Case& c) : c_(c), reference_(c) {}

  void advance(std::int64_t steps) override {
    if (!fault.stands_still) reference_.advance(steps);
  }
  void store(ladder::Populations& out) override {
    reference_.store(out);
    if (fault.plane >= 0) out.at(26, (std::int64_t{fault.plane} * c_.ny + 1) * c_.nx + 2) = fault.value;
  }

 private:
  Case c_;
  Reference reference_;
};

constexpr std::string_view box = "tgv-5x4x23";
constexpr double plane_bytes = 27 * 8 * 5 * 4;

ladder::CheckResult check(const Fault& with, int planes, const std::vector<std::int64_t>& steps = {1, 2, 3}) {
  fault = with;
  const Rung rung = {.follows = "",
                     .traffic =
                         [](double real) {
                           return ladder::Traffic{27 * real, 27 * real};
                         },
                     .make = [](const Case& c, Precision, const ladder::Tuning&) -> std::unique_ptr<ladder::Solver<Model>> {
                       return std::make_unique<Faulty>(c);
                     }};
  ladder::CheckResult result;
  ladder::detail::check_case<Model>(rung, Model::seeded(generate_case(box)), Precision::f64, {}, steps, result,
                                    planes * plane_bytes);
  return result;
}

TEST(Parts, OfTheReferenceHoldWhatTheWholeHolds) {
  const Case c = Model::seeded(generate_case(box));
  Reference whole(c);
  whole.advance(3);
  for (const int first : {-3, 0, 11, 20}) {
    Reference part(c, first, 9);
    part.advance(3);
    for (int z = 3; z < 6; ++z)
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const auto expected = whole.cell(x, y, (first + z + c.nz) % c.nz);
          const auto got = part.cell(x, y, z);
          EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin())) << first << ' ' << x << ' ' << y << ' ' << z;
        }
    bool is_own_box = false;  // its ends are where another box begins, so the outermost planes differ
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

TEST(Parts, FindTheWrongNumberInWhicheverPlaneItIs) {
  for (const int planes : {1, 4, 16})
    for (const int plane : {0, 3, 4, 15, 16, 22})
      for (const double value : {1.0, std::numeric_limits<double>::quiet_NaN()}) {
        const auto result = check({.plane = plane, .value = value}, planes);
        EXPECT_FALSE(result.ok) << planes << ' ' << plane;
        EXPECT_TRUE(contains(result.reason, fmt::format("step 1: population 26 at (2, 1, {})", plane))) << result.reason;
      }
}

TEST(Parts, RefuseARungThatStandsStill) {
  const auto result = check({.stands_still = true}, 4);
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.reason, "has not moved")) << result.reason;
}

TEST(Parts, AreTheWholeBoxWhereTheStepsReachThroughIt) {
  EXPECT_TRUE(check({}, 4, {1, 40}).ok);
  EXPECT_FALSE(check({.plane = 9, .value = 1}, 4, {1, 40}).ok);
}

}  // namespace
}  // namespace d3q27
