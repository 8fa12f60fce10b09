#pragma once

namespace ladder::cuda {

/// The dynamic shared memory of this thread's block, as an array of T. (An `extern` array has only one type in a program, even
/// if a template declares it.)
template <class T>
__device__ T* shared_memory() {
  extern __shared__ double memory[];
  static_assert(alignof(T) <= alignof(double));
  return reinterpret_cast<T*>(memory);
}

}  // namespace ladder::cuda
