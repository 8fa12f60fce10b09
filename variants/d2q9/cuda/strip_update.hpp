#pragma once

#include "variants/d2q9/cuda/solver.hpp"
#include "variants/lattice/cuda/strips.hpp"

namespace d2q9 {

using namespace lattice::cuda;  // names of strips

/// Advances a cell of a strip by one step and returns its |u|, 0 if it is solid; a `driven` cell is accelerated for the next
/// step.
template <bool local, Rows where, class Strip, class Halos, class real>
__device__ real update(const Strip& strip, const Halos& halos, Cell cell, bool fluid, bool driven, const Problem<real>& c) {
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = strip.template place<local, where>(i, cell);
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const bool drive = driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    strip.template place<local, where>(d2q9_opposite[i], cell) = s[i];
  if (where == Rows::any) halos.send(s, strip, cell);
  return fluid ? sqrt(u2) : real{0};
}

/// Advances a strip by one step. Bit k of `solid` marks this thread's k-th cell as an obstacle; `driven` is the row to
/// accelerate. Returns the sum of |u| over the cells of this thread.
template <bool local, class Strip, class Halos, class real>
__device__ real sweep(const Strip& strip, const Halos& halos, unsigned solid, int driven, const Problem<real>& c) {
  real speed = 0;
  for_own_cells(strip.nx, strip.rows, [&](int k, Cell cell) {
    const bool fluid = (solid >> k & 1) == 0;
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    speed += edge ? update<local, Rows::any>(strip, halos, cell, fluid, cell.y == driven, c)
                  : update<local, Rows::shared>(strip, halos, cell, fluid, cell.y == driven, c);
  });
  return speed;
}

}  // namespace d2q9
