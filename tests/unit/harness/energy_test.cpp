// Energy of a sample: the available counters, and the meaning of their values.
#include "harness/bench/energy.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>
#include <string>
#include <thread>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

using test::Folder;
using namespace std::chrono_literals;

/// A folder like /sys/class/powercap.
class Powercap {
 public:
  /// `microjoules` and `range` are the contents of the zone's files; a file is missing if its text is empty.
  void zone(const std::string& id, const std::string& name, const std::string& microjoules, const std::string& range) const {
    std::filesystem::create_directories(path() / id);
    folder_.write(id + "/name", name + "\n");
    if (!microjoules.empty()) folder_.write(id + "/energy_uj", microjoules + "\n");
    if (!range.empty()) folder_.write(id + "/max_energy_range_uj", range + "\n");
  }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  Folder folder_;
};

TEST(PackageEnergy, IsThatOfAllPackages) {
  const Powercap powercap;
  powercap.zone("intel-rapl:0", "package-0", "5000000", "262143328850");
  powercap.zone("intel-rapl:1", "package-1", "7500000", "262143328850");
  powercap.zone("intel-rapl:0:0", "core", "4000000", "262143328850");
  powercap.zone("intel-rapl:0:1", "dram", "1000000", "65712999613");
  powercap.zone("intel-rapl:2", "psys", "9000000", "262143328850");
  powercap.zone("intel-rapl-mmio:0", "package-0", "5000000", "262143328850");  // the same package, reported a second time
  const auto source = package_energy(powercap.path());
  ASSERT_TRUE(source);
  EXPECT_EQ(source->domain, "package");
  EXPECT_EQ(source->read(), (std::vector<double>{5, 7.5}));
  EXPECT_EQ(source->ranges, (std::vector<double>{262143.328850, 262143.328850}));
}

TEST(PackageEnergy, IsUnknownWhereACounterCannotBeRead) {
  EXPECT_FALSE(package_energy("/no/such/folder"));
  const Powercap powercap;
  EXPECT_FALSE(package_energy(powercap.path())) << "no zone";
  powercap.zone("intel-rapl:0", "package-0", "5000000", "262143328850");
  powercap.zone("intel-rapl:1", "package-1", "", "262143328850");  // as for a user without read permission
  EXPECT_FALSE(package_energy(powercap.path())) << "half of the energy is not the energy";
  powercap.zone("intel-rapl:1", "package-1", "text", "262143328850");
  EXPECT_FALSE(package_energy(powercap.path()));
  powercap.zone("intel-rapl:1", "package-1", "7500000", "262143328850");
  const auto source = package_energy(powercap.path());
  ASSERT_TRUE(source);
  std::filesystem::remove(powercap.path() / "intel-rapl:1/energy_uj");
  EXPECT_TRUE(source->read().empty()) << "it has become unreadable";
}

TEST(PackageEnergy, IsUnknownWhereReadingMightNeverEnd) {
  const Powercap powercap;
  powercap.zone("intel-rapl:0", "package-0", "5000000", "262143328850");
  const auto source = package_energy(powercap.path());
  ASSERT_TRUE(source);
  const auto counter = powercap.path() / "intel-rapl:0/energy_uj";
  std::filesystem::remove(counter);
  ASSERT_EQ(mkfifo(counter.c_str(), 0600), 0);
  EXPECT_TRUE(source->read().empty()) << "it has become a FIFO";
  EXPECT_FALSE(package_energy(powercap.path()));
  std::filesystem::remove(counter);
  std::filesystem::create_symlink("/dev/zero", counter);
  EXPECT_FALSE(package_energy(powercap.path()));
  std::filesystem::remove(powercap.path() / "intel-rapl:0/name");
  ASSERT_EQ(mkfifo((powercap.path() / "intel-rapl:0/name").c_str(), 0600), 0);
  EXPECT_FALSE(package_energy(powercap.path()));
}

TEST(Consumed, IsTheSumOfTheDifferencesAndCountersWrap) {
  const EnergySource source{"package", {100, 1000}, {}};
  EXPECT_EQ(consumed(source, {10, 20}, {15, 26}), 11);
  EXPECT_EQ(consumed(source, {95, 20}, {5, 26}), 16) << "the first counter wrapped from 100 to 0";
  EXPECT_EQ(consumed(source, {95, 990}, {5, 10}), 30);
  EXPECT_FALSE(consumed(source, {}, {15, 26}));
  EXPECT_FALSE(consumed(source, {10, 20}, {}));
  EXPECT_FALSE(consumed({"gpu", {std::numeric_limits<double>::infinity()}, {}}, {10}, {5})) << "it never wraps";
  EXPECT_FALSE(consumed(source, {50, 20}, {45, 26})) << "the first counter stepped back";
}

/// A source with values given by a test; each reading adds `step`.
EnergySource counter(double& joules, double step) {
  return {"package", {1e9}, [&joules, step] { return std::vector{joules += step}; }};
}

TEST(EnergyMeter, CountsAWorkOfASecond) {
  double joules = 1000;
  EnergyMeter meter(counter(joules, 1));
  EXPECT_TRUE(meter.has_source());
  EXPECT_EQ(meter.domain(), "package");
  meter.start();
  EXPECT_EQ(joules, 1002) << "the value has changed once";
  joules += 250;
  std::this_thread::sleep_for(1010ms);
  EXPECT_EQ(meter.stop(), 252) << "to the next value";
}

TEST(EnergyMeter, KnowsNothingOfShortWork) {
  double joules = 1000;
  EnergyMeter meter(counter(joules, 1));
  meter.start();
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(meter.stop());
}

TEST(EnergyMeter, KnowsNothingOfACounterThatStandsStill) {
  double joules = 1000;
  EnergyMeter meter(counter(joules, 0));
  meter.start();
  joules += 250;
  std::this_thread::sleep_for(1010ms);
  EXPECT_FALSE(meter.stop());
}

TEST(EnergyMeter, MayHaveNoSource) {
  EnergyMeter meter(std::nullopt);
  EXPECT_FALSE(meter.has_source());
  meter.start();
  EXPECT_FALSE(meter.stop());
}

TEST(GpuEnergy, IsThatOfTheDriversCounter) {
  const auto source = gpu_energy("0000:01:00.0", FAKE_NVML);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->domain, "gpu");
  EnergyMeter meter(source);
  meter.start();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(1100ms);
  const auto joules = meter.stop();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(joules);
  EXPECT_NEAR(*joules / took.count(), 100, 3) << "watts";
}

TEST(GpuEnergy, IsUnknownWithoutLibraryGpuOrCounter) {
  EXPECT_FALSE(gpu_energy("0000:01:00.0", "libno-such-library.so.1"));
  EXPECT_FALSE(gpu_energy("0000:03:00.0", FAKE_NVML)) << "no such GPU";
  EXPECT_FALSE(gpu_energy("0000:02:00.0", FAKE_NVML)) << "older than Volta";
}

TEST(EnergyOfTheProcessors, IsFoundWhereTheEnvironmentSays) {
  const Powercap powercap;
  powercap.zone("intel-rapl:0", "package-0", "5000000", "262143328850");
  setenv("LADDER_POWERCAP", powercap.path().c_str(), 1);
  const auto source = energy_of("");
  unsetenv("LADDER_POWERCAP");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->domain, "package");
}

}  // namespace
}  // namespace ladder
