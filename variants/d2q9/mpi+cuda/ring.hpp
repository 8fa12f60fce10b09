#pragma once

#include <optional>

#include "backends/cuda/cells.hpp"
#include "backends/mpi+cuda/peers.hpp"
#include "variants/d2q9/cuda/solver.hpp"
#include "variants/d2q9/strip.hpp"

namespace d2q9 {

/// Own rows that are halo of a neighbour, and where they lie on its GPU.
template <class real>
struct Border {
  int first = 0, last = -1;  ///< as numbered in the own strip
  int shift = 0;             ///< from their numbers to those in the neighbour's strip
  std::size_t plane = 0;     ///< numbers from direction to direction in the neighbour's lattice
  real* lattice = nullptr;   ///< that lattice, [9][rows][pitch]

  __device__ bool contains(int y) const { return first <= y && y <= last; }
};

/// Both borders of a strip; they are empty if there is one process.
template <class real>
struct Borders {
  Border<real> of[2];

  /// Stores cells of row y from column x on in the halos that contain them.
  template <int width>
  __device__ void store(const Cells<real, width> (&cells)[9], int x, int y, int pitch) const {
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const Border<real>& to = of[side];
      if (!to.contains(y)) continue;
#pragma unroll
      for (int i = 0; i < 9; ++i)
        store_cells(to.lattice + i * to.plane + static_cast<std::size_t>(y + to.shift) * pitch + x, cells[i]);
    }
  }
};

/// The strip of this process, whose GPU is its own as far as there are enough.
inline Strip strip_on_device(const Case& c, int depth) {
  choose_own_device();
  return Strip::of(c, depth);
}

/// Base of the rungs: a strip on the GPU of this process.
template <class real>
class DeviceStrip : public StripState<CudaSolver<real>> {
  using Base = StripState<CudaSolver<real>>;

 protected:
  DeviceStrip(const Case& c, const Strip& strip, Shape block)
      : Base(c, strip, block, padded_rows<real>(Model::part(c, strip.with_halo))) {}

  /// Blocks that cover the own rows with one thread per `width` cells.
  [[nodiscard]] Launch over_own_rows(std::size_t width) const {
    return this->over(covering({this->grid_.x, static_cast<std::size_t>(this->strip_.rows())}, {width, 1}));
  }

  /// Accelerates the driven row if it is an own one: its owner sends it to those that have it in a halo.
  void accelerate_own() {
    if (const int row = this->driven_row(); this->strip_.first <= row && row <= this->strip_.last) this->accelerate();
  }
};

/// Base of the rungs whose kernels write the rows at the borders of a strip to the neighbours' GPUs as well.
template <class real>
class RingSolver : public DeviceStrip<real> {
 protected:
  using DeviceStrip<real>::device_, DeviceStrip<real>::strip_;

  /// Halos are `depth` rows deep.
  RingSolver(const Case& c, const Strip& strip, int depth, Shape block) : DeviceStrip<real>(c, strip, block), depth_(depth) {
    if (strip.has_halo()) links_.emplace(*this, c);
  }

  /// Accelerates the driven row for the first step, and fills the halos of the neighbours.
  void begin() {
    this->accelerate_own();
    if (!links_) return;
    const auto pitch = static_cast<std::size_t>(this->strides_.y), plane = static_cast<std::size_t>(this->strides_.q);
    const std::size_t bytes = static_cast<std::size_t>(depth_) * pitch * sizeof(real);
    const Borders<real> borders = borders_of(links_->now());
    for (const Border<real>& border : borders.of)
      for (std::size_t i = 0; i < q; ++i)
        LADDER_CUDA(cudaMemcpyAsync(border.lattice + i * border.plane + (border.first + border.shift) * pitch,
                                    this->f() + i * plane + border.first * pitch, bytes, cudaMemcpyDefault, device_.stream()));
    links_->ring.meet();
  }

  /// Where a step writes its borders.
  [[nodiscard]] Borders<real> borders() const { return links_ ? borders_of(links_->next()) : Borders<real>{}; }

  /// Ends a step or a pass: the next one starts when the neighbours have ended theirs.
  void meet() {
    this->turn();
    if (!links_) return;
    links_->ring.meet();
    links_->is_odd = !links_->is_odd;
  }

 private:
  /// What connects a strip with its neighbours.
  struct Links {
    Links(RingSolver& solver, const Case& c)
        : south(Strip::of(c, solver.depth_, solver.strip_.south)),
          north(Strip::of(c, solver.depth_, solver.strip_.north)),
          even(solver.f(), {solver.strip_.south, solver.strip_.north}),
          odd(solver.g(), {solver.strip_.south, solver.strip_.north}),
          ring(solver.device_, solver.strip_.south, solver.strip_.north) {}

    /// The neighbours' lattices that the next step reads, and those that it writes.
    [[nodiscard]] const ladder::cuda::Shared<real>& now() const { return is_odd ? odd : even; }
    [[nodiscard]] const ladder::cuda::Shared<real>& next() const { return is_odd ? even : odd; }

    const Strip south, north;
    const ladder::cuda::Shared<real> even, odd;
    ladder::cuda::Ring ring;
    bool is_odd = false;
  };

  [[nodiscard]] Borders<real> borders_of(const ladder::cuda::Shared<real>& lattices) const {
    const auto plane = [&](const Strip& strip) {
      return static_cast<std::size_t>(strip.with_halo.extent[1]) * static_cast<std::size_t>(this->strides_.y);
    };
    const Strip &south = links_->south, &north = links_->north;
    return {{{strip_.first, strip_.first + depth_ - 1, south.last + 1 - strip_.first, plane(south), lattices.of(strip_.south)},
             {strip_.last + 1 - depth_, strip_.last, north.first - 1 - strip_.last, plane(north), lattices.of(strip_.north)}}};
  }

  const int depth_;
  std::optional<Links> links_;
};

}  // namespace d2q9
