#pragma once

#include "roofline/ceilings/opencl/program.hpp"

namespace ladder::ceilings {

/// A kernel that only counts, enqueued once per sweep.
class Launch final : public Ceiling {
 public:
  explicit Launch(const Request& request)
      : Ceiling(1, 0), program_(request, 1), kernel_(program_.kernel("launch")), count_(program_.device, 1) {
    kernel_.bind({{"count", count_}});
  }

  void sweep(std::int64_t times) override {
    for (std::int64_t s = 0; s < times; ++s)
      kernel_({program_.geometry.group, 1});
    sweeps_ += times;
  }

  void wait() override { LADDER_CL(program_.device.queue.finish()); }

  std::string wrong() override {
    const cl_long count = count_.read().front();
    return count == sweeps_ ? "" : fmt::format("{} of {} launches ran", count, sweeps_);
  }

 private:
  Program program_;
  opencl::Kernel kernel_;
  opencl::Buffer<cl_long> count_;
  std::int64_t sweeps_ = 0;
};

}  // namespace ladder::ceilings
