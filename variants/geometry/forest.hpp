#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/bench/domain.hpp"
#include "variants/geometry/voxels.hpp"

/// The block forest of waLBerla (M. Bauer et al., Comput. Math. Appl. 81, 478-501, 2021) without refinement: a grid of equal
/// blocks, of which those without fluid are dropped.
namespace geometry {

struct Block {
  ladder::Box box;
  bool plain = false;  ///< all its cells and their 26 neighbours, in a periodic grid, are fluid
};

/// The least whole multiples of `block` that are at least `cells`. @throws ladder::InputError for blocks without cells
ladder::Triple extended(const ladder::Triple& cells, const ladder::Triple& block);

/// The blocks of a grid of `sides` cells that hold fluid, along a Morton curve, so that consecutive blocks are near each other.
/// `kinds[(z*ny+y)*nx+x]` is 0 for fluid, else the cell is part of a boundary or of a body.
/// @throws ladder::InputError if the sides are no multiples of those of a block
std::vector<Block> make_forest(std::span<const std::uint8_t> kinds, const ladder::Triple& sides, const ladder::Triple& block);

/// The blocks as a domain with halos of `depth` cells; each of `processes` gets consecutive blocks, with about equal sums of
/// `weights`, or as many as the others without. @throws ladder::InputError as ladder::Domain does
ladder::Domain domain_of(const std::vector<Block>& blocks, const ladder::Triple& sides, std::int64_t depth, int processes,
                         const std::vector<double>& weights = {});

}  // namespace geometry
