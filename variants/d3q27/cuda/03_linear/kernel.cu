// Idea:    one-dimensional mapping: cells numbered through, blocks of any size, boxes of any size
// Layout:  array of structures, f[z][y][x][27], two lattices
// Traffic: run_lbm and set_f_temp each read 27 numbers and write 27
// Source:  Chintapalli and Goh, notebook entry 2 (section 5), which found blocks of about 720 threads best
// Bound:   latency of the memory, and the host, which waits for each step
#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 2 * 27 * real}; }

/// Number of cell (x, y, z), each of which may be one beyond either end of its side.
template <class real>
__device__ std::size_t wrapped(int x, int y, int z, const Problem<real>& c) {
  x = x < 0 ? x + c.nx : x < c.nx ? x : x - c.nx;
  y = y < 0 ? y + c.ny : y < c.ny ? y : y - c.ny;
  z = z < 0 ? z + c.nz : z < c.nz ? z : z - c.nz;
  return (static_cast<std::size_t>(z) * c.ny + y) * c.nx + x;
}

/// Number of this thread's cell; not less than the box has where there is none.
__device__ unsigned own_cell() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Streams from f_temp, collides, and writes f: a thread a cell. Blocks of `most_threads` leave a thread so many registers.
template <int most_threads, class real>
__global__ void __launch_bounds__(most_threads) run_lbm(real* f, const real* f_temp, Problem<real> c) {
  const unsigned cell = own_cell();
  const int x = cell % c.nx, y = cell / c.nx % c.ny, z = cell / c.nx / c.ny;
  if (z >= c.nz) return;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = f_temp[27 * wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], c) + i];
  d3q27_collide(site, c.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[std::size_t{27} * cell + i] = site[i];
}

template <class real>
__global__ void set_f_temp(const real* f, real* f_temp, Problem<real> c) {
  const std::size_t cell = own_cell();
  if (cell >= static_cast<std::size_t>(c.nx) * c.ny * c.nz) return;
  for (int i = 0; i < 27; ++i)
    f_temp[27 * cell + i] = f[27 * cell + i];
}

template <class real>
class TwoKernels final : public Solver {
 public:
  TwoKernels(const Case& c, const ladder::Tuning& tuning) : on_(c, row_block(tuning)) {
    on_.initialize(f_, strides_);
    on_.initialize(f_temp_, strides_);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(on_.block.x > 512 ? run_lbm<720, real> : run_lbm<512, real>, f_.data(), f_temp_.data(), on_.problem());
      over_(set_f_temp<real>, f_.data(), f_temp_.data(), on_.problem());
      on_.device.wait();
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  const ladder::cuda::Launch over_ = on_.over_cells();
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  ladder::cuda::Buffer<real> f_temp_ = on_.lattice();
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/02_local",
    .traffic = d3q27::traffic,
    .tunables = {d3q27::threads_tunable(128, 720)},
    .make = ladder::make_solver<d3q27::TwoKernels, d3q27::Model>,
};
