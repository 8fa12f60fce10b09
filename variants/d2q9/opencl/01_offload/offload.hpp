#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "variants/d2q9/opencl/solver.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {

/// Five passes over the lattice: propagate, collide, average speed (read only), and a copy each way; and three flags.
inline ladder::Traffic offload_traffic(double real) { return {45 * real + 3, 36 * real}; }

/// The device accelerates and propagates; the host rebounds, collides and averages. The lattice travels twice per step.
template <class real>
class Offload final : public OpenclSolver<real> {
 public:
  Offload(const Case& c, const ladder::Tuning&)
      : OpenclSolver<real>(c, array_of_structures(c), {.group = {16, 16}}),
        cells_(this->f().read()),
        propagated_(cells_.size()) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      this->f().write(cells_);
      this->accelerate();
      propagate_(this->grid());
      this->g().read(propagated_.data(), propagated_.size());
      rebound();
      collide();
      history_.push_back(average_speed());
    }
  }

  void store(ladder::Populations& out) override {
    this->f().write(cells_);
    OpenclSolver<real>::store(out);
  }

  std::span<const double> history() override { return history_; }

 private:
  void rebound() {
    for (std::size_t cell = 0; cell < c_.solid.size(); ++cell)
      if (c_.solid[cell] != 0)
        for (std::size_t i = 0; i < 9; ++i)
          cells_[9 * cell + i] = propagated_[9 * cell + static_cast<std::size_t>(opposite[i])];
  }

  void collide() {
    for (std::size_t cell = 0; cell < c_.solid.size(); ++cell)
      if (c_.solid[cell] == 0) {
        real f[q];
        std::copy_n(&propagated_[9 * cell], q, f);
        collide_textbook(f, omega_);
        std::copy_n(f, q, &cells_[9 * cell]);
      }
  }

  double average_speed() {
    double total = 0;
    for (int y = 0; y < c_.ny; ++y) {
      real row = 0;
      for (int x = 0; x < c_.nx; ++x)
        if (const auto cell = static_cast<std::size_t>(y) * this->grid().x + static_cast<std::size_t>(x); c_.solid[cell] == 0) {
          const auto [density, ux, uy] = moments(&cells_[9 * cell]);
          row += std::sqrt(ux * ux + uy * uy);
        }
      total += row;
    }
    return total / static_cast<double>(fluid_cells_);
  }

  const Case& c_ = this->the_case();
  const real omega_ = static_cast<real>(c_.omega);
  const std::int64_t fluid_cells_ = c_.fluid_cells();
  ladder::Numbers<real> cells_;       // [y][x][9]
  ladder::Numbers<real> propagated_;  // [y][x][9]
  ladder::opencl::Kernel propagate_ = this->kernel("propagate", {{"f", this->f()}, {"g", this->g()}});
  std::vector<double> history_;
};

}  // namespace d2q9
