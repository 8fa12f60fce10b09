// Idea:    in place with vectors: each place is read and written by the same thread, 4 cells (f64: 2) at a time
// Layout:  structure of arrays with padded rows, f[9][y][pitch], one lattice; sums[step][block] not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
#include <vector>

#include "variants/d2q9/cuda/block_tunables.hpp"
#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

constexpr int most_threads = 256;  // of a block: two of them share the registers of a multiprocessor

/// Where population i of cell (x, y) lies.
__device__ std::size_t at(int i, int x, int y, int ny, int pitch) { return (static_cast<std::size_t>(i) * ny + y) * pitch + x; }

/// Directions turned round.
__device__ constexpr int turned[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

/// Places of the populations that move into cell (x, y). Populations of an even step lie in their own place, and are fetched
/// from the neighbours; those of an odd step (`local`) lie where they move to, in the place of the opposite direction. What
/// leaves the cell by direction i goes to the place of direction turned[i]: no other thread reads or writes it in this step.
template <bool local>
__device__ void find_places(std::size_t* places, int x, int y, int nx, int ny, int pitch) {
  const int west = x > 0 ? x - 1 : nx - 1;
  const int east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1;
  const int north = y < ny - 1 ? y + 1 : 0;
  const int from_x[9] = {x, west, x, east, x, west, east, east, west};
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    places[i] = local ? at(turned[i], x, y, ny, pitch) : at(i, from_x[i], from_y[i], ny, pitch);
}

/// Drives the row ny - 2, a thread a cell, `local` being that of the step to come.
template <bool local, class real>
__global__ void accelerate(real* f, Problem<real> c, int pitch) {
  const int y = c.ny - 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= c.nx || threadIdx.y > 0) return;
  if (c.solid[at(0, x, y, c.ny, pitch)]) return;
  std::size_t left[9];
  find_places<!local>(left, x, y, c.nx, c.ny, pitch);
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

/// The cells x, x + 1, … of one row that a thread updates, `count` of them (0: none), and its place in the warp: the thread
/// before has the cells before them unless it is `first`, the thread after has the next ones unless it is `last`. All threads
/// of a warp shuffle.
struct Span {
  int x, count, nx;
  bool first, last;
  int lanes;
  unsigned all;  ///< threads of the warp

  __device__ Span(int x_, int width, bool inside, int nx_)
      : x(x_),
        count(inside ? min(width, nx_ - x_) : 0),
        nx(nx_),
        lanes(min(static_cast<int>(blockDim.x), 32)),
        all(blockDim.x * blockDim.y < 32 ? (1u << blockDim.x * blockDim.y) - 1 : 0xffffffffu) {
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    first = lane == 0;
    last = lane == lanes - 1 || x + width >= nx;
  }
  __device__ int west() const { return x > 0 ? x - 1 : nx - 1; }          ///< of the first cell
  __device__ int east() const { return x + count < nx ? x + count : 0; }  ///< of the last one
};

// Between the cells of two warps, each place must be left to the thread whose cell it is read for. So where a span is the first
// or the last of a warp, single numbers are read and written there, and vectors elsewhere.

/// Cells x, x + 1, … of a row.
template <class real>
__device__ Cells<real> load(const real* row, const Span& span) {
  return span.count > 0 ? *reinterpret_cast<const Cells<real>*>(row + span.x) : Cells<real>{};
}
template <class real>
__device__ void store(real* row, const Span& span, const Cells<real>& cells) {
  if (span.count > 0) *reinterpret_cast<Cells<real>*>(row + span.x) = cells;
}

/// Their western neighbours.
template <class real>
__device__ Cells<real> load_west(const real* row, const Span& span) {
  constexpr int width = Cells<real>::width;
  Cells<real> own{};
  if (!span.last) {
    own = load(row, span);
  } else {
#pragma unroll
    for (int k = 0; k < width - 1; ++k)
      if (k < span.count - 1) own.v[k] = row[span.x + k];
  }
  Cells<real> west;
  west.v[0] = __shfl_up_sync(span.all, own.v[width - 1], 1, span.lanes);
  if (span.first && span.count > 0) west.v[0] = row[span.west()];
#pragma unroll
  for (int k = 1; k < width; ++k)
    west.v[k] = own.v[k - 1];
  return west;
}
template <class real>
__device__ void store_west(real* row, const Span& span, const Cells<real>& west) {
  constexpr int width = Cells<real>::width;
  Cells<real> own;
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    own.v[k] = west.v[k + 1];
  own.v[width - 1] = __shfl_down_sync(span.all, west.v[0], 1, span.lanes);
  if (span.first && span.count > 0) row[span.west()] = west.v[0];
  if (!span.last) return store(row, span, own);
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    if (k < span.count - 1) row[span.x + k] = own.v[k];
}

/// Their eastern neighbours.
template <class real>
__device__ Cells<real> load_east(const real* row, const Span& span) {
  constexpr int width = Cells<real>::width;
  Cells<real> own{};
  if (!span.first) {
    own = load(row, span);
  } else {
#pragma unroll
    for (int k = 1; k < width; ++k)
      if (k < span.count) own.v[k] = row[span.x + k];
  }
  Cells<real> east;
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    east.v[k] = own.v[k + 1];
  east.v[width - 1] = __shfl_down_sync(span.all, own.v[0], 1, span.lanes);
  if (span.last && span.count > 0) {
    const real next = row[span.east()];
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k == span.count - 1) east.v[k] = next;
  }
  return east;
}
template <class real>
__device__ void store_east(real* row, const Span& span, const Cells<real>& east) {
  constexpr int width = Cells<real>::width;
  Cells<real> own;
  own.v[0] = __shfl_up_sync(span.all, east.v[width - 1], 1, span.lanes);
#pragma unroll
  for (int k = 1; k < width; ++k)
    own.v[k] = east.v[k - 1];
  if (span.last && span.count > 0) {
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (k == span.count - 1) row[span.east()] = east.v[k];
  }
  if (!span.first) return store(row, span, own);
#pragma unroll
  for (int k = 1; k < width; ++k)
    if (k < span.count) row[span.x + k] = own.v[k];
}

/// Advances f by one step; speeds[block] = sum of |u| over the fluid cells of a block. The row `driven` (-1: none) is driven
/// for the step to come.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads, 2) timestep(real* f, real* speeds, int driven, Problem<real> c, int pitch) {
  constexpr int width = Cells<real>::width;
  const int x = width * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int y = min(row, c.ny - 1);
  const Span span(x, width, x < c.nx && row < c.ny, c.nx);
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  // Row of the places of the populations that move in by direction i; those that leave by turned[i] go there.
  const auto places = [&](int i) { return f + (local ? at(turned[i], 0, y, c.ny, pitch) : at(i, 0, from_y[i], c.ny, pitch)); };

  Cells<real> cells[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const bool from_west = !local && (i == 1 || i == 5 || i == 8);
    const bool from_east = !local && (i == 3 || i == 6 || i == 7);
    cells[i] = from_west ? load_west(places(i), span) : from_east ? load_east(places(i), span) : load(places(i), span);
  }
  Flags<real> solid{};
  if (span.count > 0) solid = *reinterpret_cast<const Flags<real>*>(c.solid + at(0, x, y, c.ny, pitch));

  real speed = 0;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    const bool fluid = !solid.v[k];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, c.omega);
    speed += fluid && k < span.count ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    for (int i = 0; i < 9; ++i)
      cells[i].v[k] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  }
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const bool to_west = !local && (i == 1 || i == 5 || i == 8);
    const bool to_east = !local && (i == 3 || i == 6 || i == 7);
    const Cells<real>& leaving = cells[turned[i]];
    if (to_west)
      store_west(places(i), span, leaving);
    else if (to_east)
      store_east(places(i), span, leaving);
    else
      store(places(i), span, leaving);
  }
  const real sum = block_sum(speed);
  if (threadIdx.x == 0 && threadIdx.y == 0) speeds[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : on_(c, block_shape(tuning), padded(c).y, 1) {
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(local_ ? accelerate<true, real> : accelerate<false, real>, f_.data(), on_.problem(), pitch_);
    for (std::int64_t step = 1; step <= steps; ++step) {
      const int driven = step < steps ? on_.driven_row : -1;
      over_(local_ ? timestep<true, real> : timestep<false, real>, f_.data(), speeds_.next(), driven, on_.problem(), pitch_);
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
  /// Rows of whole lines of the GPU's cache.
  static Strides padded(const Case& c) { return padded_rows<real>(c, 128 / sizeof(real)); }

  const DeviceCase<real> on_;
  const Strides strides_ = padded(on_.c);
  const int pitch_ = static_cast<int>(strides_.y);
  const ladder::cuda::Launch over_ = on_.over(covering(on_.grid, {Cells<real>::width, 1}));
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  bool local_ = false;  // an odd number of steps was made
  DeferredSums<real> speeds_{on_, over_.blocks};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/11_inplace",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::wx_tunable(128), d2q9::wy_tunable(1)},
    .constraints = d2q9::block_constraints(d2q9::most_threads),
    .make = ladder::make_solver<d2q9::InPlace, d2q9::Model>,
};
