#pragma once

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "roofline/ceilings/cuda/kernels.hpp"

namespace ladder::ceilings {

/// Blocks that wait for each other once a sweep, all sweeps of a call in one launch. That they do wait is checked apart, in
/// another launch of the same kernel: what checks it would take longer than what is measured.
class Synchronize : public Ceiling {
 public:
  void sweep(std::int64_t times) override { run(times, nullptr); }
  void wait() override { device_.wait(); }

  std::string wrong() override {
    constexpr std::int64_t times = 1000;
    late_.zero();
    slots_.zero();
    run(times, late_.data());
    const unsigned long long late = late_.at(0);
    if (late > 0) return fmt::format("{} blocks did not wait for their neighbour in {} synchronizations", late, times);
    for (const unsigned long long slot : slots_.read())
      if (slot != times) return fmt::format("a block took part in {} of {} synchronizations", slot, times);
    return "";
  }

 protected:
  Synchronize(cuda::Device&& device, SyncKernel kernel, std::size_t blocks, bool together)
      : Ceiling(1, 0),
        device_(std::move(device)),
        kernel_(kernel),
        blocks_(blocks),
        together_(together),
        slots_(device_, blocks),
        late_(device_, 1) {}

 private:
  static constexpr std::size_t threads = 256;  ///< of a block

  void run(std::int64_t times, unsigned long long* late) {
    const cuda::Launch launch{device_, {blocks_, 1}, {threads, 1}};
    if (together_)
      launch.together(kernel_, times, slots_.data(), late);
    else
      launch(kernel_, times, slots_.data(), late);
  }

  cuda::Device device_;
  SyncKernel kernel_;
  std::size_t blocks_;
  bool together_;
  cuda::Buffer<unsigned long long> slots_;  ///< how often each block has come
  cuda::Buffer<unsigned long long> late_;
};

/// All blocks of a cooperative launch, one a multiprocessor.
class GridSync final : public Synchronize {
 public:
  GridSync() : GridSync(cuda::Device::select()) {}

 private:
  explicit GridSync(cuda::Device device) : Synchronize(std::move(device), grid_sync_kernel(), blocks(device), true) {}

  static std::size_t blocks(const cuda::Device& device) {
    device.require_cooperative_launch();
    return static_cast<std::size_t>(device.multiprocessors());
  }
};

/// The blocks of each cluster, as many clusters as give each multiprocessor a block.
class ClusterSync final : public Synchronize {
 public:
  ClusterSync() : ClusterSync(cuda::Device::select()) {}

 private:
  explicit ClusterSync(cuda::Device device) : Synchronize(std::move(device), cluster_sync_kernel(), blocks(device), false) {}

  static std::size_t blocks(const cuda::Device& device) {
    device.require_cluster_launch();
    cudaFuncAttributes attributes{};
    LADDER_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(cluster_sync_kernel())));
    constexpr int first_with_clusters = 90;
    if (attributes.ptxVersion < first_with_clusters)
      throw Unavailable(
          fmt::format("cluster-sync is built for compute capability {}.{}; clusters of blocks need 9.0 "
                      "(CMAKE_CUDA_ARCHITECTURES)",
                      attributes.ptxVersion / 10, attributes.ptxVersion % 10));
    return std::max<std::size_t>(1, device.multiprocessors() / cluster_blocks) * cluster_blocks;
  }
};

}  // namespace ladder::ceilings
