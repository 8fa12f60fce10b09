#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "variants/d2q9/cuda/pass.hpp"

/// Shapes, tunables and solvers of passes.
namespace d2q9 {

/// The shape of a pass.
struct PassShape {
  int steps = 1;
  int width = 1;      ///< columns of a lane
  int margin = 1;     ///< lanes that strips overlap at each end
  int rows = 64;      ///< of a segment
  int threads = 128;  ///< of a block
  int waves = 1;      ///< how many times all multiprocessors are filled, if `rows` is 0
  int shared = -1;    ///< percent of the memory for shared memory and L1 cache that shared memory takes; -1: as CUDA decides

  /// As tuned; what is not a tunable has the values above. `width` is 1 where rows are no multiple of it.
  template <class real>
  static PassShape tuned(const Case& c, const ladder::Tuning& tuning, int steps = 1) {
    const auto value = [&](const char* name, int otherwise) { return tuning.count(name) > 0 ? tuning.at(name) : otherwise; };
    PassShape shape;
    shape.steps = value("steps", steps);
    shape.width = std::min(value("width", shape.width), cells_of_16_bytes<real>);
    if (c.nx % shape.width != 0) shape.width = 1;
    shape.margin = std::max(value("margin", 0), (shape.steps + shape.width - 1) / shape.width);
    shape.rows = value("rows", shape.rows);
    shape.threads = value("threads", shape.threads);
    shape.waves = value("waves", shape.waves);
    shape.shared = value("shared", shape.shared);
    return shape;
  }

  /// The shape with a number of rows, if so many warps run at once. Fewer than four rows for each row that a warp computes
  /// beyond its segment cost more than more warps bring.
  [[nodiscard]] PassShape filled(const Case& c, int resident) const {
    PassShape shape = *this;
    if (rows > 0) return shape;
    const int segments = std::max(waves * resident / strips(c), 1);
    shape.rows = std::max({(c.ny + segments - 1) / segments, 4 * (steps - 1), 1});
    return shape;
  }

  [[nodiscard]] int columns() const { return (32 - 2 * margin) * width; }
  [[nodiscard]] int strips(const Case& c) const { return (c.nx + columns() - 1) / columns(); }
  [[nodiscard]] int segments(const Case& c) const { return (c.ny + rows - 1) / rows; }
  [[nodiscard]] int warps(const Case& c) const { return strips(c) * segments(c); }
};

/// The shape as tunables.
inline ladder::Tunable rows_tunable(int initial) {
  return {.name = "rows",
          .meaning = "rows of a segment, through which a warp marches",
          .values = {4, 8, 16, 32, 64, 128, 256},
          .initial = initial};
}
/// The same if `waves` may decide.
inline ladder::Tunable rows_or_waves_tunable() {
  return {.name = "rows",
          .meaning = "rows of a segment, through which a warp marches; 0: as `waves` says",
          .values = {0, 4, 8, 10, 13, 16, 20, 24, 32, 40, 64, 128},
          .initial = 0};
}
inline ladder::Tunable waves_tunable() {
  return {.name = "waves",
          .meaning = "how many times all multiprocessors are filled with warps, if `rows` is 0 and segments are not too short",
          .values = {1, 2, 3, 4},
          .initial = 2};
}
inline ladder::Tunable shared_tunable() {
  return {.name = "shared",
          .meaning = "percent of the memory for shared memory and L1 cache that shared memory takes; -1: as CUDA decides",
          .values = {-1, 58, 72, 86, 100},
          .initial = -1};
}
inline ladder::Tunable threads_tunable() {
  return {
      .name = "threads", .meaning = "threads of a block", .values = {32, 64, most_pass_threads}, .initial = most_pass_threads};
}
inline ladder::Tunable steps_tunable(int initial) {
  return {.name = "steps", .meaning = "steps of a pass", .values = {2, 3, 4, 5, 6, 8}, .initial = initial};
}
inline ladder::Tunable margin_tunable() {
  return {.name = "margin",
          .meaning =
              "lanes at each end of a strip whose cells another warp stores; more than this if the columns need more, 0: as "
              "few as possible",
          .values = {0, 1, 2, 3, 4, 5, 6, 7, 8},
          .initial = 0};
}
inline ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "columns of a lane, at most 16 bytes of each direction; 1 where rows are no multiple of it",
          .values = {1, 2, 4},
          .initial = 2};
}
/// Columns of a lane times stages of which populations wait, nine of each column and stage: more do not fit in the registers.
constexpr int most_waiting = 20;

/// What shapes must fulfil. In double precision a lane has two columns at most.
inline ladder::Constraint margin_constraint() {
  return {"margin = 0 or margin * min(width, 2) >= steps (each step invalidates a column at each end of a strip)",
          [](const ladder::Tuning& t) {
            const int width = t.count("width") > 0 ? std::min(t.at("width"), 2) : 1;
            return t.at("margin") == 0 || t.at("margin") * width >= t.at("steps");
          }};
}
inline ladder::Constraint registers_constraint() {
  return {"width * (steps - 1) <= " + std::to_string(most_waiting) + " (registers)",
          [](const ladder::Tuning& t) { return t.at("width") * (t.at("steps") - 1) <= most_waiting; }};
}

/// Traffic of an update, in DRAM. Each cell of a strip and a segment is read once per pass, the overlaps and `ahead` rows
/// after each segment included, and each cell of the lattice is written once.
inline std::vector<ladder::Traffic> pass_traffic(double real, const Case& c, const ladder::Tuning& tuning, int ahead,
                                                 int steps = 1) {
  const int warps = real == sizeof(float) ? 16 : 8;  // of a multiprocessor at once, as with the initial tuning
  const PassShape tuned =
      real == sizeof(float) ? PassShape::tuned<float>(c, tuning, steps) : PassShape::tuned<double>(c, tuning, steps);
  const PassShape shape = tuned.filled(c, warps * multiprocessors());
  const double columns = 32.0 * shape.width * shape.strips(c) / c.nx;
  const double rows = 1 + (2.0 * (shape.steps - 1) + ahead) * shape.segments(c) / c.ny;
  return {{(9 * real + 1) * columns * rows / shape.steps, 9 * real / shape.steps}};
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
