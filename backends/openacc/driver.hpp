#pragma once

#include "backends/status.hpp"

namespace ladder::openacc {

/// The status of an offloading backend: that of the GPU or, without one, that of this processor with `threads` threads, where
/// `how` is appended to the processor's name. Information about the GPU that OpenACC does not report comes from the NVIDIA
/// driver library that the runtime has loaded. It is looked up by name, so that the build does not need CUDA.
BackendStatus status_of_device(const char* how, int threads);

}  // namespace ladder::openacc
