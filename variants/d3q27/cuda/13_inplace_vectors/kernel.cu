// Idea:    in place with vectors: aligned ones, since threads of a block exchange the numbers that lie between their cells
// Layout:  structure of arrays with padded rows, f[27][z][y][pitch], one lattice
// Traffic: every population read once and written once: 27 numbers read, 27 written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth; launches of small boxes
#include <algorithm>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 256;  // of a block: in f32 a thread of 4 cells would spill with the registers that 384 leave it

/// Numbers of `width` neighbouring cells, moved by one access.
template <int width, class real>
struct alignas(width * sizeof(real)) Cells {
  real v[width];
};

/// Cells moved by one column: the first is `before`, or the last is `after`.
template <int width, class real>
__device__ Cells<width, real> east_of(real before, const Cells<width, real>& cells) {
  Cells<width, real> moved;
  moved.v[0] = before;
#pragma unroll
  for (int k = 1; k < width; ++k)
    moved.v[k] = cells.v[k - 1];
  return moved;
}
template <int width, class real>
__device__ Cells<width, real> west_of(const Cells<width, real>& cells, real after) {
  Cells<width, real> moved;
#pragma unroll
  for (int k = 0; k < width - 1; ++k)
    moved.v[k] = cells.v[k + 1];
  moved.v[width - 1] = after;
  return moved;
}

/// Where the directions of the lattice begin, computed on the host: an address is then one multiply-add, of a pointer that the
/// kernel finds among its parameters and a place that several directions share. 32 bits number the places of a direction, since
/// no GPU has room for 27 longer ones.
template <class real>
struct Directions {
  real* of[27];
};

/// Numbers that a thread lends to those beside it, of the 18 directions that move along x, and one of no use: an odd number of
/// them lets the threads of a warp reach different banks of shared memory.
constexpr int lent_numbers = 19;

/// Advances f by one step, a thread `width` cells of a row, or those that are left at its end. Threads are numbered through all
/// rows. Populations of an even step lie in their own places, and are fetched from the neighbours; what leaves by direction i
/// goes to the place from which the opposite direction came. Those of an odd step (`local`) lie where they move to, in the
/// place of the opposite direction, and leave their own places to those that come next.
///
/// In a step that fetches, the western neighbours of a thread's cells lie from one column before them, and end one column
/// early; the eastern ones lie shifted the other way. Each thread reads and writes the vectors of its own columns, and lends
/// the number at their end to the thread beside, whose cell it is. Where that thread is of another block, or at the other end
/// of the row, it reads and writes the number itself: no number is touched by two blocks.
template <bool local, int width, class real>
__global__ void __launch_bounds__(most_threads) timestep(Directions<real> f, Problem<real> c, int pitch) {
  extern __shared__ double room[];
  // What this thread, or the one `beside` it, lends of direction i, which is 1, 2, 7 … 14 or 19 … 26, and gets back.
  const auto lent = [&](int i, int beside) -> real& {
    const int kept = i < 7 ? i - 1 : i < 15 ? i - 5 : i - 9;
    return reinterpret_cast<real*>(room)[(static_cast<int>(threadIdx.x) + beside) * lent_numbers + kept];
  };
  const unsigned row_vectors = (c.nx + width - 1) / width;
  const unsigned vector = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = vector / row_vectors;
  const int x = width * (vector % row_vectors), y = row % c.ny, z = row / c.ny;
  const bool inside = z < c.nz;  // all threads of a block wait for each other
  const int from_y[3] = {y < c.ny - 1 ? y + 1 : 0, y, y > 0 ? y - 1 : c.ny - 1};
  const int from_z[3] = {z < c.nz - 1 ? z + 1 : 0, z, z > 0 ? z - 1 : c.nz - 1};
  // Column x of the row that population i of this thread's cells comes from, and what leaves by the opposite direction goes to.
  const auto place = [&](int i) -> real* {
    const int from_row = local ? from_z[1] * c.ny + from_y[1] : from_z[1 + d3q27_cz[i]] * c.ny + from_y[1 + d3q27_cy[i]];
    return f.of[local ? d3q27_opposite[i] : i] + (static_cast<unsigned>(from_row) * pitch + x);
  };
  const bool first = threadIdx.x == 0 || x == 0;
  const bool last = threadIdx.x == blockDim.x - 1 || x + width >= c.nx;
  const int west = x > 0 ? -1 : c.nx - 1;          // to the western neighbour of the first cell
  const int east = x + width < c.nx ? width : -x;  // to the eastern neighbour of the last one
  const int end = min(width, c.nx - x) - 1;        // the last cell
  const auto from_west = [](int i) { return !local && d3q27_cx[i] > 0; };
  const auto from_east = [](int i) { return !local && d3q27_cx[i] < 0; };
  // Whether all numbers of the vector belong to cells of this block, and none to the other end of the row.
  const auto whole = [&](int i) { return inside && !(from_west(i) && last) && !(from_east(i) && first); };

  Cells<width, real> cells[27];
  real beyond[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (whole(i)) cells[i] = *reinterpret_cast<const Cells<width, real>*>(place(i));
  if (!local && inside && first) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) beyond[i] = place(i)[west];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_east(i)) cells[i].v[k] = place(i)[k];
    }
  }
  if (!local && inside && last) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_east(i)) beyond[i] = place(i)[east];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_west(i) && k <= end) cells[i].v[k - 1] = place(i)[k - 1];
    }
  }

  if (!local) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) lent(i, 0) = cells[i].v[width - 1];
      if (from_east(i)) lent(i, 0) = cells[i].v[0];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) cells[i] = east_of(first ? beyond[i] : lent(i, -1), cells[i]);
      if (from_east(i)) {
        cells[i] = west_of(cells[i], last ? beyond[i] : lent(i, 1));
#pragma unroll
        for (int k = 0; k < width - 1; ++k)
          if (last && k == end) cells[i].v[k] = beyond[i];
      }
    }
  }

#pragma unroll
  for (int k = 0; k < width; ++k) {
    real site[27];
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = cells[i].v[k];
    d3q27_collide(site, c.omega);
    // What leaves by the opposite of i takes the place of what came by i.
#pragma unroll
    for (int i = 0; i < 27; ++i)
      cells[d3q27_opposite[i]].v[k] = site[i];
  }

  if (!local && inside && first) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) place(i)[west] = cells[i].v[0];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_east(i)) place(i)[k] = cells[i].v[k - 1];
    }
  }
  if (!local && inside && last) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      real of_end = cells[i].v[0];
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (k == end) of_end = cells[i].v[k];
      if (from_east(i)) place(i)[east] = of_end;
#pragma unroll
      for (int k = 1; k < width; ++k)
        if (from_west(i) && k <= end) place(i)[k - 1] = cells[i].v[k];
    }
  }
  if (!local) {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i) && !first) lent(i, -1) = cells[i].v[0];
      if (from_east(i) && !last) lent(i, 1) = cells[i].v[width - 1];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      if (from_west(i)) cells[i] = west_of(cells[i], lent(i, 0));
      if (from_east(i)) cells[i] = east_of(lent(i, 0), cells[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 27; ++i)
    if (whole(i)) *reinterpret_cast<Cells<width, real>*>(place(i)) = cells[i];
}

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : width_(fitting_width(tuning)), on_(c, row_block(tuning), 1) {
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(kernel(), directions_, on_.problem(), static_cast<int>(strides_.y));
      local_ = !local_;
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override {
    if (!local_) return on_.store(f_, strides_, out);
    copy_moved(on_.c, f_.read(), strides_, true, out);
  }

 private:
  using Step = void (*)(Directions<real>, Problem<real>, int);
  static constexpr int most_cells = 16 / sizeof(real);  // that one access moves

  static int fitting_width(const ladder::Tuning& tuning) {
    const int width = tuning.at("width");
    return width > 0 ? std::min(width, most_cells) : most_cells / 2;
  }
  template <int width>
  Step of_width() const {
    return local_ ? timestep<true, width, real> : timestep<false, width, real>;
  }
  /// The kernel of the step to come.
  Step kernel() const { return width_ == 1 ? of_width<1>() : width_ == 2 ? of_width<2>() : of_width<most_cells>(); }

  [[nodiscard]] std::size_t blocks() const {
    const std::size_t vectors = static_cast<std::size_t>((on_.c.nx + width_ - 1) / width_) * on_.c.ny * on_.c.nz;
    return (vectors + on_.block.count() - 1) / on_.block.count();
  }
  Directions<real> directions() {
    Directions<real> begin{};
    for (std::size_t i = 0; i < 27; ++i)
      begin.of[i] = f_.data() + i * strides_.q;
    return begin;
  }

  const int width_;
  const DeviceCase<real> on_;
  const Strides strides_ = padded_rows<real>(on_.c);
  const ladder::cuda::Launch over_ = on_.in_blocks(blocks(), lent_numbers* on_.block.count() * sizeof(real));
  ladder::cuda::Buffer<real> f_ = on_.lattice(strides_);
  const Directions<real> directions_ = directions();
  bool local_ = false;  // an odd number of steps was made
};

ladder::Tunable vector_threads_tunable() {
  ladder::Tunable threads = threads_tunable(128, most_threads);
  threads.meaning = "threads of a block, each a vector of cells";
  return threads;
}

/// Two numbers of single precision or one of double: 54 registers hold the populations, and many threads are at work at once.
ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "cells of a row that a thread updates, at most 16 bytes of each direction; 0: 8 bytes",
          .values = {0, 1, 2, 4},
          .initial = 0};
}

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/10_inplace",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::vector_threads_tunable(), d3q27::width_tunable()},
    .make = ladder::make_solver<d3q27::InPlace, d3q27::Model>,
};
