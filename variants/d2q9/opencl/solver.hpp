#pragma once

#include "backends/opencl/flags.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d2q9 {

extern const std::string_view shared_source;    ///< text of collide.h and what it needs
extern const std::string_view drive_text;       ///< text of drive.cl
extern const std::string_view accelerate_text;  ///< text of accelerate.cl

/// What the model's OpenCL rungs share: the obstacles, and the force on the driven row. Kernels of a rung take nx, ny,
/// solid[y][pitch] (1 solid), pitch, omega, w1 and w2 under these names.
template <class real, class Pattern = lattice::Pull>
class OpenclSolver : public lattice::opencl::Solver<Model, real, Pattern> {
  using Base = lattice::opencl::Solver<Model, real, Pattern>;

 protected:
  OpenclSolver(const Case& c, const lattice::Strides& strides, const lattice::opencl::Setup& setup)
      : Base(c, strides, setup, texts(setup.width),
             {{"nx", c.nx}, {"ny", c.ny}, {"omega", real(c.omega)}, {"w1", real(c.w1())}, {"w2", real(c.w2())}}),
        pitch_(strides.x == 1 ? static_cast<int>(strides.y) : c.nx),
        solid_(ladder::opencl::padded_flags(this->device_, c.solid, grid_.x, static_cast<std::size_t>(pitch_))) {
    this->arguments_.insert(this->arguments_.end(), {{"solid", solid_}, {"pitch", pitch_}});
    const auto program = ladder::opencl::build(this->device_, {shared_source, lattice::opencl::places_text, accelerate_text},
                                               {{"real", std::string(ladder::opencl::number_name<real>())}});
    for (int phase = 0; phase < Pattern::phases; ++phase) {
      const auto places = lattice::places<Lattice, Pattern>(lattice::extents(c), strides, phase);
      places_.push_back(lattice::opencl::on_device(this->device_, places));
      accelerate_.emplace_back(this->device_, program, "accelerate", lattice::opencl::Shape{64, 1}, this->arguments_);
      accelerate_.back().bind({{"places", places_.back()}, {"row", c.accelerated_row()}});
    }
  }

  /// Accelerates the driven row, if there is one.
  void accelerate() {
    if (this->case_.accelerated_row() < 0) return;
    accelerate_[static_cast<std::size_t>(this->phase_)]({grid_.x, 1}, {{"f", this->f()}});
  }

  /// The row that step number `step` accelerates for the next one of `steps`; -1, none, in the last.
  [[nodiscard]] int driven(std::int64_t step, std::int64_t steps) const {
    return step < steps ? this->case_.accelerated_row() : -1;
  }

  const lattice::opencl::Shape grid_{static_cast<std::size_t>(this->case_.nx), static_cast<std::size_t>(this->case_.ny)};

 private:
  // If the kernels work on vectors, so does the shared collision.
  static std::vector<std::string_view> texts(int width) {
    using namespace ladder::opencl;
    if (width == 1) return {shared_source, common_text, lanes_text, drive_text};
    return {"#define LBM_LANES\n#undef real\n#define real lanes\n",
            shared_source,
            "#undef real\n#define real number\n",
            common_text,
            lanes_text,
            drive_text};
  }

  const int pitch_;  ///< of rows, in cells
  const lattice::opencl::Buffer<cl_uchar> solid_;
  std::vector<lattice::opencl::Buffer<cl_long>> places_;  ///< before each phase of the pattern
  std::vector<lattice::opencl::Kernel> accelerate_;       ///< the same
};

}  // namespace d2q9
