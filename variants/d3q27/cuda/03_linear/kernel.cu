// Idea:    one-dimensional mapping: cells are numbered consecutively, so blocks and boxes may have any size
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: run_lbm and set_f_temp each read and write 27 values
// Source:  Chintapalli and Goh, notebook entry 2 (section 5), which found blocks of about 720 threads best
// Bound:   memory latency, and the host's wait after each step
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 2 * 27 * real}; }

/// Streams from f_temp, collides, and writes f, one thread per cell. A smaller `most_threads` leaves more registers per thread.
template <int most_threads, class real>
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
      over_(this->block_.x > 512 ? run_lbm<720, real> : run_lbm<512, real>, this->step());
      over_(set_f_temp<real>, {.f = this->g(), .f_temp = this->f(), .box = this->box_});
      this->wait();
    }
  }

 private:
  const Launch over_ = over_cells(this->device_, this->box_, this->block_);
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/02_local",
    .traffic = d3q27::traffic,
    .tunables = {lattice::cuda::threads_tunable(128, 720)},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
