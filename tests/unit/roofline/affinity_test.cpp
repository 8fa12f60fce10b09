#include "base/affinity.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

namespace ladder {
namespace {

/// A kernel for `processors` processors, of which the process may use the first and the last.
template <std::size_t processors>
int of_kernel(pid_t, std::size_t bytes, cpu_set_t* set) {
  if (8 * bytes < processors) {
    errno = EINVAL;
    return -1;
  }
  std::memset(set, 0, bytes);
  CPU_SET_S(0, bytes, set);
  CPU_SET_S(processors - 1, bytes, set);
  return 0;
}

TEST(AllowedProcessors, AreFoundAmongMoreThanAThousand) {
  EXPECT_EQ(allowed_processors(of_kernel<16>), (std::vector{0, 15}));
  EXPECT_EQ(allowed_processors(of_kernel<1024>), (std::vector{0, 1023}));
  EXPECT_EQ(allowed_processors(of_kernel<1025>), (std::vector{0, 1024}));
  EXPECT_EQ(allowed_processors(of_kernel<8192>), (std::vector{0, 8191}));
}

TEST(AllowedProcessors, AreUnknownIfTheKernelRefusesToAnswer) {
  EXPECT_TRUE(allowed_processors([](pid_t, std::size_t, cpu_set_t*) { return -1; }).empty());
}

}  // namespace
}  // namespace ladder
