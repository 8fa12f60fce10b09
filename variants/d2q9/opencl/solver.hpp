#pragma once

#include "backends/opencl/flags.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d2q9 {

extern const std::string_view shared_source;  ///< text of collide.h and its dependencies
extern const std::string_view drive_text, pull_text, accelerate_text;

/// Base of the model's OpenCL rungs: the obstacles, and the force on the driven row. A rung's kernels take nx, ny,
/// solid[y][pitch] (1 solid), pitch, omega, w1 and w2 under these names.
template <class real, class Pattern = lattice::Pull>
class OpenclSolver : public lattice::opencl::Solver<Model, real, Pattern> {
 protected:
  OpenclSolver(const Case& c, const lattice::Strides& strides, const lattice::opencl::Setup& setup)
      : lattice::opencl::Solver<Model, real, Pattern>(
            c, strides, setup, shared_source, {drive_text, pull_text},
            {{"nx", c.nx}, {"ny", c.ny}, {"omega", real(c.omega)}, {"w1", real(c.w1())}, {"w2", real(c.w2())}}),
        pitch_(strides.x == 1 ? static_cast<int>(strides.y) : c.nx),
        solid_(ladder::opencl::padded_flags(this->device_, c.solid, grid_.x, static_cast<std::size_t>(pitch_))),
        accelerate_(this->device_,
                    ladder::opencl::build(this->device_, {shared_source, lattice::opencl::places_text, accelerate_text},
                                          {{"real", std::string(ladder::opencl::number_name<real>())}}),
                    "accelerate", {64, 1}, this->arguments_) {
    this->arguments_.insert(this->arguments_.end(), {{"solid", solid_}, {"pitch", pitch_}});
    accelerate_.bind({{"solid", solid_}, {"pitch", pitch_}, {"row", c.accelerated_row()}});
    for (int phase = 0; phase < Pattern::phases; ++phase)
      places_.push_back(
          lattice::opencl::on_device(this->device_, lattice::places<Lattice, Pattern>(lattice::extents(c), strides, phase)));
  }

  /// Accelerates the driven row, if there is one.
  void accelerate() {
    if (this->case_.accelerated_row() < 0) return;
    accelerate_({grid_.x, 1}, {{"f", this->f()}, {"places", places_[static_cast<std::size_t>(this->phase_)]}});
  }

  /// Returns the row that step `step` of `steps` accelerates for the next one, or -1 (none) in the last step.
  [[nodiscard]] int driven(std::int64_t step, std::int64_t steps) const {
    return step < steps ? this->case_.accelerated_row() : -1;
  }

  const lattice::opencl::Shape grid_{static_cast<std::size_t>(this->case_.nx), static_cast<std::size_t>(this->case_.ny)};

 private:
  const int pitch_;  ///< of rows, in cells
  const lattice::opencl::Buffer<cl_uchar> solid_;
  lattice::opencl::Kernel accelerate_;
  std::vector<lattice::opencl::Buffer<cl_long>> places_;  ///< of the state before each phase of the pattern
};

}  // namespace d2q9
