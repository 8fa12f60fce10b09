// Idea:    two steps per pass: half of a block's warps take the first step of a row, the others the second of a row below
// Layout:  structure of arrays with padded rows, m[15][y][pitch], two copies; in registers, for each step, up to 69 sums per
//          column; in shared memory, for each step, two rows of the populations that move along x, and two rows of moments
// Traffic: 15 moments read and written every two steps, plus reads of the margins: 6 columns at each side of a strip, 6 rows at
//          each end
// Source:  Gounley et al., "Propagation Pattern for Moment Representation of the Lattice Boltzmann Method", IEEE TPDS 33 (2022)
// Bound:   latency of arithmetic: registers limit a multiprocessor to eight warps
#include "variants/d2q37/cuda/strips.hpp"

namespace d2q37 {
namespace {

constexpr int margin = 2 * D2Q37_REACH;  ///< columns

/// Moments of the three rows next to a wall after the first step. They are needed again, as mirrored rows.
template <class real>
class WallRows {
 public:
  __device__ void keep(int distance, const real* m) {
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      rows_[distance][k] = m[k];
  }
  __device__ void read(int distance, real* m) const {
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      m[k] = rows_[distance][k];
  }

 private:
  real rows_[D2Q37_REACH][D2Q37_M];
};

/// The rows of a piece that the two steps take in iteration n. The first step completes the row three rows below the one that
/// it takes; two iterations later, the second step takes that row. At the bottom wall, the second step starts with three
/// mirrored rows, which exist once the first step has completed three rows; the first step then pauses.
struct Schedule {
  bool at_bottom, at_top;
  int first;  ///< first row that the first step completes
  int end;    ///< end of the rows that the first step completes
  int delay;  ///< the second step takes row n - delay
  int iterations;

  static constexpr int pause = 2 * D2Q37_REACH + 3, pauses = 5;  ///< iteration in which the pause starts, and its length

  template <class real>
  __device__ Schedule(const Piece& piece, const Problem<real>& c)
      : at_bottom(c.walls && piece.first < D2Q37_REACH),
        at_top(c.walls && piece.end > c.ny - D2Q37_REACH),
        first(at_bottom ? 0 : piece.first - D2Q37_REACH),
        end(at_top ? c.ny : piece.end + D2Q37_REACH),
        delay(2 * D2Q37_REACH + 2 - first + (at_bottom ? pauses : 0)),
        iterations(piece.end + D2Q37_REACH + delay) {}

  __device__ bool is_pause(int n) const { return at_bottom && n >= pause && n < pause + pauses; }
  __device__ int first_step(int n) const { return first - D2Q37_REACH + n - (at_bottom && n >= pause + pauses ? pauses : 0); }
  __device__ int second_step(int n) const { return n - delay; }

  /// Replaces the moments m that the second step receives in iteration n with those of the row that it takes, if they differ.
  template <class real>
  __device__ void at_walls(int n, int ny, WallRows<real>& rows, real* m) const {
    const int y = second_step(n), received = n - delay + pauses;
    if (at_bottom && y < D2Q37_REACH) {
      if (received >= 0 && received < D2Q37_REACH) rows.keep(received, m);
      if (y >= -D2Q37_REACH) rows.read(y < 0 ? -1 - y : y, m);
    } else if (at_top && y >= ny) {
      rows.read(y - ny, m);
    } else if (at_top && y >= ny - D2Q37_REACH) {
      rows.keep(ny - 1 - y, m);
    }
  }
};

/// Advances by two steps, or by one with half of the threads idle.
template <int threads, class real>
__global__ void __launch_bounds__(threads, 256 / threads) march(StripStep<real> step) {
  constexpr int columns = threads / 2;
  using Row = PassedRow<columns, real>;
  const bool is_second = threadIdx.x >= columns;
  const int column = static_cast<int>(threadIdx.x) % columns;
  real* const rows = shared_memory<real>();                 // two for each step
  real* const between = rows + 4 * Row::elements + column;  // [2][15][columns]
  for_each_piece(StripColumn<columns, margin>::strips(step.c.nx), step.c.ny, [&](const Piece& piece) {
    const StripColumn<columns, margin> own(piece.strip, column, step.c.nx);
    const Schedule schedule(piece, step.c);
    WaitingRows<real> waiting;
    WallRows<real> at_wall;
    real m[D2Q37_M], next[D2Q37_M], f[q];
    if (!is_second) step.load(own.x, schedule.first_step(0), next);
#pragma unroll 1
    for (int n = 0; n < schedule.iterations; ++n) {
      const bool is_idle = is_second ? step.steps == 1 : schedule.is_pause(n);
      const int turn = n & 1, y = is_second ? schedule.second_step(n) : schedule.first_step(n);
      const bool is_mirrored = step.is_mirrored(y);
      const Row row(rows + (2 * is_second + turn) * Row::elements, column);
      real* const handed = between + turn * D2Q37_M * columns;
      if (!is_idle) {
#pragma unroll
        for (int k = 0; k < D2Q37_M; ++k)
          m[k] = is_second ? handed[k * columns] : next[k];
        if (is_second) schedule.at_walls(n, step.c.ny, at_wall, m);
        if (is_mirrored) reverse(m);
        d2q37_expand(m, f);
        row.put(f);
        if (!is_second) step.load(own.x, min(y + 1, schedule.end + D2Q37_REACH - 1), next);
      }
      __syncthreads();
      if (is_idle) continue;
      row.arriving(is_mirrored, f, [&](const auto& arriving) { waiting.add(arriving, m); });
      const int complete = y - D2Q37_REACH;
      complete_moments(m);
      step.relax(complete, m);
      if (!is_second) {
#pragma unroll
        for (int k = 0; k < D2Q37_M; ++k)
          handed[k * columns] = m[k];
      }
      const bool is_last = is_second || step.steps == 1;
      if (is_last && own.inside && complete >= piece.first && complete < piece.end) step.store(own.x, complete, m);
    }
    __syncthreads();  // the next piece uses the same memory
  });
}

template <class real>
class TwoSteps final : public StripSolver<real> {
 public:
  TwoSteps(const Case& c, const ladder::Tuning& tuning)
      : StripSolver<real>(c),
        march_(kernel(tuning.at("threads"))),
        launch_(this->at_once(march_, tuning.at("threads"), elements)) {}

  void advance(std::int64_t steps) override {
    for (; steps > 0; steps -= 2)
      this->pass(launch_, march_, steps == 1 ? 1 : 2);
  }

 private:
  using March = void (*)(StripStep<real>);
  static constexpr int elements = 2 * PassedRow<1, real>::elements + D2Q37_M;  ///< of shared memory, per thread

  static March kernel(int threads) { return threads == 128 ? march<128, real> : march<256, real>; }

  const March march_;
  const Launch launch_;
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/cuda/13_sums",
    .traffic = d2q37::strip_traffic<2, d2q37::margin>,
    .lattices = 2 * 15. / 37,
    .tunables = {{.name = "threads",
                  .meaning = "threads per block, two per column held on chip; twelve columns are margins",
                  .values = {128, 256},
                  .initial = 256}},
    .make = ladder::make_solver<d2q37::TwoSteps, d2q37::Model>,
};
