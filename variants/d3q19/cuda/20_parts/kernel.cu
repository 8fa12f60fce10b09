// Idea:    resident parts: each multiprocessor keeps a part of the box in its shared memory; populations that move to another
//          part, and returned ones, are messages; a grid barrier separates the steps
// Layout:  structure of arrays: f[19][z][y][x] and messages[block][2][19][cells] in global, f[2][19][cells] in shared memory
// Traffic: 19 values of each fluid cell read and written, and the returned populations written: in shared memory or, if they
//          move to another part, in global memory
// Source:  this project
// Bound:   latency of the grid barrier
#include "variants/d3q19/cuda/resident.hpp"

namespace d3q19 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning&) {
  const Shares of = shares(c);
  return {{19 * real * of.fluid, (19 * of.fluid + of.returned) * real, "shared"}};
}

/// Maximum cells per block, one per thread, limited by the registers that an update needs. Also the distance between
/// populations, which is constant so that instructions can encode it as an offset.
constexpr int most_cells = 512;
constexpr int lattice_cells = 19 * most_cells;  // elements in one copy of the lattice

/// Locations of a cell's populations in the first of two copies: in the block's shared memory or, if they come from or go to a
/// row of another block, among the messages of the receiving block.
template <class real>
struct Cell {
  using Number = real;

  Number *shared, *messages;  // locations of the cell
  Number* to[9];              // locations of the first cell of each of the nine surrounding rows
  int columns[3];             // of the neighbours, indexed by direction along x
  unsigned away;              // rows in other blocks, one bit each

  /// The location of direction i in the copy for step `number`.
  __device__ static Number& at(Number* place, int i, unsigned number) {
    return place[number % 2 * lattice_cells + i * most_cells];
  }
  /// The locations of populations that arrive from row k.
  [[nodiscard]] __device__ Number* from(int k) const { return away >> k & 1 ? messages : shared; }

  /// Sends the populations of a fluid cell to its neighbours. Those sent to non-fluid cells are never read.
  __device__ void send(const real (&site)[19], unsigned number) const {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      at(to[row(i)] + columns[d3q19_cx[i] + 1], i, number) = site[i];
  }
  /// Sends the returned populations to the cell itself, in place of those that boundary cells do not send.
  __device__ void send_returned(const Neighbours& neighbours, const real (&site)[19], real speed, unsigned number) const {
    for_each_returned(neighbours, site, speed,
                      [&](int i, real returned) { at(from(row(i)), d3q19_opposite[i], number) = returned; });
  }

  /// Reads the populations that arrived in the cell.
  __device__ void receive(real (&site)[19], unsigned number) const {
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = at(from(8 - row(i)), i, number);
  }
};

/// Advances f by `steps` steps, at least one. The last step writes its results to f instead of sending them to the neighbours.
///
/// One barrier per step suffices because there are two copies of the lattice: a step writes the copy that no thread reads
/// before the barrier.
template <class real>
__global__ void __launch_bounds__(most_cells, 1) timesteps(Steps<real> all) {
  const Step<real>& step = all.step;
  const Sides box = step.box;
  const int pitch = threads_of_row(box.nx);
  const auto [x, y, z, inside] = own_cell(all.parts, box, pitch);
  const unsigned own = inside ? step.cell(x, y, z) : 0;
  const int flag = inside ? step.flags[own] : 0;
  const bool fluid = (flag & D3Q19_FLUID) != 0, near = (flag & D3Q19_NEAR) != 0;

  const int block = blockIdx.x;
  auto* const shared = shared_memory<typename Cell<real>::Number>();
  const auto messages_to = [&](int receiver) { return all.messages + receiver * 2 * lattice_cells; };
  Cell<real> cell{
      shared + threadIdx.x, messages_to(block) + threadIdx.x, {}, {wrapped(x - 1, box.nx), x, wrapped(x + 1, box.nx)}, 0};
  Neighbours neighbours;
  real site[19];
  if (fluid) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row there = row_of(wrapped(y + k % 3 - 1, box.ny), wrapped(z + k / 3 - 1, box.nz), all.parts, box);
      const bool other = there.block != block;
      cell.to[k] = (other ? messages_to(there.block) : shared) + there.number * pitch;
      cell.away |= (other ? 1u : 0u) << k;
    }
    if (near) neighbours = Neighbours(step, x, y, z);
#pragma unroll
    for (int i = 0; i < 19; ++i)
      site[i] = step.f.of[i][step.from(i, x, y, z)];
  }
  cooperative_groups::this_grid().sync();  // all threads have read f

  unsigned number = all.number;
  for (std::int64_t n = 1; n < all.steps; ++n, ++number) {
    if (fluid) {
      d3q19_collide(site, step.omega, step.omega_minus);
      cell.send(site, number);
      if (near) cell.send_returned(neighbours, site, step.speed, number);
    }
    cooperative_groups::this_grid().sync();
    if (fluid) cell.receive(site, number);
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
  Tunnel(const Case& c, const ladder::Tuning& tuning)
      : Tunnel::PartsSolver(c, tuning, timesteps<real>, most_cells, 2 * lattice_cells) {}
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/cuda/19_launch",
    .traffic = d3q19::traffic,
    .lattices = 1,
    .tunables = {lattice::cuda::parts_tunable()},
    .make = ladder::make_solver<d3q19::Tunnel, d3q19::Model>,
};
