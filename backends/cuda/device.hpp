#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/cuda/check.hpp"
#include "base/error.hpp"

namespace ladder::cuda {

/// Threads, blocks or cells along x and y.
struct Shape {
  std::size_t x = 1;
  std::size_t y = 1;

  [[nodiscard]] std::size_t count() const { return x * y; }
};

/// Number of `part`s that cover `whole`, along x and y.
[[nodiscard]] inline Shape covering(Shape whole, Shape part) {
  return {(whole.x + part.x - 1) / part.x, (whole.y + part.y - 1) / part.y};
}

/// The number of the GPU that `wanted` names, among the GPUs of these `names`; 0 if it is null or empty.
/// @throws Unavailable if it is not the number of a GPU; the message lists the existing ones
int chosen_device(const char* wanted, std::span<const std::string> names);

/// Limits of a GPU. Each throws InputError with the requested and the accepted size.
void require_block(const cudaDeviceProp& gpu, Shape block);
void require_grid(const cudaDeviceProp& gpu, Shape blocks);
void require_memory(const cudaDeviceProp& gpu, double bytes, std::string_view what);

/// One GPU, made current for this thread, with its own stream, on which all work is queued in order.
class Device {
 public:
  /// The GPU whose number is in the environment variable LADDER_CUDA_DEVICE; by default number 0.
  /// @throws Unavailable if there is no such GPU, with a list of the existing ones, or if no GPU works
  static Device select();
  /// The same GPU, if there is one that works.
  static std::optional<Device> available();

  explicit Device(int index);

  [[nodiscard]] std::string name() const { return properties_.name; }
  [[nodiscard]] std::string driver() const;       ///< version of the driver, and of CUDA that it supports
  [[nodiscard]] std::string pci_address() const;  ///< `domain:bus:device.function`, e.g. `00000000:00:06.0`
  [[nodiscard]] int multiprocessors() const { return properties_.multiProcessorCount; }
  /// Bytes of shared memory that a block may ask for.
  [[nodiscard]] std::size_t shared_memory() const { return properties_.sharedMemPerBlockOptin; }
  /// Bytes of the L2 cache, which all multiprocessors share.
  [[nodiscard]] std::size_t l2_cache() const { return static_cast<std::size_t>(properties_.l2CacheSize); }

  [[nodiscard]] std::size_t memory() const { return properties_.totalGlobalMem; }
  /// `9.0`
  [[nodiscard]] std::string compute_capability() const {
    return std::to_string(properties_.major) + "." + std::to_string(properties_.minor);
  }

  /// @throws InputError if a block of this shape has more threads than the device can run, in total or along x or y
  void require_block(Shape block) const { cuda::require_block(properties_, block); }
  /// @throws InputError if a kernel's grid has more blocks than the device takes along x or y
  void require_grid(Shape blocks) const { cuda::require_grid(properties_, blocks); }
  /// @throws InputError if `bytes` are more than the device has for `what`
  void require_memory(double bytes, std::string_view what) const { cuda::require_memory(properties_, bytes, what); }
  /// @throws Unavailable if blocks of one kernel cannot be guaranteed to run at the same time
  void require_cooperative_launch() const;
  /// @throws Unavailable if blocks cannot form clusters
  void require_clusters() const;

  /// `bytes` of global memory, to be given to cudaFree().
  /// @throws InputError if there is not that much free memory; the message has the free size
  [[nodiscard]] void* allocate(std::size_t bytes) const;

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  /// Returns when all work queued so far is done. @throws Error if some of it failed
  void wait() const { LADDER_CUDA(cudaStreamSynchronize(stream())); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };

  cudaDeviceProp properties_{};
  std::unique_ptr<CUstream_st, Destroy> stream_;
};

}  // namespace ladder::cuda
