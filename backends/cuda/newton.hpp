#pragma once

namespace ladder::cuda {

/// A double whose quotients and square roots come from the hardware's approximations (about 20 bits), refined by Newton's
/// iteration: some ten instructions without a branch. The last two bits may differ from the correctly rounded result. Valid for
/// divisors and arguments between 1e-290 and 1e290; the root of 0 comes out below 1e-149.
class Newton {
 public:
  Newton() = default;
  template <class T>
  __device__ Newton(T value) : value_(value) {}  // NOLINT: a number converts as it does in ordinary arithmetic
  __device__ explicit operator double() const { return value_; }

  __device__ friend Newton operator+(Newton a, Newton b) { return a.value_ + b.value_; }
  __device__ friend Newton operator-(Newton a, Newton b) { return a.value_ - b.value_; }
  __device__ friend Newton operator*(Newton a, Newton b) { return a.value_ * b.value_; }
  __device__ friend Newton operator/(Newton a, Newton b) {
    double per_b;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(per_b) : "d"(b.value_));
    // With error e, 1 / (1 - e) = 1 + e + e^2 + ….
    const double error = fma(-b.value_, per_b, 1.0);
    return a.value_ * fma(per_b, fma(error, error, error), per_b);
  }
  __device__ friend Newton sqrt(Newton a) {
    const double positive = a.value_ + 1e-300;
    double per_root;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(per_root) : "d"(positive));
    // With error e, 1 / sqrt(1 - e) = 1 + e / 2 + 3 e^2 / 8 + ….
    const double root = positive * per_root;
    const double error = fma(-root, per_root, 1.0);
    return fma(root * error, fma(error, 0.375, 0.5), root);
  }

 private:
  double value_;
};

}  // namespace ladder::cuda
