// Idea:    wider accesses: a thread updates two neighbouring cells, and a single access moves both values if it is aligned
// Layout:  structure of arrays with padded rows, f[37][y][pitch], two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA technical blog, 2013
// Bound:   memory bandwidth; registers, as each thread holds two cells
#include "backends/cuda/cells.hpp"
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
  const Relaxation<real>& r = step.c.relaxation;
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    step.g.of[i][from.own()] = f[i];
}

/// Updates the rows between the walls, two cells per thread.
template <class real>
__global__ void __launch_bounds__(most_threads) inner_rows(Step<real> step) {
  const int x = 2 * own_column(), n = own_row(), nx = step.c.nx;
  if (x >= nx || n >= step.c.inner_rows()) return;
  const Sources from(x, step.c.first_inner_row() + n, step.c), beside(wrapped(x + 1, nx), step.c.first_inner_row() + n, step.c);
  const bool at_end = x < D2Q37_REACH || x >= nx - D2Q37_REACH - 1;  // some neighbours wrap around to the other end of the row
  Cells<real, 2> cells[q];
#pragma unroll
  for (int i = 0; i < q; ++i) {
    const real* const row = step.f.of[i];
    if (d2q37_cx[i] % 2 == 0 && !at_end)
      cells[i] = load_cells<2>(row + from(i));
    else
      cells[i] = {row[from(i)], row[beside(i)]};
  }
  const Relaxation<real>& r = step.c.relaxation;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    real f[q];
#pragma unroll
    for (int i = 0; i < q; ++i)
      f[i] = cells[i].v[k];
    d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
    for (int i = 0; i < q; ++i)
      cells[i].v[k] = f[i];
  }
  // In a row of odd length, the last pair includes a padding element.
#pragma unroll
  for (int i = 0; i < q; ++i)
    store_cells(step.g.of[i] + from.own(), cells[i]);
}

template <class real>
class Fused final : public FusedSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning) : FusedSolver<real>(c, tuning, {wall_rows<real>, inner_rows<real>}, 2) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/06_factored",
    .traffic = d2q37::traffic,
    .tunables = d2q37::block_tunables(64, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
