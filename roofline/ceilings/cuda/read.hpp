#pragma once

#include <algorithm>

#include "roofline/ceilings/cuda/arrays.hpp"

namespace ladder::ceilings {

/// Sums of values up to 2 stay exact in single precision for 2^23 additions.
constexpr std::int64_t exact_additions = std::int64_t{1} << 22;

/// Each block repeatedly adds up a separate part of an array: `read` through whichever cache holds the part, `l2-read`
/// bypassing L1.
template <class T>
class Read final : public Ceiling {
 public:
  explicit Read(const Request& request) : Read(request, cuda::Device::select()) {}

  void sweep(std::int64_t times) override {
    while (times > 0) {
      repeats_ = std::min(times, exact_repeats());
      const cuda::Launch launch{device_, {blocks_, 1}, {summing_threads, 1}};
      launch(kernel_, numbers_.data(), part_, repeats_, 0, sums_.data());
      times -= repeats_;
    }
  }

  void wait() override { device_.wait(); }

  /// Checks only the last launch.
  std::string wrong() override {
    double sum = 0;
    for (const T part : sums_.read())
      sum += static_cast<double>(part);
    double once = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      once += pattern(i) < 1.5 ? 1 : 2;
    const double expected = once * static_cast<double>(repeats_);
    if (sum == expected) return "";
    return fmt::format("the sum of {} sweeps is {}, expected {}", repeats_, sum, expected);
  }

 private:
  /// Vectors that a block reads before it returns to its first sum.
  static constexpr std::size_t step = sums_a_thread * summing_threads;

  /// How the array is divided among blocks.
  struct Share {
    std::size_t blocks;
    std::size_t part;  ///< vectors per block
  };

  Read(const Request& request, cuda::Device device)
      : Read(std::move(device), read_kernel<T>(request.kind.on_chip), share(request, device)) {}

  Read(cuda::Device&& device, ReadKernel<T> kernel, Share shared)
      : Ceiling(static_cast<std::int64_t>(shared.blocks * shared.part * width<T>),
                static_cast<double>(shared.blocks * shared.part * vector_bytes)),
        device_(std::move(device)),
        kernel_(kernel),
        blocks_(shared.blocks),
        part_(shared.part),
        numbers_(device_, blocks_ * part_ * width<T>),
        sums_(device_, blocks_ * step * width<T>) {
    anywhere(device_)(fill_summands_kernel<T>(), numbers_.data(), 0, numbers_.size());
  }

  static Share share(const Request& request, const cuda::Device& device) {
    const std::size_t steps = vectors_per_array(request, device, 1) / step;
    if (steps == 0)
      throw InputError(fmt::format("--bytes {}: {} needs at least {} bytes on this device", request.bytes, request.kind.name,
                                   step * vector_bytes));
    const int resident = cuda::resident_blocks(device, read_kernel<T>(request.kind.on_chip), {summing_threads, 1});
    const std::size_t blocks = std::min(steps, static_cast<std::size_t>(device.multiprocessors() * resident));
    return {blocks, steps / blocks * step};
  }

  [[nodiscard]] std::int64_t exact_repeats() const {
    return std::max<std::int64_t>(1, exact_additions / static_cast<std::int64_t>(part_ / step));
  }

  cuda::Device device_;
  ReadKernel<T> kernel_;
  std::size_t blocks_;
  std::size_t part_;
  cuda::Buffer<T> numbers_;
  cuda::Buffer<T> sums_;  ///< of the last launch, [thread][sum][lane]
  std::int64_t repeats_ = 0;
};

}  // namespace ladder::ceilings
