// Idea:    vectors: a thread updates neighbouring cells, accessing all of them at once; a shuffle shifts them by one cell
// Layout:  structure of arrays with padded rows, f[27][z][y][pitch], two copies of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q27/cuda/vectors.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int most_threads = 384;  // per block: a thread with 16-byte vectors takes 168 registers

/// Streams from f_temp, collides, and writes f, one thread per vector. Populations from the east or west move by one cell
/// within a vector; the value that enters at its end has been read by the neighbouring thread.
template <int width, class real>
__global__ void __launch_bounds__(most_threads) run_lbm(VectorStep<real> step) {
  const Sides box = step.box;
  const int pitch = step.pitch;
  const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned vector = min(own, vectors(box, width) - 1);  // all threads of a warp shuffle
  const auto [x, y, z] = first_cell(vector, box, width);
  const int from_y[3] = {y < box.ny - 1 ? y + 1 : 0, y, y > 0 ? y - 1 : box.ny - 1};
  const int from_z[3] = {z < box.nz - 1 ? z + 1 : 0, z, z > 0 ? z - 1 : box.nz - 1};
  // Index of the cell at x in the row from which populations moving by cy and cz come.
  const auto place = [&, x = x](int cy, int cz) -> unsigned {
    return static_cast<unsigned>(from_z[1 + cz] * box.ny + from_y[1 + cy]) * pitch + x;
  };
  // The first and last threads of a warp or row lack a neighbouring thread and read one extra value.
  const bool first = threadIdx.x % 32 == 0 || x == 0;
  const bool last = threadIdx.x % 32 == 31 || x + width >= box.nx;
  const unsigned west = x > 0 ? -1 : box.nx - 1;              // offset of the western neighbour of the first cell
  const unsigned east = x + width < box.nx ? width : -x;      // offset of the eastern neighbour of the last cell
  const int end = last ? min(width, box.nx - x) - 1 : width;  // the last cell, if its neighbour is read

  Cells<real, width> cells[27];
  real beyond[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    cells[i] = load_cells<width>(step.f_temp.of[i] + place(d3q27_cy[i], d3q27_cz[i]));
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    if (d3q27_cx[i] > 0 && first) beyond[i] = step.f_temp.of[i][place(d3q27_cy[i], d3q27_cz[i]) + west];
    if (d3q27_cx[i] < 0 && last) beyond[i] = step.f_temp.of[i][place(d3q27_cy[i], d3q27_cz[i]) + east];
  }
#pragma unroll
  for (int i = 0; i < 27; ++i) {
    if (d3q27_cx[i] > 0) {
      const real before = __shfl_up_sync(0xffffffffu, cells[i].v[width - 1], 1);
      cells[i] = moved_east(first ? beyond[i] : before, cells[i]);
    }
    if (d3q27_cx[i] < 0) {
      cells[i] = moved_west(cells[i], __shfl_down_sync(0xffffffffu, cells[i].v[0], 1));
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
    d3q27_collide(site, step.omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      cells[i].v[k] = site[i];
  }
  if (own != vector) return;
#pragma unroll
  for (int i = 0; i < 27; ++i)
    store_cells(step.f.of[i] + place(0, 0), cells[i]);
}

template <class real>
class PeriodicBox final : public VectorBox<real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : PeriodicBox::VectorBox(c, tuning) {}

  void advance(std::int64_t steps) override {
    const auto kernel = this->width_ == 1   ? run_lbm<1, real>
                        : this->width_ == 2 ? run_lbm<2, real>
                                            : run_lbm<16 / sizeof(real), real>;
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(kernel, this->step());
      this->swap_lattices();
    }
  }

 private:
  const Launch over_ = over_vectors(this->device_, this->box_, this->width_, this->block_);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/09_shuffle",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads, "vector of cells"), lattice::cuda::width_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
