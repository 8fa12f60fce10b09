#include "backends/status.hpp"

#include <omp.h>

namespace ladder {

BackendStatus backend_status() {
  return {.available = true, .reason = "", .device = processor_name(), .threads = omp_get_max_threads(), .resident = false};
}

}  // namespace ladder
