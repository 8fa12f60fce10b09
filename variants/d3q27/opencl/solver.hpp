#pragma once

#include <limits>

#include "variants/d3q27/model.hpp"
#include "variants/d3q27/strides.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d3q27 {

extern const std::string_view shared_source;  ///< text of collide.h

/// Base class of the model's OpenCL rungs. Their kernels number the cells in one row of 32-bit numbers, and take nx, ny, nz and
/// omega under these names.
template <class real>
class OpenclSolver : public lattice::opencl::Solver<Model, real, Strides> {
 protected:
  OpenclSolver(const Case& c, const Strides& strides, const lattice::opencl::Setup& setup)
      : lattice::opencl::Solver<Model, real, Strides>(numbered(c), strides, static_cast<std::size_t>(q * c.cells()), setup,
                                                      {shared_source, ladder::opencl::common_text},
                                                      {{"nx", c.nx}, {"ny", c.ny}, {"nz", c.nz}, {"omega", real(c.omega())}}) {}

  /// The cells, in one row.
  [[nodiscard]] lattice::opencl::Shape cells() const { return {static_cast<std::size_t>(this->the_case().cells()), 1}; }

 private:
  static const Case& numbered(const Case& c) {
    if (c.cells() <= std::numeric_limits<cl_uint>::max()) return c;
    throw ladder::InputError(c.name + " has " + std::to_string(c.cells()) + " cells; the kernels number them in 32 bits");
  }
};

}  // namespace d3q27
