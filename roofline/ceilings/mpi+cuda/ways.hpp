#pragma once

#include <cstddef>
#include <memory>

#include "backends/cuda/device.hpp"

/// Ways to exchange messages between the GPUs of a ring of processes.
namespace ladder::ceilings {

/// A process's messages, and the memory for those that it receives, on its GPU: [0] at its southern border, [1] at its northern
/// one. A message that is sent at one border is received at the neighbour's opposite border.
struct Messages {
  static constexpr std::size_t vector = 16;  ///< bytes; a message is a multiple of it

  const std::byte* sent[2];
  std::byte* received[2];  ///< allocated separately
  std::size_t bytes;       ///< per message
  int south, north;        ///< ranks of the neighbours
};

class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  /// Queues an exchange: later work starts when this process's messages may be overwritten, and those of its neighbours have
  /// arrived.
  virtual void exchange() = 0;
};

/// This process's GPU, which it does not share with others if there are enough.
cuda::Device own_device();

/// All processes call the same function. `device` outlives the result.
using MakeWay = std::unique_ptr<Way> (*)(const cuda::Device& device, const Messages& messages);
std::unique_ptr<Way> copy_to_peers(const cuda::Device& device, const Messages& messages);
std::unique_ptr<Way> store_to_peers(const cuda::Device& device, const Messages& messages);
std::unique_ptr<Way> send_through_host(const cuda::Device& device, const Messages& messages);
std::unique_ptr<Way> send_with_nccl(const cuda::Device& device, const Messages& messages);

}  // namespace ladder::ceilings
