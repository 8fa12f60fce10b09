// Idea:    in place with vectors: aligned ones, since threads of a block exchange the numbers that lie between their cells
// Layout:  structure of arrays with padded rows, f[9][y][pitch], one lattice; sums[step][block] not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
#include <vector>

#include "variants/d2q9/cuda/deferred_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

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
  if (x >= c.nx) return;
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

/// Sum of `value` over a warp, for its first thread.
template <class real>
__device__ real warp_sum(real value) {
  for (int half = 16; half > 0; half /= 2)
    value += __shfl_down_sync(0xffffffffu, value, half);
  return value;
}

/// Sum of `value` over the block, for its first thread: warps add up in registers, and the first of them adds up their sums.
template <class real>
__device__ real block_sum(real value) {
  __shared__ real sums[32];
  const int threads = blockDim.x;
  const int thread = threadIdx.x;
  value = warp_sum(value);
  if (threads == 32) return value;
  if (thread % 32 == 0) sums[thread / 32] = value;
  __syncthreads();
  return thread < 32 ? warp_sum(thread < threads / 32 ? sums[thread] : real{0}) : real{0};
}

/// Numbers of `width` neighbouring cells, moved by accesses of 16 bytes, or of as many as they have.
template <class real, int width>
struct alignas(sizeof(real) * width < 16 ? sizeof(real) * width : 16) Cells {
  real v[width];
};

/// Cells moved by one column: the first is `before`, or the last is `after`.
template <class real, int width>
__device__ Cells<real, width> east_of(real before, const Cells<real, width>& cells) {
  Cells<real, width> moved;
  moved.v[0] = before;
#pragma unroll
  for (int k = 1; k < width; ++k)
    moved.v[k] = cells.v[k - 1];
  return moved;
}
template <class real, int width>
__device__ Cells<real, width> west_of(const Cells<real, width>& cells, real after) {
  Cells<real, width> moved;
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    moved.v[k] = cells.v[k + 1];
  moved.v[width - 1] = after;
  return moved;
}

/// Flags of as many cells.
template <int width>
struct alignas(width) Flags {
  std::uint8_t v[width];
};

/// Where the population comes from that moves in by direction i, if it lay in its own place.
__device__ constexpr bool from_west(int i) { return i == 1 || i == 5 || i == 8; }
__device__ constexpr bool from_east(int i) { return i == 3 || i == 6 || i == 7; }

/// The cells x … x + width - 1 of one row that a thread updates, if they are inside the grid.
///
/// In a step that fetches, the western neighbours of the cells of a block lie from one column before them, and end one column
/// early; the eastern ones lie shifted the other way. Threads of a block exchange what lies between them, so each reads and
/// writes the vector of its own columns. What lies between blocks is read and written by the thread whose cell it is read for,
/// number by number.
template <int width>
struct Span {
  int x, nx;
  bool inside, first, last;  ///< the first, the last of the block's threads that are inside

  __device__ Span(int nx_)
      : x(width * (blockIdx.x * blockDim.x + threadIdx.x)),
        nx(nx_),
        inside(x < nx),
        first(threadIdx.x == 0),
        last(inside && (threadIdx.x == blockDim.x - 1 || x + width == nx)) {}
  __device__ int west() const { return x > 0 ? x - 1 : nx - 1; }          ///< of the first cell
  __device__ int east() const { return x + width < nx ? x + width : 0; }  ///< of the last one

  /// The numbers of the own columns, but for the first or last where the thread is the `first` or `last` of the block.
  template <class real>
  __device__ Cells<real, width> load(const real* row, bool but_first, bool but_last) const {
    Cells<real, width> cells{};
    if (!but_first && !but_last && inside) cells = *reinterpret_cast<const Cells<real, width>*>(row + x);
    if (but_first || but_last)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (!(but_first && k == 0) && !(but_last && k == width - 1)) cells.v[k] = row[x + k];
    return cells;
  }
  template <class real>
  __device__ void store(real* row, bool but_first, bool but_last, Cells<real, width> cells) const {
    if (!but_first && !but_last && inside) *reinterpret_cast<Cells<real, width>*>(row + x) = cells;
    if (but_first || but_last)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (!(but_first && k == 0) && !(but_last && k == width - 1)) row[x + k] = cells.v[k];
  }
};

/// Bytes of shared memory that a block exchanges its edges through: of 6 directions, as numbers come and as they go.
template <class real>
constexpr std::size_t edges_size(std::size_t threads) {
  return 2 * 6 * threads * sizeof(real);
}

/// Advances f by one step; speeds[block] = sum of |u| over the fluid cells of a block. The row `driven` (-1: none) is driven
/// for the step to come.
template <bool local, int width, class real>
__global__ void timestep(real* f, real* speeds, int driven, Problem<real> c, int pitch) {
  extern __shared__ double room[];
  const int thread = threadIdx.x;
  // What the thread `beside` this one left for it, coming (0) or going (1) by direction i, which is 1, 3 or 5 … 8.
  const auto edge = [&](int way, int i, int beside) -> real& {
    return reinterpret_cast<real*>(room)[(way * 6 + (i < 5 ? i / 2 : i - 3)) * blockDim.x + thread + beside];
  };
  const int y = blockIdx.y;
  const Span<width> span(c.nx);
  const int south = y > 0 ? y - 1 : c.ny - 1;
  const int north = y < c.ny - 1 ? y + 1 : 0;
  const int from_y[9] = {y, y, south, y, north, south, south, north, north};
  // Row of the places of the populations that move in by direction i; those that leave by turned[i] go there.
  const auto places = [&](int i) { return f + (local ? at(turned[i], 0, y, c.ny, pitch) : at(i, 0, from_y[i], c.ny, pitch)); };

  Cells<real, width> cells[9];
  real beyond[9];  // of the block, in the place of the western or eastern neighbour
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const bool west = !local && from_west(i), east = !local && from_east(i);
    cells[i] = span.load(places(i), east && span.first, west && span.last);
    if (west && span.first) beyond[i] = places(i)[span.west()];
    if (east && span.last) beyond[i] = places(i)[span.east()];
  }
  Flags<width> solid{};
  if (span.inside) solid = *reinterpret_cast<const Flags<width>*>(c.solid + at(0, span.x, y, c.ny, pitch));

  if (!local) {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) edge(0, i, 0) = cells[i].v[width - 1];
      if (from_east(i)) edge(0, i, 0) = cells[i].v[0];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) cells[i] = east_of(span.first ? beyond[i] : edge(0, i, -1), cells[i]);
      if (from_east(i)) cells[i] = west_of(cells[i], span.last || !span.inside ? beyond[i] : edge(0, i, 1));
    }
  }

  real speed = 0;
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real s[9];
    for (int i = 0; i < 9; ++i)
      s[i] = cells[i].v[k];
    const bool fluid = !solid.v[k];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, c.omega);
    speed += fluid && span.inside ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
    const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
    // What leaves by turned[i] takes the place of what came by i.
    for (int i = 0; i < 9; ++i)
      cells[turned[i]].v[k] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
  }

  if (!local) {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) edge(1, i, 0) = cells[i].v[0];
      if (from_east(i)) edge(1, i, 0) = cells[i].v[width - 1];
      if (from_west(i) && span.first) places(i)[span.west()] = cells[i].v[0];
      if (from_east(i) && span.last) places(i)[span.east()] = cells[i].v[width - 1];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      if (from_west(i)) cells[i] = west_of(cells[i], span.last || !span.inside ? real{} : edge(1, i, 1));
      if (from_east(i)) cells[i] = east_of(span.first ? real{} : edge(1, i, -1), cells[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const bool west = !local && from_west(i), east = !local && from_east(i);
    span.store(places(i), east && span.first, west && span.last, cells[i]);
  }
  const real sum = block_sum(speed);
  if (threadIdx.x == 0) speeds[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
}

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning)
      : width_(fitting_width(c, tuning)), on_(c, {static_cast<std::size_t>(tuning.at("wx")), 1}, padded(c).y, 1) {
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) on_.over_row()(local_ ? accelerate<true, real> : accelerate<false, real>, f_.data(), on_.problem(), pitch_);
    for (std::int64_t step = 1; step <= steps; ++step) {
      const int driven = step < steps ? on_.driven_row : -1;
      over_(kernel(), f_.data(), speeds_.next(), driven, on_.problem(), pitch_);
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
  using Step = void (*)(real*, real*, int, Problem<real>, int);
  template <int width>
  Step of_width() const {
    return local_ ? timestep<true, width, real> : timestep<false, width, real>;
  }
  /// The kernel of the step to come.
  Step kernel() const { return width_ == 1 ? of_width<1>() : width_ == 2 ? of_width<2>() : of_width<4>(); }

  static int fitting_width(const Case& c, const ladder::Tuning& tuning) {
    const int width = tuning.at("width") > 0 ? tuning.at("width") : sizeof(real) == 4 ? 4 : 1;
    return c.nx % width == 0 ? width : 1;
  }

  /// Rows of whole lines of the GPU's cache.
  static Strides padded(const Case& c) { return padded_rows<real>(c, 128 / sizeof(real)); }

  const int width_;
  const DeviceCase<real> on_;
  const Strides strides_ = padded(on_.c);
  const int pitch_ = static_cast<int>(strides_.y);
  const ladder::cuda::Launch over_ =
      on_.over(covering(on_.grid, {static_cast<std::size_t>(width_), 1}), edges_size<real>(on_.block.x));
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  bool local_ = false;  // an odd number of steps was made
  DeferredSums<real> speeds_{on_, over_.blocks};
};

/// The length of blocks, each of one row, and the cells of a thread, as tunables.
ladder::Tunable length_tunable() {
  return {.name = "wx", .meaning = "threads of a block, along x", .values = {32, 64, 128, 256}, .initial = 128};
}
ladder::Tunable width_tunable() {
  return {
      .name = "width",
      .meaning = "cells of a row that a thread updates, 1 where rows are no multiple of it; 0: 4 in single precision, else 1",
      .values = {0, 1, 2, 4},
      .initial = 0};
}

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/11_inplace",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::length_tunable(), d2q9::width_tunable()},
    .make = ladder::make_solver<d2q9::InPlace, d2q9::Model>,
};
