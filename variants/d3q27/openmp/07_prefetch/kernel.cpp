// Idea:    prefetching: the hardware follows only some of 27 streams, so rows prefetch lines ahead, also in the next row
// Layout:  structure of arrays, f[27][z][y][x], rows start at a cache line, directions padded, one lattice
// Traffic: 27 numbers read and written where they were read, so that no line is fetched only for a write
// Source:  Software Optimization Guide for the AMD Zen4 Microarchitecture, 2023 (prefetching of data)
// Bound:   memory bandwidth
#include <type_traits>
#include <utility>

#include "backends/simd/vector.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/lattice/processor.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

template <class real>
using Base = lattice::ProcessorSolver<Model, real, lattice::AlignedApart, lattice::AA>;

template <class real>
class InPlace final : public Base<real> {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::phase_;
  using Vector = ladder::Vector<real>;

 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : Base<real>(c), ahead_(tuning.at("ahead") * Vector::size) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        this->initialize(y, z);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for collapse(2) schedule(static)
      for (int z = 0; z < case_.nz; ++z)
        for (int y = 0; y < case_.ny; ++y)
          if (phase_ == 1)
            collide_row(y, z);
          else
            fetch_row(y, z);
      this->turn();
    }
  }

 private:
  static constexpr real lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  /// Prefetches the lines that the update of the vectors `ahead_` of x needs, in this row or the next one.
  LADDER_INLINE void ask_for(real* const* rows, int x) const {
    const int there = x + ahead_;
    const std::int64_t place = there < case_.nx ? there : there - case_.nx + next_row_;
    // Unrolled to save a loop's instructions, and inlined because a compiler may drop the call of a function that returns and
    // writes nothing.
    [&]<int... i>(std::integer_sequence<int, i...>) LADDER_INLINE_LAMBDA { (__builtin_prefetch(rows[i] + place, 1), ...); }
    (std::make_integer_sequence<int, q>{});
  }

  /// Populations are in their own places, and are fetched from the neighbours; those that leave in the opposite direction go
  /// there.
  void fetch_row(int y, int z) {
    const int nx = case_.nx;
    real* rows[q];  // site 0 of the rows that populations come from
    for (int i = 0; i < q; ++i)
      rows[i] =
          f_.data() + layout_(i, 0, lattice::wrapped(y - d3q27_cy[i], case_.ny), lattice::wrapped(z - d3q27_cz[i], case_.nz));
    const Vector omega = case_.omega();
    const Vector lane = Vector::load(lanes);
    const auto first_lane = lane == Vector(0), last_lane = lane == Vector(Vector::size - 1);
    // The neighbours beyond an end of the row are at its other end. Numbers that a vector writes beyond an end belong to no
    // site.
    const auto update = [&](int x, auto begins, auto ends) {
      ask_for(rows, x);
      Vector f[q];
      for (int i = 0; i < q; ++i) {
        f[i] = Vector::load(rows[i] + x - d3q27_cx[i]);
        if (begins && d3q27_cx[i] > 0) f[i] = select(first_lane, Vector(rows[i][nx - 1]), f[i]);
        if (ends && d3q27_cx[i] < 0) f[i] = select(last_lane, Vector(rows[i][0]), f[i]);
      }
      d3q27_collide(f, omega);
      for (int i = 0; i < q; ++i) {
        const Vector& leaves = f[d3q27_opposite[i]];
        leaves.store(rows[i] + x - d3q27_cx[i]);
        if (begins && d3q27_cx[i] > 0) rows[i][nx - 1] = leaves[0];
        if (ends && d3q27_cx[i] < 0) rows[i][0] = leaves[Vector::size - 1];
      }
    };
    constexpr std::true_type yes;
    constexpr std::false_type no;
    const int whole = nx / Vector::size * Vector::size;
    for (int x = 0; x < whole; x += Vector::size) {
      const bool ends = x + Vector::size == nx;
      if (x == 0 && ends)
        update(x, yes, yes);
      else if (x == 0)
        update(x, yes, no);
      else if (ends)
        update(x, no, yes);
      else
        update(x, no, no);
    }
    for (int x = whole; x < nx; ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = rows[i][lattice::wrapped(x - d3q27_cx[i], nx)];
      d3q27_collide(f, static_cast<real>(case_.omega()));
      for (int i = 0; i < q; ++i)
        rows[i][lattice::wrapped(x - d3q27_cx[i], nx)] = f[d3q27_opposite[i]];
    }
  }

  /// Populations are where they move to, in the places of the opposite directions; the results go to their own places.
  void collide_row(int y, int z) {
    real* rows[q];
    for (int i = 0; i < q; ++i)
      rows[i] = f_.data() + layout_(i, 0, y, z);
    const Vector omega = case_.omega();
    for (int x = 0; x < case_.nx; x += Vector::size) {
      ask_for(rows, x);
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load_aligned(rows[d3q27_opposite[i]] + x);
      d3q27_collide(f, omega);
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(rows[i] + x);
    }
  }

  const int ahead_;  // numbers
  const std::int64_t next_row_ = layout_(0, 0, 1, 0) - layout_(0, 0, 0, 0);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/openmp/06_inplace",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables =
        {{.name = "ahead", .meaning = "vectors that a row prefetches ahead", .values = {1, 2, 4, 6, 8, 12, 16}, .initial = 8}},
    .make = ladder::make_solver<d3q27::InPlace, d3q27::Model>,
};
