#include "backends/mpi+openacc/share.hpp"

#include <openacc.h>

#include <cstdlib>

#include "backends/openacc/device.hpp"

namespace ladder::openacc {

int device_count() {
  const int gpus = acc_get_num_devices(acc_device_nvidia);
  const char* const wanted = std::getenv(device_variable);
  if (wanted == nullptr || *wanted == '\0') return gpus;
  return chosen_device(wanted, gpus) < 0 ? 0 : 1;
}

}  // namespace ladder::openacc
