// Velocity sets: symmetry, reach, and the moments that their quadratures reproduce.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "variants/lattice/lattice.hpp"

namespace lattice {
namespace {

template <class L>
class VelocitySet : public testing::Test {};
using Sets = testing::Types<D2Q9, D3Q19, D3Q27, D2Q37>;
TYPED_TEST_SUITE(VelocitySet, Sets);

static_assert(Lattice<D2Q9> && Lattice<D3Q19> && Lattice<D3Q27> && Lattice<D2Q37>);

/// Highest degree of the moments that the quadrature reproduces: 5 for sets for isothermal flow, 9 for D2Q37.
template <class L>
constexpr int degree = L::q == D2Q37_Q ? 9 : 5;

/// The moment of degree k of a Gaussian with variance 1.
double gaussian(int k) { return k % 2 == 1 ? 0 : k == 0 ? 1 : (k - 1) * gaussian(k - 2); }

TYPED_TEST(VelocitySet, HasEveryDirectionOnceAndRestsInTheFirst) {
  std::set<std::tuple<int, int, int>> seen;
  for (int i = 0; i < TypeParam::q; ++i) {
    const Velocity c = TypeParam::c(i);
    EXPECT_TRUE(seen.emplace(c.x, c.y, c.z).second) << i;
  }
  EXPECT_EQ(TypeParam::c(0), Velocity{});
}

TYPED_TEST(VelocitySet, HasAnOppositeOfEachDirectionWithTheSameWeight) {
  for (int i = 0; i < TypeParam::q; ++i) {
    const int back = TypeParam::opposite(i);
    EXPECT_EQ(TypeParam::c(back), -TypeParam::c(i)) << i;
    EXPECT_EQ(TypeParam::opposite(back), i);
    EXPECT_EQ(TypeParam::weight(back), TypeParam::weight(i)) << i;
  }
}

TYPED_TEST(VelocitySet, IsSymmetricUnderReflectionsAndSwapsOfItsAxes) {
  const auto weight_of = [](const Velocity& c) {
    for (int i = 0; i < TypeParam::q; ++i)
      if (TypeParam::c(i) == c) return TypeParam::weight(i);
    return 0.0;
  };
  for (int i = 0; i < TypeParam::q; ++i) {
    const auto [x, y, z] = TypeParam::c(i);
    EXPECT_EQ(weight_of({-x, y, z}), TypeParam::weight(i)) << i;
    EXPECT_EQ(weight_of({y, x, z}), TypeParam::weight(i)) << i;
    if (TypeParam::dimensions == 3) {
      EXPECT_EQ(weight_of({x, z, y}), TypeParam::weight(i)) << i;
    }
  }
}

TYPED_TEST(VelocitySet, ReachesAsFarAsItsLongestStepAlongAnAxis) {
  int longest = 0;
  for (int i = 0; i < TypeParam::q; ++i) {
    const auto [x, y, z] = TypeParam::c(i);
    longest = std::max({longest, std::abs(x), std::abs(y), std::abs(z)});
    if (TypeParam::dimensions == 2) {
      EXPECT_EQ(z, 0);
    }
  }
  EXPECT_EQ(longest, TypeParam::reach);
}

TYPED_TEST(VelocitySet, HasTheMomentsOfAGaussian) {
  const double sound = std::sqrt(TypeParam::sound_squared);
  const int depth = TypeParam::dimensions == 3 ? degree<TypeParam> : 0;
  for (int a = 0; a <= degree<TypeParam>; ++a)
    for (int b = 0; a + b <= degree<TypeParam>; ++b)
      for (int d = 0; d <= depth && a + b + d <= degree<TypeParam>; ++d) {
        double moment = 0;
        for (int i = 0; i < TypeParam::q; ++i) {
          const auto [x, y, z] = TypeParam::c(i);
          moment += TypeParam::weight(i) * std::pow(x / sound, a) * std::pow(y / sound, b) * std::pow(z / sound, d);
        }
        const double exact = gaussian(a) * gaussian(b) * gaussian(d);
        EXPECT_NEAR(moment, exact, 3e-15 * std::max(1.0, exact) * std::pow(4, a + b + d)) << a << b << d;
      }
}

TEST(D2q37, FailsAtDegreeTen) {
  double moment = 0;
  for (int i = 0; i < D2Q37::q; ++i)
    moment += D2Q37::weight(i) * std::pow(D2Q37::c(i).x * D2Q37_R, 10);
  EXPECT_GT(std::abs(moment - gaussian(10)), 1);
}

TEST(D2q37, HasTheRootOfItsCubic) {
  const double t = D2Q37::sound_squared;
  EXPECT_NEAR(35 * t * t * t - 70 * t * t + 49 * t - 12, 0, 1e-13);
}

}  // namespace
}  // namespace lattice
