#pragma once

#include <optional>
#include <utility>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/cuda/transfer.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace lattice::cuda {

/// The lattice between launches of a kernel that reads all of it before writing any of it: a single copy, with every population
/// in its own slot.
struct PullInPlace : Pull {
  static constexpr bool in_place = true;
};

/// Base of CUDA rungs: a GPU and, on it, a lattice with a layout and a streaming pattern. It holds one copy if the pattern is
/// in place, else one that a step reads and one that it writes. A rung only adds the step.
template <class Model, class real, class Pattern = Pull>
class Solver : public ladder::Solver<Model> {
 public:
  using Case = typename Model::Case;
  using L = typename Model::Lattice;

  void wait() override { device_.wait(); }
  void store(ladder::Populations& out) override { cuda::store<real>(device_, f_.data(), places(), out); }
  void load(const ladder::Populations& in) override { cuda::load<real>(device_, f_.data(), places(), in); }
  double conserved() override { return cuda::sum<real>(device_, f_.data(), places()); }

 protected:
  /// Writes the initial state. The rung's kernels run in blocks of shape `block`.
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  Solver(const Case& c, ladder::cuda::Shape block, const Strides& strides)
      : case_(c), block_(block), strides_(strides), f_(array()) {
    if (!Pattern::in_place) g_.emplace(array());
    if (!Model::solid_has_state && !c.solid.empty()) solid_.emplace(device_, c.solid.size()).write(c.solid);
    load_initial_planes<Model>(c, [&](const ladder::Populations& state, std::int64_t repeats) {
      cuda::load<real>(device_, f_.data(), places(), state, repeats);
    });
  }

  /// Ends a step: the next one reads the lattice that this one wrote.
  void swap_lattices() {
    if (!Pattern::in_place) std::swap(f_, *g_);
    phase_ = (phase_ + 1) % Pattern::phases;
  }

  /// [strides_(i, x, y, z)]: the lattice that the next step reads, and the one that it writes (none if the pattern is in
  /// place).
  [[nodiscard]] real* f() { return f_.data(); }
  [[nodiscard]] real* g() { return g_->data(); }
  [[nodiscard]] Places places() const {
    Places all = lattice::places<L, Pattern>(extents(case_), strides_, phase_, Model::density(case_));
    all.bottom = Model::bottom_row(case_);
    if (solid_) all.solid = solid_->data();
    return all;
  }

  const Case case_;
  const ladder::cuda::Device device_ = ladder::cuda::Device::select();
  const ladder::cuda::Shape block_;  ///< threads per block
  const Strides strides_;
  int phase_ = 0;  ///< the pattern's next phase

 private:
  /// Returns a lattice filled with NaN.
  [[nodiscard]] ladder::cuda::Buffer<real> array() const {
    device_.require_block(block_);
    const std::int64_t size = required_span_size(L::q, extents(case_), strides_);
    device_.require_memory(static_cast<double>(size) * sizeof(real) * (Pattern::in_place ? 1 : 2), case_.name);
    return {device_, static_cast<std::size_t>(size)};
  }

  ladder::cuda::Buffer<real> f_;
  std::optional<ladder::cuda::Buffer<real>> g_;
  std::optional<ladder::cuda::Buffer<std::uint8_t>> solid_;  ///< the case's obstacles, if solid cells have no state
};

}  // namespace lattice::cuda
