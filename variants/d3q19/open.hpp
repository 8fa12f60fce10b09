#pragma once

#include <array>
#include <span>

#include "harness/bench/obstacles.hpp"
#include "variants/d3q19/open.h"
#include "variants/d3q19/processor.hpp"
#include "variants/d3q19/runs.hpp"

/// Open boundaries (open.h) in CPU rungs.
namespace d3q19 {

/// The links from a case's fluid cells to boundary cells, like link_runs(), in two groups.
struct OpenLinks {
  Runs<LinkRun> closed;  ///< for return_populations(); INFLOW and OUTFLOW cells that act like walls count as WALL
  Runs<LinkRun> open;    ///< for return_open_populations(): to INFLOW cells; to OUTFLOW cells in direction 1, one cell per run

  explicit OpenLinks(const Case& c);
};

/// Gives boundary cells the populations that come back through `links`, the `open` runs of row y in plane z. `places`:
/// locations of populations after the row's update.
template <class real>
void return_open_populations(real* f, const lattice::Places& places, const Case& c, std::span<const LinkRun> links, int y,
                             int z) {
  if (links.empty()) return;
  const auto at = [&](int i, int x, int cell_y, int cell_z) {
    return f + places(i, lattice::wrapped(x, c.nx), lattice::wrapped(cell_y, c.ny), lattice::wrapped(cell_z, c.nz));
  };
  const std::int64_t stride = places.strides.x;
  const real* row[q];  // population i of the cell in column x is at row[i] + x * stride, unless x is the first or last column
  for (int i = 0; i < q; ++i)
    row[i] = at(i, 1, y, z) - stride;
  for (const LinkRun& run : links) {
    if (run.kind == D3Q19_OUTFLOW) {
      for (int i = 1; i < q; ++i)
        if (d3q19_cx[i] < 0) *at(i, run.begin + 1, y, z) = *at(i, run.begin, y, z);
      continue;
    }
    const int i = run.i, first = run.begin, end = run.end;
    real* const to = at(d3q19_opposite[i], first + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]);
    const bool is_inner = first > 0 && end < c.nx;
    const auto returned = [&](int x) {
      real site[q];
      for (int j = 0; j < q; ++j)
        site[j] = is_inner ? row[j][x * stride] : *at(j, x, y, z);
      to[(x - first) * stride] = d3q19_returned_open(site, i, D3Q19_INFLOW, static_cast<real>(c.speed));
    };
#pragma GCC ivdep
    for (int x = first; x < end; ++x)
      returned(x);
  }
}

/// Base of the CPU rungs that accept open boundaries.
template <class real, template <class, class> class LayoutOf, class Pattern = lattice::Pull>
class OpenSolver : public ProcessorSolver<real, LayoutOf, Pattern>, public ladder::TakesOpenBoundaries {
  using Base = ProcessorSolver<real, LayoutOf, Pattern>;

 public:
  void load(const ladder::Populations& in) override {
    Base::load(in);
    fill_boundaries();
  }

 protected:
  using Base::case_, Base::layout_, Base::f_;

  explicit OpenSolver(const Case& c) : Base(c), links_(c) {
    for (int phase = 0; phase < Pattern::phases; ++phase)
      places_[static_cast<std::size_t>(phase)] =
          lattice::places<Lattice, Pattern>(lattice::extents(c), layout_.strides(), phase, Model::density(c));
  }

  /// As in the base class, for all kinds.
  void fill_boundaries() {
    Base::fill_boundaries();
    for (int z = 0; z < case_.nz; ++z)
      for (int y = 0; y < case_.ny; ++y)
        return_open_populations(f_.data(), places_[static_cast<std::size_t>(this->phase_)], case_, links_.open.row(y, z), y, z);
  }

  /// Gives boundary cells the populations that come back to row y of plane z, which has been updated in `f` in this phase.
  void return_row(real* f, int y, int z, int phase = 0) {
    constexpr bool in_place = Pattern::phases > 1;
    return_populations(f, layout_, case_, links_.closed.row(y, z), y, z, in_place && phase == 0);
    return_open_populations(f, places_[static_cast<std::size_t>((phase + 1) % Pattern::phases)], case_, links_.open.row(y, z),
                            y, z);
  }

 private:
  const OpenLinks links_;
  std::array<lattice::Places, Pattern::phases> places_;  ///< [phase]: locations before this phase
};

}  // namespace d3q19
