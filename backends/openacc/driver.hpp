#pragma once

#include "backends/status.hpp"

namespace ladder::openacc {

/// The status of a backend that offloads: of the GPU or, without one, of this processor, whose name `how` follows, with so many
/// threads. What OpenACC does not tell of a GPU comes from the library of NVIDIA's driver, which the runtime has loaded; it is
/// loaded by name, so that the build needs no CUDA.
BackendStatus status_of_device(const char* how, int threads);

}  // namespace ladder::openacc
