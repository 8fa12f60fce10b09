#include "backends/status.hpp"

#include "backends/openacc/driver.hpp"

namespace ladder::openacc {

BackendStatus status() { return status_of_device(", one thread", 1); }

}  // namespace ladder::openacc
