#pragma once

#include <algorithm>
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
    run(reinterpret_cast<const void*>(kernel), Blocks::independent,
        {const_cast<void*>(static_cast<const void*>(&arguments))...});
  }

  /// Queues the kernel, whose blocks all run at the same time: they may wait for each other.
  template <class... Parameters>
  void together(void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) const {
    run(reinterpret_cast<const void*>(kernel), Blocks::together, {const_cast<void*>(static_cast<const void*>(&arguments))...});
  }

  /// Queues the kernel. Its blocks, numbered along x, form one cluster and can access each other's shared memory.
  template <class... Parameters>
  void as_cluster(void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) const {
    run(reinterpret_cast<const void*>(kernel), Blocks::one_cluster,
        {const_cast<void*>(static_cast<const void*>(&arguments))...});
  }

 private:
  /// How blocks may cooperate.
  enum class Blocks { independent, together, one_cluster };

  void run(const void* kernel, Blocks how, std::initializer_list<void*> arguments) const;
};

/// A launch with one thread per cell of `cells`, in blocks of shape `block`.
inline Launch over(const Device& device, Shape cells, Shape block, std::size_t shared = 0) {
  return {device, covering(cells, block), block, shared};
}

/// Allows `kernel` to use `bytes` of dynamic shared memory, and returns the number of its blocks that fit on one
/// multiprocessor.
/// @throws InputError if a block of this shape does not fit
int resident_blocks(const Device& device, const void* kernel, Shape block, std::size_t bytes);
template <class... Parameters>
int resident_blocks(const Device& device, void (*kernel)(Parameters...), Shape block, std::size_t bytes = 0) {
  return resident_blocks(device, reinterpret_cast<const void*>(kernel), block, bytes);
}

/// The same over all multiprocessors, as the kernel would be launched.
template <class... Parameters>
std::size_t resident_blocks(const Launch& launch, void (*kernel)(Parameters...)) {
  return static_cast<std::size_t>(resident_blocks(launch.device, kernel, launch.block, launch.shared)) *
         static_cast<std::size_t>(launch.device.multiprocessors());
}

/// A launch of as many blocks as run at the same time, and no more than cover `cells`.
/// @throws Refused if no block of this shape fits
template <class... Parameters>
Launch resident(const Device& device, void (*kernel)(Parameters...), Shape cells, Shape block) {
  const auto blocks = static_cast<std::size_t>(resident_blocks(device, kernel, block) * device.multiprocessors());
  if (blocks == 0) throw Refused(Reason::device_limit, "no block of this shape fits on " + device.name());
  return {device, {std::min(blocks, covering(cells, block).count()), 1}, block};
}

/// Asks for so many percent of the memory that a multiprocessor has for shared memory and L1 cache to be shared memory, or for
/// the nearest larger share that the device has; the rest is cache. Determines how many blocks run at once, too.
template <class... Parameters>
void prefer_shared(void (*kernel)(Parameters...), int percent) {
  LADDER_CUDA(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributePreferredSharedMemoryCarveout, percent));
}

/// Allows `kernel` to use `launch.shared` bytes of dynamic shared memory, and its blocks to form one cluster.
/// @throws Unavailable if the device has no clusters, or the kernel was compiled for one without; InputError if a cluster of
/// this many such blocks does not fit
void require_cluster(const Launch& launch, const void* kernel);
template <class... Parameters>
void require_cluster(const Launch& launch, void (*kernel)(Parameters...)) {
  require_cluster(launch, reinterpret_cast<const void*>(kernel));
}

}  // namespace ladder::cuda
