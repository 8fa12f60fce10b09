#pragma once

#include <vector>

#include "variants/d2q9/opencl/solver.hpp"
#include "variants/d2q9/skeleton.hpp"

namespace d2q9 {

/// Five passes over the lattice: propagate, collide, average speed (read only), and one copy in each direction; plus three
/// flags.
inline ladder::Traffic offload_traffic(double real) { return {45 * real + 3, 36 * real}; }

/// The device accelerates and propagates; the host rebounds, collides and averages. The lattice is copied twice per step.
template <class real>
class Offload final : public OpenclSolver<real> {
 public:
  Offload(const Case& c, const ladder::Tuning&) : OpenclSolver<real>(c, array_of_structures(c), {.group = {16, 16}}) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->accelerate();
      propagate_(this->grid_);
      this->g().read(propagated_.data(), propagated_.size());
      rebound_on_host(c_, propagated_, cells_);
      collide_on_host(c_, propagated_, cells_);
      history_.push_back(speeds_on_host(c_, cells_) / static_cast<double>(fluid_cells_));
      this->f().write(cells_);
    }
  }

  std::span<const double> history() override { return history_; }

 private:
  const Case& c_ = this->case_;
  const std::int64_t fluid_cells_ = c_.fluid_cells();
  std::vector<real> cells_ = std::vector<real>(static_cast<std::size_t>(q * c_.cells()));  // [y][x][9]
  std::vector<real> propagated_ = std::vector<real>(cells_.size());                        // [y][x][9]
  ladder::opencl::Kernel propagate_ = this->kernel("propagate", {{"f", this->f()}, {"g", this->g()}});
  std::vector<double> history_;
};

}  // namespace d2q9
