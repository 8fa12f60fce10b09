// Idea:    in place (AA pattern): each number is read and written by the same thread; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[27][z][y][x], one lattice
// Traffic: every population read once and written once: 27 numbers read, 27 written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launches of small boxes
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

/// Advances f by one step. Populations of an even step lie in their own places, and are fetched from the neighbours; what
/// leaves by direction i goes to the place from which the opposite direction came. Those of an odd step (`local`) lie where
/// they move to, in the place of the opposite direction, and leave their own places to those that come next.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) timestep(real* f, Problem<real> c) {
  const unsigned cell = own_cell();
  const int x = cell % c.nx, y = cell / c.nx % c.ny, z = cell / c.nx / c.ny;
  if (z >= c.nz) return;
  const std::size_t cells = static_cast<std::size_t>(c.nx) * c.ny * c.nz;
  const auto place = [&](int i) -> real& {
    if (local) return f[d3q27_opposite[i] * cells + cell];
    return f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], c)];
  };
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = place(i);
  d3q27_collide(site, c.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    place(d3q27_opposite[i]) = site[i];
}

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : on_(c, row_block(tuning), 1) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(local_ ? timestep<true, real> : timestep<false, real>, f_.data(), on_.problem());
      local_ = !local_;
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override {
    if (!local_) return on_.store(f_, strides_, out);
    copy_moved(on_.c, f_.read(), strides_, true, out);
  }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  const ladder::cuda::Launch over_ = on_.over_cells();
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  bool local_ = false;  // an odd number of steps was made
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/07_soa",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::InPlace, d3q27::Model>,
};
