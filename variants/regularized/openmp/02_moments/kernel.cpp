// Idea:    ten moments per cell: each cell expands those of its neighbours into the populations that arrive
// Layout:  structure of arrays, k[10][z][y][x], rows aligned to cache lines, two copies of the lattice; distances from rest
// Traffic: ten moments read, fetched by write-allocate, and written; those of the neighbours come from caches
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   arithmetic: each population is expanded by the cell in which it arrives
#include "variants/regularized/openmp/moments.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {2 * numbers * real, numbers * real}; }

template <class real>
class OnePass final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::stride_, Base::f_, Base::g_, Base::relaxation_;

 public:
  OnePass(const Case& c, const ladder::Tuning&) : Base(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
      for (int y = 0; y < case_.ny; ++y)
        for (int z = 0; z < case_.nz; ++z)
          for (int x = 0; x < case_.nx; ++x)
            update(x, y, z);
      f_.swap(g_);
    }
  }

 private:
  void update(int x, int y, int z) {
    const auto arriving = [&](auto c) LADDER_INLINE_LAMBDA {
      const real* const from = this->row(y - c.y, z - c.z) + lattice::wrapped(x - c.x, case_.nx);
      real k[numbers];
      for (int n = 0; n < numbers; ++n)
        k[n] = from[n * stride_];
      return population(k, c);
    };
    const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
    real k[numbers];
    add_planes(up, add_planes(level, up), down, k);
    relaxation_(k, k);
    for (int n = 0; n < numbers; ++n)
      g_.data()[layout_(n, x, y, z)] = k[n];
  }
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("openmp/01_populations"),
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .make = ladder::make_solver<regularized::OnePass, regularized::Model>,
};
