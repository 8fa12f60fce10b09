#pragma once

#include <memory>

#include "backends/cuda/device.hpp"

namespace ladder::cuda {

/// A point in one stream's work for which another stream can wait.
class Event {
 public:
  Event() {
    cudaEvent_t event = nullptr;
    LADDER_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    event_.reset(event);
  }

  /// Marks the end of the work queued on `device` so far. An event that was never recorded counts as completed.
  void record(const Device& device) { LADDER_CUDA(cudaEventRecord(event_.get(), device.stream())); }
  /// Work queued on `device` from now on waits for the last recorded point.
  void precede(const Device& device) const { LADDER_CUDA(cudaStreamWaitEvent(device.stream(), event_.get(), 0)); }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

}  // namespace ladder::cuda
