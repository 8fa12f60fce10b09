#pragma once

#include <cstdint>
#include <type_traits>

/// Numbers that are sent between threads without a flag or a fence: the last bit of a number marks its step and arrives
/// together with it. This costs one more rounding of the number.
namespace ladder::cuda {

/// The bits of a number of type T.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The last bit of the numbers that step number `number` sends: numbers alternate between two places, so this bit distinguishes
/// the step that a reader waits for from the one two steps before.
__device__ constexpr unsigned last_bit(unsigned number) { return number / 2 % 2; }

/// Memory that other threads write while this one reads it. An atomic_ref would check at run time which memory each address is
/// in.
template <class T>
__device__ volatile T& shared_with_others(T* place) {
  return *place;
}

}  // namespace ladder::cuda
