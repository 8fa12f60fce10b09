#pragma once

namespace ladder::cuda {

/// This block's dynamic shared memory as an array of T. (All `extern` arrays of the same name must have the same type, even in
/// templates.)
template <class T>
__device__ T* shared_memory() {
  extern __shared__ double memory[];
  static_assert(alignof(T) <= alignof(double));
  return reinterpret_cast<T*>(memory);
}

}  // namespace ladder::cuda
