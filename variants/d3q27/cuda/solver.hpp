#pragma once

#include "variants/d3q27/model.hpp"
#include "variants/lattice/cuda/box_solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"

namespace d3q27 {

using namespace ladder::cuda;  // names that kernels use
using lattice::cuda::box_of, lattice::cuda::row_block;
using lattice::cuda::BoxSolver, lattice::cuda::PullInPlace, lattice::cuda::Step, lattice::cuda::Steps;

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

}  // namespace d3q27
