#pragma once

#include <memory>

#include "backends/cuda/device.hpp"

namespace ladder::cuda {

/// A CUDA graph. It records the work that `queue()` launches on the device's stream, and launch() runs it.
class Graph {
 public:
  template <class Queue>
  Graph(const Device& device, Queue&& queue) : stream_(device.stream()) {
    // Relaxed, because a kernel's first launch may load its code during the capture.
    LADDER_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    queue();
    cudaGraph_t graph = nullptr;
    LADDER_CUDA(cudaStreamEndCapture(stream_, &graph));
    cudaGraphExec_t executable = nullptr;
    const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    LADDER_CUDA(made);
    executable_.reset(executable);
  }

  void launch() const { LADDER_CUDA(cudaGraphLaunch(executable_.get(), stream_)); }

 private:
  struct Destroy {
    void operator()(cudaGraphExec_t executable) const { cudaGraphExecDestroy(executable); }
  };

  cudaStream_t stream_;
  std::unique_ptr<CUgraphExec_st, Destroy> executable_;
};

}  // namespace ladder::cuda
