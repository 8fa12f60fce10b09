#pragma once

#include <cstddef>
#include <memory>

#include "backends/cuda/check.hpp"

namespace ladder::cuda {

/// `size` elements in page-locked host memory, which the GPU copies to and from at the full speed of the bus. They are not
/// initialized.
template <class T>
class PageLocked {
 public:
  explicit PageLocked(std::size_t size) : size_(size) {
    void* data = nullptr;
    LADDER_CUDA(cudaHostAlloc(&data, size * sizeof(T), cudaHostAllocDefault));
    data_.reset(static_cast<T*>(data));
  }

  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* data) const { cudaFreeHost(data); }
  };
  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace ladder::cuda
