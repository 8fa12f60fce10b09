#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "variants/d2q9/cuda/device_case.hpp"

namespace d2q9 {

/// Average speeds that the host works out after each step, from one sum a block.
template <class real>
class StepSums {
 public:
  StepSums(const DeviceCase<real>& on, Shape blocks)
      : sums_(on.device, blocks.count()), read_(blocks.count()), fluid_cells_(static_cast<double>(on.c.fluid_cells())) {}

  /// Where a step's kernel puts the sum of the speeds of its blocks, [block].
  [[nodiscard]] real* data() { return sums_.data(); }

  /// Waits for the step and reads its sums.
  void record() {
    sums_.read(read_.data(), read_.size());
    history_.push_back(std::accumulate(read_.begin(), read_.end(), 0.0) / fluid_cells_);
  }

  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  ladder::cuda::Buffer<real> sums_;
  std::vector<real> read_;
  double fluid_cells_;
  std::vector<double> history_;
};

}  // namespace d2q9
