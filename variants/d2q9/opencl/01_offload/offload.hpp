#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "variants/d2q9/opencl/solver.hpp"
#include "variants/d2q9/textbook.hpp"

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
      rebound();
      collide();
      history_.push_back(average_speed());
      this->f().write(cells_);
    }
  }

  std::span<const double> history() override { return history_; }

 private:
  void rebound() {
    for (std::size_t cell = 0; cell < c_.solid.size(); ++cell)
      if (c_.solid[cell] != 0)
        for (std::size_t i = 0; i < 9; ++i)
          cells_[9 * cell + i] = propagated_[9 * cell + static_cast<std::size_t>(d2q9_opposite[i])];
  }

  void collide() {
    const auto omega = static_cast<real>(c_.omega);
    for (std::size_t cell = 0; cell < c_.solid.size(); ++cell)
      if (c_.solid[cell] == 0) {
        real f[q];
        std::copy_n(&propagated_[9 * cell], q, f);
        collide_textbook(f, omega);
        std::copy_n(f, q, &cells_[9 * cell]);
      }
  }

  double average_speed() {
    double total = 0;
    for (int y = 0; y < c_.ny; ++y) {
      real row = 0;
      for (int x = 0; x < c_.nx; ++x)
        if (const auto cell = static_cast<std::size_t>(y) * this->grid_.x + static_cast<std::size_t>(x); c_.solid[cell] == 0) {
          const auto [density, ux, uy] = moments(&cells_[9 * cell]);
          row += std::sqrt(ux * ux + uy * uy);
        }
      total += row;
    }
    return total / static_cast<double>(fluid_cells_);
  }

  const Case& c_ = this->case_;
  const std::int64_t fluid_cells_ = c_.fluid_cells();
  std::vector<real> cells_ = std::vector<real>(static_cast<std::size_t>(q * c_.cells()));  // [y][x][9]
  std::vector<real> propagated_ = std::vector<real>(cells_.size());                        // [y][x][9]
  ladder::opencl::Kernel propagate_ = this->kernel("propagate", {{"f", this->f()}, {"g", this->g()}});
  std::vector<double> history_;
};

}  // namespace d2q9
