#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Fused final : public OpenclSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : OpenclSolver<real>(
            c, structure_of_arrays(c),
            {.group = lattice::opencl::row_shape(tuning), .macros = {{"rows", std::to_string(tuning.at("rows"))}}}),
        items_(this->grid_.in_columns(static_cast<std::size_t>(tuning.at("rows")))) {}

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    for (std::int64_t step = 1; step <= steps; ++step) {
      timestep_(items_,
                {{"f", this->f()}, {"g", this->g()}, {"first", speeds_.first()}, {"driven", this->driven(step, steps)}});
      this->swap_lattices();
      speeds_.record();
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  const ladder::opencl::Shape items_;
  ladder::opencl::DeferredSums<real> speeds_{this->device_, this->group_, items_, this->case_.fluid_cells()};
  ladder::opencl::Kernel timestep_ = this->kernel("timestep", {{"speeds", speeds_.sums()}});
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/08_tuned",
    .traffic = d2q9::traffic,
    .tunables = {lattice::opencl::row_tunable(), lattice::opencl::column_tunable()},
    .device_constraints = lattice::opencl::device_row_constraints,
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
