#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// A backend's capabilities, and whether it can run on this machine.
struct BackendStatus {
  bool available = false;
  std::string reason;              ///< why it cannot run here; empty if it can
  std::string device;              ///< the device, e.g. the processor's name
  std::string driver;              ///< the device's driver and its version; empty if there is none
  int threads = 0;                 ///< OpenMP threads; 1 for serial code; 0 if the device decides
  std::string gpu;                 ///< PCI address of an NVIDIA GPU, `domain:bus:device.function`; empty for other devices
  std::size_t cache_bytes = 0;     ///< of the device's own last-level cache; 0 if none or unknown
  std::string compute_capability;  ///< of an NVIDIA GPU, e.g. `9.0`; empty for other devices
  std::size_t memory_bytes = 0;    ///< of the device's own memory; 0 if none or unknown

  // Capabilities, the same on every machine.

  bool resident = false;      ///< starting a process is slower than most measurements, so one process handles many cells
  bool pins_threads = false;  ///< binds threads to OMP_PLACES; a sample whose threads could migrate is suspicious
  std::string ceilings;       ///< backend whose ceilings apply, often itself; empty: those of another part of a combination
  /// Starts (true) or ends (false) a profiler's recording range; nullptr if the device has no such profiler.
  void (*profile)(bool begins) = nullptr;
  std::string no_profiler;  ///< why there is no profiler, as a sentence without a full stop
};

/// The status of a rung that uses several backends: available if all are; resident if any is; its devices are those of all
/// parts. `parts` must not be empty. Later parts determine the ceilings.
BackendStatus combined(const std::vector<BackendStatus>& parts);

/// The status of this executable's backends. The build (cmake/Backends.cmake) defines it from the function `BackendStatus
/// ladder::<name>::status()` that each backend defines.
BackendStatus backend_status();

/// Number of devices to share among the processes of a node or the parts of a process; if there are more of these than devices,
/// they share devices. The build (cmake/Backends.cmake) defines it only for combinations with a backend that counts its
/// devices, so that no other executable depends on it.
[[gnu::weak]] int device_count();

/// Defined by the backend `devices`, whose executables use as many devices per process as the placement says.
[[gnu::weak]] extern const bool uses_several_devices;

}  // namespace ladder
