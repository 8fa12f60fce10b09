#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace ladder::cuda {

/// A CUDA call that failed; what() names the file, line, expression and error.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, cudaError_t code_) : std::runtime_error(message), code(code_) {}

  const cudaError_t code;
};

/// Why a driver that supports CUDA up to `version` (13000 for 13.0; 0 for no driver) is insufficient.
std::string insufficient_driver(int version);

/// Returns if `code` is cudaSuccess.
/// @throws Unavailable if there is no GPU, no driver or the driver is too old, or if nvcc did not compile for this GPU;
/// InputError if the device is out of memory; Error otherwise
void check(cudaError_t code, const char* expression, std::source_location where);

}  // namespace ladder::cuda

/// Calls a CUDA runtime function; errors name the expression, file and line.
#define LADDER_CUDA(expression) ::ladder::cuda::check(expression, #expression, std::source_location::current())
