#pragma once

#include <cstdint>
#include <limits>

#include "backends/cuda/box.hpp"
#include "backends/cuda/parts.hpp"
#include "variants/d3q27/model.hpp"
#include "variants/lattice/cuda/solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"

namespace d3q27 {

using namespace ladder::cuda;  // names that kernels use
using lattice::cuda::PullInPlace, lattice::cuda::row_block;

/// Arguments of a kernel that advances the lattice by one step.
template <class real>
struct Step {
  real* f;             ///< written
  const real* f_temp;  ///< read; f itself if the lattice is updated in place
  Sides box;
  real omega;
};

/// Arguments of a kernel that keeps the box in parts, one per block, for many steps.
template <class real>
struct Steps {
  real* f;  ///< [27][z][y][x], read before the first step and written after the last
  std::int64_t steps;
  Parts parts;
  Sides box;
  real omega;
};

/// The number of direction i among the 18 that lead to the east or west: 1, 2; 7 to 14; 19 to 26.
__device__ constexpr int along_x(int i) { return i < 7 ? i - 1 : i < 15 ? i - 5 : i - 9; }

/// Layouts of a case: f[z][y][x][27], f[27][z][y][x], and the latter with rows of whole cache lines, f[27][z][y][pitch].
inline lattice::Strides array_of_structures(const Case& c) {
  return lattice::array_of_structures<Lattice>(lattice::extents(c));
}
inline lattice::Strides structure_of_arrays(const Case& c) {
  return lattice::structure_of_arrays<Lattice>(lattice::extents(c));
}
template <class real>
lattice::Strides padded_rows(const Case& c) {
  return lattice::padded_rows<Lattice, real>(lattice::extents(c));
}

/// Sides of the box of a case.
inline Sides box_of(const Case& c) { return {c.nx, c.ny, c.nz}; }

/// Base of the solvers: what their kernels are told of a case, and the shape of their blocks.
template <class real, class Pattern = lattice::Pull>
class CudaSolver : public lattice::cuda::Solver<Model, real, Pattern> {
 protected:
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  CudaSolver(const Case& c, Shape block, const lattice::Strides& strides)
      : lattice::cuda::Solver<Model, real, Pattern>(within_limits(c, block), strides),
        box_(box_of(c)),
        block_(block),
        omega_(static_cast<real>(c.omega())) {}

  /// Arguments of the next step.
  [[nodiscard]] Step<real> step() {
    return {.f = Pattern::in_place ? this->f() : this->g(), .f_temp = this->f(), .box = box_, .omega = omega_};
  }

  const Sides box_;
  const Shape block_;
  const real omega_;

 private:
  /// The case, before memory is reserved for it.
  static const Case& within_limits(const Case& c, Shape block) {
    Device::select().require_block(block);
    if (c.cells() > std::numeric_limits<std::int32_t>::max())
      throw ladder::InputError(c.name + ": kernels number up to 2147483647 cells");
    return c;
  }
};

}  // namespace d3q27
