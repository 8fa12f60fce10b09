#include "variants/d2q37/opencl/solver.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {37 * real, 37 * real}; }

template <class real>
class Fused final : public OpenclSolver<real> {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : OpenclSolver<real>(without_reaction(c), padded_rows<real>(c), {.group = lattice::opencl::group_shape(tuning)}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      if (this->has_walls_) wall_rows_(this->wall_cells_, {{"f", this->f()}, {"g", this->g()}});
      inner_rows_(this->inner_cells_, {{"f", this->f()}, {"g", this->g()}});
      this->swap_lattices();
      this->bound_queue(step);
    }
  }

 private:
  ladder::opencl::Kernel wall_rows_ = this->kernel("wall_rows");
  ladder::opencl::Kernel inner_rows_ = this->kernel("inner_rows");
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "d2q37/opencl/04_factored",
    .traffic = d2q37::traffic,
    .tunables = d2q37::group_tunables(),
    .device_constraints = lattice::opencl::device_group_constraints,
    .make = ladder::make_solver<d2q37::Fused, d2q37::Model>,
};
