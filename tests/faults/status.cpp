// The backend of the faulty rungs: there on every machine, and resident where a test asks for it.
#include "backends/status.hpp"

#include <cstdlib>

ladder::BackendStatus ladder::backend_status() {
  BackendStatus status;
  status.available = true;
  status.device = "whatever there is";
  status.threads = 1;
  status.resident = std::getenv("LADDER_TEST_RESIDENT") != nullptr;
  return status;
}
