#pragma once

#include "variants/d3q27/model.hpp"
#include "variants/lattice/cuda/box_solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"

namespace d3q27 {

using namespace ladder::cuda;  // names used in kernels
using lattice::cuda::box_of, lattice::cuda::row_block;
using lattice::cuda::BoxSolver, lattice::cuda::PullInPlace, lattice::cuda::Step, lattice::cuda::Steps;

/// Index of direction i among the 18 that lead east or west: 1, 2; 7 to 14; 19 to 26.
__device__ constexpr int along_x(int i) { return i < 7 ? i - 1 : i < 15 ? i - 5 : i - 9; }

/// The row to which direction i leads, among the nine rows around a cell ordered by z, then y; it comes from row 8 - row(i).
__device__ constexpr int row(int i) { return 3 * (d3q27_cz[i] + 1) + d3q27_cy[i] + 1; }

}  // namespace d3q27
