#pragma once

#include <algorithm>

#include "roofline/ceilings/cuda/arrays.hpp"
#include "roofline/ceilings/cuda/ways.hpp"

namespace ladder::ceilings {

/// Chains of x <- m x + c in registers. With m = -1, a chain alternates exactly between x and c - x.
template <class T>
class Fma final : public Ceiling {
 public:
  explicit Fma(const Request&) : Fma(cuda::Device::select()) {}

  void sweep(std::int64_t times) override { sweep(chains_, times); }
  void wait() override { device_.wait(); }

  std::string wrong() override {
    const auto numbers = numbers_.read();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const T expected = sweeps_ % 2 == 0 ? start(i) : sum - start(i);
      if (!(numbers[i] == expected))
        return fmt::format("number {} after {} sweeps is {}, expected {}", i, sweeps_, numbers[i], expected);
    }
    return "";
  }

 private:
  static constexpr std::int64_t steps_a_sweep = 143;  ///< of 7 multiply-adds each; odd, so that each sweep changes the values
  static constexpr T sum = 65536;                     ///< of two successive values of a chain
  static constexpr std::size_t threads = 256;         ///< per block

  explicit Fma(cuda::Device device)
      : Ceiling(static_cast<std::int64_t>(numbers_of(device)) * steps_a_sweep * 7, 0),
        device_(std::move(device)),
        numbers_(device_, numbers_of(device_)) {
    std::vector<T> numbers(numbers_.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = start(i);
    numbers_.write(numbers);
    chains_ = fastest(std::vector<std::size_t>{2, 4, 8, 16}, [this](std::size_t chains, std::int64_t times) {
      sweep(chains, times);
      wait();
    });
  }

  /// The total number of chains is the same, no matter how they are divided among threads.
  void sweep(std::size_t chains, std::int64_t times) {
    const cuda::Launch launch{device_, {numbers_.size() / chains / threads, 1}, {threads, 1}};
    launch(fma_kernel<T>(static_cast<int>(chains)), numbers_.data(), times * steps_a_sweep, T{-1}, sum);
    sweeps_ += times;
  }

  /// Four chains per thread and 2048 threads per multiprocessor.
  static std::size_t numbers_of(const cuda::Device& device) { return std::size_t{8192} * device.multiprocessors(); }
  static T start(std::size_t i) { return static_cast<T>(i % 32768); }

  cuda::Device device_;
  cuda::Buffer<T> numbers_;  ///< values between launches, [chain][thread]
  std::int64_t sweeps_ = 0;
  std::size_t chains_ = 4;
};

}  // namespace ladder::ceilings
