// Idea:    a tile in shared memory: rows are read from where they begin, and shifted there; its halo is one cell at either end
// Layout:  structure of arrays, f[27][z][y][x], two lattices
// Traffic: every population read once and written once: 27 numbers read, 27 written
// Source:  Chintapalli and Goh, section 8.3
// Bound:   memory bandwidth; launches of small boxes
#include <utility>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 320;  // of a block

/// Number of cell (x, y, z), each of which may be one beyond either end of its side.
template <class real>
__device__ std::size_t wrapped(int x, int y, int z, const Problem<real>& c) {
  x = x < 0 ? x + c.nx : x < c.nx ? x : x - c.nx;
  y = y < 0 ? y + c.ny : y < c.ny ? y : y - c.ny;
  z = z < 0 ? z + c.nz : z < c.nz ? z : z - c.nz;
  return (static_cast<std::size_t>(z) * c.ny + y) * c.nx + x;
}

/// Streams from f_temp, collides, and writes f: a block a piece of a row, a thread a cell. Of the 18 directions along which
/// cells move to the east or west, the tile holds the numbers of the block's columns and of one more at either end.
template <class real>
__global__ void __launch_bounds__(most_threads)
    run_lbm(real* __restrict__ f, const real* __restrict__ f_temp, Problem<real> c) {
  extern __shared__ double room[];
  const auto tile = [&](int i, int column) -> real& {
    const int kept = i < 7 ? i - 1 : i < 15 ? i - 5 : i - 9;  // 1, 2; 7 … 14; 19 … 26: 0 … 17
    return reinterpret_cast<real*>(room)[kept * (blockDim.x + 2) + column];
  };
  const unsigned pieces = (c.nx + blockDim.x - 1) / blockDim.x;
  const int row = blockIdx.x / pieces;
  const int first = blockIdx.x % pieces * blockDim.x;
  const int width = min(static_cast<int>(blockDim.x), c.nx - first);  // columns of the block
  const int column = threadIdx.x;
  const int x = first + column, y = row % c.ny, z = row / c.ny;
  const bool inside = column < width;
  const std::size_t cells = static_cast<std::size_t>(c.nx) * c.ny * c.nz;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (inside) site[i] = f_temp[i * cells + wrapped(x, y - d3q27_cy[i], z - d3q27_cz[i], c)];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (d3q27_cx[i] != 0 && inside) {
      tile(i, column + 1) = site[i];
      if (d3q27_cx[i] > 0 && column == 0) tile(i, 0) = f_temp[i * cells + wrapped(x - 1, y - d3q27_cy[i], z - d3q27_cz[i], c)];
      if (d3q27_cx[i] < 0 && column == width - 1)
        tile(i, width + 1) = f_temp[i * cells + wrapped(x + 1, y - d3q27_cy[i], z - d3q27_cz[i], c)];
    }
  __syncthreads();
  if (!inside) return;
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (d3q27_cx[i] != 0) site[i] = tile(i, column + 1 - d3q27_cx[i]);
  d3q27_collide(site, c.omega);
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
  const ladder::cuda::Launch over_ = on_.over_rows(18 * (on_.block.x + 2) * sizeof(real));
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  ladder::cuda::Buffer<real> f_temp_ = on_.lattice();
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/07_soa",
    .traffic = d3q27::traffic,
    .tunables = {d3q27::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::OneKernel, d3q27::Model>,
};
