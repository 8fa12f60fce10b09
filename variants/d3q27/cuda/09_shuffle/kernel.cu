// Idea:    shuffle: shifts rows that are read with alignment; the threads at the ends of a warp read one extra value
// Layout:  structure of arrays, f[27][z][y][x], two copies of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  Chintapalli and Goh, section 8.3
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // per block; a multiprocessor has registers for 16 / sizeof(real) such blocks

/// Streams from f_temp, collides, and writes f, one block per piece of a row and one thread per cell. The population from the
/// cell to the east or west is the value that the neighbouring thread has read.
template <class real>
__global__ void __launch_bounds__(most_threads, 16 / sizeof(real)) run_lbm(Step<real> step) {
  real* __restrict__ const f = step.f;
  const real* __restrict__ const f_temp = step.f_temp;
  const Sides box = step.box;
  const auto [first, width, y, z] = own_piece(box);
  const int column = threadIdx.x;
  const int x = first + min(column, width - 1);  // all threads of a warp shuffle
  // Threads at the ends of a warp or row have no neighbouring thread.
  const bool west = column % 32 == 0, east = column % 32 == 31 || column == width - 1;
  const std::size_t cells = box.cells();
  const auto read = [&, y = y, z = z](int i, int x) {
    return __ldg(&f_temp[i * cells + wrapped(x, y - d3q27_cy[i], z - d3q27_cz[i], box)]);
  };
  real site[27], beyond[27];
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    site[i] = read(i, x);
    if (d3q27_cx[i] > 0 ? west : d3q27_cx[i] < 0 && east) beyond[i] = read(i, x - d3q27_cx[i]);
  }
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    if (d3q27_cx[i] > 0) site[i] = __shfl_up_sync(0xffffffffu, site[i], 1);
    if (d3q27_cx[i] < 0) site[i] = __shfl_down_sync(0xffffffffu, site[i], 1);
    if (d3q27_cx[i] > 0 ? west : d3q27_cx[i] < 0 && east) site[i] = beyond[i];
  }
  d3q27_collide(site, step.omega);
  if (column >= width) return;
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
  const Launch over_ = over_rows(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/08_tile",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
