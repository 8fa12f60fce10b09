#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "harness/bench/distributed.hpp"
#include "variants/d3q19/model.hpp"
#include "variants/geometry/forest.hpp"
#include "variants/lattice/places.hpp"

/// Blocks of a forest (variants/geometry/forest.hpp) distributed over processes, and the populations that cross between them. A
/// block is a part of the case: its own cells, and a halo of one cell along each axis along which the case is cut.
namespace d3q19 {

/// Blocks of at most `sides` cells that contain fluid.
inline std::vector<geometry::Block> blocks_of(const Case& c, const ladder::Triple& sides) {
  const ladder::Triple whole = geometry::extended(c.grid(), sides);
  const ladder::Box grid{{}, c.grid()}, box{{}, whole};
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(box.cells()), D3Q19_INSIDE);
  for (std::int64_t n = 0; n < grid.cells(); ++n) {
    const auto [x, y, z] = grid.place(n);
    kinds[static_cast<std::size_t>(box.number(x, y, z))] = static_cast<std::uint8_t>(c.kind(x, y, z));
  }
  std::vector<geometry::Block> blocks = geometry::make_forest(kinds, whole, sides);
  for (geometry::Block& block : blocks)
    block.box = block.box.common(grid);
  return blocks;
}

/// The number of fluid cells in each block: the work of a step.
inline std::vector<double> weights_of(const Case& c, const std::vector<geometry::Block>& blocks) {
  std::vector<double> weights;
  for (const auto& [box, plain] : blocks) {
    std::int64_t fluid = 0;
    for (std::int64_t n = 0; n < box.cells(); ++n) {
      const auto [x, y, z] = box.place(n);
      fluid += c.kind(x, y, z) == 0;
    }
    weights.push_back(static_cast<double>(fluid));
  }
  return weights;
}

/// Distributes blocks of `sides` cells over `processes`, balanced by fluid cells. Blocks are halved along their longest side
/// until there is one per process. A side that leaves no room for a halo becomes the whole axis, which then wraps around.
/// @throws ladder::Refused if the case cannot be cut into one block per process
inline ladder::Domain blocks_over(const Case& c, ladder::Triple sides, int processes) {
  const ladder::Triple grid = c.grid();
  for (std::size_t a = 0; a < 3; ++a)
    if (sides[a] > grid[a] - 2) sides[a] = grid[a];
  for (;;) {
    const std::vector<geometry::Block> blocks = blocks_of(c, sides);
    if (std::ssize(blocks) >= processes) return geometry::domain_of(blocks, grid, 1, processes, weights_of(c, blocks));
    std::int64_t longest = 1;
    std::size_t axis = 0;
    for (std::size_t a = 0; a < 3; ++a)
      if (sides[a] > longest && (sides[a] + 1) / 2 <= grid[a] - 2) longest = sides[axis = a];
    if (longest == 1)
      throw ladder::Refused(ladder::Reason::too_large, std::to_string(processes) +
                                                           " processes are too many for the blocks of " + c.name +
                                                           "; accepted: at most one per block with fluid");
    sides[axis] = (longest + 1) / 2;
  }
}

/// Populations that move from fluid cells of one block to cells of another (or the same) in the next step, as element indices:
/// where the block that owns the cells holds them, and where the other holds a copy in its halo. Boundary cells are excluded:
/// each block writes the populations that return to its own cells.
struct Crossing {
  std::size_t from = 0, to = 0;  ///< parts of the domain
  std::vector<std::uint32_t> sources, targets;
};

/// All crossings from or to the parts of process `rank`. Two processes list the crossings that they share in the same order.
/// `strides_of(part)`: layout of a part's cells, including its halo.
template <class StridesOf>
std::vector<Crossing> crossings(const Case& c, const ladder::Domain& domain, int rank, StridesOf strides_of) {
  std::vector<Crossing> all;
  for (std::size_t to = 0; to < domain.parts().size(); ++to) {
    const ladder::Domain::Part& target = domain.parts()[to];
    const ladder::Box own = target.own();
    const ladder::Triple sides = target.with_halo.extent;
    const lattice::Strides to_strides = strides_of(target);
    for (const ladder::Domain::Transfer& transfer : target.transfers) {
      const ladder::Domain::Part& source = domain.parts()[transfer.from];
      if (source.rank != rank && target.rank != rank) continue;
      const lattice::Strides from_strides = strides_of(source);
      const ladder::Triple corner = source.with_halo.origin;
      Crossing crossing{transfer.from, to, {}, {}};
      for (std::int64_t n = 0; n < transfer.source.cells(); ++n) {
        const auto [x, y, z] = transfer.source.place(n);
        if (c.kind(corner[0] + x, corner[1] + y, corner[2] + z) != 0) continue;
        const auto [tx, ty, tz] = transfer.target.place(n);
        for (int i = 1; i < q; ++i) {
          const ladder::Triple next = {ladder::wrapped(tx + d3q19_cx[i], sides[0]), ladder::wrapped(ty + d3q19_cy[i], sides[1]),
                                       ladder::wrapped(tz + d3q19_cz[i], sides[2])};
          if (own.common({next, {1, 1, 1}}).cells() == 0) continue;
          crossing.sources.push_back(static_cast<std::uint32_t>(from_strides(i, x, y, z)));
          crossing.targets.push_back(static_cast<std::uint32_t>(to_strides(i, tx, ty, tz)));
        }
      }
      if (!crossing.sources.empty()) all.push_back(std::move(crossing));
    }
  }
  return all;
}

/// Tunables for the sides of blocks.
inline std::vector<ladder::Tunable> block_tunables(const std::array<int, 3>& initial) {
  const std::vector<int> values = {8, 16, 32, 64, 128, 256};
  return {{.name = "bx", .meaning = "most cells per block along x", .values = values, .initial = initial[0]},
          {.name = "by", .meaning = "most cells per block along y", .values = values, .initial = initial[1]},
          {.name = "bz", .meaning = "most cells per block along z", .values = values, .initial = initial[2]}};
}

inline ladder::Triple block_sides(const ladder::Tuning& tuning) { return {tuning.at("bx"), tuning.at("by"), tuning.at("bz")}; }

/// The blocks of one process, each a solver of a part of the case. A `Block` is constructed from the part's case, the cells
/// that it owns there, and further arguments.
template <class Block>
class BlocksState : public Solver, public ladder::Distributed {
 public:
  /// Blocks without fluid have no owner, because their cells have no state.
  [[nodiscard]] std::vector<ladder::Box> owned() const override {
    std::vector<ladder::Box> boxes;
    for (const ladder::Domain::Part* part : parts_)
      boxes.push_back(part->box);
    return boxes;
  }

  void wait() override {
    for (const auto& block : blocks_)
      block->wait();
  }

  void store(ladder::Populations& out) override {
    for (std::int64_t n = 0; n < out.cells(); ++n)
      for (int i = 0; i < q; ++i)
        out.at(i, n) = Lattice::weight(i);
    for_common(out.box, [&](Block& block, const ladder::Box& in_part, const ladder::Box& in_whole) {
      ladder::Populations part(q, in_part);
      block.store(part);
      part.box = in_whole;
      out.take(part);
    });
  }

  void load(const ladder::Populations& in) override {
    for_common(in.box, [&](Block& block, const ladder::Box& in_part, const ladder::Box& in_whole) {
      ladder::Populations part(q, in_whole);
      part.take(in);
      part.box = in_part;
      block.load(part);
    });
  }

  double conserved() override {
    double sum = 0;
    for_common({{}, grid_}, [&](Block& block, const ladder::Box& in_part, const ladder::Box&) {
      ladder::Populations own(q, in_part);
      block.store(own);
      sum += own.total();
    });
    return ladder::team().sum(sum);
  }

 protected:
  template <class... Arguments>
  BlocksState(const Case& c, const ladder::Tuning& tuning, const Arguments&... arguments)
      : domain_(blocks_over(c, block_sides(tuning), ladder::team().size())), grid_(c.grid()) {
    for (std::size_t n = 0; n < domain_.parts().size(); ++n) {
      const ladder::Domain::Part& part = domain_.parts()[n];
      if (part.rank != ladder::team().rank()) continue;
      if (parts_.empty()) first_ = n;
      parts_.push_back(&part);
      blocks_.push_back(std::make_unique<Block>(Model::part(c, part.with_halo), part.own(), arguments...));
    }
  }

  /// Which of this process's blocks is the domain's n-th part.
  [[nodiscard]] std::size_t place_of(std::size_t n) const { return n - first_; }
  [[nodiscard]] Block& block(std::size_t n) const { return *blocks_[place_of(n)]; }

  const ladder::Domain domain_;
  std::vector<std::unique_ptr<Block>> blocks_;

 private:
  /// Calls visit(block, box within the block, same box within the lattice) for the cells of `box` that each block owns.
  template <class Visit>
  void for_common(const ladder::Box& box, Visit visit) {
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const ladder::Box common = box.common(parts_[k]->box);
      const ladder::Triple& corner = parts_[k]->with_halo.origin;
      if (common.cells() > 0) visit(*blocks_[k], common.moved({-corner[0], -corner[1], -corner[2]}), common);
    }
  }

  const ladder::Triple grid_;
  std::size_t first_ = 0;  ///< index of this process's first part
  std::vector<const ladder::Domain::Part*> parts_;
};

}  // namespace d3q19
