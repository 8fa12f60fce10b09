#pragma once

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"

namespace ladder::cuda {

/// *to = value.
template <class T>
__global__ void assign(T* to, T value) {
  *to = value;
}

/// A device variable that kernels read at run time, so that the kernels of a recorded graph can use a different value in each
/// launch.
template <class T>
class DeviceNumber {
 public:
  /// Starts as 0 (floating-point: NaN).
  explicit DeviceNumber(const Device& device) : device_(device), number_(device, 1) {}

  /// Queues an assignment.
  void set(T value) { Launch{device_, {1, 1}, {1, 1}}(assign<T>, number_.data(), value); }
  [[nodiscard]] const T* data() const { return number_.data(); }

 private:
  const Device& device_;
  Buffer<T> number_;
};

}  // namespace ladder::cuda
