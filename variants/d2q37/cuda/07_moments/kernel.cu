// Idea:    15 moments per cell instead of 37 populations; blocks march along y, seven rows of populations on the chip
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; shared memory keeps c_y + 4 rows of a population
// Traffic: 15 moments read and written, and those of the margins: 3 columns at each side of a strip, 3 rows at each end
// Source:  own; after a collision the populations are in the span of the 15 Hermite polynomials
// Bound:   memory bandwidth; the latency of a row's chain of operations in few warps
#include "backends/cuda/shared.hpp"
#include "variants/d2q37/cuda/moments.hpp"

namespace d2q37 {
namespace {

/// Whether population i stays in a thread's registers: it stays in its column, and waits for three rows at most.
__device__ constexpr bool in_registers(int i) { return d2q37_cx[i] == 0 && d2q37_cy[i] <= 0; }

/// Rows for which population i stays on the chip: it is written with row y + 3, and read with the row that it moves to.
__device__ constexpr int kept_rows(int i) { return d2q37_cy[i] + D2Q37_REACH + 1; }

/// Where population i begins among the rows that shared memory keeps.
__device__ constexpr int first_row(int i) {
  int rows = 0;
  for (int k = 0; k < i; ++k)
    rows += in_registers(k) ? 0 : kept_rows(k);
  return rows;
}

/// Rows that shared memory keeps.
constexpr int all_rows = 37 * (D2Q37_REACH + 1) - (4 + 3 + 2 + 1);

/// Advances a strip of columns and a segment of rows: one thread per column and three more on each side. Each row's moments are
/// expanded once; when the row three rows above a cell has been expanded, the cell's populations are all there.
template <int columns, class real>
__global__ void __launch_bounds__(columns) march(MomentStep<real> step) {
  const Problem<real>& c = step.c;
  const int column = threadIdx.x;
  real* const kept = shared_memory<real>() + column;  // [first_row(i) + row][column]
  const int at = static_cast<int>(blockIdx.x) * strip_columns(columns) + column - D2Q37_REACH;
  const int x = wrapped_far(at, c.nx);
  const bool inside = column >= D2Q37_REACH && column < columns - D2Q37_REACH && at < c.nx;
  const int first = blockIdx.y * step.rows, end = min(first + step.rows, c.ny);

  int newest[2 * D2Q37_REACH + 1];  // by reach + c_y: index of the row that is written, among those kept
#pragma unroll
  for (int& n : newest)
    n = 0;
  real rest[3] = {}, south[2] = {}, far_south = 0;  // populations 0, 4 and 12 of earlier rows
  real next[D2Q37_M];
  load_moments(step, x, first - D2Q37_REACH, next);
#pragma unroll 1
  for (int y = first - D2Q37_REACH; y < end + D2Q37_REACH; ++y) {
    real m[D2Q37_M], f[q];
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      m[k] = next[k];
    if (y + 1 < end + D2Q37_REACH) load_moments(step, x, y + 1, next);
    d2q37_expand(m, f);
    const bool turns = is_mirrored(c, y);
    __syncthreads();  // the row before has been gathered
    if (turns) {
      // The row that mirrors this one: populations turn round, to the column from which they come back to this one.
#pragma unroll
      for (int i = 0; i < q; ++i) {
        const int to = column + d2q37_cx[i], back = d2q37_opposite[i];
        if (!in_registers(back) && to >= 0 && to < columns)
          kept[(first_row(back) + newest[D2Q37_REACH + d2q37_cy[back]]) * columns + d2q37_cx[i]] = f[i];
      }
    } else {
#pragma unroll
      for (int i = 0; i < q; ++i)
        if (!in_registers(i)) kept[(first_row(i) + newest[D2Q37_REACH + d2q37_cy[i]]) * columns] = f[i];
    }
    __syncthreads();
    const real own[4] = {f[0], turns ? f[3] : f[4], turns ? f[11] : f[12], turns ? f[27] : f[28]};
    // The oldest row of each population is the one that moves to row y - 3.
#pragma unroll
    for (int n = 0; n <= 2 * D2Q37_REACH; ++n)
      newest[n] = newest[n] < n ? newest[n] + 1 : 0;
    const int to = y - D2Q37_REACH;
    if (inside && to >= first) {
#pragma unroll
      for (int i = 0; i < q; ++i)
        if (!in_registers(i)) f[i] = kept[(first_row(i) + newest[D2Q37_REACH + d2q37_cy[i]]) * columns - d2q37_cx[i]];
      f[0] = rest[2];
      f[4] = south[1];
      f[12] = far_south;
      f[28] = own[3];
      d2q37_moments(f, m);
      collide_moments(c, to, m);
      store_moments(step, x, to, m);
    }
    rest[2] = rest[1];
    rest[1] = rest[0];
    rest[0] = own[0];
    south[1] = south[0];
    south[0] = own[1];
    far_south = own[2];
  }
}

template <class real>
class Marching final : public MomentSolver<real> {
 public:
  Marching(const Case& c, const ladder::Tuning& tuning)
      : MomentSolver<real>(c, tuning, kernel(tuning.at("threads")), all_rows) {}

 private:
  static typename MomentSolver<real>::March kernel(int threads) {
    return threads == 32   ? march<32, real>
           : threads == 64 ? march<64, real>
           : threads == 96 ? march<96, real>
                           : march<128, real>;
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/06_factored",
    .traffic = d2q37::moment_traffic,
    .lattices = 2 * 15. / 37,
    .tunables = d2q37::moment_tunables(),
    .make = ladder::make_solver<d2q37::Marching, d2q37::Model>,
};
