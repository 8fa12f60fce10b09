#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"

namespace ladder::cuda {

inline constexpr int summands = 1024;  ///< threads per block of add_up

/// totals[step] = sum of sums[step][0..count), in double precision so that large grids lose no terms. One block of `summands`
/// threads per step.
template <class real>
__global__ void add_up(const real* sums, double* totals, std::size_t count) {
  __shared__ double parts[summands];
  // On a large grid, one block adds up half a million sums per step, so each thread keeps several loads in flight.
  constexpr int at_a_time = 8;
  const real* const own = sums + blockIdx.x * count;
  double total = 0;
  for (std::size_t begin = threadIdx.x; begin < count; begin += at_a_time * summands) {
    real terms[at_a_time];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      terms[k] = begin + k * summands < count ? own[begin + k * summands] : real{0};
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      total += static_cast<double>(terms[k]);
  }
  parts[threadIdx.x] = total;
  for (unsigned half = summands / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = parts[0];
}

/// Means of a quantity over `cells` cells, one per step. Each step's kernel leaves one sum per block on the device; add_up()
/// adds up those of many steps at once.
template <class real>
class DeferredSums {
 public:
  /// A launch advances by at most `at_once` steps.
  DeferredSums(const Device& device, Shape blocks, double cells, std::size_t at_once = 1)
      : device_(device),
        blocks_(blocks.count()),
        at_once_(at_once),
        room_(std::clamp<std::size_t>(room_bytes / (blocks_ * sizeof(real)), at_once, most_steps)),
        sums_(device, blocks_ * room_),
        totals_(device, room_),
        read_(room_),
        cells_(cells) {}

  /// Announces the number of steps of an advance(), the last of which adds up the remaining sums.
  void expect(std::int64_t steps) { expected_ = history_.size() + static_cast<std::size_t>(steps); }

  /// Where the next step's kernel stores its sums, [block]. Those of the following step come next.
  [[nodiscard]] real* next() { return sums_.data() + first(); }
  /// Offset of next() from data().
  [[nodiscard]] std::size_t first() const { return kept_ * blocks_; }
  [[nodiscard]] real* data() { return sums_.data(); }

  /// Number of steps whose sums fit on the device: in total, and until the next addition.
  [[nodiscard]] std::size_t room() const { return room_; }
  [[nodiscard]] std::size_t left() const { return room_ - kept_; }
  /// Call this after queuing a launch of `steps` steps. Waits for all steps if the next launch's sums might not fit, so that
  /// the queue does not grow without bound.
  void record(std::size_t steps = 1) {
    kept_ += steps;
    if (kept_ + at_once_ > room_ || history_.size() + kept_ == expected_) finish();
  }

  /// Calls queue(count, more) for as many steps at a time as their sums fit, until all `steps` are queued; `more` is the number
  /// of steps after these.
  template <class Queue>
  void in_parts(std::int64_t steps, Queue&& queue) {
    while (steps > 0) {
      const auto count = std::min(steps, static_cast<std::int64_t>(left()));
      steps -= count;
      queue(static_cast<int>(count), steps > 0);
      record(static_cast<std::size_t>(count));
    }
  }

  /// Waits for the steps queued so far and adds up their sums.
  void finish() {
    if (kept_ == 0) return;
    Launch{device_, {kept_, 1}, {summands, 1}}(add_up<real>, sums_.data(), totals_.data(), blocks_);
    totals_.read(read_.data(), kept_);
    for (std::size_t step = 0; step < kept_; ++step)
      history_.push_back(read_[step] / cells_);
    kept_ = 0;
  }

  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  static constexpr std::size_t room_bytes = std::size_t{64} << 20;
  static constexpr std::size_t most_steps = 4096;

  const Device& device_;
  std::size_t blocks_;
  std::size_t at_once_;    ///< most steps per launch, unless the launch uses left()
  std::size_t room_;       ///< steps whose sums fit on the device
  Buffer<real> sums_;      ///< [step][block]
  Buffer<double> totals_;  ///< [step]
  std::vector<double> read_;
  double cells_;
  std::size_t expected_ = 0;  ///< steps announced so far
  std::size_t kept_ = 0;      ///< steps not yet added up
  std::vector<double> history_;
};

}  // namespace ladder::cuda
