#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/cuda/read_only.hpp"
#include "variants/regularized/cuda/blocked.hpp"
#include "variants/regularized/obstacles.hpp"

/// Obstacles. Cells that are not fluid hold zeros, so kernels stream as in a periodic box. What comes back from boundaries is
/// added to a cell's sums before it collides, but only in those planes of a tile that are near boundaries. In all other planes,
/// kernels ignore the kinds of cells.
namespace regularized {

/// Index of a cell in arrays with one element per cell, [z][y][pitch], given its offset in a lattice.
template <class Form, class real>
__device__ unsigned cell_at(const Step<Form, real>&, unsigned place) {
  return place;
}
template <class real, unsigned line>
__device__ unsigned cell_at(const BlockedStep<real, line>& step, unsigned place) {
  return place / (numbers * step.line) * step.line + place % step.line;
}

/// Offset of the plane two planes above the one at offset `plane`.
__device__ inline unsigned two_planes_above(const March& at, unsigned plane) {
  const unsigned below_top = at.all - 2 * at.plane;  // sums of offsets may exceed 32 bits
  return plane >= below_top ? plane - below_top : plane + 2 * at.plane;
}

/// add_returned(), not inlined.
template <class real>
__device__ __attribute__((noinline)) void call_add_returned(const Links& links, const real* k, real speed, real* s) {
  add_returned(links, k, speed, s);
}

/// Codes for kernels that use those of Neighbourhoods unchanged. Every `Codes` class keeps the codes `plain` and `solid`.
struct PlainCodes {
  static const std::vector<std::uint32_t>& of(const Neighbourhoods& around) { return around.codes; }
};

/// A `Step` and the boundaries of its lattice.
template <class Step, class Codes = PlainCodes>
struct Bounded : Step {
  using Compute = typename Step::Compute;

  const std::uint32_t* codes;    ///< from Codes::of(), [z][y][pitch]; null without obstacles
  const Links* links;            ///< Neighbourhoods::links
  ReadOnly<std::uint8_t> tiles;  ///< [tile][z]: whether a tile contains cells that are not plain in plane z
  Compute speed;                 ///< of Kind::velocity

  /// Whether plane z of this block's tile contains cells that are not plain; z wraps.
  [[nodiscard]] __device__ bool is_near(int z) const { return tiles[blockIdx.x * this->box.nz + wrapped_far(z, this->box.nz)]; }
  /// Offset of plane z; z wraps.
  [[nodiscard]] __device__ unsigned plane_at(int z) const { return wrapped_far(z, this->box.nz) * this->plane(); }

  /// The code of the cell at `place`.
  [[nodiscard]] __device__ unsigned code(unsigned place) const {
    return codes[cell_at(static_cast<const Step&>(*this), place)];
  }

  /// Completes the sums s over what arrives in a cell with this `code` by adding what comes back from boundaries. own(k) loads
  /// the cell's coefficients before this step. In cells that are not fluid, the sums become 0, and so does the result of the
  /// collision. If `calls` is set, add_returned() is called instead of inlined, so that kernels need fewer registers.
  template <bool calls, class Own>
  __device__ __forceinline__ void complete(unsigned code, Compute* s, const Own& own) const {
    if (code == Neighbourhoods::plain) return;
    if (code == Neighbourhoods::solid) {
#pragma unroll
      for (int n = 0; n < numbers; ++n)
        s[n] = 0;
      return;
    }
    Compute k[numbers];
    own(k);
    if constexpr (calls) {
      Compute sums[numbers];  // passed by address, so in memory; s stays in registers
#pragma unroll
      for (int n = 0; n < numbers; ++n)
        sums[n] = s[n];
      call_add_returned(links[code], k, speed, sums);
#pragma unroll
      for (int n = 0; n < numbers; ++n)
        s[n] = sums[n];
    } else {
      add_returned(links[code], k, speed, s);
    }
  }
};

/// Marks tiles in planes where they contain cells that are not plain. blockIdx.x is the tile, blockIdx.y the plane.
template <class Tile, class Step, class Codes = PlainCodes>
__global__ void mark(Bounded<Step, Codes> step, std::uint8_t* tiles) {
  const Tile tile(step);
  const auto look = [&](unsigned own) {
    if (step.code(blockIdx.y * step.plane() + own) != Neighbourhoods::plain) tiles[blockIdx.x * step.box.nz + blockIdx.y] = 1;
  };
  if constexpr (std::is_array_v<decltype(tile.own)>) {
    for (const unsigned own : tile.own)
      look(own);
  } else {
    look(tile.own);
  }
}

/// Base of solvers with obstacles. `Lattices`: LatticePair<StoredMoments, real> or a class derived from it.
template <class Lattices, class Codes = PlainCodes>
class BoundedPair : public Lattices, public ladder::TakesObstacles {
 protected:
  using Step = Bounded<typename Lattices::Step, Codes>;
  using Kernel = void (*)(Step);

  /// @throws as Lattices
  explicit BoundedPair(const Case& c) : BoundedPair(c, Neighbourhoods(c)) {}

  /// Arguments of the next launch.
  [[nodiscard]] Step step(int planes = 0) {
    return {Lattices::step(planes), has_obstacles_ ? codes_.data() : nullptr, links_.data(), tiles_.data(), speed_};
  }

  /// Marks the tiles near boundaries. `kernel` is mark() for this kind of tile, with `threads` threads per block. When a block
  /// advances such a tile, it writes `columns` x `rows` cells of each plane.
  void mark_tiles(void (*kernel)(Step, std::uint8_t*), int threads, int columns, int rows) {
    const auto tiles = static_cast<std::size_t>(lattice::cuda::parts_of(this->box_.nx, columns)) *
                       lattice::cuda::parts_of(this->box_.ny, rows);
    const auto planes = static_cast<std::size_t>(this->box_.nz);
    tiles_ = Buffer<std::uint8_t>(this->device_, tiles * planes);
    const Shape block{static_cast<std::size_t>(threads), 1};
    if (has_obstacles_) Launch{this->device_, {tiles, planes}, block}(kernel, step(), tiles_.data());
  }

 private:
  BoundedPair(const Case& c, const Neighbourhoods& around)
      : Lattices(c),
        has_obstacles_(!c.solid.empty()),
        speed_(static_cast<typename Step::Compute>(c.speed)),
        codes_(this->device_, 0),
        links_(this->device_, around.links.size()),
        tiles_(this->device_, 0) {
    links_.write(around.links);
    if (!has_obstacles_) return;
    codes_ = padded_rows<std::uint32_t>(this->device_, Codes::of(around), c.nx, Lattices::step().pitch, Neighbourhoods::solid);
  }

  const bool has_obstacles_;
  const typename Step::Compute speed_;
  Buffer<std::uint32_t> codes_;
  Buffer<Links> links_;
  Buffer<std::uint8_t> tiles_;
};

}  // namespace regularized
