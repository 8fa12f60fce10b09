// The backend of the faulty rungs: available on every machine, and resident if a test asks for it.
#include "backends/status.hpp"

#include <cstdlib>

namespace ladder::faulty {
BackendStatus status();
}

ladder::BackendStatus ladder::faulty::status() {
  BackendStatus status;
  status.available = true;
  status.device = "whatever there is";
  status.threads = 1;
  status.resident = std::getenv("LADDER_TEST_RESIDENT") != nullptr;
  return status;
}
