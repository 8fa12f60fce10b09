#pragma once

#include <cstdint>

#include "backends/cuda/box.hpp"
#include "backends/cuda/parts.hpp"
#include "variants/lattice/case.hpp"
#include "variants/lattice/cuda/solver.hpp"

namespace lattice::cuda {

/// Arguments of a kernel that advances the lattice by one step.
template <class real>
struct Step {
  real* f;             ///< lattice to write
  const real* f_temp;  ///< lattice to read; same as f if the lattice is updated in place
  ladder::cuda::Sides box;
  real omega;
};

/// Arguments of a kernel that keeps the box on the chip for many steps, one part per block.
template <class real>
struct Steps {
  real* f;  ///< [q][z][y][x], read before the first step and written after the last
  std::int64_t steps;
  ladder::cuda::Parts parts;
  ladder::cuda::Sides box;
  real omega;
};

/// Returns the size of a case's box.
template <class Case>
ladder::cuda::Sides box_of(const Case& c) {
  return {c.nx, c.ny, c.nz};
}

/// Base of solvers of a three-dimensional box whose kernels have a single relaxation rate, `omega`.
template <class Model, class real, class Pattern = Pull>
class BoxSolver : public Solver<Model, real, Pattern> {
 protected:
  using Case = typename Model::Case;
  using Shape = ladder::cuda::Shape;

  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  BoxSolver(const Case& c, Shape block, const Strides& strides)
      : Solver<Model, real, Pattern>(numbered<std::int32_t>(c), block, strides),
        box_(box_of(c)),
        omega_(static_cast<real>(c.omega())) {}

  /// Returns the arguments of the next step.
  [[nodiscard]] Step<real> step() {
    return {.f = Pattern::in_place ? this->f() : this->g(), .f_temp = this->f(), .box = box_, .omega = omega_};
  }

  const ladder::cuda::Sides box_;
  const real omega_;
};

}  // namespace lattice::cuda
