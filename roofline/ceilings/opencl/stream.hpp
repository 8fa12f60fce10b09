#pragma once

#include <string>

#include "roofline/ceilings/opencl/program.hpp"

namespace ladder::ceilings {

/// STREAM's four kernels, named like their kinds, with one or two source arrays and one result array.
template <class T>
class Stream final : public Ceiling {
 public:
  explicit Stream(const Request& request) : Stream(request, Program(request, 1)) {}

  void sweep(std::int64_t times) override {
    for (std::int64_t s = 0; s < times; ++s)
      kernel_(program_.items(vectors_));
  }

  void wait() override { LADDER_CL(program_.device.queue.finish()); }

  std::string wrong() override { return first_difference(program_, c_, 0, size(), 0, expected()); }

 private:
  Stream(const Request& request, const Program& program)
      : Stream(request, program, vectors_per_array(request, program, request.kind.read + 1U, request.kind.read + 1U)) {}

  Stream(const Request& request, const Program& program, std::size_t vectors)
      : Ceiling(static_cast<std::int64_t>(vectors * program.geometry.width),
                static_cast<double>((request.kind.read + 1U) * vectors * program.geometry.width * sizeof(T))),
        kind_(request.kind),
        program_(program),
        vectors_(vectors),
        kernel_(program.kernel(std::string(kind_.name).c_str())),
        a_(program.device, size()),
        b_(program.device, kind_.read == 2 ? size() : 1),
        c_(program.device, size()) {
    kernel_.bind({{"a", a_}, {"b", kind_.read == 2 ? b_ : a_}, {"c", c_}, {"size", vectors_}});
    fill(program, a_, 0, 0, size());
    if (kind_.read == 2) fill(program, b_, 0, size(), size());
    wait();
  }

  [[nodiscard]] std::size_t size() const { return vectors_ * program_.geometry.width; }

  [[nodiscard]] Expected expected() const {
    if (kind_.name == "scale") return {.u = 3};
    if (kind_.name == "add") return {.v = 1, .first_v = size()};
    if (kind_.name == "triad") return {.v = 3, .first_v = size()};
    return {};
  }

  Kind kind_;
  Program program_;
  std::size_t vectors_;
  opencl::Kernel kernel_;
  opencl::Buffer<T> a_, b_, c_;
};

}  // namespace ladder::ceilings
