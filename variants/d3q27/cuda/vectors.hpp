#pragma once

#include "backends/cuda/cells.hpp"
#include "backends/cuda/vectors.hpp"
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {

/// Arguments of a kernel whose threads update vectors of cells.
template <class real>
struct VectorStep {
  Arrays<27, real> f, f_temp;  ///< written, read: [z][y][pitch]; identical if the lattice is updated in place
  int pitch;
  Sides box;
  real omega;
};

/// Base of solvers with such kernels.
template <class real, class Pattern = lattice::Pull>
class VectorBox : public BoxSolver<Model, real, Pattern> {
 protected:
  VectorBox(const Case& c, const ladder::Tuning& tuning)
      : VectorBox::BoxSolver(c, row_block(tuning), padded_rows<real>(c)), width_(lattice::cuda::vector_width<real>(tuning)) {}

  /// Arguments of the next step.
  [[nodiscard]] VectorStep<real> step() {
    return {.f = Arrays<27, real>::from(Pattern::in_place ? this->f() : this->g(), this->strides_.q),
            .f_temp = Arrays<27, real>::from(this->f(), this->strides_.q),
            .pitch = static_cast<int>(this->strides_.y),
            .box = this->box_,
            .omega = this->omega_};
  }

  const int width_;  ///< cells per vector
};

}  // namespace d3q27
