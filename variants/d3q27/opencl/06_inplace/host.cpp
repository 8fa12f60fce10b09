#include "variants/d3q27/opencl/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

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
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/opencl/05_soa",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::opencl::row_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d3q27::InPlace, d3q27::Model>,
};
