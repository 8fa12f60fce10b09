#pragma once

#include <cstdlib>
#include <cuda/atomic>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "backends/cuda/share.hpp"
#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"

/// GPUs of processes on one node that write to each other's memory. All processes make the same calls.
namespace ladder::cuda {

/// Assigns GPUs to the processes of a node in the order of ranks, unless LADDER_CUDA_DEVICE is set. If there are more processes
/// than GPUs, several share one. Call this before the first Device::select().
inline void choose_own_device() {
  const std::vector<int> all = devices_to_share();
  const int own = all[static_cast<std::size_t>(mpi::rank_on_node()) % all.size()];
  setenv(device_variable, std::to_string(own).c_str(), 0);
}

/// An array on each process's device, mapped so that this process can access those of the others.
template <class T>
class Shared {
 public:
  /// `own` comes from cudaMalloc() and outlives this object; `ranks` may contain a rank twice. @throws Error if the memory of a
  /// rank cannot be mapped, e.g. because it is on another node or on a GPU without peer access
  Shared(T* own, const std::vector<int>& ranks) {
    cudaIpcMemHandle_t handle{};
    LADDER_CUDA(cudaIpcGetMemHandle(&handle, own));
    std::vector<cudaIpcMemHandle_t> all(static_cast<std::size_t>(mpi::size()));
    LADDER_MPI(MPI_Allgather(&handle, sizeof(handle), MPI_BYTE, all.data(), sizeof(handle), MPI_BYTE, mpi::world()));
    for (const int rank : ranks) {
      if (arrays_.count(rank) > 0) continue;
      void* array = nullptr;
      LADDER_CUDA(cudaIpcOpenMemHandle(&array, all[static_cast<std::size_t>(rank)], cudaIpcMemLazyEnablePeerAccess));
      arrays_[rank] = static_cast<T*>(array);
    }
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  /// Waits for the other processes, because an array must not be freed while another process has it mapped. A process that
  /// fails does not wait, because it terminates the others.
  ~Shared() {
    for (const auto& [rank, array] : arrays_)
      cudaIpcCloseMemHandle(array);
    if (std::uncaught_exceptions() == 0) MPI_Barrier(mpi::world());
  }

  [[nodiscard]] T* of(int rank) const { return arrays_.at(rank); }

 private:
  std::map<int, T*> arrays_;
};

/// Progress counters exchanged by neighbours in a ring: where this process writes its progress, and where its neighbours write
/// theirs. [0] is the southern neighbour, [1] the northern.
struct Bells {
  unsigned* there[2];
  unsigned* here[2];
};

/// Tells both neighbours that the work queued so far is done for the `time`-th time, and waits for the same message from them.
/// Launched as one block of two threads.
static __global__ void meet_neighbours(Bells bells, unsigned time) {
  using Bell = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_system>;
  Bell(*bells.there[threadIdx.x]).store(time, ::cuda::memory_order_release);
  const Bell here(*bells.here[threadIdx.x]);
  while (static_cast<int>(here.load(::cuda::memory_order_acquire) - time) < 0) {
  }
}

/// A ring of at least two processes whose GPUs synchronize with their neighbours without involving the CPU.
class Ring {
 public:
  Ring(const Device& device, int south, int north) : device_(device), here_(device, 2), there_(zeroed(), {south, north}) {
    // This process is the northern neighbour of its southern neighbour.
    bells_ = {{there_.of(south) + 1, there_.of(north)}, {here_.data(), here_.data() + 1}};
  }

  /// Queues the synchronization: later work starts once both neighbours have finished the work they queued before it.
  void meet() { Launch{device_, {1, 1}, {2, 1}}(meet_neighbours, bells_, ++time_); }

 private:
  unsigned* zeroed() {
    device_.wait();
    return here_.data();
  }

  const Device& device_;
  Buffer<unsigned> here_;
  const Shared<unsigned> there_;
  Bells bells_{};
  unsigned time_ = 0;
};

}  // namespace ladder::cuda
