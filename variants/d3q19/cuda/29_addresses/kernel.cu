// Idea:    addresses: where flat boundaries are follows from rows and planes that are known, without remainders
// Layout:  structure of arrays with padded rows, f[19][z][y][pitch], two copies of the lattice, two bytes per cell, a table
// Traffic: 19 values and the flags of each fluid cell read, 19 values and the returned populations written every two steps; a
//          block also reads two more planes, and a margin, mostly from the L2 cache
// Source:  A. Nguyen et al., SC 2010, as d3q19/cuda/12_two_steps; this project
// Bound:   latency of loads and barriers: registers limit a multiprocessor to 640 threads (512 in double precision)
#include "variants/d3q19/cuda/faces.hpp"
#include "variants/d3q19/cuda/two_steps.hpp"

namespace d3q19 {
namespace {

/// Streams from f_temp, collides, and writes f, one thread per cell.
template <class real>
__global__ void update(Step<real> step) {
  const auto [number, x, y, z] = own_cell(step.box);
  if (z >= step.box.nz) return;
  const unsigned cell = step.cell(x, y, z);
  const int flag = step.flags[cell];
  if ((flag & D3Q19_FLUID) == 0) return;
  real site[19];
#pragma unroll
  for (int i = 0; i < 19; ++i)
    site[i] = step.f_temp.of[i][step.from(i, x, y, z)];
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][cell] = site[i];
  if ((flag & D3Q19_NEAR) == 0) return;
  return_populations(step, site, x, y, z);
}

/// The plane below `plane`; both in elements.
template <class real>
__device__ unsigned plane_below(unsigned plane, const Step<real>& step) {
  return (plane == 0 ? step.box.nz * step.box.ny * step.pitch : plane) - step.box.ny * step.pitch;
}

/// Streams from f_temp, collides twice, and writes f. A thread takes the first step of its cell in plane z, then the second
/// step of its cell in plane z - 1, if that is in the tile: populations that move up left the first step two planes earlier,
/// and those that stay in their plane one plane earlier. In between, it loads the populations that the first step needs in the
/// next plane.
template <int columns, class real>
__global__ void __launch_bounds__(most_tile_threads(sizeof(real))) two_steps(Step<real> step, Tiles tiles, UnevenCells uneven) {
  const auto tile = tile_cell(Tiles{columns, tiles.rows, tiles.planes}, step.box);
  const int begin = blockIdx.y * tiles.planes, end = min(begin + tiles.planes, step.box.nz);
  constexpr int numbers = Kept::numbers<real>, next_row = columns + 2;  // in cells
  real* const own = shared_memory<real>() + tile.number * numbers;
  Sources from(tile.x, tile.y, begin - 1, step);
  const auto byte_of = [&](unsigned plane) -> unsigned { return step.flags[from.own(plane)]; };
  // Flags of the cells in planes z - 1 to z + 1, the first in the lowest byte; loaded early, because other loads depend on
  // them.
  unsigned bytes = byte_of(from.z[1]) << 8 | byte_of(from.z[0]) << 16;
  const auto byte = [&](int plane) { return bytes >> 8 * (plane + 1) & 0xffu; };
  real ahead[19];  // populations arriving in the cell in plane z
  const auto load = [&] {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      ahead[i] = step.f_temp.of[i][from(i)];
  };
  if ((byte(0) & D3Q19_FLUID) != 0) load();
  Kept kept;
#pragma unroll 1
  for (int z = begin - 1; z <= end; ++z) {
    real site[19];
    if ((byte(0) & D3Q19_FLUID) != 0) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        site[i] = ahead[i];
      d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
      for (int i = 0; i < 19; ++i)
        own[kept.place(i, 0)] = site[i];
    }
    const unsigned plane = from.z[2], cell = from.own(plane), below = byte(-1);
    from.move_up(step);
    if (z < end && (byte(1) & D3Q19_FLUID) != 0) load();
    const unsigned next = byte_of(from.z[0]);  // used only after the second step: to wait for it is to wait for load()
    const bool second = tile.in_tile && z > begin && (below & D3Q19_FLUID) != 0, near = (below & D3Q19_NEAR) != 0;
    const bool flat = below >> face_shift != 0;
    const auto arrive = [&](int i) {
      const real* const neighbour = own - (d3q19_cy[i] * next_row + d3q19_cx[i]) * numbers;
      site[i] = neighbour[kept.place(i, 1 + d3q19_cz[i])];
    };
    if (second) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (d3q19_cz[i] >= 0) arrive(i);
    }
    __syncthreads();
    if (second) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        if (d3q19_cz[i] < 0) arrive(i);
      const auto left = [&](int i) { return own[kept.place(i, 1)]; };  // of this cell after the first step
      if (flat) {
        const FlatBoundary<real> boundary(below, step.speed, left);
        boundary.for_each_direction([&](int i) { site[d3q19_opposite[i]] = boundary.returned(i, left(i)); });
      } else if (near) {
        for_each_returned_from(uneven.around(step, cell, tile.x, tile.y, z - 1), step.speed, left,
                               [&](int i, real returned) { site[d3q19_opposite[i]] = returned; });
      }
      d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
      for (int i = 0; i < 19; ++i)
        step.f.of[i][cell] = site[i];
      const unsigned planes[] = {plane_below(plane, step), plane, from.z[2]};  // z - 2 to z
      const auto leave = [&](int i, real returned) {
        const unsigned to = planes[1 + d3q19_cz[i]] + from.y[1 - d3q19_cy[i]] + from.x[1 - d3q19_cx[i]];
        step.f.of[d3q19_opposite[i]][to] = returned;
      };
      const auto now = [&](int i) { return site[i]; };
      if (flat) {
        const FlatBoundary<real> boundary(below, step.speed, now);
        boundary.for_each_direction([&](int i) { leave(i, boundary.returned(i, site[i])); });
      } else if (near) {
        for_each_returned_from(uneven.around(step, cell, tile.x, tile.y, z - 1), step.speed, now, leave);
      }
    }
    bytes = bytes >> 8 | next << 16;
    kept.move_up();
  }
}

template <class real>
using Base = TwoStepSolver<real, FacesSolver<real, CodedSolver<real>>>;

template <class real>
class Tunnel final : public Base<real> {
 public:
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::TwoStepSolver(c, tuning) {}

  void advance(std::int64_t steps) override {
    for (; steps >= 2; steps -= 2) {
      this->over_tiles_(two_steps_, this->step(), this->tiles_, UnevenCells{this->cells()});
      this->swap_lattices();
    }
    if (steps > 0) {
      this->over_(update<real>, this->step());
      this->swap_lattices();
    }
  }

 private:
  void (*const two_steps_)(Step<real>, Tiles, UnevenCells) = this->kernel(two_steps<32, real>, two_steps<64, real>,
                                                                          two_steps<128, real>);
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/24_faces_codes",
    .traffic = d3q19::two_step_traffic,
    .tunables = d3q19::two_step_tunables({.columns = 64, .rows = 7, .planes = 32}),
    .constraints = d3q19::two_step_constraints(),
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
