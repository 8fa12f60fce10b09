// Idea:    in place (AA pattern): the same thread reads and writes each value; even steps fetch, odd ones are local
// Layout:  structure of arrays with padded rows, f[37][y][pitch], a single copy of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Bailey et al., "Accelerating Lattice Boltzmann Fluid Flow Simulations Using Graphics Processors", ICPP 2009
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/solver.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

constexpr int most_threads = 256;  // per block: each needs more than 128 registers

/// Where to find the population that arrives in a cell from direction i. `local`: in the cell itself, in the slot of the
/// opposite direction. Otherwise in the neighbour or, if the population bounces back from a wall, in the row that it left, in
/// the slot of the opposite direction. The population that leaves in direction i goes where the opposite one came from.
template <bool local, class real>
__device__ real& place(const Step<real>& step, const Sources& from, int i) {
  return local ? step.g.of[d2q37_opposite[i]][from.own()] : step.g.of[i][from(i)];
}
template <bool local, class real>
__device__ real& place_at_wall(const Step<real>& step, const Sources& from, int x, int y, int i) {
  const Problem<real>& c = step.c;
  const bool is_top = y >= Case::wall_rows;
  const Wall wall = wall_of(is_top, 0, c.ny);
  const int n = is_top ? c.ny - 1 - y : y;
  if (local || !wall.turns(i, n)) return place<local>(step, from, i);
  return step.g.of[d2q37_opposite[i]][c.row(wall.row(wall.source(i, n), c.ny)) + x];
}

/// Updates the rows at the walls: three at the bottom, three at the top.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) wall_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= 2 * Case::wall_rows) return;
  const int y = n < Case::wall_rows ? n : step.c.ny - 2 * Case::wall_rows + n;
  const Sources from(x, y, step.c);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = place_at_wall<local>(step, from, x, y, i);
  const Relaxation<real>& r = step.c.relaxation;
  d2q37_wall(f, r.wall_speed, r.wall_theta[y >= Case::wall_rows]);
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    place_at_wall<local>(step, from, x, y, d2q37_opposite[i]) = f[i];
}

/// Updates the rows between the walls.
template <bool local, class real>
__global__ void __launch_bounds__(most_threads) inner_rows(Step<real> step) {
  const int x = own_column(), n = own_row();
  if (x >= step.c.nx || n >= step.c.inner_rows()) return;
  const Sources from(x, step.c.first_inner_row() + n, step.c);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = place<local>(step, from, i);
  const Relaxation<real>& r = step.c.relaxation;
  d2q37_collide(f, r.omega, r.kick, r.warm);
#pragma unroll
  for (int i = 0; i < q; ++i)
    place<local>(step, from, d2q37_opposite[i]) = f[i];
}

template <class real>
class InPlace final : public FusedSolver<real, lattice::AA> {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning)
      : FusedSolver<real, lattice::AA>(c, tuning, {wall_rows<false, real>, inner_rows<false, real>},
                                       {wall_rows<true, real>, inner_rows<true, real>}) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/06_factored",
    .traffic = d2q37::traffic,
    .lattices = 1,
    .tunables = d2q37::block_tunables(128, 1),
    .constraints = lattice::cuda::block_constraints(d2q37::most_threads),
    .make = ladder::make_solver<d2q37::InPlace, d2q37::Model>,
};
