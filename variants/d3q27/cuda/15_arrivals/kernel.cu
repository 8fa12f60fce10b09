// Idea:    no cluster barrier: each block counts the bytes that others store into it, and waits only for those
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: 27 values read and 27 written in shared memory; those that leave a block's part are written to another block's
// Source:  NVIDIA, PTX ISA, "mbarrier" and "st.async"
// Bound:   latency of a store into another block and of a collision; on larger boxes, shared memory of 16 multiprocessors
#include <cuda/ptx>

#include "variants/d3q27/cuda/cluster.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "shared"}; }

/// Maximum cells per block, one per thread, limited by the registers that an update needs and by shared memory. Also the
/// distance between populations, which is constant so that instructions can encode it as an offset.
constexpr int most_cells = 512;

/// Shared memory of a block. For each copy of the lattice, `arrived` counts the bytes that other blocks store into it during a
/// step, and completes when all `expected` bytes have arrived.
template <class real>
struct Room {
  static constexpr int lattice = 27 * most_cells;  // elements in one copy

  std::uint64_t arrived[2];
  std::uint32_t expected;
  real lattices[2 * lattice];
};

/// Location of a row: its block, and its first cell there.
template <class real>
struct RowInRoom {
  Room<real>* room;
  int first;
};

/// A cell's index in its block, and the rows and columns (by direction along x) to which its populations move.
template <class real>
struct Cell {
  Room<real>* room;
  int own;
  RowInRoom<real> rows[9];
  int columns[3];
  unsigned away;  // rows in other blocks, one bit each

  static constexpr int lattice = Room<real>::lattice;

  /// Sends the populations of a cell to its neighbours, in copy number `to`.
  __device__ void send(const real* site, int to) const {
    const auto place = [&](Room<real>* there, int first, int i) {
      return there->lattices + (first + columns[d3q27_cx[i] + 1] + to * lattice) + i * most_cells;
    };
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const RowInRoom<real>& there = rows[k];
      if (away >> k & 1) {
#pragma unroll
        for (int i = 0; i < 27; ++i)
          if (row(i) == k) cuda::ptx::st_async(place(there.room, there.first, i), site[i], &there.room->arrived[to]);
      } else {
#pragma unroll
        for (int i = 0; i < 27; ++i)
          if (row(i) == k) *place(room, there.first, i) = site[i];
      }
    }
  }

  /// Reads the populations that arrived in the cell, in copy number `from`.
  __device__ void receive(real* site, int from) const {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = room->lattices[from * lattice + own + i * most_cells];
  }
};

/// Advances f by `steps` steps, at least one. The last step writes its results to f instead of sending them to the neighbours.
///
/// Any two blocks send each other the same number of bytes, so a block expects as many as it sends. A block that is one step
/// ahead stores into the other copy, and its bytes are counted there. No block gets two steps ahead or overwrites unread data:
/// a cell stores into another cell only after the results of that cell's previous step have arrived in its block, and these
/// depend on all data that the other cell had to read. A block exits after everything that others store into it has arrived.
/// Its own threads synchronize at a block-level barrier.
template <class real>
__global__ void __launch_bounds__(most_cells, 1) timesteps(Steps<real> run) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  const auto [f, steps, parts, box, omega] = run;
  Room<real>* const room = shared_memory<Room<real>>();
  const auto cluster = cooperative_groups::this_cluster();
  const std::size_t cells = box.cells();
  const auto [x, y, z, inside] = own_cell(parts, box, box.nx);

  Cell<real> cell{room, static_cast<int>(threadIdx.x), {}, {wrapped(x - 1, box.nx), x, wrapped(x + 1, box.nx)}, 0};
  if (inside) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row there = row_of(wrapped(y + k % 3 - 1, box.ny), wrapped(z + k / 3 - 1, box.nz), parts, box);
      cell.rows[k] = {cluster.map_shared_rank(room, there.block), there.number * box.nx};
    }
#pragma unroll
    for (int k = 0; k < 9; ++k)
      cell.away |= cell.rows[k].room != cell.rows[4].room ? 1u << k : 0;
#pragma unroll
    for (int i = 0; i < 27; ++i)
      room->lattices[cell.own + i * most_cells] =
          f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  }
  if (threadIdx.x == 0) {
    room->expected = 0;
    cuda::ptx::mbarrier_init(&room->arrived[0], 1);
    cuda::ptx::mbarrier_init(&room->arrived[1], 1);
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
  }
  __syncthreads();
  atomicAdd(&room->expected, 3 * sizeof(real) * __popc(cell.away));  // three directions lead to each row
  cluster.sync();  // all threads have read f, and the shared memory of all blocks exists
  const std::uint32_t expected = room->expected;

  int copy = 0;
  real site[27];
  for (std::int64_t step = 1; step < steps; ++step) {
    const int from = copy;
    copy = 1 - copy;
    if (threadIdx.x == 0)
      cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared,
                                           &room->arrived[copy], expected);
    if (inside) {
      cell.receive(site, from);  // in the block of code that collides, which uses each population as soon as it is loaded
      d3q27_collide(site, omega);
      cell.send(site, copy);
    }
    __syncthreads();
    const auto turn = static_cast<std::uint32_t>((step - 1) / 2 % 2);  // of a counter; each counter is used every second step
    while (!cuda::ptx::mbarrier_try_wait_parity(cuda::ptx::sem_acquire, cuda::ptx::scope_cluster, &room->arrived[copy], turn)) {
    }
  }

  if (inside) {
    cell.receive(site, copy);
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
      : PeriodicBox::ClusterBox(c, tuning, timesteps<real>, most_cells, sizeof(Room<real>)) {}
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/14_cluster",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::cluster_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
