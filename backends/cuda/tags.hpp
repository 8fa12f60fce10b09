#pragma once

#include <cstdint>
#include <type_traits>

/// Values sent between threads without a flag or a fence: the last bit of each value marks its step and arrives with it. The
/// cost is one more rounding of the value.
namespace ladder::cuda {

/// The bits of a value of type T.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The last bit of the values sent in step `number`. Values alternate between two places, so this bit distinguishes the step
/// that a reader waits for from the one two steps before.
__device__ constexpr unsigned last_bit(unsigned number) { return number / 2 % 2; }

/// Memory that other threads write while this one reads it. An atomic_ref would check the address space of each address at run
/// time.
template <class T>
__device__ volatile T& shared_with_others(T* place) {
  return *place;
}

}  // namespace ladder::cuda
