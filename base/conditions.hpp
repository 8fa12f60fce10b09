#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <string>

#include "base/column.hpp"

namespace ladder {

/// Conditions observed during a measurement. Unknown numbers are NaN; unknown texts are empty.
struct Conditions {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string affinity;  ///< each distinct affinity list of a thread, once
  std::string pages;
  // The next two are unknown if the measurement took less than ten ticks of the kernel's clock (a tenth of a second).
  double other_load = unknown;
  double steal = unknown;
  double involuntary_switches = unknown;
  double cpu_mhz = unknown;  ///< mean over processors, when stop() was called
  double gpu_mhz = unknown;  ///< when stop() was called
  double gpu_celsius = unknown;
  double gpu_watts = unknown;
  std::string gpu_throttle;
  double working_threads = unknown;  ///< threads of this process that ran
};

/// Their columns in stored rows. Add new conditions at the end.
template <class C, class Visit>
void for_each_condition(C& c, Visit&& visit) {
  using column::Quantity, column::Text, column::Unstored;
  visit(Text{"affinity", "`0;1`", "processors that the threads may run on"}, c.affinity);
  visit(Text{"pages", "`N0=1200`", "pages on each NUMA node"}, c.pages);
  visit(Quantity{"other_load", "processors", "mean number of processors kept busy by other processes"}, c.other_load);
  visit(Quantity{"steal", "processors", "mean number of processors taken by the hypervisor"}, c.steal);
  visit(Quantity{"involuntary_switches", "", "number of times a thread lost its processor"}, c.involuntary_switches);
  visit(Quantity{"cpu_mhz", "MHz", "clock frequency of the processor"}, c.cpu_mhz);
  visit(Quantity{"gpu_mhz", "MHz", "clock frequency of the GPU's multiprocessors"}, c.gpu_mhz);
  visit(Quantity{"gpu_celsius", "°C", "temperature of the GPU"}, c.gpu_celsius);
  visit(Quantity{"gpu_watts", "W", "power of the GPU"}, c.gpu_watts);
  visit(Text{"gpu_throttle", "`sw_power_cap`", "reasons why the GPU lowered its clock"}, c.gpu_throttle);
  visit(Unstored{"working_threads"}, c.working_threads);
}

/// Observes this process, the machine and, if `gpu` names one, an NVIDIA GPU from construction to stop().
class Watch {
 public:
  /// `gpu`: PCI address `domain:bus:device.function`, e.g. `00000000:00:06.0`; empty: none.
  explicit Watch(const std::string& gpu);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// Call this directly after the work.
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
