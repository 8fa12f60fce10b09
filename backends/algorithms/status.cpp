#include "backends/status.hpp"

#include <oneapi/tbb/task_arena.h>

#include "base/processor.hpp"

namespace ladder::algorithms {

BackendStatus status() {
  BackendStatus status;
  status.available = true;
  status.device = processor_name();
  status.threads = tbb::this_task_arena::max_concurrency();
  status.ceilings = "openmp";
  status.no_profiler = "no profiler records steps on processors";
  return status;
}

}  // namespace ladder::algorithms
