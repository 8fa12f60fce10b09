#include "harness/bench/energy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <thread>

#include "base/limits.hpp"
#include "base/nvml.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double most_wait_seconds = 0.5;  ///< maximum wait for a counter's next value

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The contents of a file; nothing of a pipe or device, from which reading might never end.
std::ifstream opened(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) ? std::ifstream(file) : std::ifstream();
}

/// The value of a file that counts microjoules, converted to joules.
std::optional<double> joules_in(const fs::path& file) {
  std::ifstream text = opened(file);
  double microjoules = 0;
  if (!(text >> microjoules) || !(microjoules >= 0)) return std::nullopt;
  return 1e-6 * microjoules;
}

std::string word_in(const fs::path& file) {
  std::ifstream text = opened(file);
  std::string word;
  text >> word;
  return word;
}

}  // namespace

std::optional<EnergySource> package_energy(const fs::path& powercap) {
  std::vector<fs::path> files;
  EnergySource source{"package", {}, {}};
  std::error_code error;
  std::vector<fs::path> zones;
  for (const auto& entry : fs::directory_iterator(powercap, error))
    zones.push_back(entry.path());
  std::ranges::sort(zones);
  for (const fs::path& zone : zones) {
    // A zone `intel-rapl:0:1` is part of the package `intel-rapl:0`; `psys` covers more than the packages.
    if (!zone.filename().string().starts_with("intel-rapl:") || !word_in(zone / "name").starts_with("package")) continue;
    const auto range = joules_in(zone / "max_energy_range_uj");
    if (!range || !joules_in(zone / "energy_uj")) return std::nullopt;
    source.ranges.push_back(*range);
    files.push_back(zone / "energy_uj");
  }
  if (files.empty()) return std::nullopt;
  source.read = [files] {
    std::vector<double> all;
    for (const fs::path& file : files)
      if (const auto joules = joules_in(file)) all.push_back(*joules);
    if (all.size() < files.size()) all.clear();
    return all;
  };
  return source;
}

std::optional<EnergySource> gpu_energy(const std::string& address, const char* library) {
  const Nvml nvml(library);
  void* const gpu = nvml.gpu(address);
  // In mJ since the driver was loaded.
  const auto energy = nvml.function<int (*)(void*, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption");
  if (gpu == nullptr || energy == nullptr) return std::nullopt;
  const auto read = [gpu, energy]() -> std::vector<double> {
    unsigned long long millijoules = 0;
    if (energy(gpu, &millijoules) != 0) return {};
    return {1e-3 * static_cast<double>(millijoules)};
  };
  if (read().empty()) return std::nullopt;
  return EnergySource{"gpu", {std::numeric_limits<double>::infinity()}, read};
}

std::optional<EnergySource> energy_of(const std::string& gpu) {
  if (!gpu.empty()) return gpu_energy(gpu);
  const char* const folder = std::getenv("LADDER_POWERCAP");
  return folder == nullptr ? package_energy() : package_energy(folder);
}

std::optional<double> consumed(const EnergySource& source, const std::vector<double>& before,
                               const std::vector<double>& after) {
  if (before.size() != source.ranges.size() || after.size() != before.size()) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    double joules = after[i] - before[i];
    if (joules < 0) joules += source.ranges[i];
    if (joules > 0.75 * source.ranges[i]) return std::nullopt;  // rather, it stepped back
    if (!(joules >= 0) || !std::isfinite(joules)) return std::nullopt;
    sum += joules;
  }
  return sum;
}

std::vector<double> EnergyMeter::next() const {
  const std::vector<double> now = source_->read();
  for (const auto begin = Clock::now(); seconds_since(begin) < most_wait_seconds;) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::vector<double> value = source_->read();
    if (value != now) return value;
  }
  return {};
}

void EnergyMeter::start() {
  if (source_) before_ = next();
  begin_ = Clock::now();
}

std::optional<double> EnergyMeter::stop() {
  const double seconds = seconds_since(begin_);
  if (!source_ || !(seconds >= least_energy_seconds) || seconds > most_energy_seconds) return std::nullopt;
  const auto joules = consumed(*source_, before_, next());
  return joules && *joules > 0 ? joules : std::nullopt;
}

}  // namespace ladder
