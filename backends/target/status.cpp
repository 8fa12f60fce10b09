#include "backends/status.hpp"

#include <omp.h>

#include "backends/openacc/driver.hpp"

namespace ladder::target {

BackendStatus status() { return openacc::status_of_device("", omp_get_max_threads()); }

}  // namespace ladder::target
