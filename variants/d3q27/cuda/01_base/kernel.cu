// Idea:    the notebook's start: run_lbm streams into f and collides there, set_f_temp copies f back; the host waits
// Layout:  array of structures, f[z][y][x][27], two lattices
// Traffic: run_lbm and set_f_temp each read 27 numbers and write 27
// Source:  Chintapalli and Goh, section 1 and listing 1
// Bound:   latency of the memory, and the host, which waits for each step
#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 2 * 27 * real}; }

constexpr int most_threads = 1024;  // of a block, which has a thread for each cell of a plane

/// Number of cell (x, y, z), each of which may be one beyond either end of its side.
template <class real>
__device__ std::size_t wrapped(int x, int y, int z, const Problem<real>& c) {
  x = x < 0 ? x + c.nx : x < c.nx ? x : x - c.nx;
  y = y < 0 ? y + c.ny : y < c.ny ? y : y - c.ny;
  z = z < 0 ? z + c.nz : z < c.nz ? z : z - c.nz;
  return (static_cast<std::size_t>(z) * c.ny + y) * c.nx + x;
}

/// Streams from f_temp to f and collides there: a block a plane, a thread a cell.
template <class real>
__global__ void __launch_bounds__(most_threads) run_lbm(real* f, const real* f_temp, Problem<real> c) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  real* site = f + 27 * wrapped(x, y, z, c);
  for (int i = 0; i < 27; ++i)
    site[i] = f_temp[27 * wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], c) + i];
  d3q27_collide(site, c.omega);
}

template <class real>
__global__ void set_f_temp(const real* f, real* f_temp, Problem<real> c) {
  const std::size_t cell =
      wrapped(static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y), static_cast<int>(blockIdx.x), c);
  for (int i = 0; i < 27; ++i)
    f_temp[27 * cell + i] = f[27 * cell + i];
}

template <class real>
class TwoKernels final : public Solver {
 public:
  TwoKernels(const Case& c, const ladder::Tuning&) : on_(c, {static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)}) {
    on_.initialize(f_, strides_);
    on_.initialize(f_temp_, strides_);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_planes_(run_lbm<real>, f_.data(), f_temp_.data(), on_.problem());
      over_planes_(set_f_temp<real>, f_.data(), f_temp_.data(), on_.problem());
      on_.device.wait();
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  const ladder::cuda::Launch over_planes_ = on_.in_blocks(static_cast<std::size_t>(on_.c.nz));
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  ladder::cuda::Buffer<real> f_temp_ = on_.lattice();
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "", .traffic = d3q27::traffic, .make = ladder::make_solver<d3q27::TwoKernels, d3q27::Model>};
