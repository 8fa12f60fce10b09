// Exceptions for failed CUDA calls, and the limits of GPUs. Codes and properties are given; no GPU is used.
#include <gtest/gtest.h>

#include <cstdio>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "base/error.hpp"
#include "tests/support/text.hpp"

namespace ladder::cuda {
namespace {

using test::contains;

/// Message of the exception that `LADDER_CUDA(code)` throws, which must be an `Expected`.
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

TEST(CudaCheck, SkipsWhereTheDriverIsMissingOrOlderThanTheToolkit) {
  EXPECT_EQ(insufficient_driver(0), "no NVIDIA driver");
  const std::string text = insufficient_driver(11080);
  EXPECT_TRUE(contains(text, "it supports CUDA up to 11.8")) << text;
  EXPECT_TRUE(contains(text, "built for 1")) << text;
  EXPECT_FALSE(message<Unavailable>(cudaErrorInsufficientDriver).empty());
  EXPECT_TRUE(contains(message<Unavailable>(cudaErrorSystemDriverMismatch), "CUDA does not work here"));
}

TEST(CudaCheck, TakesExhaustedMemoryAndTooManyThreadsForTheUsersInput) {
  EXPECT_TRUE(contains(message<InputError>(cudaErrorMemoryAllocation), "out of memory"));
  EXPECT_TRUE(contains(message<InputError>(cudaErrorLaunchOutOfResources), "as the registers suffice for"));
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

/// Message of the exception that `call` throws, which must be an `Expected`.
template <class Expected, class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Expected& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
  return "nothing thrown";
}

TEST(CudaDevice, IsTheFirstUnlessANumberIsAskedFor) {
  const std::string names[] = {"big", "small"};
  EXPECT_EQ(chosen_device(nullptr, names), 0);
  EXPECT_EQ(chosen_device("", names), 0);
  EXPECT_EQ(chosen_device("1", names), 1);
}

TEST(CudaDevice, IsNotThereWhereTheNumberIsNoneOfThem) {
  const std::string names[] = {"big", "small"};
  for (const char* wanted : {"2", "-1", "1x", "big", " 1", "99999999999999999999"}) {
    const std::string text = refusal<Unavailable>([&] { chosen_device(wanted, names); });
    EXPECT_TRUE(contains(text, "LADDER_CUDA_DEVICE is '" + std::string(wanted) + "'")) << text;
    EXPECT_TRUE(contains(text, "0 'big', 1 'small'")) << text;
  }
}

/// A GPU as the runtime describes it.
cudaDeviceProp gpu() {
  cudaDeviceProp properties{};
  std::snprintf(properties.name, sizeof properties.name, "a GPU");
  properties.maxThreadsPerBlock = 1024;
  properties.maxThreadsDim[0] = 1024;
  properties.maxThreadsDim[1] = 512;
  properties.maxGridSize[0] = 2147483647;
  properties.maxGridSize[1] = 65535;
  properties.totalGlobalMem = 8'000'000'000;
  return properties;
}

TEST(CudaDevice, RefusesBlocksThatAreTooLargeOrEmpty) {
  EXPECT_NO_THROW(require_block(gpu(), {32, 32}));
  EXPECT_NO_THROW(require_block(gpu(), {1024, 1}));
  EXPECT_EQ(refusal<InputError>([] {
              require_block(gpu(), {64, 32});
            }),
            "a block of 64 x 32 = 2048 threads: a GPU accepts up to 1024, at most 1024 x 512");
  for (const Shape block : {Shape{1, 1024}, Shape{2048, 1}, Shape{0, 1}})
    EXPECT_TRUE(contains(refusal<InputError>([&] { require_block(gpu(), block); }), "accepts up to")) << block.x;
}

TEST(CudaDevice, RefusesGridsThatAreTooLargeOrEmpty) {
  EXPECT_NO_THROW(require_grid(gpu(), {1 << 20, 65535}));
  EXPECT_EQ(refusal<InputError>([] {
              require_grid(gpu(), {1, 65536});
            }),
            "a grid of 1 x 65536 blocks: a GPU accepts up to 2147483647 x 65535");
  EXPECT_TRUE(contains(refusal<InputError>([] { require_grid(gpu(), {1, 0}); }), "accepts up to"));
}

TEST(CudaDevice, RefusesWhatItsMemoryDoesNotHold) {
  EXPECT_NO_THROW(require_memory(gpu(), 8e9, "box-8192"));
  EXPECT_EQ(refusal<InputError>([] { require_memory(gpu(), 9.6e9, "box-8192"); }),
            "box-8192 needs 9.6 GB on the device; a GPU accepts up to 8 GB");
}

}  // namespace
}  // namespace ladder::cuda
