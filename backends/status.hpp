#pragma once

#include <cstddef>
#include <string>

namespace ladder {

/// Whether the backend that an executable was built for can run on this machine, and on what.
struct BackendStatus {
  bool available = false;
  std::string reason;              ///< why not, when it cannot
  std::string device;              ///< what runs it, e.g. the processor's name
  int threads = 0;                 ///< OpenMP threads; 1 for serial code; 0 where the device decides
  std::string driver;              ///< of the device, with its version; empty where there is none
  std::string gpu;                 ///< PCI address of an NVIDIA GPU, `domain:bus:device.function`; empty elsewhere
  std::size_t cache_bytes = 0;     ///< of the last level of the device's own caches; 0 where it has none or does not tell
  std::string compute_capability;  ///< of an NVIDIA GPU, e.g. `9.0`; empty elsewhere
  std::size_t memory_bytes = 0;    ///< of the device's own; 0 where it has none or does not tell
  bool resident = false;  ///< starting a process costs more than most measurements: one works on one cell after another
  /// Tells a profiler of this backend's device where what it is to look at begins (true) and ends (false); nullptr where there
  /// is no such profiler.
  void (*profile)(bool begins) = nullptr;
};

/// Defined once by each `ladder_backend_<name>` library.
BackendStatus backend_status();

/// The processor's name as the operating system gives it.
std::string processor_name();

}  // namespace ladder
