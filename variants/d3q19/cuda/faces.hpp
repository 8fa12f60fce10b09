#pragma once

#include "variants/d3q19/cuda/coded.hpp"
#include "variants/d3q19/faces.hpp"

namespace d3q19 {

/// Boundary cells of one kind beyond one face of a fluid cell. All kinds return `sign` · left + w_i · (constant + linear · c·u
/// + square · (c·u)²), which is d3q19_returned_at() without a branch for each direction.
template <class Compute>
struct FlatBoundary {
  unsigned face;  ///< as in flags_with_faces()
  Compute sign = 1, constant = 0, linear = -6, square = 0;
  Compute u[3] = {0, 0, 0};

  /// `flag`: of the fluid cell, with a face. left(i): its population i after collision.
  template <class Left>
  __device__ __forceinline__ FlatBoundary(unsigned flag, Compute speed, Left left) : face(flag >> face_shift) {
    if ((flag & D3Q19_VELOCITY) != 0) u[0] = speed;
    if ((flag & D3Q19_PRESSURE) == 0) return;
    Compute site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = left(i);
    d3q19_velocity(site, u);
    sign = -1;
    constant = -3 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    linear = 0;
    square = 9;
  }

  /// The population that returns after `left` has left in direction i.
  [[nodiscard]] __device__ Compute returned(int i, Compute left) const {
    const Compute along = static_cast<Compute>(d3q19_cx[i]) * u[0] + static_cast<Compute>(d3q19_cy[i]) * u[1] +
                          static_cast<Compute>(d3q19_cz[i]) * u[2];
    return sign * left + static_cast<Compute>(D3Q19_WEIGHT(i)) * (constant + (linear + square * along) * along);
  }

  /// Calls use(i) for each of the five directions i that lead through the face.
  template <class Use>
  __device__ __forceinline__ void for_each_direction(Use use) const {
    if (face == 1) through<1>(use);
    if (face == 2) through<2>(use);
    if (face == 3) through<3>(use);
    if (face == 4) through<4>(use);
    if (face == 5) through<5>(use);
    if (face == 6) through<6>(use);
  }

 private:
  template <int one_face, class Use>
  __device__ __forceinline__ static void through(Use use) {
#pragma unroll
    for (int i = 1; i < 19; ++i) {
      const int along = one_face <= 2 ? d3q19_cx[i] : one_face <= 4 ? d3q19_cy[i] : d3q19_cz[i];
      if (along == (one_face % 2 == 0 ? 1 : -1)) use(i);
    }
  }
};

/// The cells next to boundaries that are not flat, as encoded by Neighbourhoods.
struct UnevenCells : CodedCells {
  /// Kinds of the neighbours of the near cell (x, y, z), whose index is `cell`. Flags are read one by one for the few cells
  /// whose neighbourhood is not in the table, which takes few registers.
  template <class real>
  [[nodiscard]] __device__ __forceinline__ Neighbours around(const Step<real>& step, unsigned cell, int x, int y, int z) const {
    const unsigned code = codes[cell];
    uint2 kinds = {0, 0};
    if (code != Neighbourhoods::other) {
      kinds = table[code];
    } else {
#pragma unroll 1
      for (int i = 1; i < 19; ++i) {
        const unsigned flag = step.flags[step.to(i, x, y, z)];
        const unsigned kind = (flag & D3Q19_FLUID) != 0 ? 0 : flag & 7u;
        (i < 10 ? kinds.x : kinds.y) |= kind << 3 * (i % 10);
      }
    }
    Neighbours neighbours;
    neighbours.kinds[0] = kinds.x;
    neighbours.kinds[1] = kinds.y;
    return neighbours;
  }
};

/// Like for_each_returned(), with left(i) in place of an array of populations after collision.
template <class Compute, class Left, class Write>
__device__ __forceinline__ void for_each_returned_from(const Neighbours& neighbours, Compute speed, Left left, Write write) {
  Compute u[3] = {0, 0, 0};
  if (neighbours.have_pressure()) {
    Compute site[19];
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = left(i);
    d3q19_velocity(site, u);
  }
#pragma unroll
  for (int i = 1; i < 19; ++i)
    if (const int kind = neighbours[i]; kind != 0) write(i, d3q19_returned_at(left(i), i, kind, speed, u));
}

/// Base of the CUDA rungs whose kernels read flags_with_faces(). Base: ObstacleSolver, or a class derived from it.
template <class real, class Base = ObstacleSolver<real>>
class FacesSolver : public Base {
 protected:
  FacesSolver(const Case& c, Shape block, const lattice::Strides& strides)
      : Base(c, block, strides),
        faces_(padded_rows<std::uint8_t>(this->device_, flags_with_faces(c), c.nx, strides.y, D3Q19_INSIDE)) {}

  [[nodiscard]] Step<real> step() {
    Step<real> step = Base::step();
    step.flags = faces_.data();
    return step;
  }

 private:
  const Buffer<std::uint8_t> faces_;
};

}  // namespace d3q19
