// What a failed CUDA call becomes; the codes are given, no GPU is asked.
#include <gtest/gtest.h>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "backends/error.hpp"
#include "tests/support/text.hpp"

namespace ladder::cuda {
namespace {

using test::contains;

/// Message of what `LADDER_CUDA(code)` throws, which must be an `Expected`.
template <class Expected>
std::string message(cudaError_t code) {
  try {
    LADDER_CUDA(code);
  } catch (const Expected& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
  return "nothing thrown";
}

TEST(CudaCheck, LetsSuccessPass) { EXPECT_NO_THROW(LADDER_CUDA(cudaSuccess)); }

TEST(CudaCheck, SkipsWhereThereIsNoGpuAndWhereItIsOfAnotherArchitecture) {
  EXPECT_TRUE(contains(message<Unavailable>(cudaErrorNoDevice), "no CUDA device"));
  EXPECT_TRUE(contains(message<Unavailable>(cudaErrorNoKernelImageForDevice), "CMAKE_CUDA_ARCHITECTURES"));
}

TEST(CudaCheck, TakesExhaustedMemoryAndTooManyThreadsForTheUsersInput) {
  EXPECT_TRUE(contains(message<InputError>(cudaErrorMemoryAllocation), "out of memory"));
  EXPECT_TRUE(contains(message<InputError>(cudaErrorLaunchOutOfResources), "accepts up to"));
}

TEST(CudaCheck, NamesPlaceExpressionAndErrorOfAllElse) {
  const std::string text = message<Error>(cudaErrorIllegalAddress);
  for (const auto* part : {"cuda_test.cpp:", ": code: ", "cudaErrorIllegalAddress"})
    EXPECT_TRUE(contains(text, part)) << text;
}

TEST(CudaShape, IsCoveredByPartsThatMayStandOut) {
  const Shape blocks = covering({37, 23}, {16, 16});
  EXPECT_EQ(blocks.x, 3u);
  EXPECT_EQ(blocks.y, 2u);
  EXPECT_EQ(covering({128, 1}, {128, 1}).count(), 1u);
}

}  // namespace
}  // namespace ladder::cuda
