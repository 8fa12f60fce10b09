#pragma once

#include <fmt/format.h>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/launch.hpp"
#include "roofline/ceilings/cuda/kernels.hpp"

namespace ladder::ceilings {

/// Blocks that synchronize once per sweep; one launch covers all sweeps of a call. Since the check takes longer than the
/// measured synchronization, it is done in a separate launch of the same kernel.
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
  Synchronize(cuda::Device&& device, std::size_t blocks)
      : Ceiling(1, 0), device_(std::move(device)), blocks_(blocks), slots_(device_, blocks), late_(device_, 1) {}

  static constexpr std::size_t threads = 256;  ///< per block

  [[nodiscard]] cuda::Launch launch() const { return {device_, {blocks_, 1}, {threads, 1}}; }
  unsigned long long* slots() { return slots_.data(); }

 private:
  /// Launches the kernel.
  virtual void run(std::int64_t times, unsigned long long* late) = 0;

  cuda::Device device_;
  std::size_t blocks_;
  cuda::Buffer<unsigned long long> slots_;  ///< how often each block has arrived
  cuda::Buffer<unsigned long long> late_;
};

/// All blocks of a cooperative launch, with one block per multiprocessor.
class GridSync final : public Synchronize {
 public:
  GridSync() : GridSync(cuda::Device::select()) {}

 private:
  explicit GridSync(cuda::Device&& device)
      : Synchronize(std::move(device), static_cast<std::size_t>(device.multiprocessors())) {
    launch().device.require_cooperative_launch();
  }

  void run(std::int64_t times, unsigned long long* late) override {
    launch().together(grid_sync_kernel(), times, slots(), late);
  }
};

/// The blocks of one cluster, with the size that every device with clusters supports.
class ClusterSync final : public Synchronize {
 public:
  ClusterSync() : Synchronize(cuda::Device::select(), 8) { cuda::require_cluster(launch(), cluster_sync_kernel()); }

 private:
  void run(std::int64_t times, unsigned long long* late) override {
    launch().as_cluster(cluster_sync_kernel(), times, slots(), late);
  }
};

}  // namespace ladder::ceilings
