/// Replaces the header of this name, whose quotients and square roots start from PTX instructions, by ordinary arithmetic.
#pragma once

#include <cmath>

namespace ladder::cuda {

class Newton {
 public:
  Newton() = default;
  template <class T>
  Newton(T value) : value_(value) {}  // NOLINT: a number converts as it does in ordinary arithmetic
  explicit operator double() const { return value_; }

  friend Newton operator+(Newton a, Newton b) { return a.value_ + b.value_; }
  friend Newton operator-(Newton a, Newton b) { return a.value_ - b.value_; }
  friend Newton operator*(Newton a, Newton b) { return a.value_ * b.value_; }
  friend Newton operator/(Newton a, Newton b) { return a.value_ / b.value_; }
  friend Newton sqrt(Newton a) { return std::sqrt(a.value_); }

 private:
  double value_;
};

}  // namespace ladder::cuda
