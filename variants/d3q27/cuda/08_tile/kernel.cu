// Idea:    tile: in shared memory, with a halo of one cell at both ends; rows are read with alignment, and shifted within the
//          tile
// Layout:  structure of arrays, f[27][z][y][x], two copies of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  Chintapalli and Goh, section 8.3
// Bound:   memory bandwidth; launch overhead for small boxes
#include "backends/cuda/shared.hpp"
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 320;  // per block

/// Streams from f_temp, collides, and writes f, one block per piece of a row and one thread per cell. For the 18 directions
/// that move east or west, the tile holds the values of the block's columns and of one more column at either end.
template <class real>
__global__ void __launch_bounds__(most_threads) run_lbm(Step<real> step) {
  real* __restrict__ const f = step.f;
  const real* __restrict__ const f_temp = step.f_temp;
  const Sides box = step.box;
  const auto [first, width, y, z] = own_piece(box);
  const int column = threadIdx.x, x = first + column;
  const std::size_t cells = box.cells();
  const auto read = [&, y = y, z = z](int i, int x) {
    return __ldg(&f_temp[i * cells + wrapped(x, y - d3q27_cy[i], z - d3q27_cz[i], box)]);
  };
  const auto tile = [&](int i, int column) -> real& { return shared_memory<real>()[along_x(i) * (blockDim.x + 2) + column]; };
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (column < width) site[i] = read(i, x);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (d3q27_cx[i] != 0 && column < width) {
      tile(i, column + 1) = site[i];
      if (d3q27_cx[i] > 0 && column == 0) tile(i, 0) = read(i, x - 1);
      if (d3q27_cx[i] < 0 && column == width - 1) tile(i, width + 1) = read(i, x + 1);
    }
  __syncthreads();
  if (column >= width) return;
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (d3q27_cx[i] != 0) site[i] = tile(i, column + 1 - d3q27_cx[i]);
  d3q27_collide(site, step.omega);
  const std::size_t cell = wrapped(x, y, z, box);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[i * cells + cell] = site[i];
}

template <class real>
class PeriodicBox final : public BoxSolver<Model, real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::BoxSolver(c, row_block(tuning), structure_of_arrays(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(run_lbm<real>, this->step());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_rows(this->device_, this->box_, this->block_, 18 * (this->block_.x + 2) * sizeof(real));
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/07_soa",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
