// Idea:    a list of the fluid cells: no others are stored, and a table holds the indices of their neighbours
// Layout:  structure of arrays over the list, f[19][cell], x fastest, then the boundary cells; two copies; from[18][cell]
// Traffic: 19 values and 18 four-byte entries read per fluid cell, 19 values and the returned populations written
// Source:  M. Wittmann, T. Zeiser, G. Hager, G. Wellein, Comput. Math. Appl. 65 (2013) 924
// Bound:   memory bandwidth: in single precision, the table is as large as the populations read
#include "variants/d3q19/cuda/list.hpp"

namespace d3q19 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{(19 * real + 18 * sizeof(std::uint32_t)) * of.fluid, (19 * of.fluid + of.returned) * real}};
}

constexpr int most_threads = 512;  // per block

/// Streams from f_temp, collides, and writes f, one thread per fluid cell.
template <class real>
__global__ void __launch_bounds__(most_threads) update(ListStep<real> step) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= step.fluid) return;
  real site[19];
  unsigned last = k;  // the largest index of a neighbour
  site[0] = step.f_temp.of[0][k];
#pragma unroll
  for (int i = 1; i < 19; ++i) {
    const unsigned n = __ldg(step.from.of[i] + k);
    last = max(last, n);
    site[i] = step.f_temp.of[i][n];
  }
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][k] = site[i];
  if (last >= step.fluid) return_populations(step, site, k);
}

template <class real>
class Tunnel final : public ListSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::ListSolver(c, tuning) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      this->over_(update<real>, this->step());
      this->swap_lattices();
    }
  }
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/04_fused",
    .traffic = d3q19::traffic,
    .lattices = 3,
    .tunables = {lattice::cuda::threads_tunable(128, d3q19::most_threads)},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
