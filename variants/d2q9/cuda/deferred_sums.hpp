#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "variants/d2q9/cuda/device_case.hpp"

namespace d2q9 {

inline constexpr int summands = 1024;  ///< threads of a block of add_up

/// totals[step] = sum of sums[step][0..count), one block of `summands` threads a step, in double: large grids lose no terms.
template <class real>
__global__ void add_up(const real* sums, double* totals, std::size_t count) {
  __shared__ double parts[summands];
  // A step of a large grid leaves half a million sums to one block, so a thread has several loads under way at a time.
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

/// Average speeds whose sums stay on the device: add_up() adds up one sum a block for many steps at once.
template <class real>
class DeferredSums {
 public:
  DeferredSums(const DeviceCase<real>& on, Shape blocks)
      : device_(on.device),
        blocks_(blocks.count()),
        room_(std::clamp<std::size_t>(room_bytes / (blocks_ * sizeof(real)), 1, most_steps)),
        sums_(on.device, blocks_ * room_),
        totals_(on.device, room_),
        read_(room_),
        fluid_cells_(static_cast<double>(on.c.fluid_cells())) {}

  /// Announces the steps of an advance(): with the last of them, what is left is added up.
  void expect(std::int64_t steps) { expected_ = history_.size() + static_cast<std::size_t>(steps); }

  /// Where the next step's kernel puts the sum of the speeds of its blocks, [block]; that of the step after it follows.
  [[nodiscard]] real* next() { return sums_.data() + kept_ * blocks_; }
  /// The place of next(), counted from data().
  [[nodiscard]] std::size_t first() const { return kept_ * blocks_; }
  [[nodiscard]] real* data() { return sums_.data(); }

  /// Steps whose sums there is room for, in all and until they are next added up.
  [[nodiscard]] std::size_t room() const { return room_; }
  [[nodiscard]] std::size_t left() const { return room_ - kept_; }

  /// Steps were queued. Where the room is full, waits for all of them: the queue never grows without bound.
  void record(std::size_t steps = 1) {
    kept_ += steps;
    if (kept_ == room_ || history_.size() + kept_ == expected_) finish();
  }

  /// Waits for the steps queued so far and adds up their sums.
  void finish() {
    if (kept_ == 0) return;
    ladder::cuda::Launch{device_, {kept_, 1}, {summands, 1}}(add_up<real>, sums_.data(), totals_.data(), blocks_);
    totals_.read(read_.data(), kept_);
    for (std::size_t step = 0; step < kept_; ++step)
      history_.push_back(read_[step] / fluid_cells_);
    kept_ = 0;
  }

  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  static constexpr std::size_t room_bytes = std::size_t{64} << 20;
  static constexpr std::size_t most_steps = 4096;

  const ladder::cuda::Device& device_;
  std::size_t blocks_;
  std::size_t room_;                     ///< steps whose sums fit on the device
  ladder::cuda::Buffer<real> sums_;      ///< [step][block]
  ladder::cuda::Buffer<double> totals_;  ///< [step]
  std::vector<double> read_;             ///< [step]
  double fluid_cells_;
  std::size_t expected_ = 0;  ///< steps that there will be
  std::size_t kept_ = 0;      ///< steps not yet added up
  std::vector<double> history_;
};

}  // namespace d2q9
