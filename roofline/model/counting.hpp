#pragma once

#include <cmath>
#include <cstdint>
#include <string>

namespace ladder {

/// Number of floating-point operations in one form of a computation. A fused multiply-add counts as two operations.
struct Operations {
  std::string form;
  std::int64_t add = 0;  ///< additions, subtractions, negations
  std::int64_t mul = 0;
  std::int64_t div = 0;
  std::int64_t sqrt = 0;

  [[nodiscard]] std::int64_t total() const { return add + mul + div + sqrt; }
};

/// A number type that counts the operations performed on it. Run a kernel with this type, then read `Counting::spent`.
/// Constants folded at compile time in ordinary arithmetic (4.0 / 9.0) cost nothing; comparisons are not counted.
class Counting {
 public:
  Counting() = default;
  template <class T>
  Counting(T value) : value_(static_cast<double>(value)) {}  // NOLINT: numbers convert as they do in ordinary arithmetic

  static inline thread_local Operations spent{};

  friend Counting operator+(Counting a, Counting b) { return ++spent.add, Counting(a.value_ + b.value_); }
  friend Counting operator-(Counting a, Counting b) { return ++spent.add, Counting(a.value_ - b.value_); }
  friend Counting operator-(Counting a) { return ++spent.add, Counting(-a.value_); }
  friend Counting operator*(Counting a, Counting b) { return ++spent.mul, Counting(a.value_ * b.value_); }
  friend Counting operator/(Counting a, Counting b) { return ++spent.div, Counting(a.value_ / b.value_); }
  Counting& operator+=(Counting b) { return *this = *this + b; }
  Counting& operator-=(Counting b) { return *this = *this - b; }
  friend bool operator>(Counting a, Counting b) { return a.value_ > b.value_; }
  friend Counting sqrt(Counting a) { return ++spent.sqrt, Counting(std::sqrt(a.value_)); }

  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = 0;
};

/// The operations that `computation` performs on Counting values.
template <class F>
Operations count(std::string form, F computation) {
  Counting::spent = {};
  computation();
  Operations result = Counting::spent;
  result.form = std::move(form);
  return result;
}

}  // namespace ladder
