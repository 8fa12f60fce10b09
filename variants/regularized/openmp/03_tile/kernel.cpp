// Idea:    tile in a cache: a thread marches through planes, expands each row once, in vectors, and sums what arrives
// Layout:  structure of arrays, k[10][z][y][x], rows aligned to cache lines, two copies of the lattice; per thread, the
//          populations of three rows and the sums of a tile of rows
// Traffic: ten moments read, fetched by write-allocate, and written; two more rows read per tile
// Source:  A. Nguyen et al., "3.5-D Blocking Optimization for Stencil Computations on Modern CPUs and GPUs", SC 2010
// Bound:   memory bandwidth, including write-allocate traffic
#include "variants/regularized/openmp/moments.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {2 * numbers * real, numbers * real}; }

template <class real>
class OnePass final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::stride_, Base::f_, Base::g_, Base::relaxation_;
  using typename Base::Vector;

 public:
  OnePass(const Case& c, const ladder::Tuning& tuning) : Base(c), rows_(rows_of_tile<real>(c, tuning)) {}

  void advance(std::int64_t steps) override {
#pragma omp parallel
    {
      Tile<real> tile(case_.nx, rows_);
      for (std::int64_t step = 0; step < steps; ++step) {
#pragma omp for schedule(static)
        for (int first = 0; first < case_.ny; first += rows_)
          update(first, std::min(first + rows_, case_.ny), tile);
#pragma omp single
        f_.swap(g_);
      }
    }
  }

 private:
  /// Updates rows first, …, end - 1 of all planes. Populations that leave plane z complete the cells of plane z - 1.
  void update(int first, int end, Tile<real>& tile) {
    for (int z = -1; z <= case_.nz; ++z) {
      expand_row(first - 1, z, tile);
      expand_row(first, z, tile);
      for (int y = first; y < end; ++y) {
        expand_row(y + 1, z, tile);
        add_row(y, z, y - first, tile);
      }
    }
  }

  void expand_row(int y, int z, Tile<real>& tile) {
    const real* const from = this->row(y, z);
    real* const to = tile.leaving(0, y);
    const std::int64_t pitch = tile.pitch();
    for (int x = 0; x < case_.nx; x += Vector::size) {
      Vector k[numbers];
      for (int n = 0; n < numbers; ++n)
        k[n] = Vector::load_aligned(from + n * stride_ + x);
      expand(k, [&](auto c, Vector f) LADDER_INLINE_LAMBDA { f.store_aligned(to + c.index * pitch + x); });
    }
    // The column beyond each end repeats the other end.
    for (int i = 1; i < q; ++i) {
      if (Lattice::c(i).x > 0) to[i * pitch - 1] = to[i * pitch + case_.nx - 1];
      if (Lattice::c(i).x < 0) to[i * pitch + case_.nx] = to[i * pitch];
    }
  }

  /// Adds what left plane z to the sums of row y, and writes its cells in plane z - 1, which are then complete.
  void add_row(int y, int z, int row, Tile<real>& tile) {
    const real* const rows[3] = {tile.leaving(0, y + 1), tile.leaving(0, y), tile.leaving(0, y - 1)};  // by 1 + cy
    const std::int64_t pitch = tile.pitch();
    real* const to = g_.data() + layout_(0, 0, y, std::max(z - 1, 0));
    for (int x = 0; x < case_.nx; x += Vector::size) {
      const auto arriving = [&](auto c)
                                LADDER_INLINE_LAMBDA { return Vector::load(rows[1 + c.y] + c.index * pitch + x - c.x); };
      Vector k[numbers];
      tile.arrivals(row, x).add(sum_plane<-1>(arriving), sum_plane<0>(arriving), sum_plane<1>(arriving), k);
      if (z < 1) continue;
      relaxation_(k, k);
      for (int n = 0; n < numbers; ++n)
        k[n].store_aligned(to + n * stride_ + x);
    }
  }

  const int rows_;
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("openmp/02_moments"),
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = {regularized::rows_tunable()},
    .make = ladder::make_solver<regularized::OnePass, regularized::Model>,
};
