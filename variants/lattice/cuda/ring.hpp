#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "backends/cuda/device.hpp"
#include "backends/mpi+cuda/peers.hpp"
#include "variants/lattice/strip.hpp"

/// Strips of several processes, each on a GPU of its own, that write to each other's memory.
namespace lattice::cuda {

/// Own rows that are halo of a neighbour, and where they lie on its GPU.
template <class real>
struct Border {
  int first = 0, last = -1;  ///< as numbered in the own strip
  int shift = 0;             ///< from their numbers to those in the neighbour's strip
  std::size_t plane = 0;     ///< numbers from direction to direction in the neighbour's lattice
  real* lattice = nullptr;   ///< that lattice, [q][rows][pitch]

  __device__ bool contains(int y) const { return first <= y && y <= last; }
};

/// Both borders of a strip; they are empty if there is one process.
template <class real>
struct Borders {
  Border<real> of[2];
};

/// The strip of this process, whose GPU is its own as far as there are enough.
template <class Case>
Strip strip_on_device(const Case& c, int depth) {
  ladder::cuda::choose_own_device();
  return Strip::of(c, depth);
}

/// Base of the rungs whose kernels write the rows at the borders of a strip to the neighbours' GPUs as well. `Base`: a
/// StripState of a solver with two lattices [q][y][pitch] of `real`.
template <class Base, class real>
class RingState : public Base {
 protected:
  using Base::device_, Base::strip_;

  /// Halos are `depth` rows deep; `arguments` are those of the base.
  template <class Case, class... Arguments>
  RingState(const Case& c, const Strip& strip, int depth, Arguments&&... arguments)
      : Base(c, strip, std::forward<Arguments>(arguments)...), depth_(depth) {
    if (strip.has_halo()) links_.emplace(*this, c);
  }

  /// Fills the halos of the neighbours with the own rows that the next step reads.
  void fill_halos() {
    if (!links_) return;
    const auto pitch = static_cast<std::size_t>(this->strides_.y), plane = static_cast<std::size_t>(this->strides_.q);
    const std::size_t bytes = static_cast<std::size_t>(depth_) * pitch * sizeof(real);
    const Borders<real> borders = borders_of(links_->now());
    for (const Border<real>& border : borders.of)
      for (std::size_t i = 0; i < Base::L::q; ++i)
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
    template <class Case>
    Links(RingState& solver, const Case& c)
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

}  // namespace lattice::cuda
