#pragma once

#include <cmath>
#include <vector>

namespace ladder {

/// Returns x, hiding its origin from the compiler: rungs are compiled with options that allow reordering of sums.
inline double as_rounded(double x) {
#if defined(__CUDACC__)
  return x;  // nvcc's options do not affect host arithmetic
#elif defined(__clang__) && !defined(__x86_64__)
  volatile double value = x;
  return value;
#elif defined(__clang__)
  return __arithmetic_fence(x);
#else
  return __builtin_assoc_barrier(x);
#endif
}

/// Compensated summation (Neumaier 1974). A lattice at rest holds the same value a million times. A plain sum rounds the same
/// way each time, and the error would hide the drift of a few epsilon that the conservation check tolerates.
class Sum {
 public:
  void add(double x) {
    const double sum = as_rounded(sum_ + x);
    lost_ += as_rounded(std::abs(sum_) >= std::abs(x) ? as_rounded(sum_ - sum) + x : as_rounded(x - sum) + sum_);
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
