#include "variants/d3q27/opencl/device_case.hpp"
#include "variants/d3q27/opencl/group_tunables.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

template <class real>
class Swap final : public Solver {
 public:
  Swap(const Case& c, const ladder::Tuning& tuning) : on_(c, group_shape(tuning)) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      std::swap(f_, f_temp_);
      run_lbm_(on_.cells, f_temp_, f_, on_.nx, on_.ny, on_.nz, on_.omega);
      on_.bound_queue(step);
    }
  }

  void wait() override { on_.wait(); }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::opencl::Buffer<real> f_ = on_.lattice();
  ladder::opencl::Buffer<real> f_temp_ = on_.lattice();
  ladder::opencl::Kernel run_lbm_ = on_.kernel("run_lbm");
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/opencl/04_swap",
    .traffic = d3q27::traffic,
    .tunables = {d3q27::wx_tunable()},
    .device_constraints = [] { return d3q27::device_group_constraints(); },
    .make = ladder::make_solver<d3q27::Swap, d3q27::Model>,
};
