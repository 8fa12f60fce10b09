#include "backends/status.hpp"

#include <gtest/gtest.h>

namespace ladder {
namespace {

BackendStatus processes() {
  BackendStatus status;
  status.available = true;
  status.driver = "Open MPI 4.1";
  status.threads = 1;
  status.no_profiler = "nobody counts messages";
  return status;
}

BackendStatus gpu() {
  BackendStatus status;
  status.available = true;
  status.device = "a GPU";
  status.driver = "a driver";
  status.gpu = "0000:01:00.0";
  status.cache_bytes = 50;
  status.resident = true;
  status.pins_threads = true;
  status.ceilings = "cuda";
  status.profile = [](bool) {};
  return status;
}

TEST(CombinedBackends, DoWhatEachCanDo) {
  for (const auto& both : {combined({processes(), gpu()}), combined({gpu(), processes()})}) {
    EXPECT_TRUE(both.available);
    EXPECT_EQ(both.reason, "");
    EXPECT_EQ(both.device, "a GPU");
    EXPECT_EQ(both.threads, 1);
    EXPECT_EQ(both.gpu, "0000:01:00.0");
    EXPECT_EQ(both.cache_bytes, 50u);
    EXPECT_TRUE(both.resident);
    EXPECT_TRUE(both.pins_threads);
    EXPECT_EQ(both.ceilings, "cuda");
    EXPECT_EQ(both.profile, gpu().profile);
  }
  EXPECT_EQ(combined({processes(), gpu()}).driver, "Open MPI 4.1, a driver");
}

TEST(CombinedBackends, AreUnavailableIfOneIs) {
  BackendStatus broken = gpu();
  broken.available = false;
  broken.reason = "no CUDA device";
  for (const auto& both : {combined({processes(), broken}), combined({broken, processes()})}) {
    EXPECT_FALSE(both.available);
    EXPECT_EQ(both.reason, "no CUDA device");
  }
  BackendStatus alone = processes();
  alone.available = false;
  alone.reason = "mpirun is missing";
  EXPECT_EQ(combined({alone, broken}).reason, "mpirun is missing, no CUDA device");
}

TEST(CombinedBackends, OfOnePartAreThatPart) {
  const BackendStatus alone = combined({processes()});
  EXPECT_EQ(alone.driver, processes().driver);
  EXPECT_EQ(alone.profile, nullptr);
  EXPECT_EQ(alone.no_profiler, "nobody counts messages");
}

}  // namespace
}  // namespace ladder
