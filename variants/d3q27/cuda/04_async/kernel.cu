// Idea:    no waiting: the host queues all steps up front
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: run_lbm and set_f_temp each read and write 27 values
// Source:  Chintapalli and Goh, notebook entry 3 (section 6)
// Bound:   memory bandwidth, used only partly by scattered accesses; launch overhead for small boxes
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 2 * 27 * real}; }

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) run_lbm(Step<real> step) {
  real* const f = step.f;
  const real* const f_temp = step.f_temp;
  const Sides box = step.box;
  const auto [cell, x, y, z] = own_cell(box);
  if (z >= box.nz) return;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = f_temp[27 * wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box) + i];
  d3q27_collide(site, step.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[std::size_t{27} * cell + i] = site[i];
}

template <class real>
struct Copy {
  const real* f;
  real* f_temp;
  Sides box;
};
template <class real>
__global__ void set_f_temp(Copy<real> copy) {
  const std::size_t cell = own_cell(copy.box).number;
  if (cell >= copy.box.cells()) return;
  for (int i = 0; i < 27; ++i)
    copy.f_temp[27 * cell + i] = copy.f[27 * cell + i];
}

template <class real>
class PeriodicBox final : public BoxSolver<Model, real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::BoxSolver(c, row_block(tuning), array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(run_lbm<real>, this->step());
      over_(set_f_temp<real>, {.f = this->g(), .f_temp = this->f(), .box = this->box_});
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/03_linear",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, d3q27::most_threads)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
