#pragma once

#include <cstddef>

namespace ladder::cuda {

/// Global memory that no thread writes while a kernel runs, so loads may go through the read-only cache. For members of a
/// kernel's parameter struct, where `const T* __restrict__` has no effect.
template <class T>
struct ReadOnly {
  const T* data;

  __host__ __device__ ReadOnly(const T* numbers) : data(numbers) {}
  __device__ T operator[](std::size_t index) const { return __ldg(data + index); }
  __device__ ReadOnly operator+(std::size_t offset) const { return data + offset; }
};

}  // namespace ladder::cuda
