// Idea:    a single launch: all steps, of concurrently running blocks; a grid barrier separates the steps
// Layout:  structure of arrays, f[19][z][y][x], a single copy of the lattice, one byte of flags per cell
// Traffic: 19 values of each fluid cell read and written, and the returned populations written, in the L2 cache
// Source:  CUDA C++ Programming Guide, cooperative groups
// Bound:   latency of the grid barrier, twice per step
#include "variants/d3q19/cuda/resident.hpp"

namespace d3q19 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{19 * real * of.fluid, (19 * of.fluid + of.returned) * real, "l2"}};
}

/// Maximum cells per block, one per thread, limited by the registers that an update needs.
constexpr int most_cells = 512;

/// Advances f by `steps` steps, at least one. Between two steps, all threads read f before any of them writes to the locations
/// to which populations move, and all write before any reads the populations that arrived in its cell. A returned population
/// goes to the cell itself, in place of the one that a boundary cell does not send.
template <class real>
__global__ void __launch_bounds__(most_cells, 1) timesteps(Steps<real> all) {
  const Step<real>& step = all.step;
  const Sides box = step.box;
  const int pitch = threads_of_row(box.nx);
  const auto [x, y, z, inside] = own_cell(all.parts, box, pitch);
  const unsigned own = inside ? step.cell(x, y, z) : 0;
  const int flag = inside ? step.flags[own] : 0;
  const bool fluid = (flag & D3Q19_FLUID) != 0, near = (flag & D3Q19_NEAR) != 0;

  Neighbours neighbours;
  real site[19];
  if (fluid) {
    if (near) neighbours = Neighbours(step, x, y, z);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = step.f.of[i][step.from(i, x, y, z)];
  }
  cooperative_groups::this_grid().sync();  // all threads have read f

  for (std::int64_t n = 1; n < all.steps; ++n) {
    if (fluid) {
      d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
      for (int i = 0; i < 19; ++i)
        step.f.of[i][step.to(i, x, y, z)] = site[i];
      if (near)
        for_each_returned(neighbours, site, step.speed,
                          [&](int i, real returned) { step.f.of[d3q19_opposite[i]][own] = returned; });
    }
    cooperative_groups::this_grid().sync();
    if (fluid) {
#pragma unroll
      for (int i = 0; i < 19; ++i)
        site[i] = step.f.of[i][own];
    }
    cooperative_groups::this_grid().sync();
  }

  if (!fluid) return;
  d3q19_collide(site, step.omega, step.omega_minus);
#pragma unroll
  for (int i = 0; i < 19; ++i)
    step.f.of[i][own] = site[i];
  if (near) return_populations(step, site, x, y, z);
}

template <class real>
struct Tunnel final : PartsSolver<real> {
  Tunnel(const Case& c, const ladder::Tuning& tuning) : Tunnel::PartsSolver(c, tuning, timesteps<real>, most_cells, 0) {}
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/04_fused",
    .traffic = d3q19::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::parts_tunable()},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
