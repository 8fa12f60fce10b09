// Idea:    vectors: a thread updates neighbouring cells, read and written by one access; what lies between comes by shuffle
// Layout:  structure of arrays with padded rows, f[27][z][y][pitch], two lattices
// Traffic: every population read once and written once: 27 numbers read, 27 written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; launches of small boxes
#include <algorithm>
#include <utility>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 384;  // of a block: a thread with vectors of 16 bytes takes 168 registers

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

/// Where the directions of a lattice begin, computed on the host: an address is then one multiply-add, of a pointer that the
/// kernel finds among its parameters and a place that several directions share. 32 bits number the places of a direction, since
/// no GPU has room for 27 longer ones.
template <class real>
struct Directions {
  real* of[27];
};

/// Streams from f_temp, collides, and writes f: a thread `width` cells of a row, or those that are left at its end. Threads are
/// numbered through all rows. What comes from the cell to the east or west moves by one within a vector; the number that enters
/// at its end is one that the thread beside has read.
template <int width, class real>
__global__ void __launch_bounds__(most_threads)
    run_lbm(Directions<real> f, Directions<real> f_temp, Problem<real> c, int pitch) {
  const unsigned row_vectors = (c.nx + width - 1) / width;
  const unsigned vectors = row_vectors * c.ny * c.nz;
  const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned vector = min(own, vectors - 1);  // all threads of a warp shuffle
  const unsigned row = vector / row_vectors;
  const int x = width * (vector % row_vectors), y = row % c.ny, z = row / c.ny;
  const int from_y[3] = {y < c.ny - 1 ? y + 1 : 0, y, y > 0 ? y - 1 : c.ny - 1};
  const int from_z[3] = {z < c.nz - 1 ? z + 1 : 0, z, z > 0 ? z - 1 : c.nz - 1};
  // Place of the cell at x in the row from which cells come that move by cy and cz.
  const auto place = [&](int cy, int cz) -> unsigned {
    return static_cast<unsigned>(from_z[1 + cz] * c.ny + from_y[1 + cy]) * pitch + x;
  };
  // The first thread of a warp or row, and the last, have none beside them and read one number more.
  const bool first = threadIdx.x % 32 == 0 || x == 0;
  const bool last = threadIdx.x % 32 == 31 || x + width >= c.nx;
  const unsigned west = x > 0 ? -1 : c.nx - 1;              // to the western neighbour of the first cell
  const unsigned east = x + width < c.nx ? width : -x;      // to the eastern neighbour of the last one
  const int end = last ? min(width, c.nx - x) - 1 : width;  // the last cell, where its neighbour is read

  Cells<width, real> cells[27];
  real beyond[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    cells[i] = *reinterpret_cast<const Cells<width, real>*>(f_temp.of[i] + place(d3q27_cy[i], d3q27_cz[i]));
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    if (d3q27_cx[i] > 0 && first) beyond[i] = f_temp.of[i][place(d3q27_cy[i], d3q27_cz[i]) + west];
    if (d3q27_cx[i] < 0 && last) beyond[i] = f_temp.of[i][place(d3q27_cy[i], d3q27_cz[i]) + east];
  }
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    if (d3q27_cx[i] > 0) {
      const real before = __shfl_up_sync(0xffffffffu, cells[i].v[width - 1], 1);
      cells[i] = east_of(first ? beyond[i] : before, cells[i]);
    }
    if (d3q27_cx[i] < 0) {
      cells[i] = west_of(cells[i], __shfl_down_sync(0xffffffffu, cells[i].v[0], 1));
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (k == end) cells[i].v[k] = beyond[i];
    }
  }
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real site[27];
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = cells[i].v[k];
    d3q27_collide(site, c.omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      cells[i].v[k] = site[i];
  }
  if (own != vector) return;
#pragma unroll
  for (int i = 0; i < 27; ++i)
    *reinterpret_cast<Cells<width, real>*>(f.of[i] + place(0, 0)) = cells[i];
}

template <class real>
class OneKernel final : public Solver {
 public:
  OneKernel(const Case& c, const ladder::Tuning& tuning) : width_(fitting_width(tuning)), on_(c, row_block(tuning)) {
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      std::swap(f_, f_temp_);
      over_(kernel(), directions(f_), directions(f_temp_), on_.problem(), static_cast<int>(strides_.y));
    }
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  using Lattice = ladder::cuda::Buffer<real>;
  using Step = void (*)(Directions<real>, Directions<real>, Problem<real>, int);
  static constexpr int most_cells = 16 / sizeof(real);  // that one access moves

  static int fitting_width(const ladder::Tuning& tuning) {
    const int width = tuning.at("width");
    return width > 0 ? std::min(width, most_cells) : most_cells / 2;
  }
  Step kernel() const { return width_ == 1 ? run_lbm<1, real> : width_ == 2 ? run_lbm<2, real> : run_lbm<most_cells, real>; }

  [[nodiscard]] std::size_t blocks() const {
    const std::size_t vectors = static_cast<std::size_t>((on_.c.nx + width_ - 1) / width_) * on_.c.ny * on_.c.nz;
    return (vectors + on_.block.count() - 1) / on_.block.count();
  }
  Directions<real> directions(Lattice& f) const {
    Directions<real> begin{};
    for (std::size_t i = 0; i < 27; ++i)
      begin.of[i] = f.data() + i * strides_.q;
    return begin;
  }

  const int width_;
  const DeviceCase<real> on_;
  const Strides strides_ = padded_rows<real>(on_.c);
  const ladder::cuda::Launch over_ = on_.in_blocks(blocks());
  Lattice f_ = on_.lattice(strides_);
  Lattice f_temp_ = on_.lattice(strides_);
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
    .follows = "d3q27/cuda/09_shuffle",
    .traffic = d3q27::traffic,
    .tunables = {d3q27::vector_threads_tunable(), d3q27::width_tunable()},
    .make = ladder::make_solver<d3q27::OneKernel, d3q27::Model>,
};
