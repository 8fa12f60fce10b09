#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "backends/memory/array.hpp"
#include "backends/simd/row_stream.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"
#include "variants/regularized/moments.hpp"

/// Shared by rungs whose lattices store ten coefficients per cell (collide.h) instead of populations.
namespace regularized {

/// Such a lattice as the layouts see it.
struct Stored : Lattice {
  static constexpr int q = numbers;
};

/// Base of these rungs: two copies of a lattice, by default k[10][z][y][x] with rows aligned to cache lines.
template <class real, class Layout = lattice::Aligned<Stored, real>>
class MomentSolver : public Solver {
 protected:
  using Vector = ladder::Vector<real>;

 public:
  void store(ladder::Populations& out) override {
    for_each_cell(out.box, [&](std::int64_t n, const real* stored, std::int64_t stride) {
      double k[numbers], f[q];
      for (int i = 0; i < numbers; ++i)
        k[i] = stored[i * stride];
      populations_of(k, f);
      for (int i = 0; i < q; ++i)
        out.at(i, n) = f[i];
    });
  }
  void load(const ladder::Populations& in) override {
    for_each_cell(in.box, [&](std::int64_t n, real* stored, std::int64_t stride) {
      double f[q];
      for (int i = 0; i < q; ++i)
        f[i] = in.at(i, n);
      set(f, stored, stride);
    });
  }
  double conserved() override {
    const std::int64_t rows = std::int64_t{case_.ny} * case_.nz, worth = ladder::worth_a_thread / (numbers * case_.nx);
    const double sum = ladder::total(ladder::in_parts(rows, worth, [&](std::int64_t first, std::int64_t last) {
      ladder::Sum part;
      for (std::int64_t row = first; row < last; ++row)
        for (int x = 0; x < case_.nx; ++x)
          for (const int i : {0, 4, 5, 6})
            part.add(f_.data()[layout_(i, x, row % case_.ny, row / case_.ny)] / (i == 0 ? 1.0 : 3.0));
      return part.value();
    }));
    return static_cast<double>(case_.cells()) + sum / edge;
  }

 protected:
  /// Writes the initial state; each thread first touches its rows.
  explicit MomentSolver(const Case& c)
      : case_(c), layout_(extents(c)), f_(static_cast<std::size_t>(layout_.required_span_size())), g_(f_.size()) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < c.ny; ++y)
      for (int z = 0; z < c.nz; ++z)
        initialize(y, z);
  }

  /// The first value of the first cell of a row, which may lie one row beyond either end of the box.
  [[nodiscard]] LADDER_INLINE const real* row(int y, int z) const {
    return f_.data() + layout_(0, 0, lattice::wrapped(y, case_.ny), lattice::wrapped(z, case_.nz));
  }

  const Case case_;
  const Layout layout_;
  const std::int64_t stride_ = layout_(1, 0, 0, 0) - layout_(0, 0, 0, 0);  ///< elements from one value of a cell to the next
  ladder::Array<real> f_, g_;                                              ///< read and written by the next step
  const Relaxation<real> relaxation_{case_.omega()};

 private:
  static void set(const double* f, real* stored, std::int64_t stride) {
    double k[numbers];
    project(f, k);
    for (int i = 0; i < numbers; ++i)
      stored[i * stride] = static_cast<real>(k[i]);
  }

  void initialize(int y, int z) {
    for (int i = 0; i < numbers; ++i)
      for (int x = 0; x < layout_.columns(); ++x)
        for (auto* lattice : {&f_, &g_})
          lattice->poison(static_cast<std::size_t>(layout_(i, x, y, z)), static_cast<std::size_t>(layout_(i, x, y, z)) + 1);
    for (int x = 0; x < case_.nx; ++x)
      set(case_.initial(x, y, z).data(), f_.data() + layout_(0, x, y, z), stride_);
  }

  template <class Visit>
  void for_each_cell(const ladder::Box& box, Visit visit) {
    lattice::detail::for_each_cell(box, q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
      visit(n, f_.data() + layout_(0, x, y, z), stride_);
    });
  }
};

/// A thread's working set while it marches through the planes of a tile of rows: the populations of the last three expanded
/// rows, [3][q][margin + width + margin], and the sums of all rows of the tile.
template <class real>
class Tile {
  using Vector = ladder::Vector<real>;

 public:
  /// Must be called by the thread that uses the tile, so that this thread touches its memory first.
  Tile(int width, int rows)
      : vectors_((width + Vector::size - 1) / Vector::size),
        pitch_((width + margin - 1) / margin * margin + 2 * margin),
        populations_(static_cast<std::size_t>(3 * q * pitch_)),
        arrivals_(static_cast<std::size_t>(rows * vectors_)) {
    populations_.poison();
  }

  /// The population that leaves the first cell of row y, at least -1, in direction i.
  [[nodiscard]] LADDER_INLINE real* leaving(int i, int y) {
    return populations_.data() + ((y + 3) % 3 * q + i) * pitch_ + margin;
  }
  [[nodiscard]] std::int64_t pitch() const { return pitch_; }
  /// Sums of the vector of cells that starts at column x of the tile's row `row`.
  [[nodiscard]] LADDER_INLINE Arrivals<Vector>& arrivals(int row, int x) {
    return arrivals_[static_cast<std::size_t>(row * vectors_ + x / Vector::size)];
  }

 private:
  static constexpr int margin = ladder::cache_line_bytes / sizeof(real);

  int vectors_;
  std::int64_t pitch_;
  ladder::Array<real> populations_;
  std::vector<Arrivals<Vector>> arrivals_;
};

/// `rows`: rows of a tile.
inline ladder::Tunable rows_tunable() {
  return {.name = "rows",
          .meaning = "rows of a tile; 0: as many as keep 256 KiB of sums in a cache",
          .values = {0, 2, 4, 8, 16, 32, 64},
          .initial = 0};
}

/// The number of rows per tile that the tuning selects.
template <class real>
int rows_of_tile(const Case& c, const ladder::Tuning& tuning) {
  if (tuning.at("rows") != 0) return std::min(tuning.at("rows"), c.ny);
  constexpr int bytes = sizeof(Arrivals<real>);
  const int per_thread = (c.ny + omp_get_max_threads() - 1) / omp_get_max_threads();
  return std::clamp((256 << 10) / (bytes * c.nx), 1, per_thread);
}

}  // namespace regularized
