// Idea:    no barrier: a population's last bit marks its step, and a warp waits for the populations that arrive in its cells
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: 27 values read and 27 written in shared memory; those that leave a block's part are written to another block's
// Source:  Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, protocol LL, whose flags arrive with the data
// Bound:   latency of a store to another block and of a collision; on larger boxes, the stores of 16 multiprocessors
#include <cuda/std/bit>

#include "backends/cuda/tags.hpp"
#include "variants/d3q27/cuda/cluster.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "shared"}; }

/// Maximum cells per block, one per thread, limited by the registers that an update needs and by shared memory. Also the
/// distance between populations, which is constant so that instructions can encode it as an offset.
template <class real>
constexpr int most_cells = sizeof(real) == 4 ? 768 : 512;

/// A cell's own location, and the rows and columns (by direction along x) to which its populations move, all in the first copy
/// of the lattice.
template <class real>
struct Cell {
  Bits<real>* own;
  Bits<real>* rows[9];
  int columns[3];

  static constexpr int lattice = 27 * most_cells<real>;  // elements in one copy

  /// The location of direction i.
  __device__ static volatile Bits<real>& at(Bits<real>* place, int i) {
    return shared_with_others(place + i * most_cells<real>);
  }

  /// Sends the populations of a cell to its neighbours, in step `number`.
  __device__ void send(const real* site, unsigned number) const {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      const auto bits = cuda::std::bit_cast<Bits<real>>(site[i]);
      Bits<real>* const there = rows[row(i)] + (columns[d3q27_cx[i] + 1] + number % 2 * lattice);
      at(there, i) = (bits & ~Bits<real>{1}) | last_bit(number);
    }
  }

  /// Reads the populations that arrive in the cell, repeatedly until all belong to the awaited step. The warp's cells, `lanes`,
  /// do so together; lanes that leave the loop one by one would also collide one by one.
  __device__ void receive(real* site, unsigned number, unsigned lanes) const {
    Bits<real> wrong = 1;
    while (__any_sync(lanes, wrong != 0)) {
      wrong = 0;
#pragma unroll
      for (int i = 0; i < 27; ++i) {
        const Bits<real> bits = at(own + number % 2 * lattice, i);
        wrong |= (bits ^ last_bit(number)) & 1;
        site[i] = cuda::std::bit_cast<real>(bits);
      }
    }
  }
};

/// Advances f by `steps` steps, at least one. The last step writes its results to f instead of sending them to the neighbours.
///
/// A population and its last bit arrive together, so neither a fence nor a barrier is needed; tools that only understand
/// barriers, such as racecheck, report each wait as a race. No population overwrites an unread one: a cell sends to the same
/// location every second step, and in between it has received a result that the reader of that location computed from the
/// previous population. A block exits once everything sent to it has arrived, so no other block accesses its memory afterwards.
template <class real>
__global__ void __launch_bounds__(most_cells<real>, 1) timesteps(Steps<real> run) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  const auto [f, steps, parts, box, omega] = run;
  Bits<real>* const lattices = shared_memory<Bits<real>>();
  const auto cluster = cooperative_groups::this_cluster();
  const std::size_t cells = box.cells();
  const auto [x, y, z, inside] = own_cell(parts, box, box.nx);

  constexpr unsigned first_number = 2;
  Cell<real> cell{lattices + threadIdx.x, {}, {wrapped(x - 1, box.nx), x, wrapped(x + 1, box.nx)}};
  real site[27];
  if (inside) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row there = row_of(wrapped(y + k % 3 - 1, box.ny), wrapped(z + k / 3 - 1, box.nz), parts, box);
      // Accessing a block's own memory directly is faster than through the cluster's address mapping.
      cell.rows[k] =
          (there.block == blockIdx.x ? lattices : cluster.map_shared_rank(lattices, there.block)) + there.number * box.nx;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      site[i] = f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
      for (const unsigned number : {first_number - 2, first_number - 1})
        cell.at(cell.own + number % 2 * cell.lattice, i) = last_bit(number);
    }
  }
  cluster.sync();  // all threads have read f, and the shared memory of all blocks exists
  const unsigned lanes = __ballot_sync(0xffffffffu, inside);
  if (!inside) return;

  unsigned number = first_number;
  for (std::int64_t step = 1; step < steps; ++step, ++number) {
    d3q27_collide(site, omega);
    cell.send(site, number);
    cell.receive(site, number, lanes);
  }

  d3q27_collide(site, omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[i * cells + wrapped(x, y, z, box)] = site[i];
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
    .follows = "d3q27/cuda/14_cluster",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::cluster_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
