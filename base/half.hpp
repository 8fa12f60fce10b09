#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#if defined(__CUDACC__)
#define LADDER_HALF_ANYWHERE __host__ __device__
#else
#define LADDER_HALF_ANYWHERE
#endif

namespace ladder {

/// An IEEE 754 binary16 value. Lattices store such values; computations never use them. It has 11 significant bits from 2^-14
/// to 65504, and fewer down to 2^-24.
struct Half {
  std::uint16_t bits;
};

/// The same value; NaN stays NaN.
LADDER_HALF_ANYWHERE inline float to_float(Half half) {
#if defined(__CUDA_ARCH__)
  // PTX, so that CUDA files need not compile all of cuda_fp16.h.
  float number;
  asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(half.bits));
  return number;
#else
  // Use integers and avoid subnormal floats, which some builds flush to zero.
  const std::uint32_t sign = (half.bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = half.bits & 0x7FFFU;
  std::uint32_t bits = (magnitude << 13U) + (112U << 23U);
  if (magnitude >= 0x7C00U) bits = (magnitude << 13U) | 0x7F800000U;
  if (magnitude < 0x0400U)
    bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>((magnitude << 13U) + (113U << 23U)) - 0x1p-14F);
  return std::bit_cast<float>(sign | bits);
#endif
}

/// The nearest value; ties go to the one whose last bit is 0. Values beyond 65504 become infinite, as with the GPU instruction:
/// a diverging flow must not look finite. NaN stays NaN.
LADDER_HALF_ANYWHERE inline Half to_half(float number) {
#if defined(__CUDA_ARCH__)
  Half half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half.bits) : "f"(number));
  return half;
#else
  const auto all = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t sign = (all & 0x80000000U) >> 16U;
  const std::uint32_t magnitude = all & 0x7FFFFFFFU;
  std::uint32_t bits = ((magnitude + 0xFFFU + ((magnitude >> 13U) & 1U)) >> 13U) - (112U << 10U);
  // Below 2^-14, the last bit is worth 2^-24, like that of a float between 1/2 and 1.
  if (magnitude < 0x38800000U)
    bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
  if (magnitude >= 0x477FF000U) bits = 0x7C00U;
  if (magnitude > 0x7F800000U) bits = 0x7E00U;
  return {static_cast<std::uint16_t>(sign | bits)};
#endif
}

}  // namespace ladder

#undef LADDER_HALF_ANYWHERE

/// Provides the NaN used to fill memory, as for the other floating-point types.
template <>
struct std::numeric_limits<ladder::Half> {
  static constexpr bool is_specialized = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr ladder::Half quiet_NaN() noexcept { return {0x7E00U}; }
};
