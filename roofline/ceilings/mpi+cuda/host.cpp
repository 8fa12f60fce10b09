// Messages through host memory: from the GPU, between the processes, to the GPU.
#include <array>

#include "backends/cuda/page_locked.hpp"
#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "roofline/ceilings/mpi+cuda/ways.hpp"

namespace ladder::ceilings {
namespace {

class ThroughHost final : public Way {
 public:
  ThroughHost(const cuda::Device& device, const Messages& messages) : device_(device), messages_(messages) {}

  void exchange() override {
    for (const std::size_t side : {south, north})
      copy(sent_[side].data(), messages_.sent[side]);
    device_.wait();
    const auto bytes = static_cast<int>(messages_.bytes);
    std::array<MPI_Request, 4> all{};
    LADDER_MPI(MPI_Irecv(received_[south].data(), bytes, MPI_BYTE, messages_.south, north, mpi::world(), &all[0]));
    LADDER_MPI(MPI_Irecv(received_[north].data(), bytes, MPI_BYTE, messages_.north, south, mpi::world(), &all[1]));
    LADDER_MPI(MPI_Isend(sent_[north].data(), bytes, MPI_BYTE, messages_.north, north, mpi::world(), &all[2]));
    LADDER_MPI(MPI_Isend(sent_[south].data(), bytes, MPI_BYTE, messages_.south, south, mpi::world(), &all[3]));
    LADDER_MPI(MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE));
    for (const std::size_t side : {south, north})
      copy(messages_.received[side], received_[side].data());
  }

 private:
  enum Side : int { south, north };
  using Bytes = cuda::PageLocked<std::byte>;

  void copy(std::byte* to, const std::byte* from) {
    LADDER_CUDA(cudaMemcpyAsync(to, from, messages_.bytes, cudaMemcpyDefault, device_.stream()));
  }

  const cuda::Device& device_;
  const Messages messages_;
  std::array<Bytes, 2> sent_{Bytes(messages_.bytes), Bytes(messages_.bytes)};
  std::array<Bytes, 2> received_{Bytes(messages_.bytes), Bytes(messages_.bytes)};
};

}  // namespace

std::unique_ptr<Way> send_through_host(const cuda::Device& device, const Messages& messages) {
  return std::make_unique<ThroughHost>(device, messages);
}

}  // namespace ladder::ceilings
