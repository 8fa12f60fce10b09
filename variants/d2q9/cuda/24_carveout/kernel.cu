// Idea:    a limit on shared memory leaves room for the L1 cache, through which rows arrive: fewer warps run at once
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two copies of the lattice; sums[step][warp] not yet added up
// Traffic: 9 numbers and a flag read and 9 numbers written for all steps of a pass; more where strips and segments overlap
// Source:  Matsumura, Zohouri, Wahib, Endo, Matsuoka, "AN5D: Automated Stencil Framework for High-Degree Temporal Blocking
//          on GPUs", CGO 2020; CUDA C++ Programming Guide, "Shared Memory" (carveout)
// Bound:   instructions
#include <cuda_pipeline.h>

#include "backends/cuda/shared.hpp"
#include "variants/d2q9/cuda/pass.hpp"

namespace d2q9 {
namespace {

/// The rows that a warp reads next: populations in shared memory, [2][9][32] times `width` numbers and those from beyond the
/// strip, [2][9]; obstacles in a register. Each lane reads what it copied itself, so no lane waits for another.
template <int width, class real>
class Ahead {
 public:
  /// Numbers of a row, a multiple of 16 bytes.
  static constexpr int row = (9 * 32 * width + 9 + 3) / 4 * 4;

  __device__ explicit Ahead(real* room) : room_(room) {}

  /// Starts to copy the populations that arrive in a row.
  __device__ void fetch(const Pass<real>& pass, const Part<width>& part, const RowsAround& rows) {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      const real* const from = pass.f.of[i] + rows.from(d2q9_cy[i]);
      const int beyond = part.beyond(d2q9_cx[i], pass.c.nx);
      __pipeline_memcpy_async(cells(i, part), from + part.x, width * sizeof(real));
      if (part.at_end(d2q9_cx[i])) __pipeline_memcpy_async(this->beyond(i), from + beyond, sizeof(real));
    }
    __pipeline_commit();
    turn_ = row - turn_;
    solid_ = next_solid_;
    next_solid_ = obstacles<width>(pass.c, rows.here + part.x);
  }
  /// Waits for the row that was fetched before the last one; returns its obstacles.
  __device__ unsigned read(Cells<real, width> (&s)[9], const Part<width>& part) const {
    __pipeline_wait_prior(1);
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      const bool at_end = part.at_end(d2q9_cx[i]);
      s[i] = moved(load_cells<width>(cells(i, part)), d2q9_cx[i], at_end, at_end ? *beyond(i) : real{0});
    }
    return solid_;
  }

 private:
  __device__ real* cells(int i, const Part<width>& part) const { return room_ + turn_ + (i * 32 + part.lane) * width; }
  __device__ real* beyond(int i) const { return room_ + turn_ + 9 * 32 * width + i; }

  real* room_;
  int turn_ = 0;
  unsigned solid_ = 0, next_solid_ = 0;
};

/// A delay whose northward populations wait in shared memory, [2][3][32] times `width` numbers: those of a row take the place
/// of those of two rows before. Each lane reads what it wrote itself.
template <int width, class real>
class SharedDelay {
 public:
  static constexpr int row = 3 * 32 * width;
  static constexpr int size = 2 * row;

  __device__ void pass(Cells<real, width> (&s)[9], real* waiting, bool odd) {
#pragma unroll
    for (int n = 0; n < 3; ++n) {
      exchange(s[in_row[n]], in_row_[n]);
      exchange(s[northward[n]],
               *reinterpret_cast<Cells<real, width>*>(waiting + odd * row + (n * 32 + threadIdx.x % 32) * width));
    }
  }

 private:
  Cells<real, width> in_row_[3] = {};
};

/// Numbers of shared memory of a warp.
template <int steps, int width, class real>
constexpr int room = 2 * Ahead<width, real>::row + (steps - 1) * SharedDelay<width, real>::size;

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
  real* const waiting = shared + 2 * Ahead<width, real>::row;
  ahead.fetch(pass, part, next);
  SharedDelay<width, real> delays[steps];
  History<width> solid;
  History<1> driven, owned;
  real speeds[steps] = {};
  for (int y = part.first - (steps - 1); y < part.last + (steps - 1); ++y, rows.next()) {
    Cells<real, width> s[9];
    next.next();
    ahead.fetch(pass, part, next);
    solid.push(ahead.read(s, part));
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
  return pass_traffic(real, c, tuning);
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
    .follows = "d2q9/cuda/23_lines",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::steps_tunable(5), d2q9::width_tunable(), d2q9::margin_tunable(), d2q9::rows_tunable(128),
                 d2q9::shared_tunable(), d2q9::threads_tunable()},
    .constraints = {d2q9::registers_constraint()},
    .make = ladder::make_solver<d2q9::Marching, d2q9::Model>,
};
