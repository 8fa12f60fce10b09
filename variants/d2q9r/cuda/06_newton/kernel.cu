// Idea:    reciprocals by Newton iteration in double precision: about ten instructions without a branch
// Layout:  structure of arrays with padded rows, k[6][y][pitch], two copies of the lattice; distances from rest
// Traffic: six moments read and written for all steps of a pass; more read where strips and segments overlap
// Source:  variants/d2q9/cuda/27_newton
// Bound:   instructions
#include "backends/cuda/newton.hpp"
#include "backends/cuda/shared.hpp"
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

/// Sums that a warp keeps in shared memory, [3][32] groups of `width` elements. Each lane reads only what it wrote itself, so
/// lanes need not wait for each other.
template <int width, class real>
class Line {
 public:
  /// Elements per warp.
  static constexpr int size = 3 * 32 * width;

  __device__ explicit Line(real* room) : own_(room + threadIdx.x % 32 * width) {}

  /// Swaps `sums` with the sums that are kept.
  __device__ void exchange(RowSums<real> (&sums)[width]) const {
    exchange<&RowSums<real>::all>(sums, own_);
    exchange<&RowSums<real>::x>(sums, own_ + size / 3);
    exchange<&RowSums<real>::xx>(sums, own_ + 2 * (size / 3));
  }

 private:
  template <real RowSums<real>::*member>
  static __device__ void exchange(RowSums<real> (&sums)[width], real* place) {
    const auto waiting = load_cells<width>(place);
    Cells<real, width> next;
#pragma unroll
    for (int v = 0; v < width; ++v) {
      next.v[v] = sums[v].*member;
      sums[v].*member = waiting.v[v];
    }
    store_cells(place, next);
  }

  real* own_;
};

/// Computes the coefficients k of the populations that leave a cell from the sums s over those that arrive in it.
template <class real>
__device__ void relax(const real* s, real* k, const Relaxation<real>& relaxation) {
  using Number = std::conditional_t<std::is_same_v<real, double>, Newton, real>;
  Number sums[numbers], coefficients[numbers];
#pragma unroll
  for (int n = 0; n < numbers; ++n)
    sums[n] = s[n];
  d2q9r_collide<Number>(sums, coefficients, relaxation.keep, relaxation.gain);
#pragma unroll
  for (int n = 0; n < numbers; ++n)
    k[n] = static_cast<real>(coefficients[n]);
}

/// Replaces the coefficients k of a lane's cells in a row by those of the row south of it, one step later.
template <int width, class real>
__device__ void step(real (&k)[width][numbers], Incomplete<real> (&cells)[width], const Line<width, real>& northward,
                     const Relaxation<real>& relaxation) {
  RowSums<real> south[width], level[width], north[width];
  real s[width][numbers];
  sum_along_x<-1>(k, south);
#pragma unroll
  for (int v = 0; v < width; ++v)
    cells[v].complete(south[v], s[v]);
  sum_along_x<0>(k, level);
  sum_along_x<1>(k, north);
  northward.exchange(north);
#pragma unroll
  for (int v = 0; v < width; ++v) {
    cells[v].start(level[v], north[v]);
    relax(s[v], k[v], relaxation);
  }
}

/// Advances the lattice by `steps` steps, one thread per `width` columns of a strip. What leaves row y completes the first
/// step of row y - 1; what then leaves that row completes the second step of row y - 2, and so on.
template <int steps, int width, class real>
__global__ void __launch_bounds__(most_pass_threads, least_pass_blocks<steps, width, real, 5>) march(Pass<numbers, real> pass) {
  using Number = lattice::Compute<real>;
  const Part<width> part(pass);
  if (part.warp >= pass.warps) return;
  RowsAround rows(part.first - steps, pass);
  Incomplete<Number> cells[steps][width];
  Number* const lines = shared_memory<Number>() + threadIdx.x / 32 * (steps * Line<width, Number>::size);
#pragma unroll
  for (int n = 0; n < steps; ++n) {
    RowSums<Number> none[width] = {};
    Line<width, Number>(lines + n * Line<width, Number>::size).exchange(none);
  }
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
      step(k, cells[n], Line<width, Number>(lines + n * Line<width, Number>::size), pass.relaxation);
    if (y - steps >= part.first) store_row(k, pass, part, y - steps);
  }
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return pass_traffic(numbers, real, c, tuning, 2 * tuning.at("steps") + 1);
}

template <class real>
struct PeriodicBox final : PassSolver<MomentLattices<real>, real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::PassSolver(
            c, tuning, [](auto steps, auto width) { return march<steps, width, real>; }, 3) {}
};

}  // namespace
}  // namespace d2q9r

const d2q9r::Rung d2q9r::rung = {
    .follows = "d2q9r/cuda/05_lines",
    .traffic = d2q9r::traffic,
    .lattices = 2.0 * d2q9r::numbers / d2q9r::q,
    .tunables = {d2q9r::steps_tunable(6), d2q9r::width_tunable(2), d2q9r::margin_tunable(), d2q9r::rows_tunable(),
                 d2q9r::threads_tunable()},
    .constraints = {d2q9r::registers_constraint()},
    .collision = "moments",
    .make = ladder::make_solver<d2q9r::PeriodicBox, d2q9r::Model, ladder::Stored<float, double, ladder::Half>>,
};
