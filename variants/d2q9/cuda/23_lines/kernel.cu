// Idea:    lines in shared memory: hold populations that wait for two rows; fewer registers, so that more warps run at once
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies of the lattice; sums[step][warp] not yet added up
// Traffic: 9 values and a flag read, 9 values written for all steps of a pass; more where strips and segments overlap
// Source:  Matsumura, Zohouri, Wahib, Endo, Matsuoka, "AN5D: Automated Stencil Framework for High-Degree Temporal Blocking
//          on GPUs", CGO 2020; V. Volkov, "Better Performance at Lower Occupancy", GTC 2010
// Bound:   instructions
#include "variants/d2q9/cuda/ahead.hpp"
#include "variants/d2q9/cuda/pass_solver.hpp"

namespace d2q9 {
namespace {

/// Shared-memory elements per warp.
template <int steps, int width, class real>
constexpr int room = Ahead<width, real>::size + (steps - 1) * SharedDelay<width, real>::size;

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

/// Advances the lattice by `steps` steps, one thread per `width` columns of a strip.
template <int steps, int width, class real>
__global__ void __launch_bounds__(most_pass_threads, 1) march(Pass<real> pass) {
  const Part<width> part(pass);
  if (part.warp >= pass.warps) return;
  const unsigned driven_row = pass.driven * pass.c.pitch;  // -1: no row begins there
  RowsAround rows(part.first - (steps - 1), pass.c);
  RowsAround next = rows;
  real* const shared = shared_memory<real>() + threadIdx.x / 32 * room<steps, width, real>;
  Ahead<width, real> ahead(shared);
  real* const waiting = shared + Ahead<width, real>::size;
  ahead.fetch(pass, part, next);
  unsigned next_solid = obstacles<width>(pass.c, next.here + part.x);
  SharedDelay<width, real> delays[steps];
  History<width> solid;
  History<1> driven, owned;
  real speeds[steps] = {};
  for (int y = part.first - (steps - 1); y < part.last + (steps - 1); ++y, rows.next()) {
    Cells<real, width> s[9];
    next.next();
    ahead.fetch(pass, part, next);
    solid.push(next_solid);
    next_solid = obstacles<width>(pass.c, next.here + part.x);
    ahead.read(s, part);
    move_along_x(s);
    driven.push(rows.here == driven_row);
    owned.push(part.first <= y && y < part.last);
#pragma unroll
    for (int k = 0; k < steps; ++k) {
      if (k > 0) {
        move_along_x(s);
        delays[k].pass(s, waiting + (k - 1) * SharedDelay<width, real>::size, y % 2 != 0);
      }
      const real speed = update<real>(s, solid.of(k), pass.c);
      if ((owned.of(k) & 1) != 0) speeds[k] += speed;
      if ((driven.of(k) & 1) != 0 && (k + 1 < steps || pass.more)) accelerate(s, solid.of(k), pass.c);
    }
    if (y - (steps - 1) >= part.first) write_row(s, pass, part, y - (steps - 1));
  }
  write_speeds(speeds, pass, part);
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return pass_traffic(real, c, tuning, 1);
}

template <class real>
class Marching final : public PassSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning) : Marching(c, PassShape::tuned<real>(c, tuning)) {}

 private:
  Marching(const Case& c, const PassShape& shape)
      : PassSolver<real>(c, shape,
                         PassKernels<real>::of(
                             shape, [](auto steps, auto width) { return march<steps, width, real>; },
                             [](auto steps, auto width) { return room<steps, width, real>; })) {}
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/22_async",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::steps_tunable(5), d2q9::width_tunable(), d2q9::margin_tunable(), d2q9::rows_tunable(128),
                 d2q9::threads_tunable()},
    .constraints = {d2q9::margin_constraint(), d2q9::registers_constraint()},
    .make = ladder::make_solver<d2q9::Marching, d2q9::Model>,
};
