#include "variants/regularized/opencl/solver.hpp"

namespace regularized {
namespace {

ladder::Traffic traffic(double real) { return {numbers * real, numbers * real}; }

template <class real>
class PeriodicBox final : public LatticePair<real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : LatticePair<real>(c, lattice::opencl::row_shape(tuning), {}, {}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->update(update_);
      this->bound_queue(step);
    }
  }

 private:
  Kernel update_ = this->kernel("update");
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = "",
    .traffic = regularized::traffic,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = {lattice::opencl::row_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
