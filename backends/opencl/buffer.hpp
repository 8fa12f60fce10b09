#pragma once

#include <limits>
#include <span>

#include "backends/memory/array.hpp"
#include "backends/opencl/device.hpp"
#include "base/untouched.hpp"

namespace ladder::opencl {

/// A command queue that finishes its commands before it is destroyed, so that no command uses freed memory. Assignment does not
/// wait, since buffers are swapped rather than assigned.
class DrainedQueue : public cl::CommandQueue {
 public:
  explicit DrainedQueue(const cl::CommandQueue& queue) : cl::CommandQueue(queue) {}
  DrainedQueue(DrainedQueue&&) noexcept = default;
  DrainedQueue& operator=(DrainedQueue&&) noexcept = default;
  ~DrainedQueue() {
    if (object_ != nullptr) clFinish(object_);
  }
};

/// `size` elements in the device's global memory. Floating-point elements start as NaN and integers as 0, so that reading a
/// value before it is computed fails every check. On a CPU device, buffers use huge pages, like ladder::Array.
template <class T>
class Buffer {
 public:
  /// @throws InputError if the device cannot allocate it
  Buffer(const Device& device, std::size_t size) : size_(size), queue_(device.queue) {
    try {
      if (device.is_processor()) host_ = Array<T>(size);
      const cl_mem_flags place = device.is_processor() ? CL_MEM_USE_HOST_PTR : 0;
      buffer_ = LADDER_CL(cl::Buffer(device.context, CL_MEM_READ_WRITE | place, size * sizeof(T), host_.data()));
      LADDER_CL(queue_.enqueueFillBuffer(buffer_, poison(), 0, size * sizeof(T)));
    } catch (const Error& e) {
      if (e.code != CL_MEM_OBJECT_ALLOCATION_FAILURE && e.code != CL_INVALID_BUFFER_SIZE) throw;
      device.refuse_buffer(size * sizeof(T));
    }
  }

  /// Copies `values` (one for each element) to the device; returns when done.
  void write(std::span<const T> values) { write(values.data(), size_); }
  /// Copies `count` elements to the start of the buffer; returns when done.
  void write(const T* values, std::size_t count) {
    LADDER_CL(queue_.enqueueWriteBuffer(buffer_, CL_TRUE, 0, count * sizeof(T), values));
  }

  /// Copies the first `count` elements to the host after all earlier commands are done.
  void read(T* values, std::size_t count) const {
    LADDER_CL(queue_.enqueueReadBuffer(buffer_, CL_TRUE, 0, count * sizeof(T), values));
  }
  [[nodiscard]] Numbers<T> read() const {
    Numbers<T> values(size_);
    read(values.data(), size_);
    return values;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const cl::Buffer& handle() const { return buffer_; }

 private:
  static T poison() {
    if constexpr (std::numeric_limits<T>::has_quiet_NaN) return std::numeric_limits<T>::quiet_NaN();
    return T{};
  }

  std::size_t size_;
  Array<T> host_;
  cl::Buffer buffer_;
  DrainedQueue queue_;  // last, so that it is destroyed first
};

}  // namespace ladder::opencl
