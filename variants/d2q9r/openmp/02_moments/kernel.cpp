// Idea:    six moments per cell: each vector of cells sums what arrives from three cached rows, first along y, then along x
// Layout:  structure of arrays, k[6][y][x], padded; rows start at a cache line; two copies; three rows per thread
// Traffic: six moments read and written, with streaming stores
// Source:  variants/regularized/openmp/05_axes
// Bound:   memory bandwidth
#include "variants/d2q9r/openmp/rows.hpp"

namespace d2q9r {
namespace {

ladder::Traffic traffic(double real) { return {numbers * real, numbers * real}; }

template <class real>
class OnePass final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c), rows_(1, c.nx, 0) {}

  void advance(std::int64_t steps) override {
#pragma omp parallel
    {
      Rows<real>& rows = rows_.own();
      for (std::int64_t step = 0; step < steps; ++step) {
        update(rows);
#pragma omp barrier
#pragma omp single
        f_.swap(g_);
      }
    }
  }

 private:
  void update(Rows<real>& rows) {
    const auto [first, last] = lattice::own_rows(case_.ny);
    if (first == last) return;
    const auto fetch = [&](int y) { rows.fetch(0, y, f_.data(), layout_, 0, case_.nx, case_); };
    fetch(first - 1);
    fetch(first);
    for (int y = first; y < last; ++y) {
      fetch(y + 1);
      const real* const around[3] = {rows.row(0, y - 1), rows.row(0, y), rows.row(0, y + 1)};
      ladder::RowStream<real, numbers> streamed(g_.data() + layout_(0, 0, y), layout_.strides().q);
      update_row(around, 0, case_.nx, relaxation_, [&](int x, const auto* k) LADDER_INLINE_LAMBDA {
        streamed.write(x, [&](int i) LADDER_INLINE_LAMBDA { return k[i]; });
      });
      streamed.finish();
    }
  }

  RowsOfThreads<real> rows_;
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "d2q9r/openmp/01_populations",
    .traffic = d2q9r::traffic,
    .lattices = 2.0 * d2q9r::numbers / d2q9r::q,
    .collision = "moments",
    .make = ladder::make_solver<d2q9r::OnePass, d2q9r::Model>,
};
