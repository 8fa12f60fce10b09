#include "variants/d3q19/opencl/solver.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

template <class real>
class InPlace final : public OpenclSolver<real, lattice::AA> {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning)
      : OpenclSolver<real, lattice::AA>(c, structure_of_arrays(c), {.group = lattice::opencl::row_shape(tuning)}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      (this->phase_ == 0 ? run_lbm_even_ : run_lbm_odd_)(this->cells_);
      this->swap_lattices();
      this->bound_queue(step);
    }
  }

 private:
  ladder::opencl::Kernel run_lbm_even_ = this->kernel("run_lbm_even", {{"f", this->f()}});
  ladder::opencl::Kernel run_lbm_odd_ = this->kernel("run_lbm_odd", {{"f", this->f()}});
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/opencl/02_fused",
    .traffic = d3q19::fused_traffic,
    .lattices = 1,
    .tunables = {lattice::opencl::row_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d3q19::InPlace, d3q19::Model, d3q19::OpenclNumbers>,
};
