// Idea:    several steps per pass on populations, for comparison with 03_steps: same collision and march, but nine values
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies of the lattice; distances from rest
// Traffic: nine values read and written for all steps of a pass; more read where strips and segments overlap
// Source:  Matsumura, Zohouri, Wahib, Endo, Matsuoka, "AN5D: Automated Stencil Framework for High-Degree Temporal Blocking
//          on GPUs", CGO 2020
// Bound:   instructions
#include "variants/d2q9r/cuda/pass.hpp"

namespace d2q9r {
namespace {

/// Streams populations along x within a strip: each lane's edge values come from the neighbouring lane, and are wrong at the
/// ends of the strip.
template <int width, class real>
__device__ void move_along_x(Cells<real, width> (&f)[q]) {
#pragma unroll
  for (int i = 0; i < q; ++i) {
    if (d2q9_cx[i] > 0) f[i] = moved_east(__shfl_up_sync(0xffffffffu, f[i].v[width - 1], 1), f[i]);
    if (d2q9_cx[i] < 0) f[i] = moved_west(f[i], __shfl_down_sync(0xffffffffu, f[i].v[0], 1));
  }
}

/// The delay between two steps: takes the populations that leave a row, and returns those that arrive in the row south of it.
/// Those that move south are passed on immediately, those that stay in their row wait for one row, and those that move north
/// wait for two. The first rows that arrive are zero; no cell that a warp stores depends on them.
template <int width, class real>
class Delay {
 public:
  __device__ void pass(Cells<real, width> (&f)[q]) {
#pragma unroll
    for (int i = 0; i < q; ++i) {
      if (d2q9_cy[i] >= 0) exchange(f[i], waiting_[0][i]);
      if (d2q9_cy[i] > 0) exchange(f[i], waiting_[1][i]);
    }
  }

 private:
  static __device__ void exchange(Cells<real, width>& cells, Cells<real, width>& waiting) {
    const Cells<real, width> next = waiting;
    waiting = cells;
    cells = next;
  }

  Cells<real, width> waiting_[2][q] = {};
};

/// Relaxes a lane's cells.
template <int width, class real>
__device__ void collide(Cells<real, width> (&f)[q], const Relaxation<real>& relaxation) {
#pragma unroll
  for (int v = 0; v < width; ++v) {
    real of_cell[q];
#pragma unroll
    for (int i = 0; i < q; ++i)
      of_cell[i] = f[i].v[v];
    collide_populations(of_cell, relaxation);
#pragma unroll
    for (int i = 0; i < q; ++i)
      f[i].v[v] = of_cell[i];
  }
}

/// Reads the populations that arrive in a row, from the columns that they left.
template <int width, class real>
__device__ void load_arrivals(Cells<real, width> (&f)[q], const Pass<q, real>& pass, const RowsAround& rows, int x) {
#pragma unroll
  for (int i = 0; i < q; ++i)
    f[i] = load_cells<width>(pass.from.of[i] + rows.from(d2q9_cy[i]) + x);
}

/// Advances the lattice by `steps` steps, one thread per `width` columns of a strip. Step n updates the row south of the one
/// that step n - 1 has just updated.
template <int steps, int width, class real>
__global__ void __launch_bounds__(most_pass_threads, least_pass_blocks<steps, width, real>) march(Pass<q, real> pass) {
  const Part<width> part(pass);
  if (part.warp >= pass.warps) return;
  RowsAround rows(part.first - (steps - 1), pass);
  Delay<width, real> delays[steps];
  Cells<real, width> next[q];
  load_arrivals(next, pass, rows, part.x);
#pragma unroll 1
  for (int y = part.first - (steps - 1); y < part.last + (steps - 1); ++y) {
    Cells<real, width> f[q];
#pragma unroll
    for (int i = 0; i < q; ++i)
      f[i] = next[i];
    rows.next();
    load_arrivals(next, pass, rows, part.x);
#pragma unroll
    for (int n = 0; n < steps; ++n) {
      move_along_x(f);
      if (n > 0) delays[n].pass(f);
      collide(f, pass.relaxation);
    }
    if (part.owned && y - (steps - 1) >= part.first) {
      const unsigned cell = static_cast<unsigned>(y - (steps - 1)) * pass.pitch + part.x;
#pragma unroll
      for (int i = 0; i < q; ++i)
        store_cells(pass.to.of[i] + cell, f[i]);
    }
  }
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return pass_traffic(q, real, c, tuning, 2 * tuning.at("steps") - 1);
}

template <class real>
struct PeriodicBox final : PassSolver<PopulationLattices<real>, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::PassSolver(c, tuning, [](auto steps, auto width) { return march<steps, width, real>; }) {}
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "d2q9r/cuda/01_populations",
    .traffic = d2q9r::traffic,
    .tunables = {d2q9r::steps_tunable(4), d2q9r::width_tunable(2), d2q9r::margin_tunable(), d2q9r::rows_tunable(),
                 d2q9r::threads_tunable()},
    .constraints = {d2q9r::registers_constraint()},
    .make = ladder::make_solver<d2q9r::PeriodicBox, d2q9r::Model>,
};
