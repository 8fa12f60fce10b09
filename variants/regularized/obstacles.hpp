#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/obstacles.hpp"
#include "variants/regularized/model.hpp"
#include "variants/regularized/returned.hpp"

/// Cases with obstacles, taken from d3q19 (docs/d3q19.md): geometry, tau, speed and number of steps are the same, but the
/// collision is this model's. `solid` holds the kinds of cells. Only rungs whose solvers derive from ladder::TakesObstacles
/// accept these cases. Cells that are not fluid have no state and count as fluid at rest.
namespace regularized {

/// Example names of these cases, one for each kind.
std::vector<std::string> obstacle_case_names();
/// The case with obstacles of this name; null if the name's kind is unknown. @throws ladder::InputError for an invalid size
std::optional<Case> make_obstacle_case(std::string_view name);

/// The kind of a cell, 0 for fluid. Coordinates may lie one cell beyond the grid, which is periodic.
int kind_of(const Case& c, std::int64_t x, std::int64_t y, std::int64_t z);
/// Whether steps conserve mass: inflow and outflow change it.
bool conserves_mass(const Case& c);

/// For each cell, the populations that come back from boundary cells, as an index into a table without duplicates.
struct Neighbourhoods {
  static constexpr std::uint32_t plain = 0;  ///< a fluid cell without boundary cells around it
  static constexpr std::uint32_t solid = 1;  ///< a cell that is not fluid

  std::vector<std::uint32_t>
      codes;                 ///< [(z * ny + y) * nx + x]: one of the above, or an index into `links`; empty if all are plain
  std::vector<Links> links;  ///< [code]; the first two entries are not used

  explicit Neighbourhoods(const Case& c);
};

}  // namespace regularized

template <>
struct ladder::ObstacleRules<regularized::Model> {
  static constexpr bool are_optional = true;
  static bool conserves(const regularized::Case& c) { return regularized::conserves_mass(c); }
};
