#pragma once

#include <algorithm>
#include <type_traits>

#include "backends/cuda/device.hpp"

namespace ladder::cuda {

/// Launch parameters: `blocks` blocks of `block` threads, each with `shared` bytes of dynamic shared memory.
struct Launch {
  const Device& device;
  Shape blocks;
  Shape block;
  std::size_t shared = 0;

  /// Queues the kernel. @throws Error, or the exceptions of check()
  template <class... Parameters>
  void operator()(void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) const {
    run(reinterpret_cast<const void*>(kernel), Blocks::independent,
        {const_cast<void*>(static_cast<const void*>(&arguments))...});
  }

  /// Queues the kernel as a cooperative launch: all blocks are resident, so they may wait for each other.
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
  /// How the blocks cooperate.
  enum class Blocks { independent, together, one_cluster };

  void run(const void* kernel, Blocks how, std::initializer_list<void*> arguments) const;
};

/// One thread per cell of `cells`, in blocks of shape `block`.
inline Launch over(const Device& device, Shape cells, Shape block, std::size_t shared = 0) {
  return {device, covering(cells, block), block, shared};
}

/// Allows `kernel` to use `bytes` of dynamic shared memory per block. Returns the number of blocks of this shape that fit on
/// one multiprocessor.
/// @throws InputError if a block of this shape does not fit
int resident_blocks(const Device& device, const void* kernel, Shape block, std::size_t bytes);
template <class... Parameters>
int resident_blocks(const Device& device, void (*kernel)(Parameters...), Shape block, std::size_t bytes = 0) {
  return resident_blocks(device, reinterpret_cast<const void*>(kernel), block, bytes);
}

/// The same for the whole device, with the parameters of a launch.
template <class... Parameters>
std::size_t resident_blocks(const Launch& launch, void (*kernel)(Parameters...)) {
  return static_cast<std::size_t>(resident_blocks(launch.device, kernel, launch.block, launch.shared)) *
         static_cast<std::size_t>(launch.device.multiprocessors());
}

/// Launches as many blocks as fit on the device at the same time, but no more than needed to cover `cells`.
/// @throws Refused if no block of this shape fits
template <class... Parameters>
Launch resident(const Device& device, void (*kernel)(Parameters...), Shape cells, Shape block) {
  const auto blocks = static_cast<std::size_t>(resident_blocks(device, kernel, block) * device.multiprocessors());
  if (blocks == 0) throw Refused(Reason::device_limit, "no block of this shape fits on " + device.name());
  return {device, {std::min(blocks, covering(cells, block).count()), 1}, block};
}

/// Requests that a percentage of the memory a multiprocessor has for shared memory and L1 cache be used as shared memory; the
/// device rounds up to a supported split. This also determines how many blocks are resident.
template <class... Parameters>
void prefer_shared(void (*kernel)(Parameters...), int percent) {
  LADDER_CUDA(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributePreferredSharedMemoryCarveout, percent));
}

/// Allows `kernel` to use `launch.shared` bytes of dynamic shared memory and to run as one cluster.
/// @throws Unavailable if the device does not support clusters, or the kernel was compiled for one that does not; InputError if
/// a cluster of this size does not fit
void require_cluster(const Launch& launch, const void* kernel);
template <class... Parameters>
void require_cluster(const Launch& launch, void (*kernel)(Parameters...)) {
  require_cluster(launch, reinterpret_cast<const void*>(kernel));
}

}  // namespace ladder::cuda
