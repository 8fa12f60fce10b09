// Idea:    lanes: three threads share a cell, one for each direction along z, and combine partial sums by shuffles
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: 27 values read and 27 written in shared memory; those that leave a block's part are written to another block's
// Source:  NVIDIA CUDA C++ Programming Guide, "Warp Shuffle Functions"
// Bound:   the cluster barrier and the latency of a third of a collision; on larger boxes, arithmetic of 16 multiprocessors
#include "variants/d3q27/cuda/lanes.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "shared"}; }

/// Index of a direction among the nine with the same velocity along z.
__device__ constexpr int in_plane(int cx, int cy) { return (cy + 1) * 3 + cx + 1; }

/// Sum over the three lanes of a cell, which all obtain the same result, and the difference of the upward and downward parts.
template <class real>
struct Sum {
  real all, up;

  __device__ explicit Sum(real mine) {
    const int lane = threadIdx.x % 32 % cells_of_warp;
    const real below = __shfl_sync(0xffffffffu, mine, lane);
    const real level = __shfl_sync(0xffffffffu, mine, lane + cells_of_warp);
    const real above = __shfl_sync(0xffffffffu, mine, lane + 2 * cells_of_warp);
    all = below + level + above;
    up = above - below;
  }
};

/// Relaxes the nine populations of a cell that move by `cz` along z, as d3q27_collide() does; the whole warp must take part.
template <class real>
__device__ void collide(real* f, real cz, real omega) {
  const Sum<real> excess(((f[0] + f[1]) + (f[2] + f[3])) + ((f[4] + f[5]) + (f[6] + f[7])) + f[8]);
  const Sum<real> x((f[2] - f[0]) + (f[5] - f[3]) + (f[8] - f[6]));
  const Sum<real> y((f[6] - f[0]) + (f[7] - f[1]) + (f[8] - f[2]));
  const real rho = 1 + excess.all;
  const real per_rho = 1 / rho;
  const real ux = x.all * per_rho;
  const real uy = y.all * per_rho;
  const real uz = excess.up * per_rho;

  const real keep = 1 - omega;
  const real rest = excess.all * per_rho - static_cast<real>(1.5) * (ux * ux + uy * uy + uz * uz);
  const real w = omega * rho;
  const auto of_plane = [&](double level, double other) { return w * static_cast<real>(cz == 0 ? level : other); };
  const real weights[3] = {of_plane(8.0 / 27.0, 2.0 / 27.0), of_plane(2.0 / 27.0, 1.0 / 54.0),
                           of_plane(1.0 / 54.0, 1.0 / 216.0)};
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    const int cx = i % 3 - 1, cy = i / 3 - 1;
    const real along = cz * uz + (cx * ux + cy * uy);
    f[i] = keep * f[i] + weights[cx * cx + cy * cy] * (rest + along * (3 + static_cast<real>(4.5) * along));
  }
}

/// Advances f by `steps` steps, at least one. The last step writes its results to f instead of sending them to the neighbours.
///
/// Each block keeps `part` consecutive cells, numbered along x first. One barrier per step suffices because there are two
/// copies of the lattice: a step writes the copy that no thread reads before the barrier. After the last barrier, no block
/// accesses another's shared memory, so each block may exit.
template <class real>
__global__ void __launch_bounds__(most_threads, 1) timesteps(LaneSteps<real> run) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  const auto [f, steps, part, box, omega] = run;
  real* const lattices = shared_memory<real>();
  const auto cluster = cooperative_groups::this_cluster();
  const int lane = threadIdx.x % 32;
  const int plane = min(lane / cells_of_warp, 2);
  const int cz = plane - 1;
  const int own = threadIdx.x / 32 * cells_of_warp + lane % cells_of_warp;
  const int cell = blockIdx.x * part + own;
  const bool inside = lane < 3 * cells_of_warp && own < part && cell < box.nx * box.ny * box.nz;
  const int x = cell % box.nx, y = cell / box.nx % box.ny, z = cell / box.nx / box.ny;

  real* const here = lattices + plane * 9 * most_cells + own;
  real* there[9];  // in the first copy
  if (inside) {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      const int to = static_cast<int>(wrapped(x + i % 3 - 1, y + i / 3 - 1, z + cz, box));
      there[i] = cluster.map_shared_rank(lattices, to / part) + (plane * 9 + i) * most_cells + to % part;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i)
      if (d3q27_cz[i] == cz)
        here[in_plane(d3q27_cx[i], d3q27_cy[i]) * most_cells] =
            f[i * box.cells() + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - cz, box)];
  } else if (lane < 3 * cells_of_warp) {  // takes part in the warp's computation
    for (int i = 0; i < 9; ++i)
      here[i * most_cells] = here[(27 + i) * most_cells] = 0;
  }
  cluster.sync();  // all threads have read f, and the shared memory of all blocks exists

  constexpr int both = 27 * most_cells;  // sum of the two copies' offsets, 0 and this
  int from = 0;
  real site[9];
  const auto collide_own = [&] {
#pragma unroll
    for (int i = 0; i < 9; ++i)
      site[i] = here[from + i * most_cells];
    collide(site, static_cast<real>(cz), omega);
  };
  for (std::int64_t step = 1; step < steps; ++step) {
    collide_own();
    if (inside) {
#pragma unroll
      for (int i = 0; i < 9; ++i)
        there[i][both - from] = site[i];
    }
    from = both - from;
    cluster.sync();
  }

  collide_own();
  if (inside) {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      if (d3q27_cz[i] == cz) f[i * box.cells() + cell] = site[in_plane(d3q27_cx[i], d3q27_cy[i])];
  }
#endif
}

template <class real>
struct PeriodicBox final : LaneBox<real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : PeriodicBox::LaneBox(c, tuning, timesteps<real>) {}
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/14_cluster",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::blocks_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
