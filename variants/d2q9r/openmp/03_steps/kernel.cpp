// Idea:    several steps per pass: within a tile of columns, each step runs one row behind the previous one
// Layout:  structure of arrays, k[6][y][x], padded; rows start at a cache line; two copies; 2 K + 1 rows of a tile for K steps
// Traffic: six moments read and written once per pass; reads include the columns on both sides of a tile
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   arithmetic, or the caches that hold the rows
#include "variants/d2q9r/openmp/rows.hpp"

namespace d2q9r {
namespace {

/// Excludes the rows of its neighbours that each thread also reads, 2 * steps per tile.
std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const double once = numbers * real / tuning.at("steps");
  const int tiles = (c.nx + tuning.at("width") - 1) / tuning.at("width");
  const int margin = real > sizeof(float) ? Rows<double>::margin(tuning.at("steps")) : Rows<float>::margin(tuning.at("steps"));
  return {{once * (1 + (tiles > 1 ? 2.0 * margin * tiles / c.nx : 0)), once}};
}

template <class real>
class Passes final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;

 public:
  Passes(const Case& c, const ladder::Tuning& tuning)
      : Base(c),
        steps_(tuning.at("steps")),
        width_(std::min(tuning.at("width"), Rows<real>::rounded(c.nx))),
        rows_(steps_, width_, steps_) {}

  void advance(std::int64_t steps) override {
#pragma omp parallel
    {
      Rows<real>& rows = rows_.own();
      for (std::int64_t done = 0; done < steps; done += steps_) {
        const int count = static_cast<int>(std::min<std::int64_t>(steps_, steps - done));
        for (int tile = 0; tile < case_.nx; tile += width_)
          update(rows, tile, std::min(width_, case_.nx - tile), count);
#pragma omp barrier
#pragma omp single
        f_.swap(g_);
      }
    }
  }

 private:
  /// Advances this thread's rows of a tile by `steps` steps. As soon as a step has row y + 1, the next one computes row y. It
  /// also computes the rows and columns around them that later steps depend on.
  void update(Rows<real>& rows, int tile, int width, int steps) {
    const auto [first, last] = lattice::own_rows(case_.ny);
    if (first == last) return;
    for (int front = first - steps; front < last + steps; ++front) {
      rows.fetch(0, front, f_.data(), layout_, tile, width, case_);
      for (int step = 1, y = front - 1; step <= steps && y >= first - (steps - step); ++step, --y)
        update_row_of(rows, tile, width, step, y, steps - step);
    }
  }

  /// Computes row y after `step` steps of a pass, with at least `beside` more columns on each side of the tile. The last step
  /// has `beside` 0 and writes to the lattice.
  [[gnu::noinline, gnu::flatten]] void update_row_of(Rows<real>& rows, int tile, int width, int step, int y, int beside) {
    const real* const around[3] = {rows.row(step - 1, y - 1), rows.row(step - 1, y), rows.row(step - 1, y + 1)};
    if (beside == 0) {
      ladder::RowStream<real, numbers> streamed(g_.data() + layout_(0, tile, y), layout_.strides().q);
      update_row(around, 0, width, relaxation_, [&](int x, const auto* k) LADDER_INLINE_LAMBDA {
        streamed.write(x, [&](int i) LADDER_INLINE_LAMBDA { return k[i]; });
      });
      streamed.finish();
    } else {
      const int margin = Rows<real>::rounded(beside);
      real* const to = rows.row(step, y);
      update_row(around, -margin, width + margin, relaxation_, [&](int x, const auto* k) LADDER_INLINE_LAMBDA {
        ladder::unroll<numbers>([&](auto i) LADDER_INLINE_LAMBDA { k[i].store_aligned(to + Rows<real>::place(i, x)); });
      });
    }
  }

  const int steps_, width_;
  RowsOfThreads<real> rows_;
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "d2q9r/openmp/02_moments",
    .traffic = d2q9r::traffic,
    .lattices = 2.0 * d2q9r::numbers / d2q9r::q,
    .tunables = {{.name = "steps", .meaning = "steps per pass", .values = {1, 2, 3, 4, 6, 8, 10, 12, 16}, .initial = 16},
                 {.name = "width", .meaning = "columns per tile", .values = {64, 128, 256, 512, 1024, 2048}, .initial = 256}},
    .collision = "moments",
    .make = ladder::make_solver<d2q9r::Passes, d2q9r::Model>,
};
