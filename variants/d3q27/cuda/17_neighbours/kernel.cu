// Idea:    arrival bits: each multiprocessor keeps a part of the box; populations for another carry a bit that marks arrival
// Layout:  structure of arrays: f[27][z][y][x] and messages[block][2][27][cells] in global, f[2][27][cells] in shared memory
// Traffic: 27 values read and 27 written: in shared memory or, if they move to another part, in global memory
// Source:  Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, protocol LL, whose flags arrive with the data
// Bound:   latency of the L2 cache and of a collision; on larger boxes, traffic through the L2 cache
#include <cuda/std/bit>

#include "variants/d3q27/cuda/grid.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "shared"}; }

/// Maximum cells per block, one per thread, limited by the registers that an update needs. Also the distance between
/// populations, which is constant so that instructions can encode it as an offset.
template <class real>
constexpr int most_cells = 320;

/// Locations where a cell's populations arrive from each of the nine surrounding rows, and the rows and columns (by direction
/// along x) to which they move, in the first of two copies: in the block's shared memory or, if the row is in another block,
/// among the messages of the receiving block. Only messages have a tag in their last bit.
template <class real>
struct Cell {
  Bits<real>* own[9];
  Bits<real>* rows[9];
  int columns[3];
  unsigned away;  // rows in other blocks, one bit each

  static constexpr int lattice = 27 * most_cells<real>;  // elements in one copy

  /// The location of direction i.
  __device__ static volatile Bits<real>& at(Bits<real>* place, int i) {
    return shared_with_others(place + i * most_cells<real>);
  }

  /// Sends the populations of a cell to its neighbours, in step `number`.
  __device__ void send(const real* site, unsigned number) const {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Bits<real> last = away >> k & 1;
#pragma unroll
      for (int i = 0; i < 27; ++i)
        if (row(i) == k) {
          const auto bits = cuda::std::bit_cast<Bits<real>>(site[i]);
          Bits<real>* const there = rows[k] + (columns[d3q27_cx[i] + 1] + number % 2 * lattice);
          at(there, i) = (bits & ~last) | (last_bit(number) & last);
        }
    }
  }

  /// Reads the populations that arrive in the cell, repeatedly until all messages belong to the awaited step.
  __device__ void receive(real* site, unsigned number) const {
    Bits<real> wrong = 1;
    while (wrong != 0) {
      wrong = 0;
#pragma unroll
      for (int k = 0; k < 9; ++k) {
        const Bits<real> last = away >> k & 1;
#pragma unroll
        for (int i = 0; i < 27; ++i)
          if (row(i) == 8 - k) {
            const Bits<real> bits = at(own[k] + number % 2 * lattice, i);
            wrong |= (bits ^ last_bit(number)) & last;
            site[i] = cuda::std::bit_cast<real>(bits);
          }
      }
    }
  }
};

/// Advances f by `steps` steps, at least one. The last step writes its results to f instead of sending them to the neighbours.
///
/// A population and its last bit arrive together, so a message needs neither a flag nor a fence. No message overwrites an
/// unread one: a cell sends to the same location every second step, and in between it has received a result that the reader of
/// that location computed from the previous message. Within a block, two copies of the lattice need only one barrier per step:
/// the values that a step overwrites were read before the previous step's barrier.
template <class real>
__global__ void __launch_bounds__(most_cells<real>, 1) timesteps(MessageSteps<real> arguments) {
  const auto [f, steps, parts, box, omega] = arguments.run;
  Bits<real>* const lattices = shared_memory<Bits<real>>();
  const std::size_t cells = box.cells();
  const int pitch = threads_of_row(box.nx);
  const auto [x, y, z, inside] = own_cell(parts, box, pitch);

  const auto messages_to = [&](int receiver) { return arguments.messages + receiver * 2 * Cell<real>::lattice; };
  Cell<real> cell{{}, {}, {wrapped(x - 1, box.nx), x, wrapped(x + 1, box.nx)}, 0};
  real site[27];
  if (inside) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row there = row_of(wrapped(y + k % 3 - 1, box.ny), wrapped(z + k / 3 - 1, box.nz), parts, box);
      const bool other = there.block != blockIdx.x;
      cell.own[k] = (other ? messages_to(blockIdx.x) : lattices) + threadIdx.x;
      cell.rows[k] = (other ? messages_to(there.block) : lattices) + there.number * pitch;
      cell.away |= (other ? 1u : 0u) << k;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  }
  cooperative_groups::this_grid().sync();  // all threads have read f

  unsigned number = arguments.number;
  for (std::int64_t step = 1; step < steps; ++step, ++number) {
    if (inside) {
      d3q27_collide(site, omega);
      cell.send(site, number);
    }
    __syncthreads();
    if (inside) cell.receive(site, number);
    __syncwarp();  // without this, lanes that leave the loop one by one would also collide one by one
  }

  if (inside) {
    d3q27_collide(site, omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      f[i * cells + wrapped(x, y, z, box)] = site[i];
  }
}

template <class real>
struct PeriodicBox final : GridBox<real> {
  PeriodicBox(const Case& c, const ladder::Tuning& tuning)
      : PeriodicBox::GridBox(c, tuning, timesteps<real>, most_cells<real>) {}
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/18_tags",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::parts_tunable()},
    .make = ladder::make_solver<d3q27::PeriodicBox, d3q27::Model>,
};
