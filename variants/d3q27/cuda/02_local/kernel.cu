// Idea:    local temporaries: a cell's populations stay in registers between streaming and collision
// Layout:  array of structures, f[z][y][x][27], two copies of the lattice
// Traffic: run_lbm and set_f_temp each read and write 27 values
// Source:  Chintapalli and Goh, notebook entry 1 (section 4)
// Bound:   memory latency, and the host's wait after each step
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {2 * 27 * real, 2 * 27 * real}; }

constexpr int most_threads = 1024;  // per block, one for each cell of a plane

/// Streams from f_temp, collides, and writes f, one block per plane and one thread per cell.
template <class real>
__global__ void __launch_bounds__(most_threads) run_lbm(Step<real> step) {
  real* const f = step.f;
  const real* const f_temp = step.f_temp;
  const Sides box = step.box;
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  real site[27];
#pragma unroll
  for (int i = 0; i < 27; ++i)
    site[i] = f_temp[27 * wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box) + i];
  d3q27_collide(site, step.omega);
  const std::size_t cell = wrapped(x, y, z, box);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[27 * cell + i] = site[i];
}

template <class real>
struct Copy {
  const real* f;
  real* f_temp;
  Sides box;
};
template <class real>
__global__ void set_f_temp(Copy<real> copy) {
  const std::size_t cell = (std::size_t{blockIdx.x} * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  for (int i = 0; i < 27; ++i)
    copy.f_temp[27 * cell + i] = copy.f[27 * cell + i];
}

/// One thread per cell of a plane.
Shape plane(const Case& c) { return {static_cast<std::size_t>(c.nx), static_cast<std::size_t>(c.ny)}; }

template <class real>
class PeriodicBox final : public BoxSolver<Model, real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning&) : PeriodicBox::BoxSolver(c, plane(c), array_of_structures(c)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      over_(run_lbm<real>, this->step());
      over_(set_f_temp<real>, {.f = this->g(), .f_temp = this->f(), .box = this->box_});
      this->wait();
    }
  }

 private:
  const Launch over_{this->device_, {static_cast<std::size_t>(this->box_.nz), 1}, this->block_};
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/01_base",
    .traffic = d3q27::traffic,
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
