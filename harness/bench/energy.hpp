#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Energy that a device consumes during a sample, from the counters of its driver.
namespace ladder {

/// One counter, or several whose values are summed.
struct EnergySource {
  std::string domain;                         ///< what they count: `gpu`: the whole card; `package`: all processor packages
  std::vector<double> ranges;                 ///< of each counter, in J: from there it continues at 0
  std::function<std::vector<double>()> read;  ///< J of each counter, in the order of `ranges`; empty if one cannot be read
};

/// The packages of the processors by RAPL, of Intel or AMD: `intel-rapl:<n>` in a folder of Linux's powercap. Nothing if there
/// is none, or this user may not read one.
std::optional<EnergySource> package_energy(const std::filesystem::path& powercap = "/sys/class/powercap");

/// An NVIDIA GPU (Volta or later) by NVML. `address`: PCI address as in MeasureOptions; `library`: of the driver. Nothing if
/// there is no such library, GPU or counter.
std::optional<EnergySource> gpu_energy(const std::string& address, const char* library = "libnvidia-ml.so.1");

/// The source of a device: the GPU at a PCI address, else the processors, whose counters are in the folder that LADDER_POWERCAP
/// of the environment names, or in the default one.
std::optional<EnergySource> energy_of(const std::string& gpu);

/// Joules from one reading to a later one, of all counters together; nothing if a reading is missing.
std::optional<double> consumed(const EnergySource& source, const std::vector<double>& before, const std::vector<double>& after);

/// Energy between start() and stop(). Drivers update a counter now and then, so that both wait until its value changes: the
/// interval begins directly after an update, and ends with the first one after the work.
class EnergyMeter {
 public:
  explicit EnergyMeter(std::optional<EnergySource> source) : source_(std::move(source)) {}

  [[nodiscard]] bool has_source() const { return source_.has_value(); }
  [[nodiscard]] const std::string& domain() const { return source_->domain; }

  void start();
  /// Joules since start(). Nothing if the work was too short or too long, or if a counter stands still or cannot be read.
  [[nodiscard]] std::optional<double> stop();

 private:
  /// Waits for a value other than the present one; empty if none comes.
  [[nodiscard]] std::vector<double> next() const;

  std::optional<EnergySource> source_;
  std::vector<double> before_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace ladder
