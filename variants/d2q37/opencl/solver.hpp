#pragma once

#include <algorithm>
#include <vector>

#include "variants/d2q37/textbook.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/opencl/solver.hpp"

namespace d2q37 {

extern const std::string_view shared_source;    ///< text of collide.h and its dependencies
extern const std::string_view stream_text;      ///< text of stream.cl
extern const std::string_view projection_text;  ///< text of projection.cl
extern const std::string_view reaction_text;    ///< text of reaction.cl

/// Base of the model's OpenCL rungs, for structures of arrays f[37][y][pitch]. Kernels take the members of Grid in stream.cl
/// and of Relaxation by name (wall_theta as theta_bottom and theta_top), as well as the first inner row as `first` and the
/// number of inner rows as `rows`.
template <class real>
class OpenclSolver : public lattice::opencl::Solver<Model, real> {
 protected:
  using Shape = lattice::opencl::Shape;

  OpenclSolver(const Case& c, const lattice::Strides& strides, const lattice::opencl::Setup& setup)
      : OpenclSolver(c, strides, setup, c.relaxation<real>()) {}

  /// Work-items for the cells of `rows` rows.
  [[nodiscard]] Shape over_rows(int rows) const {
    return {static_cast<std::size_t>(this->case_.nx), static_cast<std::size_t>(rows)};
  }

  /// Number of rows between those at the walls, and the first of them.
  static cl_int inner_rows(const Case& c) { return c.bottom_row() < 0 ? c.ny : c.ny - 2 * Case::wall_rows; }
  static cl_int first_inner_row(const Case& c) { return c.bottom_row() < 0 ? 0 : Case::wall_rows; }

  const bool has_walls_ = this->case_.bottom_row() >= 0;
  const Shape cells_ = over_rows(this->case_.ny);
  const Shape wall_cells_ = over_rows(2 * Case::wall_rows);  ///< in the rows at both walls
  const Shape inner_cells_ = over_rows(inner_rows(this->case_));

 private:
  OpenclSolver(const Case& c, const lattice::Strides& strides, const lattice::opencl::Setup& setup, const Relaxation<real>& r)
      : lattice::opencl::Solver<Model, real>(lattice::numbered<cl_int>(c), strides, setup, shared_source,
                                             {stream_text, projection_text, reaction_text},
                                             {{"nx", c.nx},
                                              {"ny", c.ny},
                                              {"pitch", static_cast<cl_int>(strides.y)},
                                              {"bottom", std::max(c.bottom_row(), 0)},
                                              {"slot", static_cast<cl_ulong>(strides.q)},
                                              {"first", first_inner_row(c)},
                                              {"rows", inner_rows(c)},
                                              {"omega", r.omega},
                                              {"kick", r.kick},
                                              {"warm", r.warm},
                                              {"wall_speed", r.wall_speed},
                                              {"theta_bottom", r.wall_theta[0]},
                                              {"theta_top", r.wall_theta[1]}}) {}
};

/// The coefficients of projection.cl in device memory.
template <class real>
struct Tables {
  ladder::opencl::Buffer<real> project;  ///< [15][37]
  ladder::opencl::Buffer<real> expand;   ///< [37][15]

  explicit Tables(const ladder::opencl::Device& device) : project(device, moments * q), expand(device, q * moments) {
    std::vector<real> to_moments, to_populations;
    for (int k = 0; k < moments; ++k)
      for (int i = 0; i < q; ++i)
        to_moments.push_back(static_cast<real>(coefficients.project[k][i] / in_cells(k)));
    for (int i = 0; i < q; ++i)
      for (int k = 0; k < moments; ++k)
        to_populations.push_back(static_cast<real>(coefficients.expand[i][k] * in_cells(k)));
    project.write(to_moments);
    expand.write(to_populations);
  }

 private:
  /// A moment in the units of textbook.hpp divided by the same in cells and steps.
  static double in_cells(int k) {
    double factor = 1;
    for (int n = 0; n < degrees(k).a + degrees(k).b; ++n)
      factor *= D2Q37_R;
    return factor;
  }
};

/// Tunables for work-groups of wx x wy work-items; by default a piece of a row.
inline std::vector<ladder::Tunable> group_tunables() {
  return {lattice::opencl::wx_tunable(64), lattice::opencl::wy_tunable(1)};
}

}  // namespace d2q37
