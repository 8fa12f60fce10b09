#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "backends/cuda/shared.hpp"
#include "variants/d2q37/cuda/solver.hpp"
#include "variants/d2q37/cuda/sums.hpp"

/// Blocks that march along y through strips of columns, one thread per column, and keep sums of the waiting populations.
namespace d2q37 {

/// Arguments of a kernel: moments [15][y][pitch] before and after its steps.
template <class real>
struct StripStep {
  Arrays<D2Q37_M, const real> m;
  Arrays<D2Q37_M, real> to;
  Problem<real> c;
  int steps;  ///< of this launch

  /// Whether row y is beyond a wall.
  __device__ bool is_mirrored(int y) const { return c.walls && (y < 0 || y >= c.ny); }
  /// The row of the lattice that row y beyond a wall mirrors; other rows are returned unchanged.
  __device__ int mirrored(int y) const { return !is_mirrored(y) ? y : y < 0 ? -1 - y : 2 * c.ny - 1 - y; }

  __device__ __forceinline__ void load(int x, int y, real* moments) const {
    const int place = c.row(mirrored(y)) + x;
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      moments[k] = m.of[k][place];
  }
  __device__ __forceinline__ void store(int x, int y, const real* moments) const {
    const int place = c.row(y) + x;
#pragma unroll
    for (int k = 0; k < D2Q37_M; ++k)
      to.of[k][place] = moments[k];
  }

  /// Relaxes the moments of a cell in row y; in a row at a wall, sets the wall's state first.
  __device__ __forceinline__ void relax(int y, real* moments) const {
    const Relaxation<real>& r = c.relaxation;
    if (c.walls && (y < Case::wall_rows || y >= c.ny - Case::wall_rows))
      d2q37_equilibrium(moments[0], real{0}, r.wall_speed, r.wall_theta[y >= Case::wall_rows], moments);
    d2q37_relax(moments, r.omega, r.kick, r.warm);
  }
};

/// A part of a strip, `columns` wide without its margins: rows first to end - 1.
struct Piece {
  int strip, first, end;
};

/// Calls advance(Piece) for the rows of this block. All rows of all strips, one strip after another, are divided into equal
/// shares, so that blocks finish at about the same time.
template <class Advance>
__device__ __forceinline__ void for_each_piece(int strips, int ny, const Advance& advance) {
  const std::int64_t rows = std::int64_t{strips} * ny;
  int at = static_cast<int>(rows * blockIdx.x / gridDim.x);
  const int end = static_cast<int>(rows * (blockIdx.x + 1) / gridDim.x);
#pragma unroll 1
  while (at < end) {
    const Piece piece{at / ny, at % ny, min(ny, at % ny + end - at)};
    advance(piece);
    at += piece.end - piece.first;
  }
}

/// This thread's column of a strip with `threads` columns; `margin` columns on each side belong to its neighbours.
template <int threads, int margin>
struct StripColumn {
  static constexpr int width = threads - 2 * margin;
  __host__ __device__ static constexpr int strips(int nx) { return (nx + width - 1) / width; }

  int x;        ///< in the lattice, wrapped
  bool inside;  ///< whether the block writes this column

  __device__ StripColumn(int strip, int column, int nx) : x(strip * width + column - margin) {
    inside = column >= margin && column < threads - margin && x < nx;
    x = wrapped_far(x, nx);
  }
};

/// One row of the populations that move along x, in shared memory: [population][threads].
template <int threads, class real>
class PassedRow {
 public:
  /// Number of populations with c_x != 0, and elements of shared memory.
  static constexpr int moving = q - 2 * D2Q37_REACH - 1, elements = moving * threads;

  __device__ PassedRow(real* shared, int column)
      : own_(shared + column), inside_(min(max(column, D2Q37_REACH), threads - 1 - D2Q37_REACH) - column) {}

  /// Writes the populations f that leave this thread's cell.
  __device__ __forceinline__ void put(const real* f) const {
#pragma unroll
    for (int i = 0, n = 0; i < q; ++i)
      if (d2q37_cx[i] != 0) own_[n++ * threads] = f[i];
  }

  /// Calls use(f), where f(Velocity) is a population that arrives in this column. In mirrored rows, populations stay in their
  /// columns. Columns near the ends of the row receive populations meant for other columns.
  template <class Use>
  __device__ __forceinline__ void arriving(bool is_mirrored, const real* f, const Use& use) const {
    const real* from[2 * D2Q37_REACH + 1];
#pragma unroll
    for (int c = -D2Q37_REACH; c <= D2Q37_REACH; ++c)
      from[D2Q37_REACH + c] = own_ + (is_mirrored ? 0 : inside_ - c);
    use([&](auto c) -> real {
      using C = decltype(c);
      if constexpr (C::x == 0)
        return f[C::index];
      else
        return from[D2Q37_REACH + C::x][slot<C::index> * threads];
    });
  }

 private:
  /// Index of population i among those with c_x != 0.
  template <int i>
  static constexpr int slot = [] {
    int n = 0;
    for (int other = 0; other < i; ++other)
      n += d2q37_cx[other] != 0 ? 1 : 0;
    return n;
  }();

  real* own_;
  int inside_;  ///< distance to the nearest column whose neighbours are all in the row
};

/// 15 moments read and written in each pass of `steps` steps, each step with its own threads; margins are read again. The rows
/// at the ends of pieces are not counted, because the number of blocks that the device runs is not known here.
template <int steps, int margin>
std::vector<ladder::Traffic> strip_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const auto width = static_cast<int>(tuning.at("threads")) / steps - 2 * margin;
  const double strips = (c.nx + width - 1) / width;
  return {{15 * real * (1 + 2 * margin * strips / c.nx) / steps, 15 * real / steps}};
}

/// Base of solvers that hold two copies of a lattice of moments, m[15][y][pitch], with rows padded to whole lines.
template <class real>
class StripSolver : public Solver {
 public:
  void wait() override { device_.wait(); }

  void store(ladder::Populations& out) override {
    ladder::Populations m(D2Q37_M, out.box);
    lattice::cuda::store<real>(device_, m_.data(), places(D2Q37_M), m);
    for_each_cell(m, out, [](const double* moments, double* f) { d2q37_expand(moments, f); });
  }

  void load(const ladder::Populations& in) override {
    ladder::Populations m(D2Q37_M, in.box);
    for_each_cell(in, m, [](const double* f, double* moments) { d2q37_moments(f, moments); });
    lattice::cuda::load<real>(device_, m_.data(), places(D2Q37_M), m);
  }

  double conserved() override { return lattice::cuda::sum<real>(device_, m_.data(), places(1)); }

 protected:
  using Step = StripStep<real>;

  explicit StripSolver(const Case& c)
      : problem_(problem_of<real>(without_reaction(lattice::numbered<std::int32_t>(c)), static_cast<int>(strides(c).y))),
        extents_(lattice::extents(c)),
        m_(device_, size(c)),
        to_(device_, size(c)) {
    lattice::load_initial<Model>(c, [&](const ladder::Populations& state) { load(state); });
  }

  /// Arguments of a launch that advances by `steps` steps.
  [[nodiscard]] Step step(int steps) { return {arrays<const real>(m_), arrays<real>(to_), problem_, steps}; }
  /// Ends a pass: the next one reads the lattice that this one wrote.
  void swap_lattices() { std::swap(m_, to_); }
  /// Advances by `steps` steps and swaps the lattices.
  void pass(const Launch& launch, void (*kernel)(Step), int steps) {
    launch(kernel, step(steps));
    swap_lattices();
  }

  /// A launch with as many blocks of `threads` threads as can run at once, with `elements` shared-memory elements per thread.
  template <class... Parameters>
  Launch at_once(void (*kernel)(Parameters...), int threads, int elements) const {
    Launch launch{
        device_, {1, 1}, {static_cast<std::size_t>(threads), 1}, static_cast<std::size_t>(elements * threads) * sizeof(real)};
    prefer_shared(kernel, 100);
    launch.blocks.x = std::max<std::size_t>(1, resident_blocks(launch, kernel));
    const std::size_t blocks = launch.blocks.x / static_cast<std::size_t>(device_.multiprocessors());
    prefer_shared(kernel,
                  static_cast<int>(100 * blocks * launch.shared / device_.shared_memory()) + 1);  // the rest is L1 cache
    return launch;
  }

  const Device device_ = Device::select();
  const Problem<real> problem_;

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

  /// Calls convert(values in `from`, values in `to`) for each cell.
  static void for_each_cell(const ladder::Populations& from, ladder::Populations& to, void (*convert)(const double*, double*)) {
    ladder::in_parts(from.cells(), ladder::worth_a_thread / q, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        double old[q], converted[q];
        for (int n = 0; n < from.q; ++n)
          old[n] = from.at(n, cell);
        convert(old, converted);
        for (int n = 0; n < to.q; ++n)
          to.at(n, cell) = converted[n];
      }
    });
  }

  const lattice::Extents extents_;
  Buffer<real> m_, to_;
};

}  // namespace d2q37
