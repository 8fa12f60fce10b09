#pragma once

#include "variants/d3q27/model.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d3q27 {

extern const std::string_view shared_source;  ///< text of collide.h and its dependencies
extern const std::string_view pull_text;      ///< text of pull.cl

/// Base of the model's OpenCL rungs. Their kernels number the cells consecutively with 32-bit indices, and take nx, ny, nz and
/// omega by name.
template <class real, class Pattern = lattice::Pull>
class OpenclSolver : public lattice::opencl::Solver<Model, real, Pattern> {
 protected:
  OpenclSolver(const Case& c, const lattice::Strides& strides, const lattice::opencl::Setup& setup)
      : lattice::opencl::Solver<Model, real, Pattern>(lattice::numbered<cl_uint>(c), strides, setup, shared_source, {pull_text},
                                                      {{"nx", c.nx}, {"ny", c.ny}, {"nz", c.nz}, {"omega", real(c.omega())}}) {}

  const lattice::opencl::Shape cells_{static_cast<std::size_t>(this->case_.cells()), 1};  ///< in one row
};

}  // namespace d3q27
