#pragma once

#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/cuda/device.hpp"
#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "base/error.hpp"

/// Messages between the GPUs of several processes, queued like kernels. All processes make the same calls.
namespace ladder::nccl {

/// @throws std::runtime_error with `call` and NCCL's message unless `code` is ncclSuccess
inline void check(ncclResult_t code, const char* call) {
  if (code != ncclSuccess) throw std::runtime_error(std::string(call) + ": " + ncclGetErrorString(code));
}

/// Calls an NCCL function. @throws std::runtime_error if it fails
#define LADDER_NCCL(call) ::ladder::nccl::check(call, #call)

/// @throws Unavailable, in all processes, if two of them use the same GPU, which NCCL does not support
inline void require_separate_devices(const cuda::Device& device) {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 32> own{};
  int length = 0;
  LADDER_MPI(MPI_Get_processor_name(own.data(), &length));
  std::ranges::copy(device.pci_address(), own.begin() + length);
  std::vector<char> all(own.size() * static_cast<std::size_t>(mpi::size()));
  const auto bytes = static_cast<int>(own.size());
  LADDER_MPI(MPI_Allgather(own.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, mpi::world()));
  std::set<std::string> devices;
  for (std::size_t at = 0; at < all.size(); at += own.size())
    if (!devices.insert(all.data() + at).second)
      throw Unavailable("NCCL needs a separate GPU for each process, and there are " + std::to_string(mpi::size()) +
                        " processes");
}

/// The processes' GPUs, numbered like the processes.
class Communicator {
 public:
  /// `device` outlives this object. @throws Unavailable if two processes use the same GPU
  explicit Communicator(const cuda::Device& device) : device_(device) {
    require_separate_devices(device);
    ncclUniqueId id{};
    if (mpi::rank() == 0) LADDER_NCCL(ncclGetUniqueId(&id));
    LADDER_MPI(MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, mpi::world()));
    LADDER_NCCL(ncclCommInitRank(&all_, mpi::size(), id, mpi::rank()));
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  /// Waits for this process's messages. A process that fails does not wait, because it terminates the others.
  ~Communicator() {
    if (std::uncaught_exceptions() > 0) {
      ncclCommAbort(all_);
      return;
    }
    cudaStreamSynchronize(device_.stream());
    ncclCommDestroy(all_);
  }

  /// Queues the messages that `queue` sends and receives. They travel at the same time; later work starts when all have arrived
  /// and the memory of those sent may be overwritten.
  template <class Queue>
  void exchange(Queue queue) const {
    LADDER_NCCL(ncclGroupStart());
    queue();
    LADDER_NCCL(ncclGroupEnd());
  }

  /// A message of `count` elements, within exchange(). The n-th message that a process sends to another is the n-th that the
  /// other receives from it.
  template <class T>
  void send(const T* values, std::size_t count, int to) const {
    LADDER_NCCL(ncclSend(values, count * sizeof(T), ncclChar, to, all_, device_.stream()));
  }
  template <class T>
  void receive(T* values, std::size_t count, int from) const {
    LADDER_NCCL(ncclRecv(values, count * sizeof(T), ncclChar, from, all_, device_.stream()));
  }

 private:
  const cuda::Device& device_;
  ncclComm_t all_ = nullptr;
};

}  // namespace ladder::nccl
