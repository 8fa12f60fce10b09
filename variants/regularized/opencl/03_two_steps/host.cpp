#include "variants/regularized/opencl/solver.hpp"

namespace regularized {
namespace {

/// Tiles that fit in 48 KiB of local memory, chosen by trial on an H200.
constexpr TileShape own_tile(std::size_t bytes) { return {q == 27 && bytes == 8 ? 16 : 32, 8}; }

template <class real>
class PeriodicBox final : public Marching<2, real> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : Marching<2, real>(c, tuning, own_tile(sizeof(real))) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t pass = 0; pass < steps / 2; ++pass) {
      this->pass();
      this->bound_queue(pass);
    }
    if (steps % 2 != 0) this->update(update_);
  }

 private:
  Kernel update_ = this->kernel("update");
};

}  // namespace
}  // namespace regularized

const regularized::Rung regularized::rung = {
    .follows = REGULARIZED_RUNG("opencl/02_tile"),
    .traffic = regularized::march_traffic<2>,
    .lattices = 2.0 * regularized::numbers / regularized::q,
    .tunables = regularized::march_tunables(),
    .constraints = regularized::march_constraints(),
    .make = ladder::make_solver<regularized::PeriodicBox, regularized::Model>,
};
