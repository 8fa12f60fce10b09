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

/// Number of threads, blocks or cells along x and y.
struct Shape {
  std::size_t x = 1;
  std::size_t y = 1;

  [[nodiscard]] std::size_t count() const { return x * y; }
};

/// How many of `part` cover `whole`, along x and y.
[[nodiscard]] inline Shape covering(Shape whole, Shape part) {
  return {(whole.x + part.x - 1) / part.x, (whole.y + part.y - 1) / part.y};
}

/// Index of the GPU that `wanted` selects from the GPUs with these `names`; 0 if `wanted` is null or empty.
/// @throws Unavailable if it is not the index of a GPU; the message lists the existing ones
int chosen_device(const char* wanted, std::span<const std::string> names);

/// Checks of a GPU's limits. Each throws InputError with the requested and the accepted size.
void require_block(const cudaDeviceProp& gpu, Shape block);
void require_grid(const cudaDeviceProp& gpu, Shape blocks);
void require_memory(const cudaDeviceProp& gpu, double bytes, std::string_view what);

/// One GPU, made current for this thread, with a separate stream on which all work is queued in order.
class Device {
 public:
  /// The GPU with the index in the environment variable LADDER_CUDA_DEVICE; by default GPU 0.
  /// @throws Unavailable if there is no such GPU, with a list of the existing ones, or if no GPU works
  static Device select();
  /// Like select(), but empty if no GPU works.
  static std::optional<Device> available();

  explicit Device(int index);

  [[nodiscard]] std::string name() const { return properties_.name; }
  [[nodiscard]] std::string driver() const;       ///< version of the driver and the CUDA version that it supports
  [[nodiscard]] std::string pci_address() const;  ///< `domain:bus:device.function`, e.g. `00000000:00:06.0`
  [[nodiscard]] int multiprocessors() const { return properties_.multiProcessorCount; }
  /// Bytes of shared memory that a block may request.
  [[nodiscard]] std::size_t shared_memory() const { return properties_.sharedMemPerBlockOptin; }
  /// Bytes of the L2 cache, shared by all multiprocessors.
  [[nodiscard]] std::size_t l2_cache() const { return static_cast<std::size_t>(properties_.l2CacheSize); }

  [[nodiscard]] std::size_t memory() const { return properties_.totalGlobalMem; }
  /// `9.0`
  [[nodiscard]] std::string compute_capability() const {
    return std::to_string(properties_.major) + "." + std::to_string(properties_.minor);
  }

  /// @throws InputError if this block shape exceeds the device's limit on threads, in total or along x or y
  void require_block(Shape block) const { cuda::require_block(properties_, block); }
  /// @throws InputError if a grid of `blocks` exceeds the device's limit along x or y
  void require_grid(Shape blocks) const { cuda::require_grid(properties_, blocks); }
  /// @throws InputError if `what` needs more `bytes` than the device has
  void require_memory(double bytes, std::string_view what) const { cuda::require_memory(properties_, bytes, what); }
  /// @throws Unavailable if the device cannot guarantee that all blocks of a kernel are resident at the same time
  void require_cooperative_launch() const;
  /// @throws Unavailable if the device does not support clusters
  void require_clusters() const;

  /// Allocates `bytes` of global memory, to be released with cudaFree().
  /// @throws InputError if there is not enough free memory; the message gives the free size
  [[nodiscard]] void* allocate(std::size_t bytes) const;

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  /// Returns when all work queued so far is done. @throws Error if any of it failed
  void wait() const { LADDER_CUDA(cudaStreamSynchronize(stream())); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };

  cudaDeviceProp properties_{};
  std::unique_ptr<CUstream_st, Destroy> stream_;
};

}  // namespace ladder::cuda
