#pragma once

namespace regularized {

/// Starts copying 4, 8 or 16 bytes to shared memory, in the group that the next __pipeline_commit() closes. Unlike
/// __pipeline_memcpy_async(), it does not bypass the L1 cache for 16-byte copies.
template <int bytes>
__device__ __forceinline__ void copy_async(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from), "n"(bytes)
               : "memory");
}

}  // namespace regularized
