#include "backends/status.hpp"

#include <omp.h>

namespace ladder {

BackendStatus backend_status() {
  BackendStatus status;
  status.available = true;
  status.device = processor_name();
  status.threads = omp_get_max_threads();
  return status;
}

}  // namespace ladder
