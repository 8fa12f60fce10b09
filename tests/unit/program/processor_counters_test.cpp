// Counters of processors: which events are counted, how runs are combined, and why the kernel refuses.
#include "harness/run/processor_counters.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <map>
#include <utility>

#include "base/process.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;
using test::Folder;

/// A kernel whose counts the test sets. Descriptors are positions in `opened`.
class FakeKernel : public PerfKernel {
 public:
  using Event = std::pair<std::uint32_t, std::uint64_t>;  ///< type and config

  int open(perf_event_attr event, int process, int processor) override {
    const Event key{event.type, event.config};
    if (const auto error = errors.find(key); error != errors.end()) return -error->second;
    opened.push_back(key);
    attributes[key] = event;
    if (process < 0) processors.push_back(processor);
    ++open_count;
    return static_cast<int>(opened.size()) - 1;
  }
  std::optional<PerfValue> read(int descriptor) override { return values[opened.at(static_cast<std::size_t>(descriptor))]; }
  void close(int) override { --open_count; }
  std::string paranoid() const override { return level; }

  std::map<Event, int> errors;
  std::map<Event, PerfValue> values;
  std::map<Event, perf_event_attr> attributes;
  std::vector<Event> opened;
  std::vector<int> processors;
  int open_count = 0;
  std::string level = "2";
};

constexpr FakeKernel::Event instructions = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS};
constexpr FakeKernel::Event cycles = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES};
constexpr FakeKernel::Event misses = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES};
constexpr const char* intel = "GenuineIntel";

class ProcessorCounting : public testing::Test {
 protected:
  FakeKernel kernel;
  Folder devices;

  [[nodiscard]] ProcessorCounters counters(const char* vendor = intel) { return {kernel, vendor, devices.path()}; }

  /// A program that needs 1000 instructions, 500 cycles and 10 misses for its set-up, and 30, 20 and 2 for each step.
  std::function<double(std::int64_t)> program() {
    return [this](std::int64_t steps) {
      const auto n = static_cast<std::uint64_t>(steps);
      kernel.values[instructions] = {1000 + 30 * n, 100, 100};
      kernel.values[cycles] = {500 + 20 * n, 100, 100};
      kernel.values[misses] = {10 + 2 * n, 100, 100};
      return 1 + 0.5 * static_cast<double>(steps);
    };
  }

  /// A memory controller as the kernel lists it, for a machine with two sockets.
  void add_memory_controller(const std::string& name, const std::string& type) const {
    std::filesystem::create_directories(devices.path() / name / "events");
    devices.write(name + "/type", type + "\n");
    devices.write(name + "/cpumask", "0,28\n");
    devices.write(name + "/events/cas_count_read", "event=0x04,umask=0x03\n");
    devices.write(name + "/events/cas_count_write", "event=0x04,umask=0x0c\n");
  }
};

TEST_F(ProcessorCounting, LeavesOutWhatBothRunsDo) {
  const ProcessorCounts counts = counters().count_steps(10, 3, program());
  EXPECT_DOUBLE_EQ(counts.instructions, 300);
  EXPECT_DOUBLE_EQ(counts.cycles, 200);
  EXPECT_DOUBLE_EQ(counts.cache_misses, 20);
  EXPECT_DOUBLE_EQ(counts.seconds, 5);
  EXPECT_DOUBLE_EQ(counts.running_share, 1);
  EXPECT_TRUE(std::isnan(counts.dram_bytes_read));
  EXPECT_EQ(kernel.open_count, 0) << "closed";
}

TEST_F(ProcessorCounting, TakesTheMedianOfItsRounds) {
  const auto usual = program();
  int runs = 0;
  const auto disturbed = [&](std::int64_t steps) {
    const double seconds = usual(steps);
    if (++runs == 2) kernel.values[instructions].count *= 100;
    return seconds;
  };
  EXPECT_DOUBLE_EQ(counters().count_steps(10, 3, disturbed).instructions, 300);
  EXPECT_EQ(runs, 6);
}

TEST_F(ProcessorCounting, LeavesOutADifferenceThatIsNoise) {
  const auto disturbed = [&](std::int64_t steps) {
    kernel.values[instructions] = {1000 - static_cast<std::uint64_t>(steps), 100, 100};
    kernel.values[cycles] = {1000, 100, 100};
    return 1.0;
  };
  const ProcessorCounts counts = counters("").count_steps(10, 1, disturbed);
  EXPECT_TRUE(std::isnan(counts.instructions));
  EXPECT_DOUBLE_EQ(counts.cycles, 0);
}

TEST_F(ProcessorCounting, ScalesEventsThatTookTurns) {
  const auto usual = program();
  const auto shared = [&](std::int64_t steps) {
    const double seconds = usual(steps);
    kernel.values[cycles].nanoseconds_running = 40;
    return seconds;
  };
  const ProcessorCounts counts = counters().count_steps(10, 1, shared);
  EXPECT_DOUBLE_EQ(counts.cycles, 500);
  EXPECT_DOUBLE_EQ(counts.instructions, 300);
  EXPECT_DOUBLE_EQ(counts.running_share, 0.4);
}

TEST_F(ProcessorCounting, DoesNotKnowAnEventThatNeverRan) {
  const auto usual = program();
  for (const std::uint64_t enabled : {0, 100}) {
    const auto starved = [&](std::int64_t steps) {
      const double seconds = usual(steps);
      kernel.values[cycles] = {0, enabled, 0};
      return seconds;
    };
    const ProcessorCounts counts = counters().count_steps(10, 1, starved);
    EXPECT_TRUE(std::isnan(counts.cycles));
    EXPECT_DOUBLE_EQ(counts.instructions, 300);
  }
}

TEST_F(ProcessorCounting, CountsTheStartedProgramInUserMode) {
  (void)counters();
  const perf_event_attr& event = kernel.attributes.at(instructions);
  EXPECT_TRUE(event.disabled && event.enable_on_exec && event.inherit && event.exclude_kernel && event.exclude_hv);
}

TEST_F(ProcessorCounting, GoesOnWithoutARefusedEvent) {
  kernel.errors[misses] = ENOENT;
  const ProcessorCounters some = counters();
  EXPECT_TRUE(some.can_count());
  EXPECT_EQ(some.names(), (std::vector<std::string>{"instructions", "cycles"}));
  EXPECT_TRUE(contains(some.refused().at("cache-misses"), "no such counter"));
  EXPECT_TRUE(std::isnan(some.count_steps(10, 1, program()).cache_misses));
}

TEST_F(ProcessorCounting, DoesNotTakeMissesOfAnInnerCacheForMemoryTraffic) {
  const ProcessorCounters amd = counters("AuthenticAMD");
  EXPECT_TRUE(contains(amd.refused().at("cache-misses"), "inner cache"));
  EXPECT_TRUE(std::isnan(amd.count_steps(10, 1, program()).cache_misses));
}

TEST_F(ProcessorCounting, CannotCountWhereTheKernelRefusesAll) {
  for (const int error : {EACCES, EPERM, ENOSYS, ENOENT, EOPNOTSUPP}) {
    kernel.errors = {{instructions, error}, {cycles, error}, {misses, error}};
    EXPECT_FALSE(counters().can_count());
    EXPECT_TRUE(counters().names().empty());
  }
}

TEST_F(ProcessorCounting, SaysWhyTheKernelRefuses) {
  EXPECT_TRUE(contains(why_not_counted(EACCES, "4", 2), "/proc/sys/kernel/perf_event_paranoid is 4"));
  EXPECT_TRUE(contains(why_not_counted(EPERM, "3", 2), "could set it to 2, or grant CAP_PERFMON"));
  EXPECT_TRUE(contains(why_not_counted(EACCES, "2", 0), "could set it to 0"));
  EXPECT_TRUE(contains(why_not_counted(EPERM, "2", 2), "seccomp"));
  EXPECT_TRUE(contains(why_not_counted(EPERM, "", 2), "seccomp"));
  EXPECT_TRUE(contains(why_not_counted(ENOSYS, "2", 2), "no perf_event_open"));
  EXPECT_TRUE(contains(why_not_counted(ENOENT, "2", 2), "virtual PMU"));
  EXPECT_TRUE(contains(why_not_counted(EOPNOTSUPP, "2", 2), "virtual PMU"));
  EXPECT_TRUE(contains(why_not_counted(EMFILE, "2", 2), "Too many open files"));
}

TEST_F(ProcessorCounting, AddsUpMemoryControllers) {
  add_memory_controller("uncore_imc_0", "20");
  add_memory_controller("uncore_imc_1", "21");
  add_memory_controller("uncore_imc_free_running_0", "30");
  add_memory_controller("uncore_cha_0", "40");
  const auto usual = program();
  const auto with_traffic = [&](std::int64_t steps) {
    const auto n = static_cast<std::uint64_t>(steps);
    for (const std::uint32_t type : {20, 21}) {
      kernel.values[{type, 0x0304}] = {3 * n, 100, 100};
      kernel.values[{type, 0x0c04}] = {2 * n, 100, 100};
    }
    return usual(steps);
  };
  const ProcessorCounts counts = counters().count_steps(10, 1, with_traffic);
  EXPECT_DOUBLE_EQ(counts.dram_bytes_read, 2 * 2 * 30 * 64);
  EXPECT_DOUBLE_EQ(counts.dram_bytes_written, 2 * 2 * 20 * 64);
  EXPECT_EQ(kernel.processors.front(), 0);
  EXPECT_EQ(kernel.processors.at(1), 28);
}

TEST_F(ProcessorCounting, LeavesOutMemoryControllersUnlessAllCanBeRead) {
  add_memory_controller("uncore_imc_0", "20");
  add_memory_controller("uncore_imc_1", "21");
  kernel.errors[{21, 0x0c04}] = EACCES;
  EXPECT_TRUE(contains(counters().refused().at("memory controllers"), "perf_event_paranoid is 2"));
  EXPECT_TRUE(std::isnan(counters().count_steps(10, 1, program()).dram_bytes_read));
  kernel.errors.clear();
  for (const char* event : {"event=0x04,edge=1", "config=0x1", "event=0x104", "event=0xzz", "event", "", "umask"}) {
    devices.write("uncore_imc_1/events/cas_count_write", event);
    EXPECT_TRUE(contains(counters().refused().at("memory controllers"), "unknown way")) << event;
  }
}

/// Counts a software event, which needs no hardware counter, in place of each hardware event.
class SoftwareKernel : public PerfKernel {
 public:
  int open(perf_event_attr event, int process, int processor) override {
    event.type = PERF_TYPE_SOFTWARE;
    event.config = PERF_COUNT_SW_TASK_CLOCK;
    return PerfKernel::open(event, process, processor);
  }
};

TEST(ProcessorCountingHere, CountsAChildWithItsChildrenButNotThisProcess) {
  SoftwareKernel kernel;
  const Folder none;
  const ProcessorCounters counters(kernel, "", none.path());
  if (!counters.can_count()) GTEST_SKIP() << counters.refused().at("cycles");
  const auto run = [](const char* script) {
    return [script](std::int64_t) {
      volatile double busy = 0;
      for (int i = 0; i < 100'000'000; ++i)
        busy = busy + 1;
      return run_process("/bin/sh", {"-c", script}, 60).seconds;
    };
  };
  const double idle = counters.count(1, run("exit")).cycles;
  const double busy = counters.count(1, run("(i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done) & wait")).cycles;
  EXPECT_GT(idle, 0);
  EXPECT_LT(idle, 50e6) << "nanoseconds";
  EXPECT_GT(busy, 4 * idle);
}

}  // namespace
}  // namespace ladder
