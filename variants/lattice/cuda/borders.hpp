#pragma once

#include <cstddef>
#include <utility>

#include "backends/cuda/device.hpp"
#include "variants/lattice/strip.hpp"

/// Strips on several GPUs, whose kernels also write the rows at their borders to the neighbours' GPUs.
namespace lattice::cuda {

/// Own rows that form a neighbour's halo, and their location on its GPU.
template <class real>
struct Border {
  int first = 0, last = -1;  ///< in this strip's numbering
  int shift = 0;             ///< from this strip's row numbers to the neighbour's
  std::size_t plane = 0;     ///< elements from one direction to the next in the neighbour's lattice
  real* lattice = nullptr;   ///< the neighbour's lattice, [q][rows][pitch]

  __device__ bool contains(int y) const { return first <= y && y <= last; }
};

/// Both borders of a strip; empty if there is only one strip.
template <class real>
struct Borders {
  Border<real> of[2];
};

/// Base of the strips. `Base` is a StripState of a solver with two copies of the lattice, [q][y][pitch] of `real`.
template <class Base, class real>
class BorderState : public Base {
 protected:
  using Base::strip_;

  /// Halos are `depth` rows deep; `arguments` are passed to the base.
  template <class Case, class... Arguments>
  BorderState(const Case& c, const Strip& strip, int depth, Arguments&&... arguments)
      : Base(c, strip, std::forward<Arguments>(arguments)...), depth_(depth) {}

  /// Returns the borders in the neighbours' lattices; the neighbours' strips are `south` and `north`.
  [[nodiscard]] Borders<real> borders_in(const Strip& south, real* of_south, const Strip& north, real* of_north) const {
    const auto plane = [&](const Strip& strip) {
      return static_cast<std::size_t>(strip.with_halo.extent[1]) * static_cast<std::size_t>(this->strides_.y);
    };
    return {{{strip_.first, strip_.first + depth_ - 1, south.last + 1 - strip_.first, plane(south), of_south},
             {strip_.last + 1 - depth_, strip_.last, north.first - 1 - strip_.last, plane(north), of_north}}};
  }

  /// Queues copies of the own rows that the next step reads to the borders.
  void copy_to(const Borders<real>& borders) {
    const auto pitch = static_cast<std::size_t>(this->strides_.y), plane = static_cast<std::size_t>(this->strides_.q);
    const std::size_t bytes = static_cast<std::size_t>(depth_) * pitch * sizeof(real);
    for (const Border<real>& border : borders.of)
      for (std::size_t i = 0; i < Base::L::q; ++i)
        LADDER_CUDA(cudaMemcpyAsync(border.lattice + i * border.plane + (border.first + border.shift) * pitch,
                                    this->f() + i * plane + border.first * pitch, bytes, cudaMemcpyDefault,
                                    this->device_.stream()));
  }

  const int depth_;
};

}  // namespace lattice::cuda
