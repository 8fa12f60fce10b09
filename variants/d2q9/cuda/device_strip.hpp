#pragma once

#include <utility>

#include "backends/cuda/cells.hpp"
#include "variants/d2q9/cuda/solver.hpp"
#include "variants/d2q9/strip.hpp"
#include "variants/lattice/cuda/borders.hpp"

/// Strips of rows on several GPUs, owned by several processes or by one.
namespace d2q9 {

using lattice::cuda::Borders;

/// Stores cells of row y, starting at column x, in the halos that contain them.
template <int width, class real>
__device__ void store_borders(const Borders<real>& borders, const Cells<real, width> (&cells)[9], int x, int y, int pitch) {
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    const auto& to = borders.of[side];
    if (!to.contains(y)) continue;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      store_cells(to.lattice + i * to.plane + static_cast<std::size_t>(y + to.shift) * pitch + x, cells[i]);
  }
}

/// Base of the rungs: a strip on a GPU.
template <class real>
class DeviceStrip : public StripState<CudaSolver<real>> {
  using Base = StripState<CudaSolver<real>>;

 protected:
  DeviceStrip(const Case& c, const Strip& strip, Shape block)
      : Base(c, strip, block, padded_rows<real>(Model::part(c, strip.with_halo))) {}

  /// Returns a launch that covers the own rows with one thread per `width` cells.
  [[nodiscard]] Launch over_own_rows(std::size_t width) const {
    return this->over(covering({this->grid_.x, static_cast<std::size_t>(this->strip_.rows())}, {width, 1}));
  }

  /// Must be called before the first step.
  void begin() { accelerate_own(); }

  /// Accelerates the driven row if this strip owns it; the owner sends it to the strips that have it in a halo.
  void accelerate_own() {
    if (const int row = this->driven_row(); this->strip_.first <= row && row <= this->strip_.last) this->accelerate();
  }

  /// Queues copies of three directions of row y between the lattice and `rows` on the host.
  void copy_row(const Crossing& directions, real* rows, int y, cudaMemcpyKind way) {
    const auto nx = static_cast<std::size_t>(this->case_.nx);
    for (const int i : directions) {
      real* const of_lattice = this->f() + this->strides_.q * i + this->strides_.y * y;
      const bool reads = way == cudaMemcpyDeviceToHost;
      LADDER_CUDA(cudaMemcpyAsync(reads ? rows : of_lattice, reads ? of_lattice : rows, nx * sizeof(real), way,
                                  this->device_.stream()));
      rows += nx;
    }
  }
};

/// Base of multi-process rungs with one launch per step and one thread per `width` cells of the own rows. `Base` is a
/// DeviceStrip.
template <class real, class Base>
class StripSteps : public Base {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      queue(speeds_.next(), step < steps);
      speeds_.record();
    }
    this->record_new(speeds_.history());
  }

 protected:
  /// `arguments` are passed to the base.
  template <class... Arguments>
  explicit StripSteps(std::size_t width, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), over_(this->over_own_rows(width)) {}

  /// Queues a step that stores its sums in `speeds`, and accelerates for the next step if `more` is set.
  virtual void queue(real* speeds, bool more) = 0;

  const Launch over_;

 private:
  DeferredSums<real> speeds_{this->device_, over_.blocks, 1};
};

}  // namespace d2q9
