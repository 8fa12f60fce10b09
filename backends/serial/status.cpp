#include "backends/status.hpp"

#include "base/processor.hpp"

namespace ladder::serial {

BackendStatus status() {
  BackendStatus status;
  status.available = true;
  status.device = processor_name();
  status.threads = 1;
  status.ceilings = "openmp";
  status.no_profiler = "no profiler records steps on processors";
  return status;
}

}  // namespace ladder::serial
