#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define LADDER_INLINE [[gnu::always_inline]] inline
#define LADDER_INLINE_LAMBDA __attribute__((always_inline))

// GCC fuses multiplications and additions by default. Clang only does so within one expression, and not across overloaded
// operators.
#if defined(__clang__)
#define LADDER_FUSE _Pragma("clang fp contract(fast)")
#else
#define LADDER_FUSE
#endif

/// SIMD vectors that read like scalars, built on the vector extensions shared by GCC and Clang. Every function is inlined into
/// its caller and becomes one or a few instructions at -O1 and above.
namespace ladder {

/// Bytes of the widest vector of the target architecture.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

/// The size in bytes at which stores are combined before they leave the core: a streaming store should be followed by stores to
/// the rest of its line.
constexpr int cache_line_bytes = 64;

/// Calls visit(i) for i = 0, …, n - 1, each a compile-time constant, so that arrays of vectors indexed only this way stay in
/// registers. (GCC does not completely unroll loops of more than 16 iterations.)
template <int n, class Visit>
LADDER_INLINE void unroll(Visit visit) {
  [&]<int... i>(std::integer_sequence<int, i...>) LADDER_INLINE_LAMBDA { (visit(std::integral_constant<int, i>{}), ...); }
  (std::make_integer_sequence<int, n>{});
}

namespace detail {

template <class T, int Bytes>
struct NativeVector {
  typedef T type __attribute__((vector_size(Bytes)));
};

/// The signed integer of the same size as T: a lane of a mask.
template <class T>
using MaskLane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Widens bytes to integer lanes of type Lane. GCC 12 converts lane by lane between vectors of such different widths, so the
/// instruction is used explicitly where it exists.
template <class Lane, int Bytes>
LADDER_INLINE auto widen(const std::uint8_t* bytes) {
  constexpr int size = Bytes / static_cast<int>(sizeof(Lane));
  using Native = typename NativeVector<Lane, Bytes>::type;
  [[maybe_unused]] constexpr bool single = sizeof(Lane) == 4;
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && single)
    return (Native)_mm512_maskz_cvtepu8_epi32(0xffff, _mm_loadu_si128((const __m128i*)bytes));
  if constexpr (Bytes == 64 && !single) return (Native)_mm512_maskz_cvtepu8_epi64(0xff, _mm_loadl_epi64((const __m128i*)bytes));
#endif
#if defined(__AVX2__)
  if constexpr (Bytes == 32 && single) return (Native)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)bytes));
#endif
  typename NativeVector<std::uint8_t, size>::type narrow;
  std::memcpy(&narrow, bytes, size);
  return __builtin_convertvector(narrow, Native);
}

}  // namespace detail

/// One truth value per lane, as returned by comparisons of vectors.
template <class T, int Bytes = vector_bytes>
class Mask {
 public:
  static constexpr int size = Bytes / static_cast<int>(sizeof(T));
  using Lane = detail::MaskLane<T>;
  using Native = typename detail::NativeVector<Lane, Bytes>::type;

  Mask() = default;
  LADDER_INLINE explicit Mask(Native native) : native_(native) {}

  /// True in each lane whose byte, among `size` consecutive ones, is not zero.
  LADDER_INLINE static Mask from_bytes(const std::uint8_t* bytes) { return Mask(detail::widen<Lane, Bytes>(bytes) != 0); }
  /// True in each lane whose byte, among `size` consecutive ones, has any of these bits set.
  LADDER_INLINE static Mask from_bytes(const std::uint8_t* bytes, std::uint8_t bits) {
    return Mask((detail::widen<Lane, Bytes>(bytes) & Lane{bits}) != 0);
  }

  LADDER_INLINE friend Mask operator&(Mask a, Mask b) { return Mask(a.native_ & b.native_); }
  LADDER_INLINE friend Mask operator|(Mask a, Mask b) { return Mask(a.native_ | b.native_); }
  LADDER_INLINE friend Mask operator!(Mask a) { return Mask(~a.native_); }

  LADDER_INLINE bool operator[](int lane) const { return native_[lane] != 0; }
  [[nodiscard]] LADDER_INLINE Native native() const { return native_; }

 private:
  Native native_;
};

/// Whether any lane is true.
template <class T, int Bytes>
LADDER_INLINE bool any(Mask<T, Bytes> mask) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4)
    return _mm512_test_epi32_mask((__m512i)mask.native(), (__m512i)mask.native()) != 0;
  if constexpr (Bytes == 64 && sizeof(T) == 8)
    return _mm512_test_epi64_mask((__m512i)mask.native(), (__m512i)mask.native()) != 0;
#endif
#if defined(__AVX2__)
  if constexpr (Bytes == 32) return _mm256_movemask_epi8((__m256i)mask.native()) != 0;
#endif
  typename Mask<T, Bytes>::Lane joined = 0;
  for (int lane = 0; lane < Mask<T, Bytes>::size; ++lane)
    joined |= mask.native()[lane];
  return joined != 0;
}

/// Whether all of `size` consecutive bytes equal `value`; `size` is a power of two.
template <int size>
LADDER_INLINE bool all_equal(const std::uint8_t* bytes, std::uint8_t value) {
  using Word = std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>;
  const auto expected = static_cast<Word>(std::uint64_t{value} * 0x0101010101010101);
  Word joined = 0;
  for (int n = 0; n < size; n += static_cast<int>(sizeof(Word))) {
    Word word;
    std::memcpy(&word, bytes + n, sizeof(Word));
    joined |= word ^ expected;
  }
  return joined == 0;
}

/// Whether all of `size` consecutive bytes have all of these bits set; `size` is a power of two up to 8, or a multiple of 8.
template <int size>
LADDER_INLINE bool all_have(const std::uint8_t* bytes, std::uint8_t bits) {
  using Word = std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>;
  const auto wanted = static_cast<Word>(std::uint64_t{bits} * 0x0101010101010101);
  Word common = wanted;
  for (int n = 0; n < size; n += static_cast<int>(sizeof(Word))) {
    Word word;
    std::memcpy(&word, bytes + n, sizeof(Word));
    common &= word;
  }
  return common == wanted;
}

/// Whether all of `size` consecutive bytes are zero; `size` is a power of two.
template <int size>
LADDER_INLINE bool all_zero(const std::uint8_t* bytes) {
  return all_equal<size>(bytes, 0);
}

/// Whether all lanes are true.
template <class T, int Bytes>
LADDER_INLINE bool all(Mask<T, Bytes> mask) {
  return !any(!mask);
}

/// `size` values that behave like one. A scalar converts to a vector with equal lanes, so that formulas written for scalars
/// also work for vectors: `(real)1.5 * u2` with `real = Vector<float>`.
///
/// @tparam T      float or double
/// @tparam Bytes  16, 32 or 64, at most vector_bytes
template <class T, int Bytes = vector_bytes>
class Vector {
 public:
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  static_assert(Bytes <= vector_bytes);
  static constexpr int size = Bytes / static_cast<int>(sizeof(T));  ///< lanes
  using Scalar = T;
  using Native = typename detail::NativeVector<T, Bytes>::type;
  using MaskType = Mask<T, Bytes>;

  Vector() = default;
  LADDER_INLINE explicit Vector(Native native) : native_(native) {}
  template <class U>
  requires std::is_arithmetic_v<U> LADDER_INLINE Vector(U value)  // NOLINT: a number converts as it does in ordinary arithmetic
      : native_(static_cast<T>(value) - Native{}) {}

  /// Loads `size` values from `p`, which need not be aligned.
  LADDER_INLINE static Vector load(const T* p) {
    Native native;
    std::memcpy(&native, p, Bytes);
    return Vector(native);
  }
  /// Loads `size` values from `p`, which must be a multiple of Bytes.
  LADDER_INLINE static Vector load_aligned(const T* p) {
    return load(static_cast<const T*>(__builtin_assume_aligned(p, Bytes)));
  }

  /// Loads from `p`, which need not be aligned, the lanes whose mask is true; the others become 0. Memory of the other lanes is
  /// not read, because other threads may be writing it.
  LADDER_INLINE static Vector load(const T* p, MaskType mask) {
    [[maybe_unused]] constexpr bool single = sizeof(T) == 4;
#if defined(__AVX512F__)
    if constexpr (Bytes == 64 && single)
      return Vector((Native)_mm512_maskz_loadu_ps(_mm512_test_epi32_mask((__m512i)mask.native(), (__m512i)mask.native()), p));
    if constexpr (Bytes == 64 && !single)
      return Vector((Native)_mm512_maskz_loadu_pd(_mm512_test_epi64_mask((__m512i)mask.native(), (__m512i)mask.native()), p));
#endif
#if defined(__AVX2__)
    if constexpr (Bytes == 32 && single) return Vector((Native)_mm256_maskload_ps(p, (__m256i)mask.native()));
    if constexpr (Bytes == 32 && !single) return Vector((Native)_mm256_maskload_pd(p, (__m256i)mask.native()));
#endif
    Native native{};
    for (int lane = 0; lane < size; ++lane)
      if (mask[lane]) native[lane] = p[lane];
    return Vector(native);
  }

  /// Stores the lanes to `p`, which need not be aligned.
  LADDER_INLINE void store(T* p) const { std::memcpy(p, &native_, Bytes); }
  /// Stores the lanes whose mask is true to `p`, which need not be aligned. Memory of the other lanes is neither read nor
  /// written, because other threads may be writing it.
  LADDER_INLINE void store(T* p, MaskType mask) const {
    [[maybe_unused]] constexpr bool single = sizeof(T) == 4;
#if defined(__AVX512F__)
    if constexpr (Bytes == 64 && single)
      return _mm512_mask_storeu_ps(p, _mm512_test_epi32_mask((__m512i)mask.native(), (__m512i)mask.native()), (__m512)native_);
    if constexpr (Bytes == 64 && !single)
      return _mm512_mask_storeu_pd(p, _mm512_test_epi64_mask((__m512i)mask.native(), (__m512i)mask.native()), (__m512d)native_);
#endif
#if defined(__AVX2__)
    if constexpr (Bytes == 32 && single) return _mm256_maskstore_ps(p, (__m256i)mask.native(), (__m256)native_);
    if constexpr (Bytes == 32 && !single) return _mm256_maskstore_pd(p, (__m256i)mask.native(), (__m256d)native_);
#endif
    for (int lane = 0; lane < size; ++lane)
      if (mask[lane]) p[lane] = native_[lane];
  }
  /// Stores the lanes to `p`, which must be a multiple of Bytes.
  LADDER_INLINE void store_aligned(T* p) const { store(static_cast<T*>(__builtin_assume_aligned(p, Bytes))); }

  LADDER_INLINE friend Vector operator+(Vector a, Vector b) { LADDER_FUSE return Vector(a.native_ + b.native_); }
  LADDER_INLINE friend Vector operator-(Vector a, Vector b) { LADDER_FUSE return Vector(a.native_ - b.native_); }
  LADDER_INLINE friend Vector operator*(Vector a, Vector b) { LADDER_FUSE return Vector(a.native_ * b.native_); }
  LADDER_INLINE friend Vector operator/(Vector a, Vector b) { return Vector(a.native_ / b.native_); }
  LADDER_INLINE friend Vector operator-(Vector a) { return Vector(-a.native_); }
  LADDER_INLINE Vector& operator+=(Vector b) { return *this = *this + b; }
  LADDER_INLINE Vector& operator-=(Vector b) { return *this = *this - b; }
  LADDER_INLINE Vector& operator*=(Vector b) { return *this = *this * b; }
  LADDER_INLINE Vector& operator/=(Vector b) { return *this = *this / b; }

  LADDER_INLINE friend MaskType operator<(Vector a, Vector b) { return MaskType(a.native_ < b.native_); }
  LADDER_INLINE friend MaskType operator<=(Vector a, Vector b) { return MaskType(a.native_ <= b.native_); }
  LADDER_INLINE friend MaskType operator>(Vector a, Vector b) { return MaskType(a.native_ > b.native_); }
  LADDER_INLINE friend MaskType operator>=(Vector a, Vector b) { return MaskType(a.native_ >= b.native_); }
  LADDER_INLINE friend MaskType operator==(Vector a, Vector b) { return MaskType(a.native_ == b.native_); }
  LADDER_INLINE friend MaskType operator!=(Vector a, Vector b) { return MaskType(a.native_ != b.native_); }

  LADDER_INLINE T operator[](int lane) const { return native_[lane]; }
  [[nodiscard]] LADDER_INLINE Native native() const { return native_; }

 private:
  Native native_;
};

/// Lanes of `a` where the mask is true, and of `b` elsewhere.
template <class T, int Bytes>
LADDER_INLINE Vector<T, Bytes> select(Mask<T, Bytes> mask, Vector<T, Bytes> a, Vector<T, Bytes> b) {
  return Vector<T, Bytes>(mask.native() ? a.native() : b.native());
}

/// a * b + c, rounded once if the target has fused multiply-add.
template <class T, int Bytes>
LADDER_INLINE Vector<T, Bytes> fma(Vector<T, Bytes> a, Vector<T, Bytes> b, Vector<T, Bytes> c) {
  LADDER_FUSE
  return Vector<T, Bytes>(a.native() * b.native() + c.native());
}

template <class T, int Bytes>
LADDER_INLINE Vector<T, Bytes> sqrt(Vector<T, Bytes> a) {
  using Native = typename Vector<T, Bytes>::Native;
#if defined(__x86_64__)
  constexpr bool single = sizeof(T) == 4;
  if constexpr (Bytes == 64 && single) return Vector<T, Bytes>((Native)_mm512_maskz_sqrt_ps(0xffff, (__m512)a.native()));
  if constexpr (Bytes == 64 && !single) return Vector<T, Bytes>((Native)_mm512_maskz_sqrt_pd(0xff, (__m512d)a.native()));
  if constexpr (Bytes == 32 && single) return Vector<T, Bytes>((Native)_mm256_sqrt_ps((__m256)a.native()));
  if constexpr (Bytes == 32 && !single) return Vector<T, Bytes>((Native)_mm256_sqrt_pd((__m256d)a.native()));
  if constexpr (Bytes == 16 && single) return Vector<T, Bytes>((Native)_mm_sqrt_ps((__m128)a.native()));
  if constexpr (Bytes == 16 && !single) return Vector<T, Bytes>((Native)_mm_sqrt_pd((__m128d)a.native()));
#else
  Native root = a.native();
  for (int lane = 0; lane < Vector<T, Bytes>::size; ++lane)
    root[lane] = static_cast<T>(__builtin_sqrt(root[lane]));
  return Vector<T, Bytes>(root);
#endif
}

/// Adds the lower half of the lanes to the upper half.
template <class T, int Bytes>
LADDER_INLINE Vector<T, Bytes / 2> fold(Vector<T, Bytes> a) {
  constexpr int half = Vector<T, Bytes>::size / 2;
  return [&]<int... lane>(std::integer_sequence<int, lane...>) LADDER_INLINE_LAMBDA {
    return Vector<T, Bytes / 2>(__builtin_shufflevector(a.native(), a.native(), lane...) +
                                __builtin_shufflevector(a.native(), a.native(), (lane + half)...));
  }
  (std::make_integer_sequence<int, half>{});
}

/// Sum of the lanes, added in pairs.
template <class T, int Bytes>
LADDER_INLINE T sum(Vector<T, Bytes> a) {
  if constexpr (Bytes > 16)
    return sum(fold(a));
  else if constexpr (Vector<T, Bytes>::size == 4)
    return (a[0] + a[2]) + (a[1] + a[3]);
  else
    return a[0] + a[1];
}

/// Stores the lanes to `p`, a multiple of Bytes, bypassing the caches: the line is not read first (no write-allocate), and
/// other threads see it only after stream_fence(). An ordinary store if the target has no such instruction.
template <class T, int Bytes>
LADDER_INLINE void stream(T* p, Vector<T, Bytes> a) {
#if defined(__x86_64__)
  if constexpr (Bytes == 64) _mm512_stream_si512((__m512i*)p, (__m512i)a.native());
  if constexpr (Bytes == 32) _mm256_stream_si256((__m256i*)p, (__m256i)a.native());
  if constexpr (Bytes == 16) _mm_stream_si128((__m128i*)p, (__m128i)a.native());
#elif defined(__clang__)
  __builtin_nontemporal_store(a.native(), reinterpret_cast<typename Vector<T, Bytes>::Native*>(p));
#else
  a.store_aligned(p);
#endif
}

/// Makes this thread's earlier stream() stores visible before its later stores. Call it once, before threads synchronize.
LADDER_INLINE void stream_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

}  // namespace ladder
