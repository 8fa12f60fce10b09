#pragma once

#include "harness/bench/obstacles.hpp"
#include "variants/d3q19/cuda/solver.hpp"
#include "variants/d3q19/open.h"

/// Open boundaries (variants/d3q19/open.h) in CUDA rungs.
namespace d3q19 {

/// Like return_populations(), for all kinds of cells.
template <class real>
__device__ __forceinline__ void return_open_populations(const Step<real>& step, const real (&site)[19], int x, int y, int z) {
#pragma unroll
  for (int i = 1; i < 19; ++i) {
    const int kind = step.flags[step.to(i, x, y, z)];
    if ((kind & D3Q19_FLUID) != 0) continue;
    // If the cell upstream of an outflow cell is fluid, that cell fills it.
    if (kind == D3Q19_OUTFLOW && d3q19_cx[i] > 0) {
      const unsigned upstream = step.cell(x, y + d3q19_cy[i], z + d3q19_cz[i]);
      if ((step.flags[upstream] & D3Q19_FLUID) != 0) continue;
    }
    step.f.of[d3q19_opposite[i]][step.to(i, x, y, z)] = d3q19_returned_open(site, i, kind, step.speed);
  }
  const unsigned downstream = step.to(1, x, y, z);
  if (step.flags[downstream] != D3Q19_OUTFLOW) return;
#pragma unroll
  for (int i = 1; i < 19; ++i)
    if (d3q19_cx[i] < 0) step.f.of[i][downstream] = site[i];
}

/// Writes the populations returned to the fluid cells listed in `near` in their current state f, one thread per near cell.
template <class real>
__global__ void fill_open(Step<real> step, const std::uint32_t* near, unsigned count) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const auto [x, y, z] = place_of(near[k], step.box);
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f.of[i][step.cell(x, y, z)];
  return_open_populations(step, site, x, y, z);
}

/// Base of the CUDA rungs that accept open boundaries, with two copies of the lattice.
template <class real>
class OpenSolver : public ObstacleSolver<real>, public ladder::TakesOpenBoundaries {
  using Base = ObstacleSolver<real>;

 public:
  void load(const ladder::Populations& in) override {
    Base::load(in);
    fill_open_boundaries();
  }

 protected:
  /// The base class takes cells of the open kinds for fluid and writes nothing into them.
  OpenSolver(const Case& c, Shape block, const lattice::Strides& strides) : Base(c, block, strides) { fill_open_boundaries(); }

 private:
  void fill_open_boundaries() {
    Step<real> current = this->step();
    current.f = Arrays<19, real>::from(this->f(), this->strides_.q);
    this->over_near(fill_open<real>, current);
  }
};

}  // namespace d3q19
