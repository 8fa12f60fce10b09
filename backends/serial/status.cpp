#include "backends/status.hpp"

namespace ladder {

BackendStatus backend_status() {
  return {.available = true, .reason = "", .device = processor_name(), .threads = 1, .resident = false};
}

}  // namespace ladder
