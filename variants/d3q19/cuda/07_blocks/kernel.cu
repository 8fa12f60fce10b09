// Idea:    a forest of blocks: those without fluid are not launched, and those far from boundaries read no flags
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, a byte of flags per cell
// Traffic: a flag of every cell of a block with a boundary; 19 numbers of each fluid cell read and written, and the
//          returned populations written
// Source:  Zheng, section 1.2; M. Bauer et al., "waLBerla: A block-structured high-performance framework for multiphysics
//          simulations", Comput. Math. Appl. 81 (2021) 478
// Bound:   memory bandwidth; launches of small boxes
#include <algorithm>

#include "variants/d3q19/cuda/vectors.hpp"
#include "variants/geometry/forest.hpp"

namespace d3q19 {
namespace {

/// A block of the forest: its first cell, and whether all its cells are fluid and far from boundaries.
struct Block {
  std::uint16_t x, y, z;
  bool plain;
};

/// Sides of blocks, in cells: `nx` is a whole number of vectors.
Sides sides_of(const ladder::Tuning& tuning) { return {tuning.at("bx"), tuning.at("by"), tuning.at("bz")}; }

/// The blocks with fluid. The grid is extended by cells that are never computed to whole blocks.
std::vector<geometry::Block> forest(const Case& c, const Sides& sides) {
  const ladder::Triple block = {sides.nx, sides.ny, sides.nz}, whole = geometry::extended(c.grid(), block);
  const ladder::Box box{{}, whole};
  std::vector<std::uint8_t> kinds(static_cast<std::size_t>(box.cells()), D3Q19_INSIDE);
  for (std::int64_t z = 0; z < c.nz; ++z)
    for (std::int64_t y = 0; y < c.ny; ++y)
      for (std::int64_t x = 0; x < c.nx; ++x)
        kinds[static_cast<std::size_t>(box.number(x, y, z))] = static_cast<std::uint8_t>(c.kind(x, y, z));
  return geometry::make_forest(kinds, whole, block);
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const Shares of = shares(c);
  const Sides sides = sides_of(tuning);
  const auto blocks = forest(c, sides);
  const auto flagged = std::ranges::count_if(blocks, [](const geometry::Block& block) { return !block.plain; });
  const double flags = static_cast<double>(flagged) * static_cast<double>(sides.cells()) / static_cast<double>(c.cells());
  return {{19 * real * of.fluid + std::min(flags, 1.), (19 * of.fluid + of.returned) * real}};
}

/// Advances the lattice by one step: one thread per vector of a block of the forest.
template <int width, class real>
__global__ void __launch_bounds__(vector_bound<width, real>) update(Step<real> step, const Block* blocks, Sides sides) {
  const Block block = blocks[blockIdx.x];
  const FirstCell in_block = first_cell(threadIdx.x, sides, width);
  const int x = block.x + in_block.x, y = block.y + in_block.y, z = block.z + in_block.z;
  auto flags = Flags<width>::same(block.plain ? D3Q19_FLUID : D3Q19_INSIDE);
  if (!block.plain && x < step.box.nx && y < step.box.ny && z < step.box.nz)
    flags = Flags<width>::of(step.flags.data + step.cell(x, y, z));
  update_vector(step, {x, y, z, block.x, block.x + sides.nx}, flags);
}

/// Cells of a row that a thread updates, at most 16 bytes.
template <class real>
int width_of(const ladder::Tuning& tuning) {
  return std::min<int>(tuning.at("width"), 16 / sizeof(real));
}

template <class real>
class Tunnel final : public ObstacleSolver<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::ObstacleSolver(c, {sides_of(tuning).cells() / width_of<real>(tuning), 1}, padded_rows<real>(c)),
        width_(width_of<real>(tuning)),
        sides_(sides_of(tuning)),
        blocks_(list(c)) {}

  void advance(std::int64_t steps) override {
    const auto kernel = width_ == 1 ? update<1, real> : width_ == 2 ? update<2, real> : update<16 / sizeof(real), real>;
    const Launch over{this->device_, {blocks_.size(), 1}, this->block_};
    for (std::int64_t n = 0; n < steps; ++n) {
      over(kernel, this->step(), blocks_.data(), sides_);
      this->turn();
    }
  }

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

  const int width_;
  const Sides sides_;
  const Buffer<Block> blocks_;
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/05_four",
    .traffic = d3q19::traffic,
    .tunables = {{.name = "bx", .meaning = "cells of a block along x", .values = {32, 64, 128, 256}, .initial = 64},
                 {.name = "by", .meaning = "cells of a block along y", .values = {1, 2, 4, 8}, .initial = 4},
                 {.name = "bz", .meaning = "cells of a block along z", .values = {1, 2, 4, 8}, .initial = 2},
                 {.name = "width",
                  .meaning = "cells of a row that a thread updates, at most 16 bytes of each direction",
                  .values = {1, 2, 4},
                  .initial = 4}},
    .constraints = {{"32 * width <= bx * by * bz <= 256 * min(width, 2) (whole warps; threads of a block)",
                     [](const ladder::Tuning& t) {
                       const int cells = t.at("bx") * t.at("by") * t.at("bz");
                       return 32 * t.at("width") <= cells && cells <= 256 * std::min(t.at("width"), 2);
                     }}},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
