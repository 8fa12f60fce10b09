#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// What a backend can do, and whether it can run on this machine.
struct BackendStatus {
  bool available = false;
  std::string reason;              ///< why it cannot run here; empty when it can
  std::string device;              ///< the device, e.g. the processor's name
  std::string driver;              ///< of the device, with its version; empty if it has none
  int threads = 0;                 ///< OpenMP threads; 1 for serial code; 0 if the device decides
  std::string gpu;                 ///< PCI address of an NVIDIA GPU, `domain:bus:device.function`; empty for other devices
  std::size_t cache_bytes = 0;     ///< of the last level of the device's own caches; 0 if it has none or does not tell
  std::string compute_capability;  ///< of an NVIDIA GPU, e.g. `9.0`; empty for other devices
  std::size_t memory_bytes = 0;    ///< of the device's own memory; 0 if it has none or does not tell

  // Capabilities, the same on every machine.

  bool resident = false;      ///< starting a process costs more than most measurements, so one process works on many cells
  bool pins_threads = false;  ///< it binds its threads to OMP_PLACES; a sample whose threads could move is suspicious
  std::string ceilings;  ///< the backend whose ceilings limit it, often itself; empty: that of another part of a combination
  /// Begins (true) and ends (false) the range that a profiler of the device records; nullptr if there is no such profiler.
  void (*profile)(bool begins) = nullptr;
  std::string no_profiler;  ///< why there is no profiler, a sentence without its full stop
};

/// The status of a rung that uses several backends: available if all are, resident if one is, on the devices of all. `parts`:
/// at least one. Later parts determine the ceilings.
BackendStatus combined(const std::vector<BackendStatus>& parts);

/// The status of the backends that this executable was built for. Defined by the build (cmake/Backends.cmake) from the function
/// `BackendStatus ladder::<name>::status()` that each backend defines.
BackendStatus backend_status();

/// Number of devices that the processes of a node, or the parts of a process, divide among themselves; more of them share
/// devices. Defined by the build for combinations of a backend that counts its devices (cmake/Backends.cmake), and by no other:
/// the executables of all others do not depend on it.
[[gnu::weak]] int device_count();

/// Declared for executables in which one process uses as many devices as its placement says: the backend `devices` defines it.
[[gnu::weak]] extern const bool uses_several_devices;

}  // namespace ladder
