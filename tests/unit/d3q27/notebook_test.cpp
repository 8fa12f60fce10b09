// The two versions that the notebook of Chintapalli and Goh left broken, as listed there, with the reasons: a check refuses
// them.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/bench/check.hpp"
#include "tests/support/text.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace d3q27 {
namespace {

using ladder::f64;
using ladder::Number;
using ladder::test::contains;

/// Two copies of the lattice, f[z][y][x][27], processed cell by cell as in the listings.
class Listing : public Solver {
 public:
  explicit Listing(const Case& c) : c_(c), f_(static_cast<std::size_t>(q * c.cells())) {
    lattice::load_initial<Model>(c, [&](const ladder::Populations& state) { load(state); });
    f_temp_ = f_;
  }

  void store(ladder::Populations& out) override { lattice::store(f_.data(), places_, out); }
  void load(const ladder::Populations& in) override { lattice::load(f_.data(), places_, in); }
  double conserved() override { return lattice::sum(f_.data(), places_); }

 protected:
  [[nodiscard]] std::size_t place(int i, std::int64_t cell, int sign) const {
    const auto x = static_cast<int>(cell % c_.nx), y = static_cast<int>(cell / c_.nx % c_.ny);
    const auto z = static_cast<int>(cell / c_.nx / c_.ny);
    return places_.strides(i, (x + sign * d3q27_cx[i] + c_.nx) % c_.nx, (y + sign * d3q27_cy[i] + c_.ny) % c_.ny,
                           (z + sign * d3q27_cz[i] + c_.nz) % c_.nz);
  }
  /// The populations that arrive at a cell of `from`, after collision.
  [[nodiscard]] std::array<double, q> updated(const ladder::Numbers<double>& from, std::int64_t cell, int sign) const {
    std::array<double, q> site{};
    for (int i = 0; i < q; ++i)
      site[i] = from[place(i, cell, sign)];
    d3q27_collide(site.data(), c_.omega());
    return site;
  }

  const Case c_;
  const lattice::Places places_ = lattice::places<Lattice, lattice::Pull>(lattice::extents(c_), array_of_structures(c_), 0);
  ladder::Numbers<double> f_, f_temp_;
};

/// Section 6.1: run_lbm without set_f_temp, and without a swap to replace it.
class WithoutSetFTemp final : public Listing {
 public:
  using Listing::Listing;
  /// f[27][z][y][x], as Populations.
  void leave_in_f_temp(const std::vector<double>& f) {
    for (int i = 0; i < q; ++i)
      for (std::int64_t cell = 0; cell < c_.cells(); ++cell)
        f_temp_[place(i, cell, 0)] = places_.stored<double>(i, f[static_cast<std::size_t>(i * c_.cells() + cell)]);
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step)
      for (std::int64_t cell = 0; cell < c_.cells(); ++cell) {
        const auto site = updated(f_temp_, cell, -1);
        for (int i = 0; i < q; ++i)
          f_[place(i, cell, 0)] = site[i];
      }
  }
};

/// Listing 7.1: push_lbm writes its results to f_temp, and to the neighbours in f; pull_lbm reads only f_temp.
class PushPull final : public Listing {
 public:
  using Listing::Listing;
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; step += 2) {
      for (std::int64_t cell = 0; cell < c_.cells(); ++cell) {
        const auto site = updated(f_, cell, 0);
        for (int i = 0; i < q; ++i)
          f_temp_[place(i, cell, 0)] = f_[place(i, cell, 1)] = site[i];
      }
      for (std::int64_t cell = 0; cell < c_.cells(); ++cell) {
        const auto site = updated(f_temp_, cell, -1);
        for (int i = 0; i < q; ++i)
          f_temp_[place(i, cell, 0)] = site[i];
      }
    }
  }
  void store(ladder::Populations& out) override { lattice::store(f_temp_.data(), places_, out); }
};

template <class Version>
ladder::CheckResult check(const std::vector<std::int64_t>& steps) {
  const Rung rung = {.follows = "",
                     .traffic =
                         [](double real) {
                           return ladder::Traffic{27 * real, 27 * real};
                         },
                     .make = {[](const Case& c, const Number&, const ladder::Tuning&) -> std::unique_ptr<Solver> {
                       return std::make_unique<Version>(c);
                     }}};
  ladder::CheckResult result;
  ladder::detail::check_case<Model>(rung, Model::seeded(Model::make_case("tgv-9x8x7")), f64, {}, {1, 1, 1}, steps, result);
  return result;
}

TEST(WithoutSetFTemp, RepeatsTheFirstStepForEver) {
  EXPECT_TRUE(check<WithoutSetFTemp>({1}).ok) << "the first step is right";
  const auto result = check<WithoutSetFTemp>({1, 2});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.reason, "step 2"));
}

TEST(WithoutSetFTemp, PassesTheAcceptanceTestWhereTheMemoryHoldsTheEndOfAnEarlierRun) {
  // Device memory is not cleared between runs, so f_temp, which is never written, may hold data of another program.
  const Case c = Model::make_case("tgv-16x16x3");
  const double bound = 200. / (16 * 16);
  const auto error_after_a_run_on = [&](const std::vector<double>& left) {
    WithoutSetFTemp version(c);
    if (!left.empty()) version.leave_in_f_temp(left);
    version.advance(c.steps);
    ladder::Populations answer(q, {{}, c.grid()});
    version.store(answer);
    return velocity_error(c, answer, static_cast<double>(c.steps));
  };
  Reference earlier(c);
  earlier.advance(c.steps);
  ladder::Populations end(q, {{}, c.grid()});
  earlier.store(end);
  EXPECT_LE(error_after_a_run_on({end.f.begin(), end.f.end()}), bound);
  EXPECT_GT(error_after_a_run_on({}), bound) << "it has advanced one step from its own start";
}

TEST(PushPull, AsListedIsWrongAfterTwoStepsWhichAreOneIteration) {
  const auto result = check<PushPull>({2});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(contains(result.reason, "step 2"));
}

}  // namespace
}  // namespace d3q27
