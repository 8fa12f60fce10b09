#include "variants/d2q9/opencl/step_sums.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real + 3, 18 * real}; }

template <class real>
class Kernels final : public Solver {
 public:
  Kernels(const Case& c, const ladder::Tuning&) : on_(c, {16, 16}) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      accelerate_({on_.grid.x, 1}, f_, solid_, on_.nx, on_.ny, on_.w1, on_.w2);
      propagate_(on_.grid, f_, g_, on_.nx, on_.ny);
      rebound_(on_.grid, g_, f_, solid_, on_.nx, on_.ny);
      collide_(on_.grid, g_, f_, solid_, on_.nx, on_.ny, on_.omega);
      average_(on_.grid, f_, speeds_.buffer(), solid_, on_.nx, on_.ny);
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  const ladder::opencl::Buffer<cl_uchar> solid_ = obstacles(on_.c, on_.device);
  ladder::opencl::Buffer<real> f_ = on_.lattice();
  ladder::opencl::Buffer<real> g_ = on_.lattice();
  ladder::opencl::Kernel accelerate_ = on_.kernel("accelerate");
  ladder::opencl::Kernel propagate_ = on_.kernel("propagate");
  ladder::opencl::Kernel rebound_ = on_.kernel("rebound");
  ladder::opencl::Kernel collide_ = on_.kernel("collide");
  ladder::opencl::Kernel average_ = on_.kernel("average");
  StepSums<real> speeds_{on_, average_.groups(on_.grid)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/02_offload_flags",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Kernels, d2q9::Model>,
};
