// Idea:    several steps per pass: one stage per step, each one row behind the previous one
// Layout:  structure of arrays with padded rows, k[6][y][pitch], two copies of the lattice; distances from rest
// Traffic: six moments read and written for all steps of a pass; more read where strips and segments overlap
// Source:  Matsumura, Zohouri, Wahib, Endo, Matsuoka, "AN5D: Automated Stencil Framework for High-Degree Temporal Blocking
//          on GPUs", CGO 2020
// Bound:   instructions
#include "variants/d2q9r/cuda/pass.hpp"

namespace d2q9r {
namespace {

/// Expands a lane's cells into the populations with c_y = `cy` that leave them, moves these along x within a strip, and sums
/// those that arrive in each cell. Each lane's edge values come from the neighbouring lane, and are wrong at the ends of the
/// strip.
template <int cy, int width, class real>
__device__ void sum_along_x(const real (&k)[width][numbers], RowSums<real> (&sums)[width]) {
  Row<real> row[width];
#pragma unroll
  for (int v = 0; v < width; ++v)
    row[v] = leaving<cy>(k[v]);
  const real west = __shfl_up_sync(0xffffffffu, row[width - 1].east, 1);
  const real east = __shfl_down_sync(0xffffffffu, row[0].west, 1);
#pragma unroll
  for (int v = 0; v < width; ++v)
    sums[v] = sum(
        Row<real>{v < width - 1 ? row[min(v + 1, width - 1)].west : east, row[v].rest, v > 0 ? row[max(v - 1, 0)].east : west});
}

/// Replaces the coefficients k of a lane's cells in a row by those of the row south of it, one step later.
template <int width, class real>
__device__ void step(real (&k)[width][numbers], Arrivals<real> (&arrivals)[width], const Relaxation<real>& relaxation) {
  RowSums<real> south[width], level[width], north[width];
  real s[width][numbers];
  sum_along_x<-1>(k, south);
#pragma unroll
  for (int v = 0; v < width; ++v)
    arrivals[v].complete(south[v], s[v]);
  sum_along_x<0>(k, level);
  sum_along_x<1>(k, north);
#pragma unroll
  for (int v = 0; v < width; ++v) {
    arrivals[v].keep(level[v], north[v]);
    relaxation(s[v], k[v]);
  }
}

/// Advances the lattice by `steps` steps, one thread per `width` columns of a strip. What leaves row y completes the first
/// step of row y - 1; what then leaves that row completes the second step of row y - 2, and so on.
template <int steps, int width, class real>
__global__ void __launch_bounds__(most_pass_threads, least_pass_blocks<steps, width, real>) march(Pass<numbers, real> pass) {
  using Number = lattice::Compute<real>;
  const Part<width> part(pass);
  if (part.warp >= pass.warps) return;
  RowsAround rows(part.first - steps, pass);
  Arrivals<Number> arrivals[steps][width];
  Cells<real, width> next[numbers];
  load_row(next, pass, rows.here + part.x);
#pragma unroll 1
  for (int y = part.first - steps; y < part.last + steps; ++y) {
    Number k[width][numbers];
    unpack(next, k);
    rows.next();
    load_row(next, pass, rows.here + part.x);
#pragma unroll
    for (int n = 0; n < steps; ++n)
      step(k, arrivals[n], pass.relaxation);
    if (y - steps >= part.first) store_row(k, pass, part, y - steps);
  }
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return pass_traffic(numbers, real, c, tuning, 2 * tuning.at("steps") + 1);
}

template <class real>
struct PeriodicBox final : PassSolver<MomentLattices<real>, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::PassSolver(c, tuning, [](auto steps, auto width) { return march<steps, width, real>; }) {}
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "d2q9r/cuda/02_moments",
    .traffic = d2q9r::traffic,
    .lattices = 2.0 * d2q9r::numbers / d2q9r::q,
    .tunables = {d2q9r::steps_tunable(4), d2q9r::width_tunable(2), d2q9r::margin_tunable(), d2q9r::rows_tunable(),
                 d2q9r::threads_tunable()},
    .constraints = {d2q9r::registers_constraint()},
    .collision = "moments",
    .make = ladder::make_solver<d2q9r::PeriodicBox, d2q9r::Model, ladder::Stored<float, double, ladder::Half>>,
};
