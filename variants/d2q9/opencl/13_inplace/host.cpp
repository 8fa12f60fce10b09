#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class InPlace final : public OpenclSolver<real> {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning)
      : OpenclSolver<real>(c, structure_of_arrays(c), {.group = lattice::opencl::group_shape(tuning), .lattices = 1}) {}

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate(odd_);
    for (std::int64_t step = 1; step <= steps; ++step) {
      timestep_(this->grid(), {{"odd", odd_}, {"first", speeds_.first()}, {"driven", this->driven(step, steps)}});
      odd_ = 1 - odd_;
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override {
    if (odd_ == 0) return OpenclSolver<real>::store(out);
    const auto numbers = this->f().read();
    const int nx = this->the_case().nx, ny = this->the_case().ny;
    for (std::size_t i = 0; i < 9; ++i)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          out.at(static_cast<int>(i), std::int64_t{y} * nx + x) =
              numbers[this->strides().at(opposite[i], (x + cx[i] + nx) % nx, (y + cy[i] + ny) % ny)];
  }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  ladder::opencl::DeferredSums<real> speeds_{this->device(), this->group(), this->grid(), this->the_case().fluid_cells()};
  ladder::opencl::Kernel timestep_ = this->kernel("timestep", {{"f", this->f()}, {"speeds", speeds_.sums()}});
  int odd_ = 0;  // 1: an odd number of steps was made
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/08_tuned",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {lattice::opencl::wx_tunable(128), lattice::opencl::wy_tunable(1)},
    .constraints = lattice::opencl::group_sum_constraints(),
    .device_constraints = lattice::opencl::device_group_constraints,
    .make = ladder::make_solver<d2q9::InPlace, d2q9::Model>,
};
