// Rows of sites that are updated together: which elements an update accesses, and the values at the ends of a row.
#include "variants/d3q27/rows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace d3q27 {
namespace {

/// Rows whose steps only change the phase.
template <class real, class Pattern>
class Still final : public Rows<real, Pattern> {
  using Base = Rows<real, Pattern>;
  static constexpr int widest = ladder::cache_line_bytes / sizeof(real);  // elements in the widest vector

 public:
  using Real = real;
  using Base::case_, Base::f_, Base::layout_, Base::phase_, Base::extend, Base::bring_back;

  explicit Still(const Case& c) : Base(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step)
      this->swap_lattices();
  }

  /// The address from which row y of plane z reads population i of site 0.
  real* from(int i, int y, int z) { return this->place(f_, Pattern::template read<Lattice>(phase_, i), y, z); }

  /// For each element of the lattice, the number of rows that access it in a step.
  std::vector<int> users() {
    std::vector<int> users(f_.size());
    for (int z = 0; z < case_.nz; ++z)
      for (int y = 0; y < case_.ny; ++y)
        for (int i = 0; i < q; ++i) {
          const std::int64_t first = from(i, y, z) - f_.data();
          const int whole = (case_.nx + widest - 1) / widest * widest;
          for (int x = 0; x < whole; ++x)
            ++users.at(static_cast<std::size_t>(first + x));
          if (phase_ != 0 || d3q27_cx[i] == 0) continue;
          const int other_end = d3q27_cx[i] > 0 ? case_.nx : -1;  // already counted if the last vector reaches it
          if (other_end >= whole || other_end < 0) ++users.at(static_cast<std::size_t>(first + other_end));
        }
    return users;
  }
};

template <class Rows>
class RowsOf : public testing::Test {};
using All = testing::Types<Still<float, lattice::Pull>, Still<double, lattice::Pull>, Still<float, lattice::AA>,
                           Still<double, lattice::AA>>;
TYPED_TEST_SUITE(RowsOf, All);

constexpr const char* boxes[] = {"tgv-3", "tgv-15x5x3", "tgv-16x3x4", "tgv-17x4x5", "tgv-32x3x3"};

TYPED_TEST(RowsOf, SitesShareNoNumberWithOtherRowsInAnyPhase) {
  for (const char* box : boxes) {
    TypeParam rows(Model::make_case(box));
    for (int phase = 0; phase < 2; ++phase) {
      int used = 0;
      for (const int users : rows.users()) {
        EXPECT_LE(users, 1) << box << ", phase " << phase;
        used += users;
      }
      EXPECT_GE(used, q * rows.case_.cells()) << box;
      rows.advance(1);
    }
  }
}

TYPED_TEST(RowsOf, SitesFetchTheirNeighboursFromAFixedDistance) {
  for (const char* box : boxes) {
    TypeParam rows(Model::make_case(box));
    const int nx = rows.case_.nx;
    for (int i = 0; i < q; ++i)
      for (int x = 0; x < nx; ++x)
        rows.f_.data()[rows.layout_(i, x, 1, 2)] = static_cast<float>(100 + x);
    typename TypeParam::Real* from[q];
    for (int i = 0; i < q; ++i)
      from[i] =
          rows.from(i, lattice::wrapped(1 + d3q27_cy[i], rows.case_.ny), lattice::wrapped(2 + d3q27_cz[i], rows.case_.nz));
    rows.extend(from);
    for (int i = 0; i < q; ++i)
      for (int x = 0; x < nx; ++x)
        EXPECT_EQ(from[i][x], 100 + lattice::wrapped(x - d3q27_cx[i], nx)) << box << ", population " << i;
  }
}

TYPED_TEST(RowsOf, WhatIsWrittenBeyondAnEndComesBackAtTheOtherOne) {
  for (const char* box : boxes) {
    TypeParam rows(Model::make_case(box));
    const int nx = rows.case_.nx;
    typename TypeParam::Real* from[q];
    for (int i = 0; i < q; ++i) {
      from[i] = rows.from(i, 0, 0);
      for (int x = 0; x < nx; ++x)
        from[i][x] = static_cast<float>(100 + x);
    }
    rows.bring_back(from);
    for (int i = 0; i < q; ++i)
      for (int x = 0; x < nx; ++x)
        EXPECT_EQ(from[i][lattice::wrapped(x - d3q27_cx[i], nx) + d3q27_cx[i]], 100 + x) << box << ", population " << i;
  }
}

}  // namespace
}  // namespace d3q27
