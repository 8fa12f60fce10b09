#pragma once

#include <cstdlib>
#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/share.hpp"
#include "base/error.hpp"

/// Several GPUs in one process, identified by index.
namespace ladder::cuda {

/// Makes a GPU current: this thread's allocations, launches and new events then belong to it.
inline void make_current(int gpu) { LADDER_CUDA(cudaSetDevice(gpu)); }

/// Allows kernels of one GPU to access the memory of another. @throws Unavailable if the GPUs do not support this
void enable_peer_access(int gpu, int other);

/// During its lifetime, Device::select() selects this GPU.
class SelectedDevice {
 public:
  explicit SelectedDevice(int gpu) {
    const char* const set = std::getenv(device_variable);
    was_set_ = set != nullptr;
    if (was_set_) before_ = set;
    setenv(device_variable, std::to_string(gpu).c_str(), 1);
  }
  SelectedDevice(const SelectedDevice&) = delete;
  SelectedDevice& operator=(const SelectedDevice&) = delete;
  ~SelectedDevice() {
    if (was_set_)
      setenv(device_variable, before_.c_str(), 1);
    else
      unsetenv(device_variable);
  }

 private:
  bool was_set_ = false;
  std::string before_;
};

}  // namespace ladder::cuda
