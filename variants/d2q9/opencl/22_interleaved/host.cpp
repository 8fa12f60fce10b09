#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real + 3, 18 * real}; }

template <class real>
class Kernels final : public OpenclSolver<real> {
 public:
  Kernels(const Case& c, const ladder::Tuning&) : OpenclSolver<real>(c, array_of_structures(c), {.group = {16, 16}}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->accelerate();
      propagate_(this->grid_);
      rebound_(this->grid_);
      collide_(this->grid_);
      average_(this->grid_);
      speeds_.record();
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  ladder::opencl::StepSums<real> speeds_{this->device_, this->group_, this->grid_, this->case_.fluid_cells()};
  ladder::opencl::Kernel propagate_ = this->kernel("propagate", {{"f", this->f()}, {"g", this->g()}});
  ladder::opencl::Kernel rebound_ = this->kernel("rebound", {{"f", this->f()}, {"g", this->g()}});
  ladder::opencl::Kernel collide_ = this->kernel("collide", {{"f", this->f()}, {"g", this->g()}});
  ladder::opencl::Kernel average_ = this->kernel("average", {{"f", this->f()}, {"speeds", speeds_.sums()}});
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/02_offload_flags",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Kernels, d2q9::Model>,
};
