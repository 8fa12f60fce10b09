#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "variants/regularized/cuda/tile.hpp"

/// Lattices whose rows are divided into blocks: [z][y][block][10][cells per block].
namespace regularized {

/// Step for such a lattice. The values of a cell are a constant distance apart, so one address serves all of them. By default,
/// each coefficient of a block fills one 128-byte line.
template <class real_, unsigned line_ = 128 / sizeof(real_)>
struct BlockedStep {
  using real = real_;
  using Compute = lattice::Compute<real>;
  static constexpr unsigned line = line_;  ///< cells per block

  const real* from;
  real* to;
  Sides box;
  unsigned pitch;  ///< cells of a row, rounded up to whole blocks
  int planes;      ///< planes that a block of threads advances
  Relaxation<Compute> relaxation;

  __device__ unsigned plane() const { return numbers * pitch * box.ny; }
  __device__ unsigned in_plane(int x, int y) const {
    const auto column = static_cast<unsigned>(x), in_block = column % line;
    return (static_cast<unsigned>(y) * pitch + column - in_block) * numbers + in_block;
  }
  __device__ unsigned place(int x, int y, int z) const {
    return wrapped(z, box.nz) * plane() + in_plane(wrapped(x, box.nx), wrapped(y, box.ny));
  }
  __device__ __forceinline__ void load(unsigned place, Compute* all) const {
    const real* const cell = from + place;
#pragma unroll
    for (unsigned n = 0; n < numbers; ++n)
      all[n] = lattice::Storage<real>::load(cell[n * line]);
  }
  __device__ __forceinline__ void store(unsigned place, const Compute* all) const {
    real* const cell = to + place;
#pragma unroll
    for (unsigned n = 0; n < numbers; ++n)
      cell[n * line] = lattice::Storage<real>::store(all[n]);
  }
};

/// Arguments of convert(): a lattice of arrays and a blocked one.
template <class real, unsigned line>
struct Conversion {
  BlockedStep<real, line> blocked;
  Step<StoredMoments, real> arrays;
};

/// Copies arrays to blocks or blocks to arrays, one thread per cell of the arrays. Padding at the end of a row is copied only
/// where both layouts have it.
template <bool to_blocks, class real, unsigned line>
__global__ void convert(Conversion<real, line> c) {
  const unsigned cell = blockIdx.x * blockDim.x + threadIdx.x, row = cell / c.arrays.pitch, column = cell % c.arrays.pitch;
  if (row >= static_cast<unsigned>(c.blocked.box.ny) * c.blocked.box.nz || column >= c.blocked.pitch) return;
  const unsigned place = c.blocked.in_plane(static_cast<int>(column), static_cast<int>(row));
#pragma unroll
  for (unsigned n = 0; n < numbers; ++n) {
    if (to_blocks)
      c.blocked.to[place + n * c.blocked.line] = c.arrays.from.of[n][cell];
    else
      c.arrays.to.of[n][cell] = c.blocked.from[place + n * c.blocked.line];
  }
}

/// Base of solvers with two such lattices. load() and store() go through a copy in arrays, held in the lattice that the next
/// step overwrites.
template <class real, unsigned line = BlockedStep<real>::line>
class BlockedPair : public LatticePair<StoredMoments, real> {
  using Base = LatticePair<StoredMoments, real>;

 public:
  void store(ladder::Populations& out) override {
    run(convert<false, real, line>);
    Base::store(out);
    this->swap_lattices();
  }
  void load(const ladder::Populations& in) override {
    run(convert<false, real, line>);
    Base::load(in);
    run(convert<true, real, line>);
  }
  double conserved() override {
    run(convert<false, real, line>);
    const double sum = Base::conserved();
    this->swap_lattices();
    return sum;
  }

 protected:
  using Step = BlockedStep<real, line>;
  using Kernel = void (*)(Step);

  /// @throws as Base; ladder::Refused if 32-bit offsets do not reach all elements
  explicit BlockedPair(const Case& c) : Base(c, size_for(c)), pitch_(pitch_for(c)) { run(convert<true, real, line>); }

  [[nodiscard]] Step step(int planes = 0) {
    return {.from = this->from_.data(),
            .to = this->to_.data(),
            .box = this->box_,
            .pitch = static_cast<unsigned>(pitch_),
            .planes = planes,
            .relaxation = this->relaxation_};
  }

 private:
  static std::int64_t pitch_for(const Case& c) { return (c.nx + std::int64_t{line} - 1) / line * line; }
  /// Elements per lattice.
  static std::int64_t size_for(const Case& c) {
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max() / numbers;
    const std::int64_t cells = pitch_for(c) * c.ny * c.nz;
    if (cells <= most) return cells * numbers;
    throw ladder::Refused(ladder::Reason::too_large,
                          "box too large for this rung: up to " + std::to_string(most) + " cells with padding");
  }

  /// Converts the lattice that the next step would read into the other one, and swaps them.
  void run(void (*kernel)(Conversion<real, line>)) {
    over(this->device_, {static_cast<std::size_t>(this->strides_.q), 1}, {256, 1})(kernel, {step(), Base::step()});
    this->swap_lattices();
  }

  const std::int64_t pitch_;
};

}  // namespace regularized
