#include "backends/status.hpp"

namespace ladder {

BackendStatus backend_status() {
  BackendStatus status;
  status.available = true;
  status.device = processor_name();
  status.threads = 1;
  return status;
}

}  // namespace ladder
