// Idea:    push and pull in turn: one step fetches and sends on, the next works in place of each cell; nothing is copied
// Layout:  array of structures, f[z][y][x][27], two lattices
// Traffic: every population read once and written once: 27 numbers read, 27 written
// Source:  Chintapalli and Goh, notebook entry 4 (section 7), after Mawson and Revell, Comput. Phys. Commun. 185 (2014) 2566
// Bound:   memory bandwidth, of which scattered accesses use a part; launches of small boxes
#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // of a block: in f64 a thread takes more than 128 registers

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

/// Pulls from f, where populations lie in the cells that they left, collides, and pushes to g: there they lie in the cells that
/// they move to. No number of g is written twice, and none of f is written.
template <class real>
__global__ void __launch_bounds__(most_threads) pull_push(const real* __restrict__ f, real* __restrict__ g, Problem<real> c) {
  const unsigned cell = own_cell();
  const int x = cell % c.nx, y = cell / c.nx % c.ny, z = cell / c.nx / c.ny;
  if (z >= c.nz) return;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = f[27 * wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], c) + i];
  d3q27_collide(site, c.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    g[27 * wrapped(x + d3q27_cx[i], y + d3q27_cy[i], z + d3q27_cz[i], c) + i] = site[i];
}

/// Collides what has come to each cell of g, and leaves it to be pulled from f.
template <class real>
__global__ void __launch_bounds__(most_threads) collide(const real* __restrict__ g, real* __restrict__ f, Problem<real> c) {
  const std::size_t cell = own_cell();
  if (cell >= static_cast<std::size_t>(c.nx) * c.ny * c.nz) return;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = g[27 * cell + i];
  d3q27_collide(site, c.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[27 * cell + i] = site[i];
}

template <class real>
class PushPull final : public Solver {
 public:
  PushPull(const Case& c, const ladder::Tuning& tuning) : on_(c, row_block(tuning)) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (pushed_)
        over_(collide<real>, g_.data(), f_.data(), on_.problem());
      else
        over_(pull_push<real>, f_.data(), g_.data(), on_.problem());
      pushed_ = !pushed_;
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override {
    if (!pushed_) return on_.store(f_, strides_, out);
    copy_moved(on_.c, g_.read(), strides_, false, out);
  }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  const ladder::cuda::Launch over_ = on_.over_cells();
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  ladder::cuda::Buffer<real> g_ = on_.lattice();
  bool pushed_ = false;  // an odd number of steps was made: the state is in g
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/05_swap",
    .traffic = d3q27::traffic,
    .tunables = {d3q27::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PushPull, d3q27::Model>,
};
