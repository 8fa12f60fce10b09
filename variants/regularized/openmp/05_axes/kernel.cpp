// Idea:    axis by axis: sums are formed along y, then x, then z; populations are never expanded
// Layout:  blocks of one cache line, k[z][y][x / line][10][line], two copies of the lattice; per thread, the sums of a tile of
//          rows
// Traffic: ten moments read and written; two more rows read per tile
// Source:  new
// Bound:   memory bandwidth, or the caches that hold a tile
#include "variants/regularized/openmp/axes.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {numbers * real, numbers * real}; }

template <class real>
class OnePass final : public MomentSolver<real, Blocks<real>> {
  using Base = MomentSolver<real, Blocks<real>>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;
  using typename Base::Vector;

 public:
  OnePass(const Case& c, const ladder::Tuning& tuning)
      : Base(c), rows_(rows_of_tile<real>(c, tuning)), columns_(omp_get_max_threads()) {
    for (auto& columns : columns_)
      columns.resize(static_cast<std::size_t>(rows_ * vectors_));
  }

  void advance(std::int64_t steps) override {
#pragma omp parallel
    {
      Axes<real> axes;
      auto& columns = columns_[omp_get_thread_num()];
      for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp for schedule(static)
        for (int first = 0; first < case_.ny; first += rows_)
          update(first, std::min(first + rows_, case_.ny), axes, columns.data());
#pragma omp single
        f_.swap(g_);
      }
    }
  }

 private:
  /// Updates rows first, …, end - 1 of all planes. What leaves plane z completes the cells of plane z - 1.
  void update(int first, int end, Axes<real>& axes, Column<Vector>* columns) {
    for (int z = -1; z <= case_.nz; ++z)
      for (int y = first; y < end; ++y) {
        const real* const rows[3] = {this->row(y - 1, z), this->row(y, z), this->row(y + 1, z)};
        StreamingStore<real> write(g_.data() + layout_(0, 0, y, std::max(z - 1, 0)), relaxation_);
        axes.add_row(rows, case_.nx, columns + (y - first) * vectors_, z & 1, [&](int x, const Vector* s) LADDER_INLINE_LAMBDA {
          if (z >= 1) write(x, s);
        });
        if (z >= 1) write.finish();
      }
  }

  const int rows_;
  const int vectors_ = (case_.nx + Vector::size - 1) / Vector::size;
  std::vector<std::vector<Column<Vector>>> columns_;
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("openmp/04_streaming"),
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = {regularized::rows_tunable()},
    .make = ladder::make_solver<regularized::OnePass, regularized::Model>,
};
