// Idea:    cluster: the box resides in the shared memory of a cluster of blocks, which send each other populations
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: 27 values read and 27 written in shared memory; those that leave a block's part are written to another block's
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory"
// Bound:   the cluster barrier and the latency of a collision; on larger boxes, shared memory of sixteen multiprocessors
#include "variants/d3q27/cuda/cluster.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "shared"}; }

/// Maximum cells per block, one per thread, limited by the registers that an update needs and by shared memory. Also the
/// distance between populations, which is constant so that instructions can encode it as an offset.
template <class real>
constexpr int most_cells = sizeof(real) == 4 ? 896 : 512;

/// A cell's own location, and the rows and columns (by direction along x) to which its populations move, all in the first copy
/// of the lattice.
template <class real>
struct Cell {
  real* own;
  real* rows[9];
  int columns[3];

  static constexpr int lattice = 27 * most_cells<real>;  // elements in one copy

  /// Sends the populations of a cell to its neighbours, in the copy at offset `to`.
  __device__ void send(const real* site, int to) const {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      real* const there = rows[row(i)] + (columns[d3q27_cx[i] + 1] + to);
      there[i * most_cells<real>] = site[i];
    }
  }

  /// Reads the populations that arrived in the cell, in the copy at offset `from`.
  __device__ void receive(real* site, int from) const {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = own[from + i * most_cells<real>];
  }
};

/// Advances f by `steps` steps, at least one. The last step writes its results to f instead of sending them to the neighbours.
///
/// One barrier per step suffices because there are two copies of the lattice: a step writes the copy that no thread reads
/// before the barrier. After the last barrier, no block accesses another's shared memory, so each block may exit.
template <class real>
__global__ void __launch_bounds__(most_cells<real>, 1) timesteps(Steps<real> run) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  const auto [f, steps, parts, box, omega] = run;
  real* const lattices = shared_memory<real>();
  const auto cluster = cooperative_groups::this_cluster();
  const std::size_t cells = box.cells();
  const auto [x, y, z, inside] = own_cell(parts, box, box.nx);

  Cell<real> cell{lattices + threadIdx.x, {}, {wrapped(x - 1, box.nx), x, wrapped(x + 1, box.nx)}};
  if (inside) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row there = row_of(wrapped(y + k % 3 - 1, box.ny), wrapped(z + k / 3 - 1, box.nz), parts, box);
      cell.rows[k] = cluster.map_shared_rank(lattices, there.block) + there.number * box.nx;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i)
      cell.own[i * most_cells<real>] = f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  }
  cluster.sync();  // all threads have read f, and the shared memory of all blocks exists

  constexpr int both = Cell<real>::lattice;  // sum of the two copies' offsets, 0 and this
  int from = 0;
  real site[27];
  for (std::int64_t step = 1; step < steps; ++step) {
    if (inside) {
      cell.receive(site, from);  // in the block of code that collides, which uses each population as soon as it is loaded
      d3q27_collide(site, omega);
      cell.send(site, both - from);
    }
    from = both - from;
    cluster.sync();
  }

  if (inside) {
    cell.receive(site, from);
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
      : PeriodicBox::ClusterBox(c, tuning, timesteps<real>, most_cells<real>, 2 * Cell<real>::lattice * sizeof(real)) {}
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/21_launch",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::cluster_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
