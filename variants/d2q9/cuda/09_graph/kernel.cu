// Idea:    a CUDA graph: 64 steps are recorded once and launched as one; a number on the GPU says where their sums go
// Layout:  structure of arrays, f[9][y][x], two lattices; sums[step][block] of the steps not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  A. Gray, "Getting Started with CUDA Graphs", NVIDIA technical blog, 2019
// Bound:   memory bandwidth; the start and end of each kernel on small grids
#include <utility>

#include "backends/cuda/graph.hpp"
#include "variants/d2q9/cuda/block_tunables.hpp"
#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 1024;  // of a block

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int nx, int ny) { return (static_cast<std::size_t>(i) * ny + y) * nx + x; }

/// Drives the row ny - 2, a thread a cell.
template <class real>
__global__ void accelerate(real* f, Problem<real> c) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[static_cast<std::size_t>(y) * c.nx + x]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, c.nx, c.ny)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.nx, c.ny)] = s[i];
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

/// Advances f to g; speeds[*first + block] = sum of |u| over the fluid cells of a block. The row `driven` (-1: none) is driven
/// for the step to come.
template <class real>
__global__ void __launch_bounds__(most_threads) timestep(const real* __restrict__ f, real* __restrict__ g, real* speeds,
                                                         const std::size_t* first, int driven, Problem<real> c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  real speed = 0;
  if (x < c.nx && y < c.ny) {
    const int west = x > 0 ? x - 1 : c.nx - 1;
    const int east = x < c.nx - 1 ? x + 1 : 0;
    const int south = y > 0 ? y - 1 : c.ny - 1;
    const int north = y < c.ny - 1 ? y + 1 : 0;
    real s[9];
    s[0] = f[at(0, x, y, c.nx, c.ny)];
    s[1] = f[at(1, west, y, c.nx, c.ny)];
    s[2] = f[at(2, x, south, c.nx, c.ny)];
    s[3] = f[at(3, east, y, c.nx, c.ny)];
    s[4] = f[at(4, x, north, c.nx, c.ny)];
    s[5] = f[at(5, west, south, c.nx, c.ny)];
    s[6] = f[at(6, east, south, c.nx, c.ny)];
    s[7] = f[at(7, east, north, c.nx, c.ny)];
    s[8] = f[at(8, west, north, c.nx, c.ny)];

    const bool fluid = !c.solid[static_cast<std::size_t>(y) * c.nx + x];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, c.omega);
    speed = fluid ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
    for (int i = 0; i < 9; ++i)
      g[at(i, x, y, c.nx, c.ny)] = s[i];
  }
  const real sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    speeds[*first + static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

/// *first = place.
__global__ void point(std::size_t* first, std::size_t place) { *first = place; }

template <class real>
class Fused final : public Solver {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning) : on_(c, block_shape(tuning)) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(accelerate<real>, f_.data(), on_.problem());
    // The graph starts from the lattice that it was recorded with, and drives with each of its steps: the last step is not one.
    while (steps > 0)
      if (steps > graph_steps && f_.data() == home_ && speeds_.room() >= graph_steps) {
        if (speeds_.left() < graph_steps) speeds_.finish();
        ladder::cuda::Launch{on_.device, {1, 1}, {1, 1}}(point, first_.data(), speeds_.first());
        graph_.launch();
        speeds_.record(graph_steps);
        steps -= graph_steps;
      } else {
        launch(f_, g_, speeds_.next(), none_.data(), steps > 1 ? on_.driven_row : -1);
        std::swap(f_, g_);
        speeds_.record();
        --steps;
      }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  static constexpr int graph_steps = 64;  // an even number: the graph ends in the lattice that it started from

  using Lattice = ladder::cuda::Buffer<real>;

  void launch(const Lattice& f, Lattice& g, real* speeds, const std::size_t* first, int driven) {
    on_.over_grid()(timestep<real>, f.data(), g.data(), speeds, first, driven, on_.problem());
  }

  void queue() {
    real* speeds = speeds_.data();
    for (int step = 0; step < graph_steps; ++step, speeds += on_.over_grid().blocks.count())
      launch(step % 2 == 0 ? f_ : g_, step % 2 == 0 ? g_ : f_, speeds, first_.data(), on_.driven_row);
  }

  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  Lattice f_ = on_.lattice(strides_);
  Lattice g_ = on_.lattice(strides_);
  const real* const home_ = f_.data();
  DeferredSums<real> speeds_{on_, on_.over_grid().blocks};
  ladder::cuda::Buffer<std::size_t> first_{on_.device, 1};       // where the graph's sums begin
  const ladder::cuda::Buffer<std::size_t> none_{on_.device, 1};  // 0
  const ladder::cuda::Graph graph_{on_.device, [this] { queue(); }};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::wx_tunable(128), d2q9::wy_tunable(1)},
    .constraints = d2q9::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
