#include "variants/d3q19/opencl/solver.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
class OneSweep final : public OpenclSolver<real> {
 public:
  OneSweep(const Case& c, const ladder::Tuning& tuning)
      : OpenclSolver<real>(c, structure_of_arrays(c), {.group = lattice::opencl::row_shape(tuning)}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      run_lbm_(this->cells_, {{"f_temp", this->f()}, {"f", this->g()}});
      this->swap_lattices();
      this->bound_queue(step);
    }
  }

 private:
  ladder::opencl::Kernel run_lbm_ = this->kernel("run_lbm");
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/opencl/01_flag",
    .traffic = d3q19::fused_traffic,
    .tunables = {lattice::opencl::row_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d3q19::OneSweep, d3q19::Model, d3q19::OpenclNumbers>,
};
