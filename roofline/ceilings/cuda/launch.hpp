#pragma once

#include <algorithm>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/graph.hpp"
#include "backends/cuda/launch.hpp"
#include "roofline/ceilings/cuda/kernels.hpp"

namespace ladder::ceilings {

/// An empty kernel, launched once per sweep. Only the last launch of a call increments the counter, by the number of launches:
/// they run in order, and a kernel that touches memory takes longer.
class Launch final : public Ceiling {
 public:
  Launch() : Ceiling(1, 0), device_(cuda::Device::select()), count_(device_, 1) {}

  void sweep(std::int64_t times) override {
    const cuda::Launch launch{device_, {1, 1}, {1, 1}};
    for (std::int64_t s = 1; s < times; ++s)
      launch(tick_kernel(), count_.data(), 0);
    launch(tick_kernel(), count_.data(), times);
    sweeps_ += times;
  }

  void wait() override { device_.wait(); }

  std::string wrong() override {
    const long long count = count_.at(0);
    return count == sweeps_ ? "" : fmt::format("{} of {} launches ran", count, sweeps_);
  }

 private:
  cuda::Device device_;
  cuda::Buffer<long long> count_;
  std::int64_t sweeps_ = 0;
};

/// A CUDA graph with a chain of empty kernels, launched once per sweep. Only the last node increments the counter, by the
/// number of nodes.
class GraphNodes final : public Ceiling {
 public:
  GraphNodes()
      : Ceiling(nodes, 0), device_(cuda::Device::select()), count_(device_, 1), graph_(device_, [this] {
          const cuda::Launch launch{device_, {1, 1}, {1, 1}};
          for (int node = 1; node < nodes; ++node)
            launch(tick_kernel(), count_.data(), 0);
          launch(tick_kernel(), count_.data(), nodes);
        }) {}

  void sweep(std::int64_t times) override {
    for (std::int64_t s = 0; s < times; ++s)
      graph_.launch();
    sweeps_ += times;
  }

  void wait() override { device_.wait(); }

  std::string wrong() override {
    const long long count = count_.at(0);
    return count == nodes * sweeps_ ? "" : fmt::format("{} of {} nodes ran", count, nodes * sweeps_);
  }

 private:
  static constexpr int nodes = 1000;

  cuda::Device device_;
  cuda::Buffer<long long> count_;
  cuda::Graph graph_;
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
