#pragma once

#include <vector>

#include "variants/d2q9/model.hpp"
#include "variants/lattice/openacc/solver.hpp"

namespace d2q9 {

using ladder::openacc::Buffer;

/// Accessors for constant tables, for use in offloaded loops. A loop copies each array that it names directly to the GPU and
/// back, and constants cannot be written; an array that a function names is part of the GPU code.
[[gnu::always_inline]] inline int cx(int i) { return d2q9_cx[i]; }
[[gnu::always_inline]] inline int cy(int i) { return d2q9_cy[i]; }
[[gnu::always_inline]] inline int opposite(int i) { return d2q9_opposite[i]; }

/// The parameters of a case that loops take by value.
template <class real>
struct Problem {
  int nx, ny;
  int driven;  ///< the row to accelerate, or -1 for none
  real omega, w1, w2;
};

/// Layouts of whole rows: the index of population i of cell (x, y).
struct Structures {
  [[gnu::always_inline]] static std::int64_t at(int i, int x, int y, int nx, int /*ny*/) {
    return 9 * (std::int64_t{y} * nx + x) + i;
  }
};
struct Arrays {
  [[gnu::always_inline]] static std::int64_t at(int i, int x, int y, int nx, int ny) {
    return (std::int64_t{i} * ny + y) * nx + x;
  }
};

/// Reads the populations that arrive in cell (x, y); both axes wrap around.
template <class Layout, class real>
[[gnu::always_inline]] inline void pull(const real* from, int x, int y, int nx, int ny, real* f) {
  const int west = x > 0 ? x - 1 : nx - 1, east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1, north = y < ny - 1 ? y + 1 : 0;
  f[0] = from[Layout::at(0, x, y, nx, ny)];
  f[1] = from[Layout::at(1, west, y, nx, ny)];
  f[2] = from[Layout::at(2, x, south, nx, ny)];
  f[3] = from[Layout::at(3, east, y, nx, ny)];
  f[4] = from[Layout::at(4, x, north, nx, ny)];
  f[5] = from[Layout::at(5, west, south, nx, ny)];
  f[6] = from[Layout::at(6, east, south, nx, ny)];
  f[7] = from[Layout::at(7, east, north, nx, ny)];
  f[8] = from[Layout::at(8, west, north, nx, ny)];
}

/// Accelerates the fluid cells of a row.
template <class Layout, class real>
void accelerate_row(real* f, const std::uint8_t* solid, const Problem<real>& problem) {
  const Problem<real> c = problem;
#if defined(_OPENACC)
#pragma acc parallel loop gang worker vector num_workers(4) vector_length(32) deviceptr(f, solid) firstprivate(c) async(1)
#else
#pragma omp target teams distribute parallel for simd is_device_ptr(f, solid) firstprivate(c)
#endif
  for (int x = 0; x < c.nx; ++x)
    if (solid[std::int64_t{c.driven} * c.nx + x] == 0) {
      real s[9];
#pragma GCC unroll 9
      for (int i = 0; i < 9; ++i)
        s[i] = f[Layout::at(i, x, c.driven, c.nx, c.ny)];
      d2q9_accelerate(s, c.w1, c.w2);
#pragma GCC unroll 9
      for (int i = 0; i < 9; ++i)
        f[Layout::at(i, x, c.driven, c.nx, c.ny)] = s[i];
    }
}

/// Base of the solvers: the obstacles on the device, and the history.
template <class Layout, class real>
class AccSolver : public lattice::openacc::Solver<Model, real> {
 public:
  std::span<const double> history() override { return history_; }

 protected:
  AccSolver(const Case& c, const lattice::Strides& strides) : lattice::openacc::Solver<Model, real>(c, strides) {
    solid_.write(this->case_.solid);
  }

  /// Returns the problem of a step, which accelerates the driven row if there is one and `drives` is set.
  [[nodiscard]] Problem<real> problem(bool drives) const {
    return {this->case_.nx,
            this->case_.ny,
            drives ? this->case_.accelerated_row() : -1,
            static_cast<real>(this->case_.omega),
            static_cast<real>(this->case_.w1()),
            static_cast<real>(this->case_.w2())};
  }
  /// Accelerates the driven row for the first step.
  void accelerate() {
    if (this->case_.accelerated_row() >= 0) accelerate_row<Layout>(this->f(), solid_.data(), problem(true));
  }

  Buffer<std::uint8_t> solid_{this->device_, this->case_.solid.size()};  ///< [y][x]: 1 solid, 0 fluid
  const double fluid_cells_ = static_cast<double>(this->case_.fluid_cells());
  std::vector<double> history_;
};

}  // namespace d2q9
