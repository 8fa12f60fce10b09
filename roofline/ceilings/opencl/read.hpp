#pragma once

#include <algorithm>

#include "roofline/ceilings/opencl/program.hpp"
#include "roofline/ceilings/verify.hpp"

namespace ladder::ceilings {

/// Each work-group repeatedly adds up a part of an array. For `read`, the part stays the same and is read through whichever
/// cache holds it; for `l2-read`, it changes each time, so that none is in L1.
template <class T>
class Read final : public Ceiling {
 public:
  explicit Read(const Request& request) : Read(request, Program(request, 1)) {}

  void sweep(std::int64_t times) override {
    while (times > 0) {
      repeats_ = std::min(times, exact_repeats());
      kernel_(items(), {{"repeats", repeats_}});
      times -= repeats_;
    }
  }

  void wait() override { LADDER_CL(program_.device.queue.finish()); }

  /// Checks only the last launch.
  std::string wrong() override {
    double sum = 0;
    for (const T part : sums_.read())
      sum += static_cast<double>(part);
    double once = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      once += pattern(i) < 1.5 ? 1 : 2;
    const double expected = once * static_cast<double>(repeats_);
    if (sum == expected) return "";
    return fmt::format("the sum of {} sweeps is {}, expected {}", repeats_, sum, expected);
  }

 private:
  /// Distance to the next part, in parts. It is prime, so that all parts are read, and large enough that no neighbouring
  /// work-group has just read the next part.
  static constexpr std::int64_t far = 389;

  /// How the array is divided: `groups` work-groups with `part` vectors each.
  struct Share {
    std::size_t groups, part;

    [[nodiscard]] std::size_t numbers(const Program& program) const { return groups * part * program.geometry.width; }
  };

  Read(const Request& request, const Program& program) : Read(program, request.kind.on_chip, share(request, program)) {}

  Read(const Program& program, bool in_turns, Share shared)
      : Ceiling(static_cast<std::int64_t>(shared.numbers(program)), static_cast<double>(shared.numbers(program) * sizeof(T))),
        program_(program),
        groups_(shared.groups),
        part_(shared.part),
        next_(in_turns ? far : 0),
        kernel_(program.kernel(in_turns ? "read_in_turns" : "read")),
        numbers_(program.device, shared.numbers(program)),
        sums_(program.device, shared.groups * step(program) * program.geometry.width) {
    kernel_.bind({{"a", numbers_}, {"part", part_}, {in_turns ? "next" : "none", next_}, {"sums", sums_}});
    program.kernel("fill_summands")(program.items(numbers_.size()), {{"a", numbers_}, {"size", numbers_.size()}});
    wait();
  }

  /// Vectors that a work-group reads before it returns to its first chain.
  static std::size_t step(const Program& program) { return program.geometry.group * program.geometry.chains; }

  static Share share(const Request& request, const Program& program) {
    const std::size_t steps = vectors_per_array(request, program, 1, 1) / step(program);
    if (steps == 0)
      throw InputError(fmt::format("--bytes {}: {} needs at least {} bytes on this device", request.bytes, request.kind.name,
                                   step(program) * program.geometry.width * sizeof(T)));
    const std::size_t groups = std::min(steps, program.geometry.groups);
    return {groups, steps / groups * step(program)};
  }

  [[nodiscard]] opencl::Shape items() const { return {groups_ * program_.geometry.group, 1}; }

  /// Sums of values up to 2 stay exact in single precision for 2^23 additions.
  [[nodiscard]] std::int64_t exact_repeats() const {
    return std::max<std::int64_t>(1, (std::int64_t{1} << 22) / static_cast<std::int64_t>(part_ / step(program_)));
  }

  Program program_;
  std::size_t groups_;
  std::size_t part_;  ///< vectors per work-group
  std::int64_t next_;
  opencl::Kernel kernel_;
  opencl::Buffer<T> numbers_;
  opencl::Buffer<T> sums_;  ///< of the last launch, [work-item][chain][lane]
  std::int64_t repeats_ = 0;
};

}  // namespace ladder::ceilings
