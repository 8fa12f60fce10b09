#pragma once

#include <optional>
#include <utility>

#include "backends/mpi+cuda/peers.hpp"
#include "variants/lattice/cuda/borders.hpp"

/// Strips of several processes, each on a separate GPU, that write to each other's memory.
namespace lattice::cuda {

/// Returns the strip of this process, on a GPU that it does not share if there are enough of them.
template <class Case>
Strip strip_on_device(const Case& c, int depth) {
  ladder::cuda::choose_own_device();
  return Strip::of(c, depth);
}

/// Base of multi-process rungs whose kernels also write the rows at a strip's borders to the neighbours' GPUs.
template <class Base, class real>
class RingState : public BorderState<Base, real> {
 protected:
  using Base::strip_;

  /// Halos are `depth` rows deep; `arguments` are passed to the base.
  template <class Case, class... Arguments>
  RingState(const Case& c, const Strip& strip, int depth, Arguments&&... arguments)
      : BorderState<Base, real>(c, strip, depth, std::forward<Arguments>(arguments)...) {
    if (strip.has_halo()) links_.emplace(*this, c);
  }

  /// Fills the neighbours' halos with the own rows that the next step reads.
  void fill_halos() {
    if (!links_) return;
    this->copy_to(borders_of(links_->now()));
    links_->ring.meet();
  }

  /// Returns where a step writes its borders.
  [[nodiscard]] Borders<real> borders() const { return links_ ? borders_of(links_->next()) : Borders<real>{}; }

  /// Ends a step or a pass; the next one starts when the neighbours have ended theirs.
  void meet() {
    this->swap_lattices();
    if (!links_) return;
    links_->ring.meet();
    links_->is_odd = !links_->is_odd;
  }

 private:
  /// Connects a strip with its neighbours.
  struct Links {
    template <class Case>
    Links(RingState& solver, const Case& c)
        : south(Strip::of(c, solver.depth_, solver.strip_.south)),
          north(Strip::of(c, solver.depth_, solver.strip_.north)),
          even(solver.f(), {solver.strip_.south, solver.strip_.north}),
          odd(solver.g(), {solver.strip_.south, solver.strip_.north}),
          ring(solver.device_, solver.strip_.south, solver.strip_.north) {}

    /// The neighbours' lattices that the next step reads and those that it writes.
    [[nodiscard]] const ladder::cuda::Shared<real>& now() const { return is_odd ? odd : even; }
    [[nodiscard]] const ladder::cuda::Shared<real>& next() const { return is_odd ? even : odd; }

    const Strip south, north;
    const ladder::cuda::Shared<real> even, odd;
    ladder::cuda::Ring ring;
    bool is_odd = false;
  };

  [[nodiscard]] Borders<real> borders_of(const ladder::cuda::Shared<real>& lattices) const {
    return this->borders_in(links_->south, lattices.of(strip_.south), links_->north, lattices.of(strip_.north));
  }

  std::optional<Links> links_;
};

}  // namespace lattice::cuda
