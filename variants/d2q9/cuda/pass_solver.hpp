#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <type_traits>
#include <vector>

#include "variants/d2q9/cuda/pass.hpp"
#include "variants/d2q9/cuda/pass_shape.hpp"

/// Solvers whose steps are grouped in passes.
namespace d2q9 {

/// Returns the traffic of an update of a rung that fetches `ahead` rows after each segment. If the GPU decides the number of
/// rows, assumes the one for the initial tuning.
inline std::vector<ladder::Traffic> pass_traffic(double real, const Case& c, const ladder::Tuning& tuning, int ahead,
                                                 int steps = 1) {
  const int warps = real == sizeof(float) ? 16 : 8;  // resident per multiprocessor
  const PassShape shape =
      real == sizeof(float) ? PassShape::tuned<float>(c, tuning, steps) : PassShape::tuned<double>(c, tuning, steps);
  return shape.filled(c, warps * multiprocessors()).traffic(real, c, ahead);
}

/// Calls use(std::integral_constant<int, n>) with the n among `values` that equals `value`.
template <int... values, class Use>
void with_constant(int value, Use&& use) {
  ((value == values ? use(std::integral_constant<int, values>{}) : void()), ...);
}

/// The kernels of passes, which take `More` arguments in addition to the pass, and the shared-memory elements per warp that
/// they need.
template <class real, class... More>
struct PassKernels {
  using Kernel = void (*)(Pass<real>, More...);
  /// Kernels by number of steps, as far as they exist; the last one is for a whole pass.
  std::map<int, Kernel> of_steps;
  int shared = 0;

  /// kernel(steps, width) and shared(steps, width) return them for compile-time constants.
  template <int most_width = cells_of_16_bytes<real>, class OfKernel, class OfShared>
  static PassKernels of(const PassShape& shape, OfKernel&& kernel, OfShared&& shared) {
    PassKernels kernels;
    with_constant<1, 2, 4>(shape.width, [&](auto columns) {
      constexpr std::integral_constant<int, std::min<int>(columns, most_width)> width;
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

  /// Returns the shape with `rows` filled in, and prepares the kernels for their launches.
  [[nodiscard]] PassShape filled(PassShape shape, const Case& c, const ladder::cuda::Device& device) const {
    const Launch one = launch(device, shape, 1);
    std::size_t blocks = 0;  // for the longest pass
    for (const auto& [steps, kernel] : of_steps) {
      prefer_shared(kernel, shape.shared);
      blocks = resident_blocks(one, kernel);
    }
    return shape.filled(c, static_cast<int>(blocks) * shape.threads / 32);
  }
};

/// Passes with the tuned number of steps, and shorter ones for the remainder, over all rows of a case.
template <class real, class... More>
class Passes {
 public:
  /// Sums of |u| are divided by `cells`.
  Passes(const ladder::cuda::Device& device, const Case& c, double cells, const PassShape& shape,
         const PassKernels<real, More...>& kernels)
      : kernels_(kernels),
        shape_(kernels.filled(shape, c, device)),
        strips_(shape_.strips(c)),
        warps_{static_cast<std::size_t>(shape_.warps(c)), 1},
        over_(kernels.launch(device, shape_, warps_.x)),
        speeds_(device, warps_, cells, static_cast<std::size_t>(shape_.steps)) {}

  /// Calls queue(kernel, more) for each pass; `more` says whether steps follow it.
  template <class Queue>
  void advance(std::int64_t steps, Queue&& queue) {
    speeds_.expect(steps);
    while (steps > 0) {
      const auto& [now, kernel] =
          *std::prev(kernels_.of_steps.upper_bound(static_cast<int>(std::min<std::int64_t>(steps, shape_.steps))));
      steps -= now;
      queue(kernel, steps > 0);
      speeds_.record(static_cast<std::size_t>(now));
    }
  }

  /// Returns the arguments of the next pass, from `f` to `g`, [9][plane]; the others are the same as in Pass.
  [[nodiscard]] Pass<real> next(const real* f, real* g, std::int64_t plane, int driven, bool more, const Problem<real>& c) {
    const auto apart = static_cast<std::size_t>(plane);
    return {.f = Arrays<9, const real>::from(f, apart),
            .g = Arrays<9, real>::from(g, apart),
            .speeds = speeds_.next(),
            .warps = static_cast<int>(warps_.x),
            .strips = strips_,
            .margin = shape_.margin,
            .rows = shape_.rows,
            .driven = driven,
            .more = more,
            .c = c};
  }
  [[nodiscard]] const Launch& over() const { return over_; }
  [[nodiscard]] std::span<const double> history() const { return speeds_.history(); }

 private:
  const PassKernels<real, More...> kernels_;
  const PassShape shape_;
  const int strips_;
  const Shape warps_;
  const Launch over_;
  DeferredSums<real> speeds_;
};

/// Base of the solvers.
template <class real>
class PassSolver : public CudaSolver<real> {
 public:
  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate();
    passes_.advance(steps, [this](auto kernel, bool more) {
      passes_.over()(kernel, passes_.next(this->f(), this->g(), this->strides_.q, this->driven_row(), more, this->problem()));
      this->swap_lattices();
    });
  }

  std::span<const double> history() override { return passes_.history(); }

 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  PassSolver(const Case& c, const PassShape& shape, const PassKernels<real>& kernels)
      : CudaSolver<real>(c, {static_cast<std::size_t>(shape.threads), 1}, padded_rows<real>(c)),
        passes_(this->device_, c, this->fluid_cells_, shape, kernels) {}

 private:
  Passes<real> passes_;
};

}  // namespace d2q9
