#pragma once

#include <algorithm>

#include "roofline/ceilings/opencl/program.hpp"

namespace ladder::ceilings {

/// Chains of x <- m x + c in registers. With m = -1, a chain alternates exactly between x and c - x.
template <class T>
class Fma final : public Ceiling {
 public:
  explicit Fma(const Request& request) : Fma(Program(request, 1)) {}

  void sweep(std::int64_t times) override {
    sweeps_ += times;
    while (times > 0) {
      const std::int64_t now = std::min(times, longest_launch);
      kernel_(items(program_), {{"times", now * steps_a_sweep}});
      times -= now;
    }
  }

  void wait() override { LADDER_CL(program_.device.queue.finish()); }

  std::string wrong() override {
    const auto numbers = numbers_.read();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const T expected = sweeps_ % 2 == 0 ? start(i) : sum - start(i);
      if (!(numbers[i] == expected))
        return fmt::format("number {} after {} sweeps is {}, expected {}", i, sweeps_, numbers[i], expected);
    }
    return "";
  }

 private:
  static constexpr std::int64_t steps_a_sweep = 143;    ///< of 7 multiply-adds each; odd, so that each sweep changes the values
  static constexpr std::int64_t longest_launch = 1000;  ///< sweeps
  static constexpr T sum = 65536;                       ///< of two successive values of a chain

  explicit Fma(const Program& program)
      : Ceiling(static_cast<std::int64_t>(numbers_of(program)) * steps_a_sweep * 7, 0),
        program_(program),
        kernel_(program.kernel("multiply_add")),
        numbers_(program.device, numbers_of(program)) {
    kernel_.bind({{"x", numbers_}, {"m", T{-1}}, {"c", sum}});
    std::vector<T> numbers(numbers_.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = start(i);
    numbers_.write(numbers);
  }

  static opencl::Shape items(const Program& program) { return {program.geometry.groups * program.geometry.group, 1}; }
  static std::size_t numbers_of(const Program& program) {
    return items(program).x * program.geometry.chains * program.geometry.width;
  }
  static T start(std::size_t i) { return static_cast<T>(i % 32768); }

  Program program_;
  opencl::Kernel kernel_;
  opencl::Buffer<T> numbers_;  ///< values between launches, [work-item][chain][lane]
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
