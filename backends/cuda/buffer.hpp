#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "backends/cuda/device.hpp"
#include "base/untouched.hpp"

namespace ladder::cuda {

/// `size` elements in the device's global memory. Floating-point elements start as NaN, integers as 0, so that reading a value
/// before it is computed fails every check. Operations are queued on the device's stream; the device outlives the buffer.
template <class T>
class Buffer {
 public:
  /// @throws InputError if the device does not have that much free memory
  Buffer(const Device& device, std::size_t size) : stream_(device.stream()), size_(size) {
    data_.reset(static_cast<T*>(device.allocate(bytes(size))));
    // All bits set is a quiet NaN in every precision.
    LADDER_CUDA(cudaMemsetAsync(data_.get(), std::numeric_limits<T>::has_quiet_NaN ? 0xFF : 0, bytes(size), stream_));
  }

  /// Copies `values` (one for each element) to the device; returns when done.
  void write(std::span<const T> values) {
    LADDER_CUDA(cudaMemcpyAsync(data_.get(), values.data(), bytes(size_), cudaMemcpyHostToDevice, stream_));
    LADDER_CUDA(cudaStreamSynchronize(stream_));
  }

  /// Sets every bit to 0.
  void zero() { LADDER_CUDA(cudaMemsetAsync(data_.get(), 0, bytes(size_), stream_)); }

  /// Copies the first `count` elements to the host after all earlier work is done.
  void read(T* values, std::size_t count) const {
    LADDER_CUDA(cudaMemcpyAsync(values, data_.get(), bytes(count), cudaMemcpyDeviceToHost, stream_));
    LADDER_CUDA(cudaStreamSynchronize(stream_));
  }
  [[nodiscard]] Numbers<T> read() const {
    Numbers<T> values(size_);
    read(values.data(), size_);
    return values;
  }
  /// The element at `index`, after all earlier work is done.
  [[nodiscard]] T at(std::size_t index) const {
    T value{};
    LADDER_CUDA(cudaMemcpyAsync(&value, data_.get() + index, sizeof(T), cudaMemcpyDeviceToHost, stream_));
    LADDER_CUDA(cudaStreamSynchronize(stream_));
    return value;
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* data) const { cudaFree(data); }
  };
  static std::size_t bytes(std::size_t count) { return count * sizeof(T); }

  cudaStream_t stream_;
  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

/// Copies `count` elements between host and device after all earlier work is done; returns when done.
template <class T>
void copy(const Device& device, const T* from, T* to, std::size_t count) {
  LADDER_CUDA(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, device.stream()));
  device.wait();
}

/// Rows of `width` values on the device, [row][pitch], with `fill` in the padding.
template <class T>
Buffer<T> padded_rows(const Device& device, std::span<const T> values, std::size_t width, std::size_t pitch, T fill) {
  const std::size_t rows = values.size() / width;
  std::vector<T> padded(pitch * rows, fill);
  for (std::size_t row = 0; row < rows; ++row)
    std::ranges::copy(values.subspan(row * width, width), padded.data() + row * pitch);
  Buffer<T> buffer(device, padded.size());
  buffer.write(padded);
  return buffer;
}

}  // namespace ladder::cuda
