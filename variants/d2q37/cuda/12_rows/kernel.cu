// Idea:    fused: the rows at the walls also stream, get their state and collide in one kernel
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Biferale et al., section 5, code version V2, with one kernel instead of two for the rows at the walls
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/columns.hpp"
#include "variants/d2q37/cuda/projection.hpp"

namespace d2q37 {
namespace {

constexpr int frame = 0;

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

/// Updates the rows at the walls: three at the bottom, three at the top.
template <class real>
__global__ void __launch_bounds__(most_threads) wall_rows(Lattices<real, frame> l, Relaxation<real> r) {
  const Columns<frame>& c = l.c;
  const auto [x, n, y, wall] = own_wall_cell(c);
  if (x >= c.nx) return;
  const int cell = c.at(x, y);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = wall.turns(i, n) ? l.from[d2q37_opposite[i] * c.slot + c.at(x, wall.row(wall.source(i, n), c.ny))]
                            : l.from[i * c.slot + c.at(x - d2q37_cx[i], y - d2q37_cy[i])];
  d2q37_wall(f, r.wall_speed, wall.is_top ? r.wall_theta[1] : r.wall_theta[0]);
  collide_projected(f, r);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

/// Updates the rows between the walls.
template <class real>
__global__ void __launch_bounds__(most_threads) inner_rows(Lattices<real, frame> l, Relaxation<real> r) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny || c.is_at_wall(n)) return;
  const int cell = c.at(x, n);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = l.from[i * c.slot + c.at(x - d2q37_cx[i], n - d2q37_cy[i])];
  collide_projected(f, r);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

template <class real>
class Fused final : public FusedColumnSolver<real, frame> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : FusedColumnSolver<real, frame>(c, tuning, {{"stream_bc_collide_rows", wall_rows<real>}}, inner_rows<real>) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/11_bulk",
    .traffic = d2q37::traffic,
    .tunables = d2q37::column_tunables(),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
