#include "roofline/model/counting.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace {

using ladder::count;
using ladder::Counting;
using ladder::Operations;

TEST(Counting, CountsEachOperationOnce) {
  const Operations spent = count("all", [] {
    const Counting a = 2;
    const Counting b = 3;
    Counting c = a + b - b;
    c = -c * a * b / a;
    c += sqrt(a);
    c -= b;
  });
  EXPECT_EQ(spent.form, "all");
  EXPECT_EQ(spent.add, 5);  // +, binary -, unary -, +=, -=
  EXPECT_EQ(spent.mul, 2);
  EXPECT_EQ(spent.div, 1);
  EXPECT_EQ(spent.sqrt, 1);
  EXPECT_EQ(spent.total(), 9);
}

TEST(Counting, ComputesWhatOrdinaryNumbersDo) {
  Counting x = 3;
  x += 0.5;
  x -= Counting(1);
  EXPECT_DOUBLE_EQ((sqrt(x * 10) / 2 - -x).value(), std::sqrt(25.0) / 2 + 2.5);
}

TEST(Counting, IsFreeOfChargeForConstantsAndComparisons) {
  const Operations spent = count("free", [] {
    const Counting w = 4.0 / 9.0 + 1.0;
    EXPECT_TRUE(w > Counting(1));
  });
  EXPECT_EQ(spent.total(), 0);
}

TEST(Counting, StartsAnewEachTime) {
  const auto twice = [] { return count("sum", [] { (void)(Counting(1) + Counting(2)); }).total(); };
  EXPECT_EQ(twice(), 1);
  EXPECT_EQ(twice(), 1);
}

TEST(Counting, CountsEachThreadForItself) {
  const Operations spent = count("this thread", [] {
    (void)(Counting(1) * Counting(2));
    std::thread([] { (void)(Counting(1) * Counting(2)); }).join();
  });
  EXPECT_EQ(spent.total(), 1);
}

/// sum of Q values and BGK relaxation of each, for any number type
template <class real>
void relax(real* f, int q, real omega) {
  real rho = f[0];
  for (int i = 1; i < q; ++i)
    rho = rho + f[i];
  for (int i = 0; i < q; ++i)
    f[i] = f[i] + omega * ((real)(1.0 / 9.0) * rho - f[i]);
}

TEST(Counting, CountsATemplatedKernel) {
  const Operations spent = count("relax", [] {
    Counting f[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    relax<Counting>(f, 9, 1.5);
  });
  EXPECT_EQ(spent.add, 8 + 9 * 2);
  EXPECT_EQ(spent.mul, 9 * 2);
  EXPECT_EQ(spent.total(), 44);
}

}  // namespace
