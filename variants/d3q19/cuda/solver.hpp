#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/cuda/box.hpp"
#include "backends/cuda/read_only.hpp"
#include "backends/cuda/vectors.hpp"
#include "variants/d3q19/model.hpp"
#include "variants/d3q19/traffic.hpp"
#include "variants/lattice/case.hpp"
#include "variants/lattice/cuda/solver.hpp"
#include "variants/lattice/cuda/tunables.hpp"
#include "variants/lattice/storage.hpp"

namespace d3q19 {

using namespace ladder::cuda;  // names used in kernels
using lattice::cuda::row_block;

/// Arguments of a kernel that advances the lattice by one step. Cell (x, y, z) has index (z * ny + y) * pitch + x in the flags
/// and in each direction.
template <class real>
struct Step {
  using Compute = lattice::Compute<real>;

  Arrays<19, real> f;             ///< written
  Arrays<19, const real> f_temp;  ///< read; same as f if the lattice is updated in place
  ReadOnly<std::uint8_t> flags;   ///< as returned by flags(); D3Q19_INSIDE beyond the end of a row
  Sides box;
  unsigned pitch;
  Compute omega, omega_minus, speed;

  /// Index of cell (x, y, z); each coordinate may lie one cell beyond either end, and wraps.
  __device__ unsigned cell(int x, int y, int z) const {
    return static_cast<unsigned>(wrapped(z, box.nz) * box.ny + wrapped(y, box.ny)) * pitch +
           static_cast<unsigned>(wrapped(x, box.nx));
  }
  /// Index of the cell to which population i goes from cell (x, y, z).
  __device__ unsigned to(int i, int x, int y, int z) const { return cell(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]); }
  /// Index of the cell from which population i arrives in cell (x, y, z).
  __device__ unsigned from(int i, int x, int y, int z) const { return cell(x - d3q19_cx[i], y - d3q19_cy[i], z - d3q19_cz[i]); }
};

/// Kinds of the boundary cells around the fluid cell (x, y, z), 3 bits for each direction i; 0 for fluid. All are loaded before
/// any is needed.
struct Neighbours {
  unsigned kinds[2] = {0, 0};

  /// All neighbours are fluid.
  Neighbours() = default;
  template <class real>
  __device__ Neighbours(const Step<real>& step, int x, int y, int z) {
#pragma unroll
    for (int i = 1; i < 19; ++i)
      kinds[i / 10] |= (step.flags[step.to(i, x, y, z)] & 7u) << 3 * (i % 10);
  }
  /// Whether any neighbour is of kind PRESSURE.
  [[nodiscard]] __device__ bool have_pressure() const { return ((kinds[0] | kinds[1]) & 04444444444u) != 0; }
  /// The kind in direction i; 0 for fluid.
  [[nodiscard]] __device__ int operator[](int i) const { return static_cast<int>(kinds[i / 10] >> 3 * (i % 10) & 7); }
};
static_assert(D3Q19_PRESSURE == 4 && (D3Q19_WALL | D3Q19_VELOCITY | D3Q19_PRESSURE) == 7);

/// For a fluid cell with these `neighbours` and post-collision populations `site`, calls write(i, returned) for each direction
/// i that leads to a boundary cell. `returned` comes back from there in the direction opposite to i.
template <class Compute, class Write>
__device__ __forceinline__ void for_each_returned(const Neighbours& neighbours, const Compute (&site)[19], Compute speed,
                                                  Write write) {
  Compute u[3] = {0, 0, 0};
  if (neighbours.have_pressure()) d3q19_velocity(site, u);
#pragma unroll
  for (int i = 1; i < 19; ++i)
    if (const int kind = neighbours[i]; kind != 0) write(i, d3q19_returned_at(site[i], i, kind, speed, u));
}

/// The same, but a neighbour's flag is read only when it is needed, which takes fewer registers.
template <class real, class Write>
__device__ __forceinline__ void for_each_returned(const Step<real>& step, const lattice::Compute<real> (&site)[19], int x,
                                                  int y, int z, Write write) {
#pragma unroll
  for (int i = 1; i < 19; ++i) {
    const int kind = step.flags[step.to(i, x, y, z)];
    if ((kind & D3Q19_FLUID) == 0) write(i, d3q19_returned(site, i, kind, step.speed));
  }
}

/// Writes the returned populations of the near cell (x, y, z), whose post-collision populations are `site`, into the boundary
/// cells around it.
template <class real>
__device__ __forceinline__ void return_populations(const Step<real>& step, const lattice::Compute<real> (&site)[19], int x,
                                                   int y, int z) {
  using Compute = lattice::Compute<real>;
  for_each_returned(step, site, x, y, z, [&](int i, Compute returned) {
    step.f.of[d3q19_opposite[i]][step.to(i, x, y, z)] = lattice::Storage<real>::store(returned);
  });
}

/// Locations of a state, for any layout and pattern: population i that left cell (x, y, z), whose coordinates may lie one cell
/// beyond either end, and wrap.
template <class real>
struct AnyPlaces {
  Step<real> step;
  real* f;
  lattice::Places places;
  __device__ real& operator()(int i, int x, int y, int z) const {
    return f[places(i, wrapped(x, step.box.nx), wrapped(y, step.box.ny), wrapped(z, step.box.nz))];
  }
};

/// Coordinates of a cell in a box, given its index without padding.
__device__ inline FirstCell place_of(std::uint32_t cell, Sides box) {
  const int row = static_cast<int>(cell / box.nx);
  return {static_cast<int>(cell % box.nx), row % box.ny, row / box.ny};
}

/// Writes the returned populations of the fluid cells listed in `near`, in their initial state, into the boundary cells, one
/// thread per near cell.
template <class real>
__global__ void fill(AnyPlaces<real> place, const std::uint32_t* near, unsigned count) {
  const auto& step = place.step;
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const auto [x, y, z] = place_of(near[k], step.box);
  using Storage = lattice::Storage<real>;
  using Compute = typename Storage::Compute;
  Compute site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = Storage::load(place(i, x, y, z));
  for_each_returned(Neighbours(step, x, y, z), site, step.speed, [&, x = x, y = y, z = z](int i, Compute returned) {
    place(d3q19_opposite[i], x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]) = Storage::store(returned);
  });
}

/// Base of the CUDA rungs: adds cell flags and boundaries to the lattices. Between calls of advance(), boundary cells hold the
/// populations that come back from them.
template <class real, class Pattern = lattice::Pull>
class ObstacleSolver : public lattice::cuda::Solver<Model, real, Pattern> {
  using Base = lattice::cuda::Solver<Model, real, Pattern>;

 public:
  void load(const ladder::Populations& in) override {
    Base::load(in);
    fill_boundaries();
  }

 protected:
  /// Writes the initial state. @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  ObstacleSolver(const Case& c, Shape block, const lattice::Strides& strides)
      : Base(lattice::numbered<std::int32_t>(c), block, strides), box_{c.nx, c.ny, c.nz}, flags_(this->device_, 0) {
    const std::vector<std::uint8_t> all = d3q19::flags(c);
    flags_ = ladder::cuda::padded_rows<std::uint8_t>(this->device_, all, c.nx, strides.y, D3Q19_INSIDE);
    const std::vector<std::uint32_t> near = near_cells(all);
    if (!near.empty()) near_.emplace(this->device_, near.size()).write(near);
    fill_boundaries();
  }

  /// Arguments of the next step.
  [[nodiscard]] Step<real> step() {
    using Compute = lattice::Compute<real>;
    real* const written = Pattern::in_place ? this->f() : this->g();
    return {.f = Arrays<19, real>::from(written, this->strides_.q),
            .f_temp = Arrays<19, const real>::from(this->f(), this->strides_.q),
            .flags = flags_.data(),
            .box = box_,
            .pitch = static_cast<unsigned>(this->strides_.y),
            .omega = static_cast<Compute>(this->case_.omega()),
            .omega_minus = static_cast<Compute>(this->case_.omega_minus()),
            .speed = static_cast<Compute>(this->case_.speed)};
  }

  /// Queues `kernel`, one thread per near cell, if there are any. Its arguments are `first`, the indices of these cells,
  /// without padding, and their count.
  template <class First>
  void over_near(void (*kernel)(First, const std::uint32_t*, unsigned), const First& first) {
    if (!near_) return;
    const auto count = static_cast<unsigned>(near_->size());
    over(this->device_, {count, 1}, {128, 1})(kernel, first, near_->data(), count);
  }

  const Sides box_;

 private:
  void fill_boundaries() { over_near(fill<real>, {step(), this->f(), this->places()}); }

  Buffer<std::uint8_t> flags_;                 ///< [z][y][pitch]
  std::optional<Buffer<std::uint32_t>> near_;  ///< near_cells(), if there are any
};

}  // namespace d3q19
