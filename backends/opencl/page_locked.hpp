#pragma once

#include <cstddef>

#include "backends/opencl/device.hpp"

namespace ladder::opencl {

/// `size` uninitialized elements in host memory that the driver allocates and keeps mapped. The memory is page-locked, so
/// copies to and from a GPU run at the full speed of the bus.
template <class T>
class PageLocked {
 public:
  PageLocked(const Device& device, std::size_t size)
      : size_(size),
        queue_(device.queue),
        buffer_(LADDER_CL(cl::Buffer(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size * sizeof(T)))),
        data_(static_cast<T*>(
            LADDER_CL(queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size * sizeof(T))))) {}
  PageLocked(const PageLocked&) = delete;
  PageLocked& operator=(const PageLocked&) = delete;
  ~PageLocked() { clEnqueueUnmapMemObject(queue_(), buffer_(), data_, 0, nullptr, nullptr); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  T* data_;
};

}  // namespace ladder::opencl
