// Idea:    a warp shuffle shifts rows that are read from where they begin; its ends read one number more
// Layout:  structure of arrays, f[27][z][y][x], two lattices
// Traffic: every population read once and written once: 27 numbers read, 27 written
// Source:  Chintapalli and Goh, section 8.3
// Bound:   memory bandwidth; launches of small boxes
#include <utility>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // of a block: in f64 a thread would spill with the 128 registers that 512 leave it

/// Number of cell (x, y, z), each of which may be one beyond either end of its side.
template <class real>
__device__ std::size_t wrapped(int x, int y, int z, const Problem<real>& c) {
  x = x < 0 ? x + c.nx : x < c.nx ? x : x - c.nx;
  y = y < 0 ? y + c.ny : y < c.ny ? y : y - c.ny;
  z = z < 0 ? z + c.nz : z < c.nz ? z : z - c.nz;
  return (static_cast<std::size_t>(z) * c.ny + y) * c.nx + x;
}

/// Streams from f_temp, collides, and writes f: a block a piece of a row, a thread a cell. What comes from the cell to the east
/// or west is the number that the thread beside has read.
template <class real>
__global__ void __launch_bounds__(most_threads)
    run_lbm(real* __restrict__ f, const real* __restrict__ f_temp, Problem<real> c) {
  const unsigned pieces = (c.nx + blockDim.x - 1) / blockDim.x;
  const int row = blockIdx.x / pieces;
  const int column = blockIdx.x % pieces * blockDim.x + threadIdx.x;
  const int x = min(column, c.nx - 1), y = row % c.ny, z = row / c.ny;  // all threads of a warp shuffle
  const bool first = threadIdx.x % 32 == 0;
  const bool last = threadIdx.x % 32 == 31 || column == c.nx - 1;
  const std::size_t cells = static_cast<std::size_t>(c.nx) * c.ny * c.nz;
  real site[27], beyond[27];
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    site[i] = f_temp[i * cells + wrapped(x, y - d3q27_cy[i], z - d3q27_cz[i], c)];
    if (d3q27_cx[i] > 0 ? first : d3q27_cx[i] < 0 && last)
      beyond[i] = f_temp[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], c)];
  }
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    if (d3q27_cx[i] > 0) site[i] = __shfl_up_sync(0xffffffffu, site[i], 1);
    if (d3q27_cx[i] < 0) site[i] = __shfl_down_sync(0xffffffffu, site[i], 1);
    if (d3q27_cx[i] > 0 ? first : d3q27_cx[i] < 0 && last) site[i] = beyond[i];
  }
  d3q27_collide(site, c.omega);
  if (column >= c.nx) return;
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[i * cells + wrapped(x, y, z, c)] = site[i];
}

template <class real>
class OneKernel final : public Solver {
 public:
  OneKernel(const Case& c, const ladder::Tuning& tuning) : on_(c, row_block(tuning)) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      std::swap(f_, f_temp_);
      over_(run_lbm<real>, f_.data(), f_temp_.data(), on_.problem());
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  const ladder::cuda::Launch over_ = on_.over_rows();
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  ladder::cuda::Buffer<real> f_temp_ = on_.lattice();
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/08_tile",
    .traffic = d3q27::traffic,
    .tunables = {d3q27::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::OneKernel, d3q27::Model>,
};
