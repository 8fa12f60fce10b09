#pragma once

#include <type_traits>

#include "backends/cuda/device.hpp"

namespace ladder::cuda {

/// Where and how a kernel is launched: `blocks` blocks of `block` threads, each with `shared` bytes of dynamic shared memory.
struct Launch {
  const Device& device;
  Shape blocks;
  Shape block;
  std::size_t shared = 0;

  /// Queues the kernel. @throws Error, and as check() does
  template <class... Parameters>
  void operator()(void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) const {
    run(reinterpret_cast<const void*>(kernel), false, {const_cast<void*>(static_cast<const void*>(&arguments))...});
  }

  /// Queues the kernel, whose blocks all run at the same time: they may wait for each other.
  template <class... Parameters>
  void together(void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) const {
    run(reinterpret_cast<const void*>(kernel), true, {const_cast<void*>(static_cast<const void*>(&arguments))...});
  }

 private:
  void run(const void* kernel, bool together, std::initializer_list<void*> arguments) const;
};

/// Lets `kernel` have `bytes` of dynamic shared memory, and returns how many of its blocks one multiprocessor holds.
/// @throws InputError where a block of this shape does not fit
int resident_blocks(const Device& device, const void* kernel, Shape block, std::size_t bytes);
template <class... Parameters>
int resident_blocks(const Device& device, void (*kernel)(Parameters...), Shape block, std::size_t bytes = 0) {
  return resident_blocks(device, reinterpret_cast<const void*>(kernel), block, bytes);
}

}  // namespace ladder::cuda
