// Idea:    fused (V2): first the rows at the walls stream, get the state of the wall and collide, then the other rows;
//          threads go along x, coefficients are in the code
// Layout:  structure of arrays with padded rows, f[37][y][pitch], two copies of the lattice
// Traffic: every population read once and written once: 37 numbers read, 37 written
// Source:  Biferale et al., section 5, code version V2
// Bound:   the double-precision pipe: 1,110 multiply-adds per update
#include "harness/bench/phases.hpp"
#include "variants/d2q37/cuda/projection.hpp"
#include "variants/d2q37/cuda/solver.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

template <class real>
__device__ void finish(const Step<real>& step, const Sources& from, real* f) {
  collide_projected(f, step.c.relaxation);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
}

/// The rows at the walls: three at the bottom, three at the top.
template <class real>
__global__ void __launch_bounds__(most_threads) wall_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= 2 * Case::wall_rows) return;
  const int y = n < Case::wall_rows ? n : step.c.ny - 2 * Case::wall_rows + n;
  const Sources from(x, y, step.c);
  real f[q];
  stream_at_wall(step, from, x, y, f);
  finish(step, from, f);
}

/// The rows between them.
template <class real>
__global__ void __launch_bounds__(most_threads) inner_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= step.c.inner_rows()) return;
  const Sources from(x, step.c.first_inner_row() + n, step.c);
  real f[q];
  stream(step, from, f);
  finish(step, from, f);
}

template <class real>
class Fused final : public PairSolver<real>, public ladder::Phased {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : PairSolver<real>(without_reaction(c), lattice::cuda::block_shape(tuning)) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      update_walls();
      update_bulk();
    }
  }

  std::vector<ladder::Phase> phases() override {
    return {{"stream_bc_collide_rows", [this] { update_walls(); }}, {"bulk", [this] { update_bulk(); }}};
  }

 private:
  void update_walls() {
    if (this->problem_.walls) at_walls_(wall_rows<real>, this->step());
  }
  void update_bulk() {
    inside_(inner_rows<real>, this->step());
    this->turn();
  }

  const Launch at_walls_ = this->over_rows(2 * Case::wall_rows);
  const Launch inside_ = this->over_rows(this->problem_.inner_rows());
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/04_periodic",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
