// Kokkos's host back end, which depends on how Kokkos was built.
#include <gtest/gtest.h>

#include <vector>

#include "backends/kokkos/runtime.hpp"
#include "backends/status.hpp"
#include "tests/support/text.hpp"

namespace ladder::kokkos {

BackendStatus status();

namespace {

using test::contains;

TEST(Kokkos, RunsLoopsOverEachIndexOnce) {
  start();
  start();
  constexpr int size = 1000;
  std::vector<int> visits(size, 0);
  int* const visit = visits.data();
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, size), [=](int i) { ++visit[i]; });
  Kokkos::fence();
  EXPECT_EQ(visits, std::vector<int>(size, 1));
  double sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, size), [=](int i, double& to) { to += i; }, sum);
  EXPECT_EQ(sum, size * (size - 1) / 2.);
}

TEST(Kokkos, NamesItsBackEndAndSaysIfThatHasOneThread) {
  const BackendStatus here = status();
  EXPECT_TRUE(here.available);
  EXPECT_EQ(here.threads, Space().concurrency());
  EXPECT_TRUE(here.driver.starts_with("Kokkos ")) << here.driver;
  EXPECT_TRUE(contains(here.device, std::string("Kokkos ") + Space::name())) << here.device;
#if defined(KOKKOS_ENABLE_OPENMP) || defined(KOKKOS_ENABLE_THREADS) || defined(KOKKOS_ENABLE_HPX)
  EXPECT_FALSE(contains(here.device, "one thread")) << here.device;
#else
  EXPECT_TRUE(here.device.ends_with("Kokkos Serial (one thread)")) << here.device;
  EXPECT_EQ(here.threads, 1);
#endif
}

}  // namespace
}  // namespace ladder::kokkos
