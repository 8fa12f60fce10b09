#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Energy consumed by a device during a sample, according to its driver's counters.
namespace ladder {

/// One counter, or several that are summed.
struct EnergySource {
  std::string domain;          ///< scope of the counters: `gpu` is the whole card, `package` all processor packages
  std::vector<double> ranges;  ///< of each counter, in J; at this value it restarts from 0
  std::function<std::vector<double>()> read;  ///< J of each counter, in the order of `ranges`; empty if any cannot be read
};

/// The processor packages, using RAPL (Intel or AMD): `intel-rapl:<n>` in Linux's powercap folder. Nothing if there is none, or
/// this user may not read one of them.
std::optional<EnergySource> package_energy(const std::filesystem::path& powercap = "/sys/class/powercap");

/// An NVIDIA GPU (Volta or later), using NVML. `address`: PCI address as in MeasureOptions; `library`: the driver's library.
/// Nothing if the library, the GPU or the counter is missing.
std::optional<EnergySource> gpu_energy(const std::string& address, const char* library = "libnvidia-ml.so.1");

/// The energy source of a device: the GPU at a PCI address or, if that is empty, the processors. The processors' counters are
/// in the folder that the environment variable LADDER_POWERCAP names, or in the default folder.
std::optional<EnergySource> energy_of(const std::string& gpu);

/// Total joules of all counters between two readings; nothing if a reading is missing.
std::optional<double> consumed(const EnergySource& source, const std::vector<double>& before, const std::vector<double>& after);

/// Energy between start() and stop(). Drivers update their counters only occasionally, so both calls wait for a change: the
/// interval begins directly after an update and ends at the first update after the work.
class EnergyMeter {
 public:
  explicit EnergyMeter(std::optional<EnergySource> source) : source_(std::move(source)) {}

  [[nodiscard]] bool has_source() const { return source_.has_value(); }
  [[nodiscard]] const std::string& domain() const { return source_->domain; }

  void start();
  /// Joules since start(). Nothing if the work was too short or too long, or if a counter does not change or cannot be read.
  [[nodiscard]] std::optional<double> stop();

 private:
  /// Waits for a value that differs from the current one; empty if none arrives.
  [[nodiscard]] std::vector<double> next() const;

  std::optional<EnergySource> source_;
  std::vector<double> before_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace ladder
