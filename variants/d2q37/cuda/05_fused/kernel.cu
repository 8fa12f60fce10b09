// Idea:    rows stored one after the other: threads run along x, so the few rows at the walls are contiguous, too
// Layout:  structure of arrays with padded rows, f[37][y][pitch], two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Biferale et al., section 5, code version V2
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/projection.hpp"
#include "variants/d2q37/cuda/solver.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

/// Updates the rows at the walls: three at the bottom, three at the top.
template <class real>
__global__ void __launch_bounds__(most_threads) wall_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= 2 * Case::wall_rows) return;
  const int y = n < Case::wall_rows ? n : step.c.ny - 2 * Case::wall_rows + n;
  const Sources from(x, y, step.c);
  real f[q];
  stream_at_wall(step, from, x, y, f);
  collide_projected(f, step.c.relaxation);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
}

/// Updates the rows between the walls.
template <class real>
__global__ void __launch_bounds__(most_threads) inner_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= step.c.inner_rows()) return;
  const Sources from(x, step.c.first_inner_row() + n, step.c);
  real f[q];
  stream(step, from, f);
  collide_projected(f, step.c.relaxation);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
}

template <class real>
class Fused final : public FusedSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning) : FusedSolver<real>(c, tuning, {wall_rows<real>, inner_rows<real>}) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/12_rows",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
