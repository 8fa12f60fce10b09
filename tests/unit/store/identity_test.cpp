// Two machines with processors of the same name are distinguished.
#include "harness/record/identity.hpp"

#include <gtest/gtest.h>

#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;

/// The two processors that are both named "AMD EPYC".
MachineFacts turin() {
  return {.name = "",
          .cpu = "AMD EPYC",
          .cores = 2,
          .memory_bytes = 25e9,
          .os = "",
          .kernel = "",
          .load_average = "",
          .caches = {{1, 49152, 2}, {2, 1048576, 2}, {3, 33554432, 1}},
          .identity = ProcessorIdentity{"AuthenticAMD", 26, 2, 1, {"avx", "avx2", "avx512f"}},
          .gpus = {}};
}
MachineFacts milan() {
  MachineFacts machine = turin();
  machine.caches = {{1, 32768, 2}, {2, 524288, 2}, {3, 33554432, 1}};
  machine.identity = ProcessorIdentity{"AuthenticAMD", 25, 1, 1, {"avx", "avx2"}};
  return machine;
}
MachineFacts older(MachineFacts machine) {
  machine.identity.reset();
  return machine;
}

TEST(Identity, TellsProcessorsOfOneNameApart) {
  EXPECT_TRUE(may_be_same_machine(turin(), turin()));
  EXPECT_FALSE(may_be_same_machine(turin(), milan()));
  EXPECT_FALSE(may_be_same_machine(turin(), older(milan()))) << "by their caches";
  EXPECT_TRUE(may_be_same_machine(older(turin()), turin()));
  MachineFacts later = turin();
  later.identity->stepping = 2;
  EXPECT_FALSE(may_be_same_machine(turin(), later));
}

TEST(Identity, IgnoresMemoryAndSystem) {
  MachineFacts machine = turin();
  machine.memory_bytes = 20e9;
  machine.os = "another";
  machine.kernel = "another";
  machine.name = "another";
  EXPECT_TRUE(may_be_same_machine(turin(), machine));
}

TEST(Identity, HasTheCores) {
  MachineFacts machine = turin();
  machine.cores = 4;
  EXPECT_FALSE(may_be_same_machine(turin(), machine));
  machine.cores = 0;
  EXPECT_TRUE(may_be_same_machine(turin(), machine)) << "unknown";
}

TEST(Identity, HasTheGpus) {
  const auto with = [](std::vector<GpuFacts> gpus) {
    MachineFacts machine = turin();
    machine.gpus = std::move(gpus);
    return machine;
  };
  const GpuFacts h200{"NVIDIA H200", "9.0", 150e9};
  EXPECT_TRUE(may_be_same_machine(with({h200}), with({}))) << "a session need not use it";
  EXPECT_TRUE(may_be_same_machine(with({h200}), with({{.name = "NVIDIA H200"}}))) << "an older session";
  EXPECT_FALSE(may_be_same_machine(with({h200}), with({{"NVIDIA H200", "9.0", 140e9}})));
  EXPECT_FALSE(may_be_same_machine(with({h200}), with({{"NVIDIA H100", "9.0", 150e9}})));
  EXPECT_TRUE(may_be_same_machine(with({h200, {.name = "other"}}), with({h200})));
}

TEST(Identity, OfGpusDoesNotDependOnTheHost) {
  const bool gpu_alone = false;
  const auto with = [](MachineFacts machine, std::vector<GpuFacts> gpus) {
    machine.gpus = std::move(gpus);
    return machine;
  };
  const GpuFacts h200{"NVIDIA H200", "9.0", 150e9};
  EXPECT_TRUE(may_be_same_machine({with(turin(), {h200}), gpu_alone}, {with(milan(), {h200}), gpu_alone}));
  EXPECT_FALSE(
      may_be_same_machine({with(turin(), {h200}), gpu_alone}, {with(milan(), {{"NVIDIA H100", "9.0", 85e9}}), gpu_alone}));
  EXPECT_FALSE(
      may_be_same_machine({with(turin(), {h200}), gpu_alone}, {with(milan(), {{"NVIDIA H200", "9.0", 140e9}}), gpu_alone}));
  EXPECT_FALSE(may_be_same_machine({turin(), gpu_alone}, {milan(), gpu_alone})) << "no GPU";
}

TEST(Identity, OfProcessorsCountsIfBothWereMeasured) {
  const auto host = [](MachineFacts machine) {
    machine.gpus = {{"NVIDIA H200", "9.0", 150e9}};
    return machine;
  };
  EXPECT_FALSE(may_be_same_machine(host(turin()), host(milan())));
  EXPECT_TRUE(may_be_same_machine(host(turin()), {host(milan()), false})) << "only the GPU is in both";
  EXPECT_TRUE(may_be_same_machine({host(turin()), false}, host(milan()))) << "only the GPU is in both";
  EXPECT_FALSE(may_be_same_machine({host(turin()), false}, milan())) << "nothing is in both";
}

TEST(Identity, FollowsFromTheDevicesThatWereMeasured) {
  Provenance session;
  session.machine = turin();
  EXPECT_TRUE(Measured(session).processor) << "an older session";
  session.devices = {{"cuda", "NVIDIA H200"}};
  EXPECT_FALSE(Measured(session).processor);
  for (const char* device : {"AMD EPYC", "AMD EPYC, one thread", "cpu-haswell-AMD EPYC"}) {
    session.devices["openmp"] = device;
    EXPECT_TRUE(Measured(session).processor) << device;
  }
}

TEST(Identity, IsShownByTheName) {
  EXPECT_EQ(short_name(turin()), "amd-epyc-f26m2-avx512-2c");
  EXPECT_EQ(short_name(milan()), "amd-epyc-f25m1-avx2-2c");
  EXPECT_EQ(short_name(older(milan())), "amd-epyc-2c");
  MachineFacts other = turin();
  other.identity = ProcessorIdentity{"GenuineIntel", 6, 158, 10, {"sse4_2", "avx", "avx2"}};
  other.cores = 6;
  other.cpu = "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz";
  EXPECT_EQ(short_name(other), "intel-core-i7-9750h-f6m158-avx2-6c");
  other.cpu = "AMD EPYC 7763 64-Core Processor";
  EXPECT_EQ(short_name(other), "amd-epyc-7763-f6m158-avx2-6c");
  EXPECT_EQ(short_name({}), "0c") << "a name is never empty";
}

TEST(Identity, IsWrittenOut) {
  MachineFacts machine = milan();
  machine.gpus = {{"NVIDIA H200", "9.0", 150e9}};
  EXPECT_EQ(identity_text(machine),
            "AMD EPYC (AuthenticAMD, family 25, model 1, stepping 1; avx avx2), 2 cores, L1 32 KiB, L2 512 KiB, L3 32768 KiB; "
            "NVIDIA H200, compute capability 9.0, 150.0 GB");
  EXPECT_TRUE(contains(identity_text(older(turin())), "AMD EPYC, 2 cores, L1 48 KiB"));
}

}  // namespace
}  // namespace ladder
