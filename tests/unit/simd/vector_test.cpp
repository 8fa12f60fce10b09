#include "backends/simd/vector.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using ladder::Mask;
using ladder::Vector;

template <class T>
class VectorOf : public testing::Test {
 protected:
  static constexpr int size = Vector<T>::size;

  /// first, first + step, first + 2 step, …
  static Vector<T> ramp(T first, T step) {
    std::array<T, size> lanes;
    for (int i = 0; i < size; ++i)
      lanes[static_cast<std::size_t>(i)] = first + step * static_cast<T>(i);
    return Vector<T>::load(lanes.data());
  }
};

using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(VectorOf, Numbers);

TYPED_TEST(VectorOf, IsAsWideAsTheTargetAllows) {
  EXPECT_EQ(sizeof(Vector<TypeParam>), static_cast<std::size_t>(ladder::vector_bytes));
  EXPECT_EQ(this->size * sizeof(TypeParam), static_cast<std::size_t>(ladder::vector_bytes));
}

TYPED_TEST(VectorOf, BroadcastsNumbersOfAnyArithmeticType) {
  using real = Vector<TypeParam>;
  for (const real& v : {(real)1.5, (real)1.5F, real(TypeParam(1.5))})
    for (int i = 0; i < this->size; ++i)
      EXPECT_EQ(v[i], TypeParam(1.5));
  EXPECT_EQ(((real)3)[this->size - 1], TypeParam(3));
  EXPECT_TRUE(std::signbit(((real)-0.0)[0]));
}

TYPED_TEST(VectorOf, ComputesLaneByLane) {
  const auto a = this->ramp(1, 1);
  const auto b = this->ramp(2, 3);
  for (int i = 0; i < this->size; ++i) {
    const TypeParam x = a[i];
    const TypeParam y = b[i];
    EXPECT_EQ((a + b)[i], x + y);
    EXPECT_EQ((a - b)[i], x - y);
    EXPECT_EQ((a * b)[i], x * y);
    EXPECT_EQ((a / b)[i], x / y);
    EXPECT_EQ((-a)[i], -x);
    EXPECT_EQ((2 * a + 1)[i], 2 * x + 1);
    EXPECT_EQ(fma(a, b, a)[i], x * y + x);
    EXPECT_EQ(sqrt(b)[i], std::sqrt(y));
  }
}

TYPED_TEST(VectorOf, AssignsInPlace) {
  auto v = this->ramp(1, 1);
  v += 1;
  v *= 4;
  v -= 2;
  v /= 2;
  for (int i = 0; i < this->size; ++i)
    EXPECT_EQ(v[i], TypeParam(2 * (i + 2) - 1));
}

TYPED_TEST(VectorOf, ComparesIntoMasks) {
  const auto v = this->ramp(0, 1);
  const Vector<TypeParam> one = 1;
  for (int i = 0; i < this->size; ++i) {
    EXPECT_EQ((v < one)[i], i < 1);
    EXPECT_EQ((v <= one)[i], i <= 1);
    EXPECT_EQ((v > one)[i], i > 1);
    EXPECT_EQ((v >= one)[i], i >= 1);
    EXPECT_EQ((v == one)[i], i == 1);
    EXPECT_EQ((v != one)[i], i != 1);
    EXPECT_EQ(((v < one) | (v > one))[i], i != 1);
    EXPECT_EQ(((v >= one) & (v <= one))[i], i == 1);
    EXPECT_EQ((!(v == one))[i], i != 1);
  }
}

TYPED_TEST(VectorOf, ComparesNanAsUnequalAndUnordered) {
  const Vector<TypeParam> nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_FALSE(any(nan == nan));
  EXPECT_FALSE(any(nan > Vector<TypeParam>(0)));
  EXPECT_TRUE(all(nan != nan));
}

TYPED_TEST(VectorOf, ReducesMasks) {
  const auto v = this->ramp(0, 1);
  EXPECT_TRUE(any(v == Vector<TypeParam>(this->size - 1)));
  EXPECT_FALSE(any(v == Vector<TypeParam>(this->size)));
  EXPECT_TRUE(all(v < Vector<TypeParam>(this->size)));
  EXPECT_FALSE(all(v < Vector<TypeParam>(this->size - 1)));
}

TYPED_TEST(VectorOf, SelectsByMask) {
  const auto v = this->ramp(0, 1);
  const auto chosen = select(v >= Vector<TypeParam>(1), v, Vector<TypeParam>(-1));
  EXPECT_EQ(chosen[0], -1);
  for (int i = 1; i < this->size; ++i)
    EXPECT_EQ(chosen[i], i);
}

TYPED_TEST(VectorOf, MakesMasksOfBytes) {
  std::array<std::uint8_t, 64> bytes{};
  bytes[1] = 1;
  bytes[static_cast<std::size_t>(this->size) - 1] = 255;
  const auto mask = Mask<TypeParam>::from_bytes(bytes.data());
  for (int i = 0; i < this->size; ++i)
    EXPECT_EQ(mask[i], i == 1 || i == this->size - 1);
}

TYPED_TEST(VectorOf, MakesMasksOfSomeBitsOfBytes) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t n = 0; n < bytes.size(); ++n)
    bytes[n] = static_cast<std::uint8_t>(n == 1 ? 8 : n % 2 == 0 ? 24 : 4);
  const auto mask = Mask<TypeParam>::from_bytes(bytes.data(), 8);
  for (int i = 0; i < this->size; ++i)
    EXPECT_EQ(mask[i], i == 1 || i % 2 == 0);
}

TYPED_TEST(VectorOf, ReadsOnlyTheLanesOfAMask) {
  std::vector<TypeParam> numbers(static_cast<std::size_t>(this->size) + 2);
  std::iota(numbers.begin(), numbers.end(), TypeParam(0));
  const Vector<TypeParam> ramp = this->ramp(1, 1);
  for (int gap = 0; gap < this->size; ++gap) {
    const auto v = Vector<TypeParam>::load(numbers.data() + 1, ramp != Vector<TypeParam>(gap + 1));
    for (int i = 0; i < this->size; ++i)
      EXPECT_EQ(v[i], i == gap ? 0 : i + 1);
  }
}

TYPED_TEST(VectorOf, WritesOnlyTheLanesOfAMask) {
  const Vector<TypeParam> v = this->ramp(1, 1);
  for (int gap = 0; gap < this->size; ++gap) {
    std::vector<TypeParam> numbers(static_cast<std::size_t>(this->size) + 2, TypeParam(-1));
    v.store(numbers.data() + 1, v != Vector<TypeParam>(gap + 1));
    for (int i = -1; i <= this->size; ++i)
      EXPECT_EQ(numbers[static_cast<std::size_t>(i + 1)], i < 0 || i == this->size || i == gap ? -1 : i + 1);
  }
}

TYPED_TEST(VectorOf, FindsTheByteThatDiffers) {
  std::array<std::uint8_t, 18> bytes{};
  bytes.fill(8);
  EXPECT_TRUE(ladder::all_equal<16>(bytes.data() + 1, 8));
  EXPECT_FALSE(ladder::all_equal<16>(bytes.data() + 1, 0));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    bytes[n] = 24;
    EXPECT_EQ(ladder::all_equal<16>(bytes.data() + 1, 8), n == 0 || n == 17);
    EXPECT_EQ(ladder::all_equal<4>(bytes.data() + 1, 8), n == 0 || n > 4);
    EXPECT_EQ(ladder::all_equal<2>(bytes.data() + 1, 8), n == 0 || n > 2);
    bytes[n] = 8;
  }
}

TYPED_TEST(VectorOf, FindsTheByteThatLacksABit) {
  std::array<std::uint8_t, 18> bytes{};
  bytes.fill(24);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    bytes[n] = 16;
    EXPECT_EQ(ladder::all_have<16>(bytes.data() + 1, 8), n == 0 || n == 17);
    EXPECT_EQ(ladder::all_have<4>(bytes.data() + 1, 8), n == 0 || n > 4);
    EXPECT_EQ(ladder::all_have<2>(bytes.data() + 1, 8), n == 0 || n > 2);
    bytes[n] = n % 2 == 0 ? 8 : 24;
  }
}

TYPED_TEST(VectorOf, FindsTheByteThatIsNotZero) {
  std::array<std::uint8_t, 18> bytes{};
  EXPECT_TRUE(ladder::all_zero<16>(bytes.data() + 1));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    bytes[n] = 1;
    EXPECT_EQ(ladder::all_zero<16>(bytes.data() + 1), n == 0 || n == 17);
    EXPECT_EQ(ladder::all_zero<8>(bytes.data() + 1), n == 0 || n > 8);
    EXPECT_EQ(ladder::all_zero<4>(bytes.data() + 1), n == 0 || n > 4);
    EXPECT_EQ(ladder::all_zero<2>(bytes.data() + 1), n == 0 || n > 2);
    bytes[n] = 0;
  }
}

TYPED_TEST(VectorOf, AddsItsLanes) { EXPECT_EQ(sum(this->ramp(1, 1)), TypeParam(this->size * (this->size + 1) / 2)); }

TYPED_TEST(VectorOf, LoadsAndStoresAtAnyAddress) {
  std::vector<TypeParam> numbers(4 * static_cast<std::size_t>(this->size));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<TypeParam>(i);
  const auto v = Vector<TypeParam>::load(numbers.data() + 1);
  EXPECT_EQ(v[0], 1);
  v.store(numbers.data() + this->size + 3);
  EXPECT_EQ(numbers[static_cast<std::size_t>(this->size) + 2], TypeParam(this->size + 2));
  EXPECT_EQ(numbers[static_cast<std::size_t>(this->size) + 3], 1);
  EXPECT_EQ(numbers[2 * static_cast<std::size_t>(this->size) + 2], TypeParam(this->size));
}

TYPED_TEST(VectorOf, StreamsToMemory) {
  alignas(ladder::vector_bytes) std::array<TypeParam, 2 * Vector<TypeParam>::size> numbers{};
  const auto v = this->ramp(5, 2);
  stream(numbers.data() + this->size, v);
  ladder::stream_fence();
  const auto back = Vector<TypeParam>::load_aligned(numbers.data() + this->size);
  EXPECT_TRUE(all(back == v));
  EXPECT_EQ(numbers[0], 0);
  v.store_aligned(numbers.data());
  EXPECT_EQ(numbers[1], 7);
}

}  // namespace
