// Idea:    each multiprocessor keeps a part of the box; populations sent to another part carry a bit that shows their arrival
// Layout:  structure of arrays: f[27][z][y][x] and messages[block][2][27][cells] in global, f[2][27][cells] in shared memory
// Traffic: 27 numbers read, 27 written: of shared memory or, if they move to another part, of global memory
// Source:  Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, protocol LL, whose flags come with the data
// Bound:   the latencies of the L2 cache and of a collision; on larger boxes the traffic through the L2 cache
#include <cooperative_groups.h>

#include <algorithm>
#include <cuda/std/bit>
#include <string>
#include <utility>

#include "backends/cuda/parts.hpp"
#include "backends/cuda/shared.hpp"
#include "backends/cuda/tags.hpp"
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real, "shared"}; }

/// Cells per block at most, one per thread: limited by the registers that an update needs. It is also the distance between
/// populations, a constant that instructions contain as an offset.
constexpr int most_cells = 320;
constexpr int lattice_cells = 27 * most_cells;  // numbers of a copy of the lattice

/// Threads of a row: whole warps, all of whose cells send to the same rows.
__host__ __device__ constexpr int threads_of_row(int nx) { return (nx + 31) / 32 * 32; }

/// Whether direction i leads to the k-th of the nine rows around; it comes from row 8 - k.
__device__ constexpr bool leads_to(int i, int k) { return d3q27_cz[i] + 1 == k / 3 && d3q27_cy[i] + 1 == k % 3; }

/// Where a cell reads the populations from each of the nine rows around (by direction along z and y), and the rows and columns
/// (by direction along x) that its populations move to, in the first of two copies: in the block's shared memory or, if the row
/// is in another block, among the messages of the block that receives them. Only messages have a tag in their last bit.
template <class real>
struct Cell {
  Bits<real>* from[9];
  Bits<real>* rows[9];
  int columns[3];
  unsigned away;  // rows in other blocks, one bit each

  /// The place of direction i.
  __device__ static volatile Bits<real>& at(Bits<real>* place, int i) { return shared_with_others(place + i * most_cells); }

  /// Sends the populations of a cell to its neighbours.
  __device__ void send(const real* site, unsigned number) const {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Bits<real> last = away >> k & 1;
#pragma unroll
      for (int i = 0; i < 27; ++i)
        if (leads_to(i, k)) {
          const auto bits = cuda::std::bit_cast<Bits<real>>(site[i]);
          at(rows[k] + (columns[d3q27_cx[i] + 1] + number % 2 * lattice_cells), i) = (bits & ~last) | (last_bit(number) & last);
        }
    }
  }

  /// Reads the populations that arrive in the cell until all messages are those that it waits for.
  __device__ void receive(real* site, unsigned number) const {
    Bits<real> wrong = 1;
    while (wrong != 0) {
      wrong = 0;
#pragma unroll
      for (int k = 0; k < 9; ++k) {
        const Bits<real> last = away >> k & 1;
        Bits<real>* const here = from[k] + number % 2 * lattice_cells;
#pragma unroll
        for (int i = 0; i < 27; ++i)
          if (leads_to(i, 8 - k)) {
            const Bits<real> bits = at(here, i);
            wrong |= (bits ^ last_bit(number)) & last;
            site[i] = cuda::std::bit_cast<real>(bits);
          }
      }
    }
  }
};

/// Arguments of the kernel.
template <class real>
struct MessageSteps {
  Steps<real> run;
  Bits<real>* messages;  // [block][2][27][most_cells]
  unsigned number;       // of the first step that sends
};

/// Advances f by `steps` steps, at least one. The results of the last step go to f instead of to the neighbours.
///
/// A population and its last bit arrive together, so that a message needs no flag and no fence. No message overwrites one that
/// has not been read: a cell sends to the same place every second step, and in between it has received a result that the reader
/// of that place computed from the previous message. In a block, two copies of the lattice need one barrier per step: the
/// numbers that a step overwrites were read before the barrier of the previous step.
template <class real>
__global__ void __launch_bounds__(most_cells, 1) timesteps(MessageSteps<real> arguments) {
  const auto [f, steps, parts, box, omega] = arguments.run;
  unsigned number = arguments.number;
  const std::size_t cells = box.cells();
  const int pitch = threads_of_row(box.nx);
  const auto [x, y, z, inside] = own_cell(parts, box, pitch);

  const int block = blockIdx.x;
  Bits<real>* const shared = shared_memory<Bits<real>>();
  const auto messages_to = [&](int receiver) { return arguments.messages + receiver * 2 * lattice_cells; };
  Cell<real> cell{{}, {}, {wrapped(x - 1, box.nx), x, wrapped(x + 1, box.nx)}, 0};
  real site[27];
  if (inside) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row row = row_of(wrapped(y + k % 3 - 1, box.ny), wrapped(z + k / 3 - 1, box.nz), parts, box);
      const bool other = row.block != block;
      cell.from[k] = (other ? messages_to(block) : shared) + threadIdx.x;
      cell.rows[k] = (other ? messages_to(row.block) : shared) + row.number * pitch;
      cell.away |= (other ? 1u : 0u) << k;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = f[i * cells + wrapped(x - d3q27_cx[i], y - d3q27_cy[i], z - d3q27_cz[i], box)];
  }
  cooperative_groups::this_grid().sync();  // all have read f

  for (std::int64_t step = 1; step < steps; ++step, ++number) {
    if (inside) {
      d3q27_collide(site, omega);
      cell.send(site, number);
    }
    __syncthreads();
    if (inside) cell.receive(site, number);
    __syncwarp();  // lanes that leave the loop one by one would collide one by one
  }

  if (inside) {
    d3q27_collide(site, omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      f[i * cells + wrapped(x, y, z, box)] = site[i];
  }
}

/// The blocks, as a tunable.
ladder::Tunable blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks at most, each of which keeps a part of the box; 0: as many as the device has multiprocessors",
          .values = {0, 16, 32, 64, 96, 128},
          .initial = 0};
}

template <class real>
class PeriodicBox final : public BoxSolver<Model, real, PullInPlace> {
 public:
  PeriodicBox(const Case& c, const ladder::Tuning& tuning) : PeriodicBox(c, parts(box_of(c), tuning.at("blocks"))) {}

  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.together(timesteps<real>,
                  {.run = {.f = this->f(), .steps = steps, .parts = parts_, .box = this->box_, .omega = this->omega_},
                   .messages = messages_.data(),
                   .number = next_});
    next_ += static_cast<unsigned>(steps - 1);
  }

 private:
  PeriodicBox(const Case& c, Parts parts)
      : PeriodicBox::BoxSolver(c, block_of(parts, box_of(c)), structure_of_arrays(c)), parts_(parts) {
    this->device_.require_cooperative_launch();
    const std::size_t resident = resident_blocks(all_, timesteps<real>);
    if (all_.blocks.x > resident)
      throw ladder::Refused(ladder::Reason::device_limit, "box too large for this rung: " + std::to_string(all_.blocks.x) +
                                                              " blocks; " + this->device_.name() + " runs " +
                                                              std::to_string(resident) + " at the same time");
  }

  static int threads(Parts parts, Sides box) { return threads_of_row(box.nx) * rows(parts, box); }

  /// Of the cuts into at most `blocks` parts (0: one per multiprocessor), those that leave a scheduler, of which a
  /// multiprocessor has four, the fewest warps; of these, the one that cuts through the fewest rows.
  static Parts parts(Sides box, int blocks) {
    if (blocks == 0) blocks = Device::select().multiprocessors();
    const auto cost = [&](Parts parts) {
      return std::pair{(threads(parts, box) + 127) / 128,
                       (parts.y > 1 ? parts.y * box.nz : 0) + (parts.z > 1 ? parts.z * box.ny : 0)};
    };
    Parts best{1, 1};
    for (int y = 1; y <= std::min(box.ny, blocks); ++y)
      for (int z = 1; z <= std::min(box.nz, blocks / y); ++z)
        if (cost({y, z}) < cost(best)) best = {y, z};
    return best;
  }

  /// @throws ladder::Refused if a block needs more threads than fit
  static Shape block_of(Parts parts, Sides box) {
    const int count = threads(parts, box);
    if (count > most_cells)
      throw ladder::Refused(ladder::Reason::too_large, "box too large for this rung: one of " + std::to_string(parts.count()) +
                                                           " blocks needs " + std::to_string(count) +
                                                           " threads, whole warps for each row; up to " +
                                                           std::to_string(most_cells) + " fit");
    return {static_cast<std::size_t>(count), 1};
  }

  const Parts parts_;
  const Launch all_{
      this->device_, {static_cast<std::size_t>(parts_.count()), 1}, this->block_, 2 * lattice_cells * sizeof(real)};
  Buffer<Bits<real>> messages_{this->device_, all_.blocks.x * 2 * lattice_cells};
  unsigned next_ = 2;  // number of the next message; the buffer starts with the last bits of 0 and 1
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
