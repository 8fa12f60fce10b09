#include "variants/d3q27/opencl/device_case.hpp"
#include "variants/d3q27/opencl/group_tunables.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : on_(c, group_shape(tuning), 1) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      (odd_ ? run_lbm_odd_ : run_lbm_even_)(on_.cells, f_, on_.nx, on_.ny, on_.nz, on_.omega);
      odd_ = !odd_;
      on_.bound_queue(step);
    }
  }

  void wait() override { on_.wait(); }

  void store(ladder::Populations& out) override {
    if (!odd_) return on_.store(f_, strides_, out);
    copy_moved(on_.c, f_.read(), strides_, true, out);
  }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::opencl::Buffer<real> f_ = on_.lattice();
  bool odd_ = false;  // an odd number of steps was made
  ladder::opencl::Kernel run_lbm_even_ = on_.kernel("run_lbm_even");
  ladder::opencl::Kernel run_lbm_odd_ = on_.kernel("run_lbm_odd");
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/opencl/05_soa",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::wx_tunable()},
    .device_constraints = [] { return d3q27::device_group_constraints(); },
    .make = ladder::make_solver<d3q27::InPlace, d3q27::Model>,
};
