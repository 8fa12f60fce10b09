#include "backends/status.hpp"

namespace ladder::devices {

BackendStatus status() {
  BackendStatus status;
  status.available = true;
  status.devices = true;
  status.no_profiler = "the counters of processors are not read";
  return status;
}

}  // namespace ladder::devices
