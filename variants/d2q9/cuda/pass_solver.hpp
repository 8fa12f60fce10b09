#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <type_traits>
#include <vector>

#include "variants/d2q9/cuda/pass.hpp"
#include "variants/d2q9/cuda/pass_shape.hpp"

/// Solvers whose steps are passes.
namespace d2q9 {

/// Traffic of an update of a rung that fetches `ahead` rows after each segment, with the number of rows that the initial tuning
/// has where the GPU decides.
inline std::vector<ladder::Traffic> pass_traffic(double real, const Case& c, const ladder::Tuning& tuning, int ahead,
                                                 int steps = 1) {
  const int warps = real == sizeof(float) ? 16 : 8;  // of a multiprocessor at once
  const PassShape shape =
      real == sizeof(float) ? PassShape::tuned<float>(c, tuning, steps) : PassShape::tuned<double>(c, tuning, steps);
  return shape.filled(c, warps * multiprocessors()).traffic(real, c, ahead);
}

/// Calls use(std::integral_constant<int, n>) for the n of `values` that is equal to `value`.
template <int... values, class Use>
void with_constant(int value, Use&& use) {
  ((value == values ? use(std::integral_constant<int, values>{}) : void()), ...);
}

/// The kernels of passes, and the numbers of shared memory that a warp of them needs.
template <class real>
struct PassKernels {
  using Kernel = void (*)(Pass<real>);
  /// By number of steps, as far as there are kernels; the last is that of a whole pass.
  std::map<int, Kernel> of_steps;
  int shared = 0;

  /// kernel(steps, width) and shared(steps, width) give them for constants.
  template <class OfKernel, class OfShared>
  static PassKernels of(const PassShape& shape, OfKernel&& kernel, OfShared&& shared) {
    PassKernels kernels;
    with_constant<1, 2, 4>(shape.width, [&](auto columns) {
      constexpr std::integral_constant<int, std::min<int>(columns, cells_of_16_bytes<real>)> width;
      for (int count = 1; count <= shape.steps; ++count)
        with_constant<1, 2, 3, 4, 5, 6, 8>(count, [&](auto constant) {
          constexpr std::integral_constant<int, width*(constant - 1) <= most_waiting ? constant : 1> steps;
          kernels.of_steps[steps] = kernel(steps, width);
          kernels.shared = std::max<int>(kernels.shared, shared(steps, width));
        });
    });
    return kernels;
  }
  template <class OfKernel>
  static PassKernels of(const PassShape& shape, OfKernel&& kernel) {
    return of(shape, kernel, [](auto, auto) { return 0; });
  }

  [[nodiscard]] Launch launch(const ladder::cuda::Device& device, const PassShape& shape, std::size_t warps) const {
    const auto threads = static_cast<std::size_t>(shape.threads);
    return over(device, {32 * warps, 1}, {threads, 1}, shared * sizeof(real) * threads / 32);
  }

  /// The shape with its number of rows. Sets the kernels up for their launches.
  [[nodiscard]] PassShape filled(PassShape shape, const Case& c, const ladder::cuda::Device& device) const {
    const Launch one = launch(device, shape, 1);
    std::size_t blocks = 0;  // of the longest pass
    for (const auto& [steps, kernel] : of_steps) {
      prefer_shared(kernel, shape.shared);
      blocks = resident_blocks(one, kernel);
    }
    return shape.filled(c, static_cast<int>(blocks) * shape.threads / 32);
  }
};

/// Base of the solvers: passes of as many steps as tuned, and shorter ones for the rest.
template <class real>
class PassSolver : public CudaSolver<real> {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    while (steps > 0) {
      const auto& [now, kernel] =
          *std::prev(kernels_.of_steps.upper_bound(static_cast<int>(std::min<std::int64_t>(steps, shape_.steps))));
      steps -= now;
      queue(kernel, steps > 0);
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  PassSolver(const Case& c, const PassShape& shape, const PassKernels<real>& kernels)
      : CudaSolver<real>(c, {static_cast<std::size_t>(shape.threads), 1}, padded_rows<real>(c)),
        kernels_(kernels),
        shape_(kernels.filled(shape, c, this->device_)) {}

 private:
  /// Queues a pass, after whose last step the driven row is accelerated if there are `more`.
  void queue(typename PassKernels<real>::Kernel kernel, bool more) {
    const auto plane = static_cast<std::size_t>(this->strides_.q);
    const Pass<real> pass{
        .f = Arrays<9, const real>::from(this->f(), plane),
        .g = Arrays<9, real>::from(this->g(), plane),
        .speeds = speeds_.next(),
        .warps = shape_.warps(this->case_),
        .strips = shape_.strips(this->case_),
        .margin = shape_.margin,
        .rows = shape_.rows,
        .driven = this->driven_row(),
        .more = more,
        .c = this->problem(),
    };
    over_(kernel, pass);
    this->turn();
  }

  const PassKernels<real> kernels_;
  const PassShape shape_;
  const Shape warps_ = {static_cast<std::size_t>(shape_.warps(this->case_)), 1};
  const Launch over_ = kernels_.launch(this->device_, shape_, warps_.x);
  DeferredSums<real> speeds_{this->device_, warps_, this->fluid_cells_, static_cast<std::size_t>(shape_.steps)};
};

}  // namespace d2q9
