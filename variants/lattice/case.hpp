#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "harness/bench/domain.hpp"
#include "variants/lattice/lattice.hpp"

namespace lattice {

/// Base of every model's case: a periodic grid, its obstacles, and the number of steps. A model derives its case from this and
/// adds its physical parameters, `content()` and `initial(x, y, z)` (docs/add-a-model.md).
template <Lattice L>
struct Case {
  using Lattice = L;

  std::string name;
  int nx = 0;
  int ny = 0;
  int nz = 1;
  std::int64_t steps = 0;
  std::vector<std::uint8_t> solid = {};  ///< [(z * ny + y) * nx + x]: 0 fluid, else solid; empty if all cells are fluid
  bool is_seeded = false;                ///< whether to start from a state in which every population differs, as checks do
  ladder::Triple origin = {0, 0, 0};     ///< position of cell (0, 0, 0) in the whole case, if this is a part
  ladder::Triple part_of = {0, 0, 0};    ///< size of the whole case if this is a part, else zeros

  [[nodiscard]] ladder::Triple grid() const { return {nx, ny, nz}; }
  [[nodiscard]] std::int64_t cells() const { return std::int64_t{nx} * ny * nz; }
  [[nodiscard]] std::int64_t fluid_cells() const {
    return cells() - (std::ssize(solid) - std::count(solid.begin(), solid.end(), std::uint8_t{0}));
  }
  /// Returns whether fluid cells start alike in all planes (in two dimensions: in all rows). A model whose cases start like
  /// this defines its own starts_alike().
  [[nodiscard]] bool starts_alike() const { return false; }
  /// Returns whether a cell is an obstacle.
  [[nodiscard]] bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z = 0) const {
    return !solid.empty() && solid[static_cast<std::size_t>((z * ny + y) * nx + x)] != 0;
  }

  /// Returns the size of the whole case.
  [[nodiscard]] ladder::Triple whole() const { return part_of[0] > 0 ? part_of : grid(); }
  /// Returns the position of a cell in the whole case.
  [[nodiscard]] ladder::Triple in_whole(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const ladder::Triple sides = whole();
    return {ladder::wrapped(origin[0] + x, sides[0]), ladder::wrapped(origin[1] + y, sides[1]),
            ladder::wrapped(origin[2] + z, sides[2])};
  }
  /// Returns the index of a cell in the whole case, x fastest.
  [[nodiscard]] std::uint64_t number_in_whole(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const ladder::Triple place = in_whole(x, y, z);
    return static_cast<std::uint64_t>(ladder::Box{{}, whole()}.number(place[0], place[1], place[2]));
  }
  /// Returns the factor, from 0.9 to 1.1, that scales population i of a cell of the whole case in a seeded state.
  static double seeded_factor(std::uint64_t cell, int i) {
    return 0.9 + 0.2 * ladder::uniform(cell * L::q + static_cast<std::uint64_t>(i));
  }
};

/// Returns a box of a case as a separate periodic case. The box may extend beyond the grid, where it wraps around. A part of a
/// part must lie inside it.
template <class Case>
Case part(const Case& c, const ladder::Box& box) {
  Case part = c;
  part.nx = static_cast<int>(box.extent[0]);
  part.ny = static_cast<int>(box.extent[1]);
  part.nz = static_cast<int>(box.extent[2]);
  part.part_of = c.whole();
  for (std::size_t a = 0; a < 3; ++a)
    part.origin[a] += box.origin[a];
  part.solid.clear();
  for (std::int64_t n = 0; n < box.cells() && !c.solid.empty(); ++n) {
    const ladder::Triple place = box.place(n);
    part.solid.push_back(c.solid[static_cast<std::size_t>(ladder::Box{{}, c.grid()}.number(
        ladder::wrapped(place[0], c.nx), ladder::wrapped(place[1], c.ny), ladder::wrapped(place[2], c.nz)))]);
  }
  return part;
}

/// Returns the case if `Number` can count its cells. @throws ladder::Refused if it cannot
template <class Number, class Case>
const Case& numbered(const Case& c) {
  constexpr std::int64_t most = std::numeric_limits<Number>::max();
  if (c.cells() <= most) return c;
  throw ladder::Refused(ladder::Reason::too_large, c.name + ": kernels number up to " + std::to_string(most) + " cells");
}

}  // namespace lattice
