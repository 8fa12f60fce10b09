// Idea:    vectors: a thread updates the 4 (f64: 2) cells of one access of 16 bytes; neighbours come from the thread beside
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two lattices; sums[step][block] not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth
#include <utility>

#include "variants/d2q9/cuda/block_tunables.hpp"
#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 512;  // of a block: in f64 each needs more than 64 registers

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int ny, int pitch) { return (static_cast<std::size_t>(i) * ny + y) * pitch + x; }

/// Drives the row ny - 2, a thread a cell.
template <class real>
__global__ void accelerate(real* f, Problem<real> c, int pitch) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[at(0, x, y, c.ny, pitch)]) return;
  real s[9];
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, c.ny, pitch)];
  d2q9_accelerate(s, c.w1, c.w2);
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, c.ny, pitch)] = s[i];
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

/// Numbers of neighbouring cells, moved by one access of 16 bytes.
template <class real>
struct alignas(16) Cells {
  static constexpr int width = 16 / sizeof(real);
  real v[width];
};

/// Flags of as many cells.
template <class real>
struct alignas(Cells<real>::width) Flags {
  std::uint8_t v[Cells<real>::width];
};

/// Threads of a warp that are neighbours in a row: `lanes`, of which this is number `lane`; `all` are the warp's.
struct Lanes {
  int lanes = min(static_cast<int>(blockDim.x), 32);
  int lane = static_cast<int>(threadIdx.x) % lanes;
  unsigned all = blockDim.x * blockDim.y < 32 ? (1u << blockDim.x * blockDim.y) - 1 : 0xffffffffu;
};

/// The western neighbours of cells x, x + 1, …: the first is the last cell of the thread before, or is read. That of cell 0 is
/// the last of the row.
template <class real>
__device__ Cells<real> from_west(const real* __restrict__ row, int x, int nx, Lanes warp) {
  constexpr int width = Cells<real>::width;
  const auto own = *reinterpret_cast<const Cells<real>*>(row + x);
  Cells<real> west;
  west.v[0] = __shfl_up_sync(warp.all, own.v[width - 1], 1, warp.lanes);
  if (warp.lane == 0) west.v[0] = row[x > 0 ? x - 1 : nx - 1];
#pragma unroll
  for (int k = 1; k < width; ++k)
    west.v[k] = own.v[k - 1];
  return west;
}

/// The eastern neighbours of cells x, x + 1, …: the last is the first cell of the thread after, or is read. That of the last
/// cell of the row, wherever in the vector it is, is cell 0.
template <class real>
__device__ Cells<real> from_east(const real* __restrict__ row, int x, int nx, Lanes warp) {
  constexpr int width = Cells<real>::width;
  const auto own = *reinterpret_cast<const Cells<real>*>(row + x);
  Cells<real> east;
  east.v[width - 1] = __shfl_down_sync(warp.all, own.v[0], 1, warp.lanes);
  const bool ends = x + width >= nx;
  if (warp.lane == warp.lanes - 1 || ends) {
    const real next = row[ends ? 0 : x + width];
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k == (ends ? nx - 1 - x : width - 1)) east.v[k] = next;
  }
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    if (!(ends && k == nx - 1 - x)) east.v[k] = own.v[k + 1];
  return east;
}

/// Advances f to g; speeds[block] = sum of |u| over the fluid cells of a block. The row `driven` (-1: none) is driven for the
/// step to come. Threads beyond the grid read its first cells, since all threads of a warp shuffle.
template <class real>
__global__ void timestep(const real* __restrict__ f, real* __restrict__ g, real* speeds, int driven, Problem<real> c,
                         int pitch) {
  constexpr int width = Cells<real>::width;
  const int first = width * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = first < c.nx && row < c.ny;
  const int x = inside ? first : 0;
  const int y = inside ? row : 0;
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const auto vector = [&](int i, int from_y) {
    return *reinterpret_cast<const Cells<real>*>(f + at(i, x, from_y, c.ny, pitch));
  };
  const auto west = [&](int i, int from_y) { return from_west(f + at(i, 0, from_y, c.ny, pitch), x, c.nx, Lanes{}); };
  const auto east = [&](int i, int from_y) { return from_east(f + at(i, 0, from_y, c.ny, pitch), x, c.nx, Lanes{}); };
  Cells<real> cells[9] = {vector(0, y),   west(1, y),     vector(2, south), east(3, y),    vector(4, north),
                          west(5, south), east(6, south), east(7, north),   west(8, north)};
  const auto solid = *reinterpret_cast<const Flags<real>*>(c.solid + at(0, x, y, c.ny, pitch));
  real speed = 0;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    const bool fluid = !solid.v[k];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, c.omega);
    speed += fluid && inside ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    for (int i = 0; i < 9; ++i)
      cells[i].v[k] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  }
  if (inside)
    for (int i = 0; i < 9; ++i)
      *reinterpret_cast<Cells<real>*>(g + at(i, x, y, c.ny, pitch)) = cells[i];
  const real sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0) speeds[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

template <class real>
class Fused final : public Solver {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning) : on_(c, block_shape(tuning), padded(c).y) {
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(accelerate<real>, f_.data(), on_.problem(), pitch_);
    for (std::int64_t step = 1; step <= steps; ++step) {
      const int driven = step < steps ? on_.driven_row : -1;
      over_(timestep<real>, f_.data(), g_.data(), speeds_.next(), driven, on_.problem(), pitch_);
      std::swap(f_, g_);
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  /// Rows of whole lines of the GPU's cache.
  static Strides padded(const Case& c) { return padded_rows<real>(c, 128 / sizeof(real)); }

  const DeviceCase<real> on_;
  const Strides strides_ = padded(on_.c);
  const int pitch_ = static_cast<int>(strides_.y);
  const ladder::cuda::Launch over_ = on_.over(covering(on_.grid, {Cells<real>::width, 1}));
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  ladder::cuda::Buffer<real> g_ = on_.lattice(strides_);
  DeferredSums<real> speeds_{on_, over_.blocks};
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
