// Messages with NCCL.
#include "backends/nccl/communicator.hpp"
#include "roofline/ceilings/mpi+cuda/ways.hpp"

namespace ladder::ceilings {
namespace {

class WithNccl final : public Way {
 public:
  WithNccl(const cuda::Device& device, const Messages& messages) : messages_(messages), all_(device) {}

  void exchange() override {
    const auto& [sent, received, bytes, south, north] = messages_;
    all_.exchange([&, &sent = sent, &received = received, &bytes = bytes, &south = south, &north = north] {
      all_.send(sent[1], bytes, north);
      all_.receive(received[0], bytes, south);
      all_.send(sent[0], bytes, south);
      all_.receive(received[1], bytes, north);
    });
  }

 private:
  const Messages messages_;
  const nccl::Communicator all_;
};

}  // namespace

std::unique_ptr<Way> send_with_nccl(const cuda::Device& device, const Messages& messages) {
  return std::make_unique<WithNccl>(device, messages);
}

}  // namespace ladder::ceilings
