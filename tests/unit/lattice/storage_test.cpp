#include "variants/lattice/storage.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends/memory/array.hpp"
#include "variants/lattice/layout.hpp"
#include "variants/lattice/state.hpp"

namespace {

using ladder::Half;
using ladder::to_float;
using ladder::to_half;

/// The value of a binary16 bit pattern according to IEEE 754.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

TEST(Half, HasTheValueOfItsBits) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const float got = to_float({static_cast<std::uint16_t>(bits)});
    const double expected = value_of(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(got)) << bits;
    else
      ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(static_cast<float>(expected))) << bits;
  }
}

TEST(Half, ComesBackFromFloat) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    if (std::isnan(value_of(half.bits)))
      ASSERT_TRUE(std::isnan(to_float(to_half(to_float(half))))) << bits;
    else
      ASSERT_EQ(to_half(to_float(half)).bits, half.bits);
  }
}

TEST(Half, RoundsToTheNearestAndMidpointsToTheEven) {
  for (const unsigned sign : {0U, 0x8000U})
    for (unsigned magnitude = 0; magnitude < 0x7C00; ++magnitude) {
      const auto low = static_cast<std::uint16_t>(sign | magnitude), high = static_cast<std::uint16_t>(low + 1);
      const double above = magnitude + 1 < 0x7C00 ? value_of(high) : (sign != 0 ? -65536.0 : 65536.0);
      const auto middle = static_cast<float>((value_of(low) + above) / 2);
      ASSERT_EQ(static_cast<double>(middle), (value_of(low) + above) / 2);
      ASSERT_EQ(to_half(middle).bits, magnitude % 2 == 0 ? low : high) << middle;
      ASSERT_EQ(to_half(std::nextafter(middle, 0.0F)).bits, low) << middle;
      ASSERT_EQ(to_half(std::nextafter(middle, 2 * middle)).bits, high) << middle;
    }
}

TEST(Half, IsInfiniteBeyondItsRange) {
  EXPECT_EQ(to_half(65504).bits, 0x7BFF);
  EXPECT_EQ(to_half(1e6F).bits, 0x7C00);
  EXPECT_EQ(to_half(-1e30F).bits, 0xFC00);
  EXPECT_EQ(to_half(std::numeric_limits<float>::infinity()).bits, 0x7C00);
  EXPECT_EQ(to_half(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TEST(Half, FillsMemoryWithNan) {
  EXPECT_TRUE(std::isnan(to_float(std::numeric_limits<Half>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(to_float(Half{0xFFFF}))) << "the fill pattern of GPU memory";
  EXPECT_TRUE(std::isnan(to_float(to_half(std::nanf(""))))) << "NaN stays NaN";
  ladder::Array<Half> array(3);
  array.poison();
  EXPECT_TRUE(std::isnan(to_float(array[2])));
}

TEST(Storage, KeepsFloatAndDoubleAsTheyAre) {
  using lattice::Storage;
  EXPECT_EQ(Storage<float>::load(0.25F), 0.25);
  EXPECT_EQ(Storage<double>::store(0.1), 0.1);
  EXPECT_EQ(Storage<float>::store(0.1), 0.1F);
}

TEST(Storage, ScalesHalves) {
  using S = lattice::Storage<Half>;
  EXPECT_EQ(S::store(0.0F).bits, 0);
  EXPECT_EQ(S::load(Half{0}), 0);
  EXPECT_EQ(to_float(S::store(0x1p-10F)), 32);
  EXPECT_TRUE(std::isinf(S::load(S::store(3.0F)))) << "a diverging flow must not look finite";
  EXPECT_TRUE(std::isnan(S::load(std::numeric_limits<Half>::quiet_NaN())));
}

TEST(Places, StoreDistancesFromRestRelativeToTheDensity) {
  const auto places = lattice::places<lattice::D2Q9, lattice::Pull>({1, 1, 1}, {}, 0, 0.1);
  const double weight = 1.0 / 9;
  EXPECT_EQ(places.stored<float>(1, 0.1 * weight), 0);
  EXPECT_EQ(places.population(1, 0.0F), 0.1 * weight);
  EXPECT_NEAR(places.stored<double>(1, 0.1 * (weight + 1e-9)), 1e-9, 1e-16);
  // Near rest, f32 resolves a billionth of the weight.
  EXPECT_NEAR(places.population(1, places.stored<float>(1, 0.1 * (weight + 1e-9))), 0.1 * (weight + 1e-9), 1e-17);
  const auto plain = lattice::places<lattice::D2Q37, lattice::Pull>({1, 1, 1}, {}, 0);
  EXPECT_EQ(plain.stored<double>(1, 0.125), 0.125) << "D2Q37 stores populations themselves";
}

TEST(Storage, RoundsAPopulationOfASeededStateByAThirdOfTheToleranceAtMost) {
  using S = lattice::Storage<Half>;
  double shifted = 0, unshifted = 0;
  const double weight = lattice::D3Q19::weight(0), largest = 1.1 * weight;
  for (int n = 0; n <= 10'000; ++n) {
    const double f = weight * (0.9 + 0.2 * n / 10'000);
    shifted = std::max(shifted, std::abs(S::load<double>(S::store(f - weight)) + weight - f));
    unshifted = std::max(unshifted, std::abs(S::load<double>(S::store(f)) - f));
  }
  EXPECT_LE(shifted / largest, 16 * ladder::f16.epsilon / 2.5);
  EXPECT_GE(unshifted / largest, 16 * ladder::f16.epsilon * 2);
}

/// Populations equal to and near the weight, stored in f16 in the memory of a lattice.
struct Lattice {
  lattice::Extents extents{4, 3, 2};
  lattice::StructureOfArrays<lattice::D3Q19, Half> layout{extents};
  std::vector<Half> f = std::vector<Half>(static_cast<std::size_t>(layout.required_span_size()), Half{0x7E00});
  ladder::Populations state{19, {{}, {4, 3, 2}}};

  Lattice() {
    for (int i = 0; i < 19; ++i)
      for (std::int64_t n = 0; n < state.cells(); ++n)
        state.at(i, n) = lattice::D3Q19::weight(i) * (1 + 0.001 * static_cast<double>((7 * n + i) % 50 - 25));
  }
};

TEST(State, InHalvesIsRoundedOnceAndThenCopiedExactly) {
  Lattice a;
  for (const int phase : {0, 1}) {
    const lattice::Places places = lattice::places<lattice::D3Q19, lattice::AA>(a.extents, a.layout.strides(), phase);
    lattice::load(a.f.data(), places, a.state);
    ladder::Populations first = a.state, second = a.state;
    lattice::store(a.f.data(), places, first);
    for (std::size_t n = 0; n < first.f.size(); ++n)
      EXPECT_NEAR(first.f[n], a.state.f[n], 0x1p-11 * 0.025 / 3) << "2^-11 of the largest distance";
    lattice::load(a.f.data(), places, first);
    lattice::store(a.f.data(), places, second);
    for (std::size_t n = 0; n < first.f.size(); ++n)
      EXPECT_EQ(first.f[n], second.f[n]);
    EXPECT_NEAR(lattice::sum(a.f.data(), places), first.total(), 1e-13);
  }
}

}  // namespace
