#pragma once

#include <cmath>
#include <vector>

namespace ladder {

/// Compensated summation (Neumaier 1974). A lattice at rest holds the same number a million times. A plain sum rounds it the
/// same way each time, and this error would hide the few epsilon of drift that the conservation check allows.
class Sum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

/// The sum of `parts`.
inline double total(const std::vector<double>& parts) {
  Sum sum;
  for (const double part : parts)
    sum.add(part);
  return sum.value();
}

}  // namespace ladder
