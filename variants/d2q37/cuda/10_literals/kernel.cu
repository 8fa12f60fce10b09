// Idea:    literals: the projection's coefficients are in the code rather than in constant memory
// Layout:  structure of arrays, f[37][nx][pitch], columns along y; two copies of the lattice; a reaction adds gas[3]
// Traffic: stream and collide each read and write 37 values, bc the same for six rows; a reaction reads 40 more and writes 3
// Source:  Calore et al., section 5, which uses constant memory
// Bound:   memory bandwidth
#include "variants/d2q37/cuda/phases.hpp"

namespace d2q37 {
namespace {

constexpr int frame = 0;

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  return phase_traffic(real, c, frame);
}

/// Gathers the populations that arrive in each cell, with periodic rows.
template <class real>
__global__ void __launch_bounds__(most_threads) stream_phase(Lattices<real, frame> l) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = l.from[i * c.slot + c.at(x - d2q37_cx[i], n - d2q37_cy[i])];
}

/// Sets the three rows at each wall, one thread per cell: `from` is the lattice before streaming, `to` after it.
template <class real>
__global__ void __launch_bounds__(most_threads) bc_phase(Lattices<real, frame> l, Relaxation<real> r) {
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
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

/// Projects and relaxes the populations in `from`, and writes them to `to`.
template <class real>
__global__ void __launch_bounds__(most_threads)
    collide_phase(Lattices<real, frame> l, Relaxation<real> r, Heat<real, frame> heat) {
  const Columns<frame>& c = l.c;
  const auto [x, n] = own_cell(c);
  if (n >= c.ny) return;
  const int cell = c.at(x, n);
  real f[q];
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = l.from[i * c.slot + cell];
  r.warm += heat(c, x, n);
  collide_projected(f, r);
#pragma unroll
  for (int i = 0; i < q; ++i)
    l.to[i * c.slot + cell] = f[i];
}

template <class real>
class Phases final : public PhaseSolver<real, frame> {
 public:
  Phases(const Case& c, const ladder::Tuning& tuning)
      : PhaseSolver<real, frame>(c, tuning, {stream_phase<real>, bc_phase<real>}) {
    this->split(collide_phase<real>);
  }

 private:
  void collide() override { this->over_cells_(collide_phase<real>, this->collision(), this->relaxation_, this->heat()); }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/04_periodic",
    .traffic = d2q37::traffic,
    .tunables = d2q37::column_tunables(),
    .collision = "textbook",
    .make = ladder::make_solver<d2q37::Phases, d2q37::Model>,
};
