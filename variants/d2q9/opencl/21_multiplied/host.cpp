#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Fused final : public OpenclSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning&) : OpenclSolver<real>(c, structure_of_arrays(c), {.group = {16, 16}}) {}

  void advance(std::int64_t steps) override {
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      timestep_(this->grid_, {{"f", this->f()}, {"g", this->g()}, {"driven", this->driven(step, steps)}});
      this->swap_lattices();
      speeds_.record();
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  ladder::opencl::StepSums<real> speeds_{this->device_, this->group_, this->grid_, this->case_.fluid_cells()};
  ladder::opencl::Kernel timestep_ = this->kernel("timestep", {{"speeds", speeds_.sums()}});
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/05_soa",
    .traffic = d2q9::traffic,
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
