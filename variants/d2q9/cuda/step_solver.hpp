#pragma once

#include <concepts>

#include "variants/d2q9/cuda/solver.hpp"

namespace d2q9 {

/// Base of solvers with one launch per step and one thread per `width` cells of a row. Each launch leaves one sum of |u| per
/// block in `Sums`: either StepSums, which the host adds up after each step, or DeferredSums.
template <class real, template <class> class Sums, class Pattern = lattice::Pull>
class StepSolver : public CudaSolver<real, Pattern> {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      queue(speeds_.next(), step < steps);
      speeds_.record();
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 protected:
  /// Blocks have `shared` bytes of dynamic shared memory.
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  StepSolver(const Case& c, Shape block, const lattice::Strides& strides, std::size_t width = 1, std::size_t shared = 0)
      : CudaSolver<real, Pattern>(c, block, strides), over_(this->over(covering(this->grid_, {width, 1}), shared)) {}

  /// Uses the launch that `launch(device)` returns.
  template <std::invocable<const Device&> LaunchOn>
  StepSolver(const Case& c, Shape block, const lattice::Strides& strides, LaunchOn&& launch)
      : CudaSolver<real, Pattern>(c, block, strides), over_(launch(this->device_)) {}

  /// Queues a step that stores its sums in `speeds`, and accelerates for the next step if `more` is set.
  virtual void queue(real* speeds, bool more) = 0;

  const Launch over_;
  Sums<real> speeds_{this->device_, over_.blocks, this->fluid_cells_};
};

/// Base of solvers whose launches advance by many steps and leave one sum of |u| per step and block.
template <class real, class Pattern = lattice::Pull>
class PersistentSolver : public CudaSolver<real, Pattern> {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    speeds_.in_parts(steps, [this](int count, bool more) { queue(speeds_.next(), count, more); });
  }

  std::span<const double> history() override { return speeds_.history(); }

 protected:
  /// `launch(device)` returns the launch for all steps.
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  template <std::invocable<const Device&> LaunchOn>
  PersistentSolver(const Case& c, Shape block, const lattice::Strides& strides, LaunchOn&& launch)
      : CudaSolver<real, Pattern>(c, block, strides), all_(launch(this->device_)) {}

  /// Queues `steps` steps that store their sums in `speeds`, and accelerates for the next step if `more` is set.
  virtual void queue(real* speeds, int steps, bool more) = 0;

  const Launch all_;

 private:
  DeferredSums<real> speeds_{this->device_, all_.blocks, this->fluid_cells_};
};

}  // namespace d2q9
