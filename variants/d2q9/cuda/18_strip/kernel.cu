// Idea:    strips of columns: a warp marches north through one, and neighbours along x exchange populations by shuffles
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies of the lattice; sums[step][warp] not yet added up
// Traffic: 9 values and a flag read, 9 values written; more where strips overlap
// Source:  Nguyen, Satish, Chhugani, Kim, Dubey, "3.5-D Blocking Optimization for Stencil Computations", SC 2010
// Bound:   memory latency: a row is read only when it is needed
#include "variants/d2q9/cuda/pass_solver.hpp"

namespace d2q9 {
namespace {

/// Streams populations along x within a strip: each lane's edge values come from the neighbouring lane, and are wrong at the
/// ends of the strip.
template <int width, class real>
__device__ void move_along_x(Cells<real, width> (&s)[9]) {
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    if (d2q9_cx[i] > 0) s[i] = moved_east(__shfl_up_sync(0xffffffffu, s[i].v[width - 1], 1), s[i]);
    if (d2q9_cx[i] < 0) s[i] = moved_west(s[i], __shfl_down_sync(0xffffffffu, s[i].v[0], 1));
  }
}

/// Advances the lattice by one step, one thread per column of a strip.
template <class real>
__global__ void __launch_bounds__(most_pass_threads, 1) march(Pass<real> pass) {
  const Part<1> part(pass);
  if (part.warp >= pass.warps) return;
  const unsigned driven_row = pass.driven * pass.c.pitch;  // -1: no row begins there
  RowsAround rows(part.first, pass.c);
  real speeds[1] = {};
  for (int y = part.first; y < part.last; ++y, rows.next()) {
    Cells<real, 1> s[9];
    read_arrivals(s, pass, part, rows);
    move_along_x(s);
    const unsigned solid = obstacles<1>(pass.c, rows.here + part.x);
    speeds[0] += update<real>(s, solid, pass.c);
    if (rows.here == driven_row && pass.more) accelerate(s, solid, pass.c);
    write_row(s, pass, part, y);
  }
  write_speeds(speeds, pass, part);
}

template <class real>
class Marching final : public PassSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning)
      : PassSolver<real>(c, PassShape::tuned<real>(c, tuning), {.of_steps = {{1, march<real>}}}) {}
};

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return pass_traffic(real, c, tuning, 0);
}

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/08_shuffle",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::rows_tunable(64), d2q9::threads_tunable()},
    .make = ladder::make_solver<d2q9::Marching, d2q9::Model>,
};
