// Idea:    half precision: populations are stored so, shifted by their weights and scaled; computed in single precision
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, one byte of flags per cell
// Traffic: flags of every cell; 19 values of each fluid cell read and written, and the returned populations written
// Source:  M. Lehmann et al., Phys. Rev. E 106 (2022) 015308, FP16S
// Bound:   memory bandwidth; launch overhead for small boxes
#include "variants/d3q19/cuda/vectors.hpp"

namespace d3q19 {
namespace {

/// Streams from f_temp, collides, and writes f, one thread per vector. Populations from the east or west move by one cell
/// within a vector; the neighbouring thread has read the value that enters at its end, unless its own vector has no fluid.
template <int width, class real>
__global__ void __launch_bounds__(vector_bound<width, real>) update(Step<real> step) {
  using Storage = lattice::Storage<real>;
  using Compute = typename Storage::Compute;
  const auto [x, y, z] = first_cell(blockIdx.x * blockDim.x + threadIdx.x, step.box, width);
  const auto flags =
      z < step.box.nz ? Flags<width>::of(step.flags.data + step.cell(x, y, z)) : Flags<width>::same(D3Q19_INSIDE);
  const bool empty = flags.empty();
  const unsigned awake = __ballot_sync(0xffffffffu, !empty);
  if (empty) return;
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
    Compute site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = Storage::load(cells[i].get(k));
    d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].set(k, Storage::store(site[i]));
  }

  const unsigned cell = rows(0);
  if (flags.full()) {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      cells[i].store(step.f.of[i] + cell);
    if (flags.plain()) return;
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (flags.has(k, D3Q19_FLUID)) step.f.of[i][cell + k] = cells[i].get(k);
  }
#pragma unroll 1
  for (int k = 0; k < width; ++k) {
    if (!flags.has(k, D3Q19_NEAR)) continue;
    Compute site[19];  // just written: indexing with k would move `cells` from registers to memory
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = Storage::load(step.f.of[i][cell + k]);
    for_each_returned(Neighbours(step, x + k, y, z), site, step.speed, [&, x = x, y = y, z = z](int i, Compute returned) {
      step.f.of[d3q19_opposite[i]][step.to(i, x + k, y, z)] = Storage::store(returned);
    });
  }
}

template <class real>
class Tunnel final : public ObstacleSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::ObstacleSolver(c, row_block(tuning), padded_rows<real>(c)), width_(tuning.at("width")) {}

  void advance(std::int64_t steps) override {
    const auto kernel = width_ == 2 ? update<2, real> : width_ == 4 ? update<4, real> : update<8, real>;
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
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::fused_traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_vector_threads, "vector of cells"),
                 {.name = "width", .meaning = "cells of a row per thread", .values = {2, 4, 8}, .initial = 4}},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model, ladder::Stored<ladder::Half>>,
};
