#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "backends/cuda/buffer.hpp"

namespace ladder::cuda {

/// Means of a quantity over `cells` cells, one per step. Each step's kernel leaves one sum per block; the host reads and adds
/// up these sums.
template <class real>
class StepSums {
 public:
  StepSums(const Device& device, Shape blocks, double cells)
      : sums_(device, blocks.count()), read_(blocks.count()), cells_(cells) {}

  /// Same interface as DeferredSums; no sums are left over here.
  void expect(std::int64_t /*steps*/) const {}

  /// Where a step's kernel stores its sums, [block].
  [[nodiscard]] real* next() { return sums_.data(); }

  /// Waits for the step and reads its sums.
  void record() {
    sums_.read(read_.data(), read_.size());
    history_.push_back(std::accumulate(read_.begin(), read_.end(), 0.0) / cells_);
  }

  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  Buffer<real> sums_;
  std::vector<real> read_;
  double cells_;
  std::vector<double> history_;
};

}  // namespace ladder::cuda
