#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "variants/d2q9/opencl/device_case.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {

/// Five passes over the lattice: propagate, collide, average speed (read only), and a copy each way; and three flags.
inline ladder::Traffic offload_traffic(double real) { return {45 * real + 3, 36 * real}; }

/// The device accelerates and propagates, the host rebounds, collides and averages: the lattice travels twice a step.
template <class real>
class Offload final : public Solver {
 public:
  Offload(const Case& c, const ladder::Tuning&)
      : on_(c, {16, 16}), cells_(static_cast<std::size_t>(q * c.cells())), propagated_(cells_.size()) {
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          cells_[strides_.at(i, x, y)] = static_cast<real>(c.initial(i, x, y));
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      f_.write(cells_);
      accelerate_({on_.grid.x, 1}, f_, solid_, on_.nx, on_.ny, on_.w1, on_.w2);
      propagate_(on_.grid, f_, g_, on_.nx, on_.ny);
      g_.read(propagated_.data(), propagated_.size());
      rebound();
      collide();
      history_.push_back(average_speed());
    }
  }

  void store(ladder::Populations& out) override {
    for (std::int64_t cell = 0; cell < on_.c.cells(); ++cell)
      for (int i = 0; i < q; ++i)
        out.at(i, cell) = cells_[static_cast<std::size_t>(9 * cell + i)];
  }

  std::span<const double> history() override { return history_; }

 private:
  void rebound() {
    for (std::size_t cell = 0; cell < on_.c.solid.size(); ++cell)
      if (on_.c.solid[cell] != 0)
        for (std::size_t i = 0; i < 9; ++i)
          cells_[9 * cell + i] = propagated_[9 * cell + static_cast<std::size_t>(opposite[i])];
  }

  void collide() {
    for (std::size_t cell = 0; cell < on_.c.solid.size(); ++cell)
      if (on_.c.solid[cell] == 0) {
        real f[q];
        std::copy_n(&propagated_[9 * cell], q, f);
        collide_textbook(f, on_.omega);
        std::copy_n(f, q, &cells_[9 * cell]);
      }
  }

  double average_speed() {
    double total = 0;
    for (int y = 0; y < on_.c.ny; ++y) {
      real row = 0;
      for (int x = 0; x < on_.c.nx; ++x)
        if (const auto cell = static_cast<std::size_t>(y) * on_.grid.x + static_cast<std::size_t>(x); on_.c.solid[cell] == 0) {
          const auto [density, ux, uy] = moments(&cells_[9 * cell]);
          row += std::sqrt(ux * ux + uy * uy);
        }
      total += row;
    }
    return total / static_cast<double>(fluid_cells_);
  }

  const DeviceCase<real> on_;
  const Strides strides_ = array_of_structures(on_.c);
  const ladder::opencl::Buffer<cl_uchar> solid_ = obstacles(on_.c, on_.device);
  ladder::opencl::Buffer<real> f_ = on_.lattice();
  ladder::opencl::Buffer<real> g_ = on_.lattice();
  ladder::opencl::Kernel accelerate_ = on_.kernel("accelerate");
  ladder::opencl::Kernel propagate_ = on_.kernel("propagate");
  std::vector<real> cells_;       // [y][x][9]
  std::vector<real> propagated_;  // [y][x][9]
  std::vector<double> history_;
  const std::int64_t fluid_cells_ = on_.c.fluid_cells();
};

}  // namespace d2q9
