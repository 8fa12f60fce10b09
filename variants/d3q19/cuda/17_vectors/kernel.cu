// Idea:    vectors: a thread updates neighbouring cells, accessing all of them at once; a shuffle shifts them by one cell
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, one byte of flags per cell
// Traffic: flags of every cell; 19 values of each fluid cell read and written, and the returned populations written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q19/cuda/vectors.hpp"

namespace d3q19 {
namespace {

/// Streams from f_temp, collides, and writes f, one thread per vector. Populations from the east or west move by one cell
/// within a vector; the neighbouring thread has read the value that enters at its end, unless its own vector has no fluid.
template <int width, class real>
__global__ void __launch_bounds__(vector_bound<width, real>) update(Step<real> step) {
  const auto [x, y, z] = first_cell(blockIdx.x * blockDim.x + threadIdx.x, step.box, width);
  unsigned fluid = 0, near = 0;  // bit k refers to cell k
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const unsigned flag = z < step.box.nz ? step.flags[step.cell(x, y, z) + k] : D3Q19_INSIDE;
    fluid |= ((flag & D3Q19_FLUID) != 0 ? 1u : 0u) << k;
    near |= ((flag & D3Q19_NEAR) != 0 ? 1u : 0u) << k;
  }
  const unsigned awake = __ballot_sync(0xffffffffu, fluid != 0);
  if (fluid == 0) return;
  const OwnRows rows(step, {x, y, z}, width);
  const auto [first, last] = ends_of(awake, x == 0, x + width >= step.box.nx);

  RowCells<real, width> cells[19];
  real beyond[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    cells[i] = cells[i].of(step.f_temp.of[i] + rows(i));
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    if (d3q19_cx[i] > 0 && first) beyond[i] = step.f_temp.of[i][rows(i) + rows.west];
    if (d3q19_cx[i] < 0 && last) beyond[i] = step.f_temp.of[i][rows(i) + rows.east];
  }
#pragma unroll
  for (int i = 0; i < 19; ++i) {
    if (d3q19_cx[i] > 0) cells[i] = cells[i].moved_east(awake, first, beyond[i]);
    if (d3q19_cx[i] < 0) cells[i] = cells[i].moved_west(awake, last ? rows.last_cell() : width, beyond[i]);
  }
#pragma unroll
  for (int k = 0; k < width; ++k) {
    real site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = cells[i].get(k);
    d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].set(k, site[i]);
  }

  const unsigned cell = rows(0);
  if (fluid == (1u << width) - 1) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].store(step.f.of[i] + cell);
    if (near == 0) return;
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if ((fluid >> k & 1) != 0) step.f.of[i][cell + k] = cells[i].get(k);
  }
#pragma unroll 1
  for (int k = 0; k < width; ++k) {
    if ((near >> k & 1) == 0) continue;
    real site[19];  // just written: indexing with k would move `cells` from registers to memory
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = step.f.of[i][cell + k];
    for_each_returned(Neighbours(step, x + k, y, z), site, step.speed, [&, x = x, y = y, z = z](int i, real returned) {
      step.f.of[d3q19_opposite[i]][step.to(i, x + k, y, z)] = returned;
    });
  }
}

template <class real>
class Tunnel final : public ObstacleSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::ObstacleSolver(c, row_block(tuning), padded_rows<real>(c)), width_(lattice::cuda::vector_width<real>(tuning)) {}

  void advance(std::int64_t steps) override {
    const auto kernel = width_ == 1 ? update<1, real> : width_ == 2 ? update<2, real> : update<16 / sizeof(real), real>;
    for (std::int64_t n = 0; n < steps; ++n) {
      over_(kernel, this->step());
      this->swap_lattices();
    }
  }

 private:
  const int width_;
  const Launch over_ = over_vectors(this->device_, this->box_, width_, this->block_);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/04_fused",
    .traffic = d3q19::fused_traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_vector_threads, "vector of cells"), d3q19::quad_tunable()},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
