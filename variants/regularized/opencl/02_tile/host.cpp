#include "variants/regularized/opencl/solver.hpp"

namespace regularized {
namespace {

template <class real>
class PeriodicBox final : public Marching<1, real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : Marching<1, real>(c, tuning, q == 27 && sizeof(real) == 8 ? TileShape{32, 4} : TileShape{32, 8}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->pass();
      this->bound_queue(step);
    }
  }
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("opencl/01_moments"),
    .traffic = regularized::march_traffic<1>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables(),
    .constraints = regularized::march_constraints(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
