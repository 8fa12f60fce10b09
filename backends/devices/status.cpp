#include "backends/status.hpp"

namespace ladder {

const bool uses_several_devices = true;

namespace devices {

BackendStatus status() {
  BackendStatus status;
  status.available = true;
  status.no_profiler = "the counters of processors are not read";
  return status;
}

}  // namespace devices
}  // namespace ladder
