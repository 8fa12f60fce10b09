#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "backends/cuda/shared.hpp"
#include "backends/cuda/vectors.hpp"
#include "variants/d3q27/cuda/solver.hpp"
#include "variants/lattice/cuda/tiles.hpp"

/// Two steps per pass through memory: what kernels keep, where they read it, and their launches.
namespace d3q27 {

using lattice::cuda::Tiles;

/// Arguments of a kernel that takes one or two steps.
template <class real>
struct Pass {
  Arrays<27, real> f, f_temp;         ///< written, read: [z][y][pitch]
  unsigned pitch, plane, all_planes;  ///< elements in a row, in a plane and in all planes
  Sides box;
  int rows, planes;  ///< of a tile
  real omega;
};

/// Source locations of a cell's populations.
struct Sources {
  unsigned x[3], y[3], z[3];  ///< indexed by 1 + c, for a population that moves by c: column; row and plane, in elements

  /// For the cell at (x, y, z), which may lie one cell beyond either end of the box.
  template <class real>
  __device__ Sources(int x_, int y_, int z_, const Pass<real>& pass) {
#pragma unroll
    for (int c = -1; c <= 1; ++c) {
      x[1 + c] = lattice::cuda::wrapped_twice(x_ - c, pass.box.nx);
      y[1 + c] = lattice::cuda::wrapped_twice(y_ - c, pass.box.ny) * pass.pitch;
      z[1 + c] = lattice::cuda::wrapped_twice(z_ - c, pass.box.nz) * pass.plane;
    }
  }

  /// The location from which population i comes.
  __device__ unsigned operator()(int i) const { return z[1 + d3q27_cz[i]] + y[1 + d3q27_cy[i]] + x[1 + d3q27_cx[i]]; }

  /// The cell's own location in the plane at `plane`.
  __device__ unsigned own(unsigned plane) const { return plane + y[1] + x[1]; }

  /// Advances to the cell in the next plane.
  template <class real>
  __device__ void move_up(const Pass<real>& pass) {
    z[2] = z[1];
    z[1] = z[0];
    z[0] += pass.plane;
    if (z[0] == pass.all_planes) z[0] = 0;
  }
};

/// Offset of population i among the first-step elements that a cell keeps in shared memory for the second step: first the 9
/// that move down, then the 9 that stay in their plane, then the 9 that move up.
__device__ constexpr int kept(int i) {
  const int along_z = i < 7 ? 0 : (i + 1) / 2 - 5;  // index of its pair of directions among those that leave the plane
  return d3q27_cz[i] == 0 ? 9 + (i < 5 ? i : i - 2) : (d3q27_cz[i] < 0 ? 0 : 18) + along_z;
}

/// Base of solvers that take two steps per launch. Their tunables are lattice::cuda::tile_tunables().
template <class real>
class TwoStepBox : public BoxSolver<Model, real> {
 public:
  void advance(std::int64_t steps) override {
    for (; steps >= 2; steps -= 2) {
      twice_(two_steps_, pass());
      this->swap_lattices();
    }
    if (steps > 0) {
      once_(one_step_, pass());
      this->swap_lattices();
    }
  }

 protected:
  using Kernel = void (*)(Pass<real>);

  /// `two_steps` holds the kernels for tiles of 32 and of 64 columns, whose threads have `numbers` elements each in shared
  /// memory. `one_step` has one thread per cell.
  TwoStepBox(const Case& c, const ladder::Tuning& tuning, std::size_t numbers, std::pair<Kernel, Kernel> two_steps,
             Kernel one_step)
      : TwoStepBox::BoxSolver(c, {static_cast<std::size_t>(lattice::cuda::tiles_of(tuning).threads()), 1},
                              padded_rows<real>(c)),
        tiles_(lattice::cuda::tiles_of(tuning)),
        two_steps_(tiles_.columns == 32 ? two_steps.first : two_steps.second),
        one_step_(one_step),
        twice_{this->device_, covering(this->box_, tiles_), this->block_, this->block_.count() * numbers * sizeof(real)} {
    resident_blocks(this->device_, two_steps_, this->block_, twice_.shared);
  }

 private:
  Pass<real> pass() {
    return {.f = Arrays<27, real>::from(this->g(), this->strides_.q),
            .f_temp = Arrays<27, real>::from(this->f(), this->strides_.q),
            .pitch = static_cast<unsigned>(this->strides_.y),
            .plane = static_cast<unsigned>(this->strides_.z),
            .all_planes = static_cast<unsigned>(this->strides_.q),
            .box = this->box_,
            .rows = tiles_.rows,
            .planes = tiles_.planes,
            .omega = this->omega_};
  }

  const Tiles tiles_;
  const Kernel two_steps_, one_step_;
  const Launch twice_;
  const Launch once_ = over_cells(this->device_, this->box_, {128, 1});
};

/// Traffic of these rungs.
inline std::vector<ladder::Traffic> two_step_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  return lattice::cuda::two_step_traffic(27, real, box_of(c), lattice::cuda::tiles_of(tuning));
}

}  // namespace d3q27
