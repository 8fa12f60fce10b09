#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "variants/d2q37/cuda/solver.hpp"

/// Lattices of 15 moments per cell, and the launches of kernels that march through them.
namespace d2q37 {

/// Arguments of a kernel that makes a step: the arrays [y][pitch] of the moments before it and after it.
template <class real>
struct MomentStep {
  Arrays<D2Q37_M, const real> m;
  Arrays<D2Q37_M, real> to;
  Problem<real> c;
  int rows;  ///< of a segment, which a block advances
};

/// Whether row y lies beyond a wall.
template <class real>
__device__ bool is_mirrored(const Problem<real>& c, int y) {
  return c.walls && (y < 0 || y >= c.ny);
}

/// Reads the moments of cell (x, y); those of a row beyond a wall are of its mirror image.
template <class real>
__device__ void load_moments(const MomentStep<real>& step, int x, int y, real* m) {
  const Problem<real>& c = step.c;
  const int row = is_mirrored(c, y) ? (y < 0 ? -1 - y : 2 * c.ny - 1 - y) : y;
  const int place = c.row(row) + x;
#pragma unroll
  for (int k = 0; k < D2Q37_M; ++k)
    m[k] = step.m.of[k][place];
}

/// Collides the moments of a cell of row y; the rows at a wall get its state first.
template <class real>
__device__ void collide_moments(const Problem<real>& c, int y, real* m) {
  const Relaxation<real>& r = c.relaxation;
  if (c.walls && (y < Case::wall_rows || y >= c.ny - Case::wall_rows))
    d2q37_equilibrium(m[0], real{0}, r.wall_speed, r.wall_theta[y >= Case::wall_rows], m);
  d2q37_relax(m, r.omega, r.kick, r.warm);
}

template <class real>
__device__ void store_moments(const MomentStep<real>& step, int x, int y, const real* m) {
  const int place = step.c.row(y) + x;
#pragma unroll
  for (int k = 0; k < D2Q37_M; ++k)
    step.to.of[k][place] = m[k];
}

/// Strips of columns and segments of rows. A block has one thread per column of a strip, and three more on each side.
__host__ __device__ constexpr int strip_columns(int threads) { return threads - 2 * D2Q37_REACH; }
inline int parts_of(int n, int size) { return (n + size - 1) / size; }

inline std::vector<ladder::Tunable> moment_tunables() {
  return {{.name = "threads",
           .meaning = "threads per block, one per column; six of them for the margins",
           .values = {32, 64, 96, 128},
           .initial = 64},
          {.name = "rows",
           .meaning = "rows of a segment, which a block advances; 0: as many as make two waves of blocks",
           .values = {0, 16, 32, 64, 128, 256, 512, 1024},
           .initial = 128}};
}

/// 15 moments read and written; those of the margins are read again.
inline std::vector<ladder::Traffic> moment_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const int threads = tuning.at("threads"), rows = std::min(c.ny, tuning.at("rows") == 0 ? 128 : tuning.at("rows"));
  const double strips = parts_of(c.nx, strip_columns(threads)), segments = parts_of(c.ny, rows);
  const double read = (c.nx + 2 * D2Q37_REACH * strips) / c.nx * (c.ny + 2 * D2Q37_REACH * segments) / c.ny;
  return {{15 * real * read, 15 * real}};
}

/// Base of solvers that hold two copies of a lattice of moments, m[15][y][pitch], rows padded to whole lines.
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

  /// `march` keeps `kept` numbers of each column in shared memory.
  MomentSolver(const Case& c, const ladder::Tuning& tuning, March march, int kept)
      : problem_(problem_of<real>(without_reaction(lattice::numbered<std::int32_t>(c)), static_cast<int>(strides(c).y))),
        extents_(lattice::extents(c)),
        march_(march),
        m_(device_, size(c)),
        to_(device_, size(c)),
        launch_{device_, {1, 1}, {static_cast<std::size_t>(tuning.at("threads")), 1}} {
    launch_.shared = launch_.block.x * static_cast<std::size_t>(kept) * sizeof(real);
    const auto strips = static_cast<std::size_t>(parts_of(c.nx, strip_columns(tuning.at("threads"))));
    rows_ = tuning.at("rows");
    const std::size_t at_once =
        resident_blocks(device_, march, launch_.block, launch_.shared) * static_cast<std::size_t>(device_.multiprocessors());
    if (rows_ == 0) rows_ = parts_of(c.ny, static_cast<int>(std::max<std::size_t>(1, 2 * at_once / strips)));
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
  /// The places of the first `count` moments.
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

  /// Calls visit(populations, moments) for each cell of two states of the same box, and writes to the one that may be written.
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
  int rows_ = 0;
};

}  // namespace d2q37
