// Idea:    a single launch: all steps, of a cluster of blocks, whose barrier separates the steps
// Layout:  structure of arrays, f[27][z][y][x], a single copy of the lattice
// Traffic: every population read once and written once: 27 values read, 27 written, which stay in the L2 cache
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters"
// Bound:   latency of the cluster barrier and of the L2 cache
#include "variants/d3q27/cuda/cluster.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "l2"}; }

/// Maximum cells per block, one per thread, limited by the registers that an update needs.
template <class real>
constexpr int most_cells = sizeof(real) == 4 ? 896 : 512;

/// Advances f by `steps` steps, at least one. Between two steps, all threads read f before any of them writes to the locations
/// to which populations move, and all write before any reads the populations that arrived in its cell.
template <class real>
__global__ void __launch_bounds__(most_cells<real>, 1) timesteps(Steps<real> run) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  const auto [f, steps, parts, box, omega] = run;
  const auto cluster = cooperative_groups::this_cluster();
  const std::size_t cells = box.cells();
  const auto [x, y, z, inside] = own_cell(parts, box, box.nx);

  real site[27];
  if (inside) {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  }
  cluster.sync();  // all threads have read f

  for (std::int64_t step = 1; step < steps; ++step) {
    if (inside) {
      d3q27_collide(site, omega);
#pragma unroll
      for (int i = 0; i < 27; ++i)
        f[i * cells + wrapped(x + d3q27_cx[i], y + d3q27_cy[i], z + d3q27_cz[i], box)] = site[i];
    }
    cluster.sync();
    if (inside) {
#pragma unroll
      for (int i = 0; i < 27; ++i)
        site[i] = f[i * cells + wrapped(x, y, z, box)];
    }
    cluster.sync();
  }

  if (inside) {
    d3q27_collide(site, omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      f[i * cells + wrapped(x, y, z, box)] = site[i];
  }
#endif
}

template <class real>
struct PeriodicBox final : ClusterBox<real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::ClusterBox(c, tuning, timesteps<real>, most_cells<real>, 0) {}
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/07_soa",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::cluster_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
