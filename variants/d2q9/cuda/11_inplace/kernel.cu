// Idea:    in place (AA pattern): each place is read and written by the same thread; even steps fetch, odd ones are local
// Layout:  structure of arrays, f[9][y][x], one lattice; sums[step][block] of the steps not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
#include <vector>

#include "variants/d2q9/cuda/block_tunables.hpp"
#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // of a block: in f64 each needs more than 64 registers

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int nx, int ny) { return (static_cast<std::size_t>(i) * ny + y) * nx + x; }

/// Directions turned round.
__device__ constexpr int turned[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

/// Places of the populations that move into cell (x, y). Populations of an even step lie in their own place, and are fetched
/// from the neighbours; those of an odd step (`local`) lie where they move to, in the place of the opposite direction. What
/// leaves the cell by direction i goes to the place of direction turned[i]: no other thread reads or writes it in this step.
template <bool local>
__device__ void find_places(std::size_t* places, int x, int y, int nx, int ny) {
  const int west = x > 0 ? x - 1 : nx - 1;
  const int east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1;
  const int north = y < ny - 1 ? y + 1 : 0;
  const int from_x[9] = {x, west, x, east, x, west, east, east, west};
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    places[i] = local ? at(turned[i], x, y, nx, ny) : at(i, from_x[i], from_y[i], nx, ny);
}

/// Drives the row ny - 2, a thread a cell, `local` being that of the step to come.
template <bool local, class real>
__global__ void accelerate(real* f, Problem<real> c) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  std::size_t left[9];
  find_places<!local>(left, x, y, c.nx, c.ny);
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[left[turned[i]]];
  d2q9_accelerate(s, c.w1, c.w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[left[turned[i]]] = s[i];
}

/// Sum of `value` over a warp of `lanes` threads, a power of two, for its first thread.
template <class real>
__device__ real warp_sum(real value, int lanes = 32) {
  const unsigned all = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
  for (int half = lanes / 2; half > 0; half /= 2)
    value += __shfl_down_sync(all, value, half, lanes);
  return value;
}

/// Sum of `value` over the block, for its first thread: warps add up in registers, and the first of them adds up their sums.
template <class real>
__device__ real block_sum(real value) {
  __shared__ real sums[32];
  const int threads = blockDim.x * blockDim.y;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  value = warp_sum(value, min(threads, 32));
  if (threads <= 32) return value;
  if (thread % 32 == 0) sums[thread / 32] = value;
  __syncthreads();
  return thread < 32 ? warp_sum(thread < threads / 32 ? sums[thread] : real{0}) : real{0};
}

/// Advances f by one step; speeds[block] = sum of |u| over the fluid cells of a block. The row `driven` (-1: none) is driven
/// for the step to come.
template <bool local, class real>
__global__ void timestep(real* f, real* speeds, int driven, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  real speed = 0;
  if (x < c.nx && y < c.ny) {
    std::size_t places[9];
    find_places<local>(places, x, y, c.nx, c.ny);
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = f[places[i]];

    const bool fluid = !c.solid[static_cast<std::size_t>(y) * c.nx + x];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, c.omega);
    speed = fluid ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      f[places[turned[i]]] = s[i];
  }
  const real sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0) speeds[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : on_(c, block_shape(tuning), 0, 1) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(local_ ? accelerate<true, real> : accelerate<false, real>, f_.data(), on_.problem());
    for (std::int64_t step = 1; step <= steps; ++step) {
      const int driven = step < steps ? on_.driven_row : -1;
      on_.over_grid()(local_ ? timestep<true, real> : timestep<false, real>, f_.data(), speeds_.next(), driven, on_.problem());
      local_ = !local_;
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override {
    if (!local_) return on_.store(f_, strides_, out);
    const auto numbers = f_.read();
    const int nx = on_.c.nx, ny = on_.c.ny;
    for (std::size_t i = 0; i < 9; ++i)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          out.at(static_cast<int>(i), std::int64_t{y} * nx + x) =
              numbers[strides_.at(opposite[i], (x + cx[i] + nx) % nx, (y + cy[i] + ny) % ny)];
  }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  bool local_ = false;  // an odd number of steps was made
  DeferredSums<real> speeds_{on_, on_.over_grid().blocks};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::wx_tunable(128), d2q9::wy_tunable(1)},
    .constraints = d2q9::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::InPlace, d2q9::Model>,
};
