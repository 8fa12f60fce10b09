#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "variants/d2q37/cuda/solver.hpp"

/// Lattices of 15 moments per cell, and launches of the kernels that march through them.
namespace d2q37 {

/// Arguments of a kernel that advances by one step: moment arrays [y][pitch] before and after the step.
template <class real>
struct MomentStep {
  Arrays<D2Q37_M, const real> m;
  Arrays<D2Q37_M, real> to;
  Problem<real> c;
  int rows;  ///< in a segment, which one block advances
};

/// Columns that a block with this many threads keeps on chip, and how many such blocks fit in the 227 KB of shared memory of a
/// multiprocessor.
__host__ __device__ constexpr int columns_of(int threads) {
  return threads == 32 ? 31 : threads == 64 ? 60 : threads == 96 ? 94 : 128;
}
__host__ __device__ constexpr int blocks_of(int threads) {
  return threads == 32 ? 6 : threads == 64 ? 3 : threads == 96 ? 2 : 1;
}
/// Columns of a strip, excluding margins; a block advances one strip.
__host__ __device__ constexpr int strip_columns(int threads) { return columns_of(threads) - 2 * D2Q37_REACH; }

/// Layout of the population rows kept on chip: population i has c_y + 4 rows, starting at row first[i]. It is written along
/// with row y + 3 and read along with the row that it moves to.
struct Rows {
  int first[q] = {};
  int all = 0;

  constexpr Rows() {
    for (int i = 0; i < q; ++i) {
      first[i] = all;
      all += d2q37_cy[i] + D2Q37_REACH + 1;
    }
  }
};
#if defined(__CUDA_ARCH__)
static __device__ constexpr Rows rows_on_chip;
#else
inline constexpr Rows rows_on_chip;
#endif

/// The row that each population was last written to.
struct KeptRows {
  int of[2 * D2Q37_REACH + 1] = {};  ///< indexed by reach + c_y

  /// Advances to the oldest row, which will be overwritten next.
  __device__ void advance() {
#pragma unroll
    for (int n = 0; n <= 2 * D2Q37_REACH; ++n)
      of[n] = of[n] < n ? of[n] + 1 : 0;
  }
  /// The row of population i, counted over all populations.
  __device__ int operator()(int i) const { return rows_on_chip.first[i] + of[D2Q37_REACH + d2q37_cy[i]]; }
};

/// A thread's column in a strip, and the segment of rows that its block advances.
template <int threads, class real>
struct Strip {
  static constexpr int columns = columns_of(threads);

  const MomentStep<real>& step;
  int column;              ///< on chip, including margins; the last threads may have none
  int x;                   ///< in the lattice, wrapped
  bool inside;             ///< whether the block advances this column
  int first, end;          ///< rows of the segment
  real* own;               ///< [row][columns] in shared memory, starting at the thread's column
  const real* neighbours;  ///< the same, or starting at the nearest column whose neighbours are all on chip

  __device__ Strip(const MomentStep<real>& s, int number, real* shared)
      : step(s),
        column(number),
        x(static_cast<int>(blockIdx.x) * strip_columns(threads) + column - D2Q37_REACH),
        inside(number >= D2Q37_REACH && number < columns - D2Q37_REACH && x < s.c.nx),
        first(static_cast<int>(blockIdx.y) * s.rows),
        end(min(first + s.rows, s.c.ny)),
        own(shared + column),
        neighbours(shared + min(max(column, D2Q37_REACH), columns - 1 - D2Q37_REACH)) {
    x = wrapped_far(x, s.c.nx);
  }

  __device__ bool writes(int y) const { return inside && y >= first; }
  /// Whether row y is beyond a wall.
  __device__ bool is_mirrored(int y) const { return step.c.walls && (y < 0 || y >= step.c.ny); }

  /// Reads the moments of row y, which may be up to four rows beyond the segment; rows beyond a wall are mirrored.
  __device__ void load(int y, real* m) const {
    const int ny = step.c.ny;
    const int row = !is_mirrored(y) ? min(y, ny + D2Q37_REACH - 1) : y < 0 ? -1 - y : 2 * ny - 1 - y;
    const int place = step.c.row(row) + x;
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      m[k] = step.m.of[k][place];
  }

  /// Writes the populations f of row y to shared memory. Those of a mirrored row are reversed and stored in the column from
  /// which they return.
  __device__ void keep(int y, const KeptRows& newest, const real* f) const {
    if (is_mirrored(y)) {
#pragma unroll
      for (int i = 0; i < q; ++i) {
        const int to = column + d2q37_cx[i];
        if (column < columns && to >= 0 && to < columns) own[newest(d2q37_opposite[i]) * columns + d2q37_cx[i]] = f[i];
      }
    } else if (column < columns) {
#pragma unroll
      for (int i = 0; i < q; ++i)
        own[newest(i) * columns] = f[i];
    }
  }

  /// Reads the populations that have moved to a cell three rows below the newest row.
  __device__ void gather(const KeptRows& oldest, real* f) const {
#pragma unroll
    for (int i = 0; i < q; ++i)
      f[i] = neighbours[oldest(i) * columns - d2q37_cx[i]];
  }

  /// Relaxes the moments of a cell in row y; in a row at a wall, sets the wall's state first.
  __device__ void relax(int y, real* m) const {
    const Relaxation<real>& r = step.c.relaxation;
    if (step.c.walls && (y < Case::wall_rows || y >= step.c.ny - Case::wall_rows))
      d2q37_equilibrium(m[0], real{0}, r.wall_speed, r.wall_theta[y >= Case::wall_rows], m);
    d2q37_relax(m, r.omega, r.kick, r.warm);
  }

  /// Writes the moments of a cell in row y.
  __device__ void store(int y, const real* m) const {
    const int place = step.c.row(y) + x;
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      step.to.of[k][place] = m[k];
  }
};

inline int parts_of(int n, int size) { return (n + size - 1) / size; }

inline std::vector<ladder::Tunable> moment_tunables() {
  return {{.name = "threads",
           .meaning = "threads per block, one per column held on chip; six columns are margins",
           .values = {32, 64, 96, 128},
           .initial = 96},
          {.name = "rows",
           .meaning = "rows per segment, which one block advances; 0: such that all blocks run at once",
           .values = {0, 16, 32, 64, 128, 256, 512, 1024},
           .initial = 0}};
}

/// 15 moments read and written; margins are read again. The segment length that fits the device is not known here, so 128 rows
/// are assumed.
inline std::vector<ladder::Traffic> moment_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const int rows = std::min(c.ny, tuning.at("rows") == 0 ? 128 : tuning.at("rows"));
  const double strips = parts_of(c.nx, strip_columns(tuning.at("threads"))), segments = parts_of(c.ny, rows);
  const double read = (c.nx + 2 * D2Q37_REACH * strips) / c.nx * (c.ny + 2 * D2Q37_REACH * segments) / c.ny;
  return {{15 * real * read, 15 * real}};
}

/// Base of solvers that hold two copies of a lattice of moments, m[15][y][pitch], with rows padded to whole lines.
template <class real>
class MomentSolver : public Solver {
 public:
  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      launch_(march_, {arrays<const real>(m_), arrays<real>(to_), problem_, rows_});
      std::swap(m_, to_);
    }
  }

  void wait() override { device_.wait(); }

  void store(ladder::Populations& out) override {
    ladder::Populations m(D2Q37_M, out.box);
    lattice::cuda::store<real>(device_, m_.data(), places(D2Q37_M), m);
    for_each_cell(out, m, [](double* f, double* moments) { d2q37_expand(moments, f); });
  }

  void load(const ladder::Populations& in) override {
    ladder::Populations m(D2Q37_M, in.box);
    for_each_cell(in, m, [](double* f, double* moments) { d2q37_moments(f, moments); });
    lattice::cuda::load<real>(device_, m_.data(), places(D2Q37_M), m);
  }

  double conserved() override { return lattice::cuda::sum<real>(device_, m_.data(), places(1)); }

 protected:
  using March = void (*)(MomentStep<real>);

  MomentSolver(const Case& c, const ladder::Tuning& tuning, March march)
      : problem_(problem_of<real>(without_reaction(lattice::numbered<std::int32_t>(c)), static_cast<int>(strides(c).y))),
        extents_(lattice::extents(c)),
        march_(march),
        m_(device_, size(c)),
        to_(device_, size(c)),
        launch_{device_, {1, 1}, {static_cast<std::size_t>(tuning.at("threads")), 1}},
        rows_(tuning.at("rows")) {
    const int threads = tuning.at("threads");
    launch_.shared = static_cast<std::size_t>(columns_of(threads) * rows_on_chip.all) * sizeof(real);
    prefer_shared(march, 100);
    const auto at_once = resident_blocks(launch_, march);
    const auto strips = static_cast<std::size_t>(parts_of(c.nx, strip_columns(threads)));
    if (rows_ == 0) rows_ = parts_of(c.ny, static_cast<int>(std::max<std::size_t>(1, at_once / strips)));
    rows_ = std::min(rows_, c.ny);
    launch_.blocks = {strips, static_cast<std::size_t>(parts_of(c.ny, rows_))};
    constexpr std::int64_t numbers = std::int64_t{64} << 20;
    lattice::for_each_slab(extents_, q, numbers, [&](const ladder::Box& slab) { load(lattice::initial<Model>(c, slab)); });
  }

 private:
  static lattice::Strides strides(const Case& c) { return lattice::padded_rows<real>(c); }
  static std::size_t size(const Case& c) {
    return static_cast<std::size_t>(lattice::required_span_size(D2Q37_M, lattice::extents(c), strides(c)));
  }
  /// Locations of the first `count` moments.
  [[nodiscard]] lattice::Places places(int count) const {
    const std::int64_t pitch = problem_.pitch, array = pitch * problem_.ny;
    lattice::Places all{.q = count, .extents = extents_, .strides = {0, 1, pitch, array, array}, .access = {}};
    for (int k = 0; k < count; ++k)
      all.access[k] = {k, {}};
    return all;
  }
  template <class T>
  Arrays<D2Q37_M, T> arrays(Buffer<real>& buffer) const {
    return Arrays<D2Q37_M, T>::from(buffer.data(), static_cast<std::size_t>(problem_.pitch) * problem_.ny);
  }

  /// Calls visit(populations, moments) for each cell of two states on the same box, and writes back to `m` if `state` is const,
  /// else to `state`.
  template <class State, class Visit>
  static void for_each_cell(State& state, ladder::Populations& m, Visit visit) {
    ladder::in_parts(state.cells(), ladder::worth_a_thread / q, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        double f[q], moments[D2Q37_M];
        for (int i = 0; i < q; ++i)
          f[i] = state.at(i, cell);
        for (int k = 0; k < D2Q37_M; ++k)
          moments[k] = m.at(k, cell);
        visit(f, moments);
        if constexpr (std::is_const_v<State>)
          for (int k = 0; k < D2Q37_M; ++k)
            m.at(k, cell) = moments[k];
        else
          for (int i = 0; i < q; ++i)
            state.at(i, cell) = f[i];
      }
    });
  }

  const Device device_ = Device::select();
  const Problem<real> problem_;
  const lattice::Extents extents_;
  const March march_;
  Buffer<real> m_, to_;
  Launch launch_;
  int rows_;  // in a segment
};

}  // namespace d2q37
