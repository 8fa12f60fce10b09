#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/bench/domain.hpp"
#include "variants/geometry/voxels.hpp"

/// The block forest of waLBerla (M. Bauer et al., Comput. Math. Appl. 81, 478-501, 2021) without refinement: a grid of equal
/// blocks, omitting those without fluid.
namespace geometry {

struct Block {
  ladder::Box box;
  bool plain = false;  ///< all of its cells and their 26 neighbours, in a periodic grid, are fluid
};

/// The smallest whole multiples of `block` that are at least `cells`. @throws ladder::InputError for blocks without cells
ladder::Triple extended(const ladder::Triple& cells, const ladder::Triple& block);

/// The blocks of a grid of `sides` cells that contain fluid, along a Morton curve, so that consecutive blocks are close to each
/// other. `kinds[(z*ny+y)*nx+x]` is 0 for fluid; any other value marks a cell of a boundary or a body.
/// @throws ladder::InputError if the sides are not multiples of those of a block
std::vector<Block> make_forest(std::span<const std::uint8_t> kinds, const ladder::Triple& sides, const ladder::Triple& block);

/// The blocks as a domain with halos of `depth` cells. Each of the `processes` gets consecutive blocks with about equal sums of
/// `weights`, or equal counts without weights. @throws ladder::InputError as ladder::Domain does
ladder::Domain domain_of(const std::vector<Block>& blocks, const ladder::Triple& sides, std::int64_t depth, int processes,
                         const std::vector<double>& weights = {});

}  // namespace geometry
