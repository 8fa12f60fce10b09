// Idea:    bulk apart: one kernel streams and collides it; two others stream the rows at the walls, set their state and collide
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written; twice in the six rows at the walls
// Source:  Biferale et al., section 5, code version V2 without comm
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/columns.hpp"
#include "variants/d2q37/cuda/projection.hpp"

namespace d2q37 {
namespace {

constexpr int frame = 0;

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const double moved = 37 * (1 + (c.walls != 0 ? 2.0 * Case::wall_rows / c.ny : 0));
  return {{moved * real, moved * real}};
}

/// Gathers the populations that arrive in the rows at the walls, with periodic rows.
template <class real>
__global__ void __launch_bounds__(most_threads) stream_rows(Lattices<real, frame> l, Relaxation<real>) {
  const Columns<frame>& c = l.c;
  const auto [x, n, y, wall] = own_wall_cell(c);
  if (x >= c.nx) return;
  const int cell = c.at(x, y);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = l.from[i * c.slot + c.at(x - d2q37_cx[i], y - d2q37_cy[i])];
}

/// Sets the rows at the walls and collides them: `from` is the lattice before streaming, `to` after it.
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
                            : l.to[i * c.slot + cell];
  d2q37_wall(f, r.wall_speed, wall.is_top ? r.wall_theta[1] : r.wall_theta[0]);
  collide_projected(f, r);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

/// Streams and collides the other rows.
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
      : FusedColumnSolver<real, frame>(c, tuning, {{"stream_rows", stream_rows<real>}, {"bc_collide_rows", wall_rows<real>}},
                                       inner_rows<real>) {}
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/10_literals",
    .traffic = d2q37::traffic,
    .tunables = d2q37::column_tunables(),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
