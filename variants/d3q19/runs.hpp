#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "variants/d3q19/model.hpp"

/// Rows of the lattice as lists of runs, so that loops over cells need no flags.
namespace d3q19 {

/// Adjacent fluid cells in a row: columns [begin, end).
struct CellRun {
  std::uint16_t begin, end;
};

/// Adjacent fluid cells in a row whose neighbours in direction i are boundary cells of the same kind. A run never extends
/// across the periodic end of a row.
struct LinkRun {
  std::uint16_t begin, end;
  std::uint8_t i, kind;
};

/// The runs of all rows.
template <class Run>
class Runs {
 public:
  /// `rows`: rows per plane.
  explicit Runs(std::int64_t rows) : rows_(rows) {}

  /// Appends a run to the current row, which follows the last finished one.
  void add(const Run& run) { runs_.push_back(run); }
  /// The last run of the current row; null if it has none yet.
  Run* last() { return runs_.size() > first_.back() ? &runs_.back() : nullptr; }
  void finish_row() { first_.push_back(runs_.size()); }

  /// The runs of row y in plane z.
  [[nodiscard]] std::span<const Run> row(std::int64_t y, std::int64_t z) const {
    const auto row = static_cast<std::size_t>(z * rows_ + y);
    return {runs_.data() + first_[row], runs_.data() + first_[row + 1]};
  }

 private:
  std::int64_t rows_;
  std::vector<std::size_t> first_ = {0};  ///< [row]: index of its first run in runs_
  std::vector<Run> runs_;
};

/// The fluid cells of a case.
Runs<CellRun> cell_runs(const Case& c);
/// The links from a case's fluid cells to boundary cells; within a row, sorted by direction, then by column.
Runs<LinkRun> link_runs(const Case& c);

/// Gives boundary cells the populations that come back through `links`, the runs of row y in plane z, whose cells have been
/// updated in `f`. `moved`: whether the update has left populations in their destination cells, in the slot of the opposite
/// direction (lattice::AA, phase 0), rather than in their own cell and slot; returned populations then do the same.
template <class real, class Layout>
void return_populations(real* f, const Layout& layout, const Case& c, std::span<const LinkRun> links, int y, int z,
                        bool moved = false) {
  if (links.empty()) return;
  const std::int64_t nx = c.nx, stride = layout.strides().x, slot = layout.strides().q;
  std::int64_t rows[3][3];  // [1 + cz][1 + cy]: column 0 of the row to which a direction leads, in slot 0
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      rows[1 + dz][1 + dy] = layout(0, 0, lattice::wrapped(y + dy, c.ny), lattice::wrapped(z + dz, c.nz));
  // Locations of population i after it has left the cell in column x: in that cell, or in its destination cell, in the slot of
  // the opposite direction.
  const auto here = [&](int i, std::int64_t x) { return f + rows[1][1] + i * slot + x * stride; };
  const auto there = [&](int i, std::int64_t x) {
    return f + rows[1 + d3q19_cz[i]][1 + d3q19_cy[i]] + d3q19_opposite[i] * slot +
           lattice::wrapped(x + d3q19_cx[i], nx) * stride;
  };
  real site[q] = {};  // of the cell in column `known`
  std::int64_t known = -1;
  for (const LinkRun& run : links) {
    const int i = run.i, count = run.end - run.begin;
    real *from = here(i, run.begin), *to = there(i, run.begin);
    if (moved) std::swap(from, to);
    if (run.kind == D3Q19_PRESSURE) {
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        for (int j = 0; j < q && known != x; ++j)
          site[j] = moved ? *there(j, x) : *here(j, x);
        known = x;
        to[(x - run.begin) * stride] = d3q19_returned(site, i, D3Q19_PRESSURE, real(0));
      }
    } else if (run.kind == D3Q19_VELOCITY) {
      const real gain = real(6 * D3Q19_WEIGHT(i) * d3q19_cx[i]) * static_cast<real>(c.speed);
      for (int k = 0; k < count; ++k)
        to[k * stride] = from[k * stride] - gain;
    } else {
      for (int k = 0; k < count; ++k)
        to[k * stride] = from[k * stride];
    }
  }
}

}  // namespace d3q19
