#pragma once

#include <algorithm>

#include "roofline/ceilings/cuda/read.hpp"

namespace ladder::ceilings {

/// Each block repeatedly adds up 16 KB in its shared memory. As many blocks as fit on the device.
template <class T>
class Shared final : public Ceiling {
 public:
  explicit Shared(const Request&) : Shared(cuda::Device::select()) {}

  void sweep(std::int64_t times) override {
    while (times > 0) {
      repeats_ = std::min(times, exact_additions);
      const cuda::Launch launch{device_, {blocks_of(device_), 1}, {summing_threads, 1}};
      launch(shared_kernel<T>(), numbers_.data(), repeats_, 0, sums_.data());
      times -= repeats_;
    }
  }

  void wait() override { device_.wait(); }

  /// Checks only the last launch, in which each sum has read the same element repeatedly.
  std::string wrong() override {
    const auto sums = sums_.read();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t lane = i % width<T>;
      const std::size_t sum = i / width<T> % sums_a_thread;
      const std::size_t thread = i / width<T> / sums_a_thread;
      const std::size_t vector = (thread / summing_threads * sums_a_thread + sum) * summing_threads + thread % summing_threads;
      const double expected = (pattern(vector * width<T> + lane) < 1.5 ? 1 : 2) * static_cast<double>(repeats_);
      if (!(static_cast<double>(sums[i]) == expected))
        return fmt::format("sum {} of {} sweeps is {}, expected {}", i, repeats_, sums[i], expected);
    }
    return "";
  }

 private:
  explicit Shared(cuda::Device device)
      : Ceiling(static_cast<std::int64_t>(numbers_of(device)), static_cast<double>(numbers_of(device) * sizeof(T))),
        device_(std::move(device)),
        numbers_(device_, numbers_of(device_)),
        sums_(device_, numbers_of(device_)) {
    anywhere(device_)(fill_summands_kernel<T>(), numbers_.data(), 0, numbers_.size());
  }

  static std::size_t blocks_of(const cuda::Device& device) {
    return static_cast<std::size_t>(device.multiprocessors() *
                                    cuda::resident_blocks(device, shared_kernel<T>(), {summing_threads, 1}));
  }
  static std::size_t numbers_of(const cuda::Device& device) {
    return blocks_of(device) * sums_a_thread * summing_threads * width<T>;
  }

  cuda::Device device_;
  cuda::Buffer<T> numbers_;  ///< [block][sum][thread][lane]
  cuda::Buffer<T> sums_;     ///< of the last launch, [thread][sum][lane]
  std::int64_t repeats_ = 0;
};

}  // namespace ladder::ceilings
