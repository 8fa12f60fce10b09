// Messages written to the neighbours' memory, by copies or by a kernel. Flags tell the neighbours that they have arrived.
#include <algorithm>

#include "backends/mpi+cuda/peers.hpp"
#include "roofline/ceilings/mpi+cuda/ways.hpp"

namespace ladder::ceilings {
namespace {

/// The neighbours' memory.
class Peers : public Way {
 public:
  Peers(const cuda::Device& device, const Messages& messages)
      : device_(device),
        messages_(messages),
        // What this process sends to the south, its neighbour receives at its northern border.
        from_north_(messages.received[1], {messages.south}),
        from_south_(messages.received[0], {messages.north}),
        ring_(device, messages.south, messages.north) {}

 protected:
  /// Where the messages at the southern and at the northern border go.
  [[nodiscard]] std::byte* to_south() const { return from_north_.of(messages_.south); }
  [[nodiscard]] std::byte* to_north() const { return from_south_.of(messages_.north); }

  const cuda::Device& device_;
  const Messages messages_;

 private:
  const cuda::Shared<std::byte> from_north_, from_south_;

 protected:
  cuda::Ring ring_;
};

class Copies final : public Peers {
 public:
  using Peers::Peers;

  void exchange() override {
    copy(to_south(), messages_.sent[0]);
    copy(to_north(), messages_.sent[1]);
    ring_.meet();
  }

 private:
  void copy(std::byte* to, const std::byte* from) {
    LADDER_CUDA(cudaMemcpyAsync(to, from, messages_.bytes, cudaMemcpyDefault, device_.stream()));
  }
};

/// `vectors` vectors for each neighbour.
struct Transfer {
  const int4* from[2];
  int4* to[2];
  std::size_t vectors;
};

__global__ void store(Transfer t) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; n < t.vectors; n += threads) {
    t.to[0][n] = t.from[0][n];
    t.to[1][n] = t.from[1][n];
  }
}

class Stores final : public Peers {
 public:
  using Peers::Peers;

  void exchange() override {
    const auto vectors = [](auto* bytes) { return reinterpret_cast<int4*>(bytes); };
    const auto constant = [](const std::byte* bytes) { return reinterpret_cast<const int4*>(bytes); };
    launch_(store,
            {{constant(messages_.sent[0]), constant(messages_.sent[1])}, {vectors(to_south()), vectors(to_north())}, count_});
    ring_.meet();
  }

 private:
  static constexpr std::size_t threads = 256;

  const std::size_t count_ = messages_.bytes / Messages::vector;
  const cuda::Launch launch_{
      device_, {std::min((count_ + threads - 1) / threads, std::size_t{8} * device_.multiprocessors()), 1}, {threads, 1}};
};

}  // namespace

cuda::Device own_device() {
  cuda::choose_own_device();
  return cuda::Device::select();
}

std::unique_ptr<Way> copy_to_peers(const cuda::Device& device, const Messages& messages) {
  return std::make_unique<Copies>(device, messages);
}
std::unique_ptr<Way> store_to_peers(const cuda::Device& device, const Messages& messages) {
  return std::make_unique<Stores>(device, messages);
}

}  // namespace ladder::ceilings
