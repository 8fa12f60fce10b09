#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "variants/d3q19/cuda/vectors.hpp"
#include "variants/geometry/forest.hpp"

/// Blocks of a forest (variants/geometry/forest.hpp) as kernels see them, their tunables, and their setup.
namespace d3q19 {

/// A block of the forest: its first cell, and whether all of its cells are fluid and far from boundaries.
struct Block {
  std::uint16_t x, y, z;
  bool plain;
};

/// Sides of blocks, in cells; `nx` is a whole number of vectors.
inline Sides sides_of(const ladder::Tuning& tuning) { return {tuning.at("bx"), tuning.at("by"), tuning.at("bz")}; }

/// The blocks with fluid. The grid is extended to whole blocks by cells that are never computed.
inline std::vector<geometry::Block> forest(const Case& c, const Sides& sides) {
  const ladder::Triple block = {sides.nx, sides.ny, sides.nz}, whole = geometry::extended(c.grid(), block);
  const ladder::Box box{{}, whole};
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(box.cells()), D3Q19_INSIDE);
  for (std::int64_t z = 0; z < c.nz; ++z)
    for (std::int64_t y = 0; y < c.ny; ++y)
      for (std::int64_t x = 0; x < c.nx; ++x)
        kinds[static_cast<std::size_t>(box.number(x, y, z))] = static_cast<std::uint8_t>(c.kind(x, y, z));
  return geometry::make_forest(kinds, whole, block);
}

/// Traffic if blocks with a boundary read the flags of all their cells.
inline std::vector<ladder::Traffic> forest_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const Shares of = shares(c);
  const Sides sides = sides_of(tuning);
  const auto blocks = forest(c, sides);
  const auto flagged = std::ranges::count_if(blocks, [](const geometry::Block& block) { return !block.plain; });
  const double flags = static_cast<double>(flagged) * static_cast<double>(sides.cells()) / static_cast<double>(c.cells());
  return {{19 * real * of.fluid + std::min(flags, 1.), (19 * of.fluid + of.returned) * real}};
}

/// Cells of a row that a thread updates, at most 16 bytes per direction.
template <class real>
int width_of(const ladder::Tuning& tuning) {
  return std::min<int>(tuning.at("width"), 16 / sizeof(real));
}

/// Base of solvers that launch one thread block per block of the forest, with one thread per vector.
template <class real>
class ForestSolver : public ObstacleSolver<real> {
 protected:
  ForestSolver(const Case& c, const ladder::Tuning& tuning)
      : ForestSolver::ObstacleSolver(c, {sides_of(tuning).cells() / width_of<real>(tuning), 1}, padded_rows<real>(c)),
        width_(width_of<real>(tuning)),
        sides_(sides_of(tuning)),
        blocks_(list(c)) {}

  const int width_;
  const Sides sides_;
  const Buffer<Block> blocks_;
  const Launch over_{this->device_, {blocks_.size(), 1}, this->block_};

 private:
  Buffer<Block> list(const Case& c) const {
    std::vector<Block> blocks;
    for (const auto& [box, plain] : forest(c, sides_)) {
      const auto [x, y, z] = box.origin;
      blocks.push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), static_cast<std::uint16_t>(z), plain});
    }
    Buffer<Block> list(this->device_, blocks.size());
    list.write(blocks);
    return list;
  }
};

/// Tunables for the sides of blocks and for `width`.
inline std::vector<ladder::Tunable> forest_tunables() {
  return {{.name = "bx", .meaning = "cells per block along x", .values = {32, 64, 128, 256}, .initial = 64},
          {.name = "by", .meaning = "cells per block along y", .values = {1, 2, 4, 8}, .initial = 4},
          {.name = "bz", .meaning = "cells per block along z", .values = {1, 2, 4, 8}, .initial = 2},
          {.name = "width",
           .meaning = "cells of a row per thread, at most 16 bytes per direction",
           .values = {1, 2, 4},
           .initial = 4}};
}

inline std::vector<ladder::Constraint> forest_constraints() {
  return {{"32 * width <= bx * by * bz <= 256 * min(width, 2) (whole warps; threads of a block)", [](const ladder::Tuning& t) {
             const int cells = t.at("bx") * t.at("by") * t.at("bz");
             return 32 * t.at("width") <= cells && cells <= 256 * std::min(t.at("width"), 2);
           }}};
}

}  // namespace d3q19
