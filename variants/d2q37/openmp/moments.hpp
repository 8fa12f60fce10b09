#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <vector>

#include "backends/memory/array.hpp"
#include "backends/simd/row_stream.hpp"
#include "variants/d2q37/rows.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

/// Shared by rungs whose lattices store moments instead of populations.
namespace d2q37 {

/// A cell is stored as its moments in the order of collide.h. After a collision, they hold the same information as its
/// populations.
struct Moments : Lattice {
  static constexpr int q = D2Q37_M;
};

/// The populations of the rows that a thread expanded last, ring[8][37][margin + width + margin].
template <class real>
class Ring {
 public:
  static constexpr int margin = ladder::cache_line_bytes / sizeof(double);  ///< columns on each side of a thread's own

  /// Allocates rows of `width` columns on first use; called by the thread that uses the ring, which must be the first to touch
  /// it.
  void prepare(int width) {
    if (numbers_.size() != 0) return;
    pitch_ = (width + margin - 1) / margin * margin + 2 * margin;
    numbers_ = ladder::Array<real>(static_cast<std::size_t>(rows * q * pitch_));
    numbers_.poison();
  }
  /// Elements from one population to the next.
  [[nodiscard]] std::int64_t pitch() const { return pitch_; }
  /// Populations i of row y, from -3 to ny + 2, starting at the first column to be updated.
  [[nodiscard]] real* at(int i, int y) { return numbers_.data() + ((y + rows) % rows * q + i) * pitch_ + margin; }

 private:
  static constexpr int rows = 8;

  std::int64_t pitch_ = 0;
  ladder::Array<real> numbers_;
};

/// Base of these rungs: two copies of a lattice m[15][y][x] with rows aligned to cache lines.
template <class real>
class MomentSolver : public ladder::Solver<Model> {
  using Vector = ladder::Vector<real>;

 public:
  void store(ladder::Populations& out) override {
    visit_cells(out.box, [&](std::int64_t n, real* m, std::int64_t stride) {
      real moments[D2Q37_M], f[q];
      for (int k = 0; k < D2Q37_M; ++k)
        moments[k] = m[k * stride];
      d2q37_expand(moments, f);
      for (int i = 0; i < q; ++i)
        out.at(i, n) = static_cast<double>(f[i]);
    });
  }
  void load(const ladder::Populations& in) override {
    visit_cells(in.box, [&](std::int64_t n, real* m, std::int64_t stride) {
      double f[q];
      for (int i = 0; i < q; ++i)
        f[i] = in.at(i, n);
      project(f, m, stride);
    });
  }
  double conserved() override {
    return lattice::sum(f_.data(), {.q = 1, .extents = extents(case_), .strides = layout_.strides(), .access = {}});
  }

 protected:
  /// Allocates memory without touching it; the rung calls initialize() for every row.
  explicit MomentSolver(const Case& c)
      : case_(without_reaction(c)), f_(static_cast<std::size_t>(layout_.required_span_size())), g_(f_.size()) {}

  /// First-touches row y: fills it with NaN, then writes the initial state.
  void initialize(int y) {
    for (int k = 0; k < D2Q37_M; ++k)
      for (auto* lattice : {&f_, &g_}) {
        const auto first = static_cast<std::size_t>(layout_(k, 0, y));
        lattice->poison(first, first + static_cast<std::size_t>(layout_.columns()));
      }
    for (int x = 0; x < case_.nx; ++x)
      project(case_.initial(x, y, 0).data(), f_.data() + layout_(0, x, y), layout_.strides().q);
  }

  /// Allocates a ring for each thread of subsequent teams.
  void make_rings() { rings_.resize(std::max(rings_.size(), static_cast<std::size_t>(omp_get_max_threads()))); }
  [[nodiscard]] Ring<real>& own_ring(int width) {
    Ring<real>& ring = rings_[static_cast<std::size_t>(omp_get_thread_num())];
    ring.prepare(width);
    return ring;
  }
  /// First row of a thread in a team; the thread count yields ny, the end of the last thread's rows.
  [[nodiscard]] int first_row(int thread) const {
    return static_cast<int>(static_cast<std::int64_t>(case_.ny) * thread / omp_get_num_threads());
  }

  template <class Update>
  void with_wall(int y, Update update) const {
    d2q37::with_wall(y, bottom_, case_.ny, relaxation_, update);
  }

  /// Loads the moments m of the vector of cells at column x; x may lie beyond the ends of the row, which wraps around.
  LADDER_INLINE void load_vector(const real* row, int x, Vector* m) const {
    const int nx = case_.nx;
    const std::int64_t stride = layout_.strides().q;
    if (x >= 0 && x + Vector::size <= nx)
      for (int k = 0; k < D2Q37_M; ++k)
        m[k] = Vector::load_aligned(row + k * stride + x);
    else
      for (int k = 0; k < D2Q37_M; ++k) {
        real lanes[Vector::size];
        for (int lane = 0; lane < Vector::size; ++lane)
          lanes[lane] = row[k * stride + ((x + lane) % nx + nx) % nx];
        m[k] = Vector::load(lanes);
      }
  }

  /// Locations in a ring of the populations of row y, which is row `place` of a wall.
  [[nodiscard]] std::array<const real*, q> sources(int y, const WallRow& place, Ring<real>& ring) const {
    std::array<const real*, q> from;
    for (int i = 0; i < q; ++i) {
      const Source source = source_of(i, y, place, bottom_, case_.ny);
      const int up = source.y - y;  // wrapped: the row is at most 3 rows away in the ring
      const int near = up > Lattice::reach ? up - case_.ny : up < -Lattice::reach ? up + case_.ny : up;
      from[static_cast<std::size_t>(i)] = ring.at(source.i, y + near) - source.west;
    }
    return from;
  }

  const Case case_;
  const lattice::Aligned<Moments, real> layout_{extents(case_)};
  ladder::Array<real> f_, g_;  ///< moments, [layout_(k, x, y)]: read and written by the next step
  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();

 private:
  /// Writes the moments of the populations f.
  static void project(const double* f, real* m, std::int64_t stride) {
    double moments[D2Q37_M];
    d2q37_moments(f, moments);
    for (int k = 0; k < D2Q37_M; ++k)
      m[k * stride] = static_cast<real>(moments[k]);
  }

  template <class Visit>
  void visit_cells(const ladder::Box& box, Visit visit) {
    lattice::detail::for_each_cell(box, q, [&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t n) {
      visit(n, f_.data() + layout_(0, x, y), layout_.strides().q);
    });
  }

  std::vector<Ring<real>> rings_;  ///< one per thread
};

}  // namespace d2q37
