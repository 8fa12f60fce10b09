#pragma once

#include <cstdint>
#include <vector>

#include "variants/d3q19/model.hpp"

/// Traffic of rungs in bytes per lattice cell, which depends on the share of fluid cells.
namespace d3q19 {

/// Averages per cell of a case's lattice.
struct Shares {
  double fluid = 1;     ///< fluid cells
  double near = 0;      ///< fluid cells with a non-fluid neighbour
  double returned = 0;  ///< populations that come back from boundary cells in a step
};
inline Shares shares(const Case& c) {
  const std::vector<std::uint32_t> near = near_cells(c);
  double returned = 0;
  for (const std::uint32_t n : near) {
    const auto [x, y, z] = ladder::Box{{}, c.grid()}.place(n);
    for (int i = 1; i < q; ++i)
      returned += c.kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]) != 0;
  }
  const auto cells = static_cast<double>(c.cells());
  return {static_cast<double>(c.fluid_cells()) / cells, static_cast<double>(near.size()) / cells, returned / cells};
}

/// Bytes that a boundary sweep reads per lattice cell: 19 populations, an index and 18 flags for each near cell.
inline double swept_bytes(double real, const Shares& of) { return of.near * (19 * real + sizeof(std::uint32_t) + 18); }

/// Reads one byte of flags of every cell and 19 values of each fluid cell; writes these values and the returned populations.
inline std::vector<ladder::Traffic> fused_traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{19 * real * of.fluid + 1, (19 * of.fluid + of.returned) * real}};
}

/// The same if a separate sweep computes the returned populations by reading back the cells just written.
inline std::vector<ladder::Traffic> swept_traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{19 * real * of.fluid + 1 + swept_bytes(real, of), (19 * of.fluid + of.returned) * real}};
}

/// Like fused_traffic(), on a CPU that fetches the lines that it writes.
inline std::vector<ladder::Traffic> fetched_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  ladder::Traffic traffic = fused_traffic(real, c, tuning).front();
  traffic.read += traffic.write;
  return {traffic};
}

}  // namespace d3q19
