#pragma once

#include <algorithm>

#include "roofline/ceilings/opencl/program.hpp"
#include "roofline/ceilings/verify.hpp"

namespace ladder::ceilings {

/// Each work-group repeatedly adds up values in its local memory.
template <class T>
class Shared final : public Ceiling {
 public:
  explicit Shared(const Request& request) : Shared(Program(request, 1)) {}

  void sweep(std::int64_t times) override {
    while (times > 0) {
      repeats_ = std::min(times, exact_repeats);
      kernel_(items(program_), {{"repeats", repeats_}});
      times -= repeats_;
    }
  }

  void wait() override { LADDER_CL(program_.device.queue.finish()); }

  /// Checks only the last launch, in which each work-item's chain has read one element of every vector.
  std::string wrong() override {
    const auto sums = sums_.read();
    const auto numbers = numbers_.read();
    const std::size_t width = program_.geometry.width;
    const std::size_t group = program_.geometry.group;
    const std::size_t chains = program_.geometry.chains;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t lane = i % width;
      const std::size_t chain = i / width % chains;
      const std::size_t item = i / width / chains;
      const std::size_t read = item / group * group * chains + chain * group + item % group;
      const T expected = numbers[read * width + lane] * static_cast<T>(repeats_);
      if (!(sums[i] == expected)) return fmt::format("sum {} of {} sweeps is {}, expected {}", i, repeats_, sums[i], expected);
    }
    return "";
  }

 private:
  /// Sums of values up to 2 stay exact in single precision for 2^23 additions.
  static constexpr std::int64_t exact_repeats = std::int64_t{1} << 22;

  explicit Shared(const Program& program)
      : Ceiling(static_cast<std::int64_t>(numbers_of(program)), static_cast<double>(numbers_of(program) * sizeof(T))),
        program_(program),
        kernel_(program.kernel("read_local")),
        numbers_(program.device, numbers_of(program)),
        sums_(program.device, numbers_of(program)) {
    kernel_.bind({{"a", numbers_}, {"none", 0}, {"sums", sums_}});
    program.kernel("fill_summands")(program.items(numbers_.size()), {{"a", numbers_}, {"size", numbers_.size()}});
    wait();
  }

  static opencl::Shape items(const Program& program) { return {program.geometry.groups * program.geometry.group, 1}; }
  static std::size_t numbers_of(const Program& program) {
    return items(program).x * program.geometry.chains * program.geometry.width;
  }

  Program program_;
  opencl::Kernel kernel_;
  opencl::Buffer<T> numbers_;  ///< [work-group][chain][work-item][lane]
  opencl::Buffer<T> sums_;     ///< of the last launch, [work-item][chain][lane]
  std::int64_t repeats_ = 0;
};

}  // namespace ladder::ceilings
