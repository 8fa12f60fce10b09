#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace ladder {

/// Conditions observed during a measurement. A negative number, or an empty text, is unknown.
struct Conditions {
  // The first two are unknown if the time was less than ten ticks of the kernel's clock, a tenth of a second.
  double other_load = -1;            ///< processors that other processes kept busy, mean
  double steal = -1;                 ///< processors that the hypervisor took away, mean
  double involuntary_switches = -1;  ///< times that a thread of this process lost its processor
  double working_threads = -1;       ///< threads of this process that ran
  double cpu_mhz = -1;               ///< mean over processors, now
  double gpu_mhz = -1;               ///< of the streaming multiprocessors, now
  double gpu_celsius = -1;
  double gpu_watts = -1;
  std::string affinity;      ///< processors that the threads may run on, each thread's list once, e.g. `0;1`
  std::string pages;         ///< pages of this process on each NUMA node, e.g. `N0=1200;N1=8`
  std::string gpu_throttle;  ///< why the GPU lowered its clock, e.g. `sw_power_cap;hw_thermal`

  /// The texts as one word each: `affinity=0;1 pages=N0=1200`.
  [[nodiscard]] std::string label() const;
};

/// Observes this process, the machine and, if `gpu` names one, an NVIDIA GPU from construction to stop().
class Watch {
 public:
  /// `gpu`: PCI address `domain:bus:device.function`, e.g. `00000000:00:06.0`; empty: none.
  explicit Watch(const std::string& gpu);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// To be called directly after the work.
  [[nodiscard]] Conditions stop() const;

 private:
  class Gpu;
  struct Times;
  static Times times();

  std::chrono::steady_clock::time_point begin_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<Times> before_;
};

}  // namespace ladder
