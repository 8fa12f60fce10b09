#pragma once

#include <openacc.h>

#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "backends/openacc/device.hpp"

namespace ladder::openacc {

/// `size` elements in the device's memory. Floating-point elements start as NaN and integers as 0, so that reading a value
/// before it is computed fails every check. Waits for all queues before a copy and before the memory is freed.
template <class T>
class Buffer {
 public:
  /// @throws InputError if the device does not have that much free memory
  Buffer(const Device& device, std::size_t size) : size_(size), data_(static_cast<T*>(device.allocate(size * sizeof(T)))) {
    // All bits set is a quiet NaN in every precision.
    std::vector<T> part(std::min<std::size_t>(size, 1 << 20));
    std::memset(static_cast<void*>(part.data()), std::numeric_limits<T>::has_quiet_NaN ? 0xFF : 0, part.size() * sizeof(T));
    for (std::size_t first = 0; first < size; first += part.size())
      acc_memcpy_to_device(data() + first, part.data(), std::min(part.size(), size - first) * sizeof(T));
  }

  /// Copies `values` to the start of the buffer; returns when done.
  void write(std::span<const T> values) {
    acc_wait_all();
    acc_memcpy_to_device(data(), const_cast<T*>(values.data()), values.size_bytes());
  }
  /// Copies the first `count` elements to the host after all earlier work is done.
  void read(T* values, std::size_t count) const {
    acc_wait_all();
    acc_memcpy_from_device(values, data_.get(), count * sizeof(T));
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* data) const {
      acc_wait_all();
      acc_free(data);
    }
  };

  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace ladder::openacc
