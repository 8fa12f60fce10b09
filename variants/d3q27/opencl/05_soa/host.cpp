#include "variants/d3q27/opencl/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

template <class real>
class Swap final : public OpenclSolver<real> {
 public:
  Swap(const Case& c, const ladder::Tuning& tuning)
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
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/opencl/04_swap",
    .traffic = d3q27::traffic,
    .tunables = {lattice::opencl::row_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d3q27::Swap, d3q27::Model>,
};
