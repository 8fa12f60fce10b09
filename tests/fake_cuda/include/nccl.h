/// The NCCL functions that the project calls, for the emulated GPUs of several processes. Names, parameters and error codes are
/// NCCL's; MPI carries the messages.
#pragma once

#include <cuda_runtime_api.h>
#include <mpi.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "tests/fake_cuda/memory.hpp"
#include "tests/fake_cuda/streams.hpp"

enum ncclResult_t { ncclSuccess = 0, ncclInvalidUsage = 5, ncclRemoteError = 6 };
enum ncclDataType_t { ncclChar = 0 };
struct ncclUniqueId {
  char internal[128];
};
struct ncclComm {
  MPI_Comm processes;
};
using ncclComm_t = ncclComm*;

namespace fake_cuda {

/// A message of the group that is being queued; `from` is null for one that is received.
struct Message {
  const void* from;
  void* to;
  int bytes, other;
  MPI_Comm processes;
  cudaStream_t stream;
};
inline std::vector<Message> group;
inline bool in_group = false;

/// Sends and receives all messages of a group.
inline bool exchange(const std::vector<Message>& messages) {
  const Access all(-1);
  std::vector<MPI_Request> requests(messages.size());
  for (std::size_t n = 0; n < messages.size(); ++n) {
    const Message& m = messages[n];
    if (m.from != nullptr)
      MPI_Isend(m.from, m.bytes, MPI_BYTE, m.other, 0, m.processes, &requests[n]);
    else
      MPI_Irecv(m.to, m.bytes, MPI_BYTE, m.other, 0, m.processes, &requests[n]);
  }
  return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS;
}

}  // namespace fake_cuda

inline const char* ncclGetErrorString(ncclResult_t code) {
  return code == ncclInvalidUsage ? "invalid usage" : "an error of the fake NCCL";
}
inline ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  *id = {};
  return ncclSuccess;
}
inline ncclResult_t ncclCommInitRank(ncclComm_t* all, int, ncclUniqueId, int) {
  *all = new ncclComm{};
  return MPI_Comm_dup(MPI_COMM_WORLD, &(*all)->processes) == MPI_SUCCESS ? ncclSuccess : ncclRemoteError;
}
inline ncclResult_t ncclCommAbort(ncclComm_t all) {
  delete all;
  return ncclSuccess;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t all) {
  MPI_Comm_free(&all->processes);
  return ncclCommAbort(all);
}
inline ncclResult_t ncclGroupStart() { return std::exchange(fake_cuda::in_group, true) ? ncclInvalidUsage : ncclSuccess; }
inline ncclResult_t ncclGroupEnd() {
  if (!std::exchange(fake_cuda::in_group, false)) return ncclInvalidUsage;
  if (fake_cuda::group.empty()) return ncclSuccess;
  cudaStream_t const stream = fake_cuda::group.front().stream;
  fake_cuda::enqueue(stream, [messages = std::exchange(fake_cuda::group, {})] {
    if (!fake_cuda::exchange(messages)) std::abort();
    return true;
  });
  return ncclSuccess;
}
/// Messages outside a group could wait for each other forever.
inline ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t, int to, ncclComm_t all, cudaStream_t stream) {
  fake_cuda::group.push_back({from, nullptr, static_cast<int>(count), to, all->processes, stream});
  return fake_cuda::in_group ? ncclSuccess : ncclInvalidUsage;
}
inline ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t, int from, ncclComm_t all, cudaStream_t stream) {
  fake_cuda::group.push_back({nullptr, to, static_cast<int>(count), from, all->processes, stream});
  return fake_cuda::in_group ? ncclSuccess : ncclInvalidUsage;
}
