// Idea:    each multiprocessor keeps a part of the box; what moves to another part brings a bit that tells when it is there
// Layout:  structure of arrays: f[27][z][y][x] and, a block, messages[2][27][cells] in global, f[2][27][cells] in shared memory
// Traffic: 27 numbers read, 27 written: of shared memory or, where they move to another part, of global memory
// Source:  Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, protocol LL, whose flags come with the data
// Bound:   the latencies of the L2 cache and of a collision; on larger boxes what goes through the L2 cache
#include <cooperative_groups.h>

#include <algorithm>
#include <cuda/std/bit>
#include <string>
#include <type_traits>
#include <utility>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

/// Cells of a block at most, each a thread's: as many as leave a thread the registers that an update needs. Also how far apart
/// populations lie: a constant, which instructions hold as an offset.
constexpr int most_cells = 320;
constexpr int lattice = 27 * most_cells;  // numbers

/// How many parts the box is cut into along y and z, one a block. Rows along x stay whole, which sends them to other blocks in
/// whole sectors.
struct Parts {
  int y, z;
};

/// First of n rows or planes that part number `part` of so many keeps; they differ by one at most.
__host__ __device__ constexpr int first_of(int part, int parts, int n) { return part * n / parts; }
/// The part that keeps row or plane `k` of n.
__device__ constexpr int part_of(int k, int parts, int n) { return ((k + 1) * parts - 1) / n; }
/// Threads of a row: whole warps, all of whose cells send to the same rows.
__host__ __device__ constexpr int threads_of_row(int nx) { return (nx + 31) / 32 * 32; }

/// x, which may be one beyond either end of a side of n cells.
__device__ int wrapped(int x, int n) { return x < 0 ? x + n : x < n ? x : x - n; }

/// Where row (y, z) lies: the block that keeps it, and the place of its first cell there.
struct Row {
  int block, first;
};
template <class real>
__device__ Row row_of(int y, int z, Parts parts, const Problem<real>& c) {
  const int part_y = part_of(y, parts.y, c.ny), part_z = part_of(z, parts.z, c.nz);
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  return {part_z * parts.y + part_y, ((z - first_z) * rows + y - first_y) * threads_of_row(c.nx)};
}

/// Whether direction i leads to the k-th of the nine rows around; it comes from the one that is as far from the last.
__device__ constexpr bool leads_to(int i, int k) { return d3q27_cz[i] + 1 == k / 3 && d3q27_cy[i] + 1 == k % 3; }

/// The bits of a population. Of one that goes to another part, a message, the last bit is given up to tell the messages of one
/// place apart: that of a step and that of two steps before. That rounds it once more.
template <class real>
using Bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
/// The last bit of message number `number`.
__device__ constexpr unsigned last_bit(unsigned number) { return number / 2 % 2; }

/// Where a cell finds what comes from each of the nine rows around (by direction along z and y), and the rows and columns (by
/// direction along x) that its populations move to, in the first of two lattices: in the block's shared memory, or among the
/// messages of a block.
template <class real>
struct Cell {
  Bits<real>* from[9];
  Bits<real>* rows[9];
  int columns[3];
  unsigned away;  // rows in other blocks, a bit each

  /// The place of direction i; volatile, as it is read while other threads write it. An atomic_ref would ask of each address
  /// which memory it is in.
  __device__ static volatile Bits<real>& at(Bits<real>* place, int i) { return place[i * most_cells]; }

  /// Sends the populations of a cell on.
  __device__ void send(const real* site, unsigned number) const {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Bits<real> last = away >> k & 1;
#pragma unroll
      for (int i = 0; i < 27; ++i)
        if (leads_to(i, k)) {
          const auto bits = cuda::std::bit_cast<Bits<real>>(site[i]);
          at(rows[k] + (columns[d3q27_cx[i] + 1] + number % 2 * lattice), i) = (bits & ~last) | (last_bit(number) & last);
        }
    }
  }

  /// Reads what comes to the cell until all messages are those that it waits for.
  __device__ void receive(real* site, unsigned number) const {
    Bits<real> wrong = 1;
    while (wrong != 0) {
      wrong = 0;
#pragma unroll
      for (int k = 0; k < 9; ++k) {
        const Bits<real> last = away >> k & 1;
        Bits<real>* const here = from[k] + number % 2 * lattice;
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

/// Advances f by `steps` steps, at least one; what the first sends has number `number`. The last one's results go to f instead
/// of on to the neighbours.
///
/// A population and its last bit arrive together, so that a message needs no flag and no fence. None overwrites one that was
/// not read yet: a cell sends to the same place every second step, and has in between received what the reader of that place
/// made of the message before. In a block, two lattices need one barrier a step: what a step writes was read before the barrier
/// of the step before.
template <class real>
__global__ void __launch_bounds__(most_cells, 1)
    timesteps(real* f, Bits<real>* messages, unsigned number, std::int64_t steps, Parts parts, Problem<real> c) {
  extern __shared__ double room[];
  const int part_y = blockIdx.x % parts.y, part_z = blockIdx.x / parts.y;
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int pitch = threads_of_row(c.nx);
  const int x = threadIdx.x % pitch;
  const int y = first_y + threadIdx.x / pitch % rows;
  const int z = first_z + threadIdx.x / pitch / rows;
  const bool is_cell = x < c.nx && z < first_of(part_z + 1, parts.z, c.nz);
  const auto at = [&](int i, int x, int y, int z) { return ((static_cast<std::size_t>(i) * c.nz + z) * c.ny + y) * c.nx + x; };

  const int block = blockIdx.x;
  Bits<real>* const shared = reinterpret_cast<Bits<real>*>(room);
  const auto messages_to = [&](int receiver) { return messages + receiver * 2 * lattice; };
  Cell<real> cell{{}, {}, {wrapped(x - 1, c.nx), x, wrapped(x + 1, c.nx)}, 0};
  real site[27];
  if (is_cell) {
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row row = row_of(wrapped(y + k % 3 - 1, c.ny), wrapped(z + k / 3 - 1, c.nz), parts, c);
      const bool other = row.block != block;
      cell.from[k] = (other ? messages_to(block) : shared) + threadIdx.x;
      cell.rows[k] = (other ? messages_to(row.block) : shared) + row.first;
      cell.away |= (other ? 1u : 0u) << k;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = f[at(i, wrapped(x - d3q27_cx[i], c.nx), wrapped(y - d3q27_cy[i], c.ny), wrapped(z - d3q27_cz[i], c.nz))];
  }
  cooperative_groups::this_grid().sync();  // all have read f

  for (std::int64_t step = 1; step < steps; ++step, ++number) {
    if (is_cell) {
      d3q27_collide(site, c.omega);
      cell.send(site, number);
    }
    __syncthreads();
    if (is_cell) cell.receive(site, number);
    __syncwarp();  // lanes that left the loop one by one would collide one by one
  }

  if (is_cell) {
    d3q27_collide(site, c.omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      f[at(i, x, y, z)] = site[i];
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
class Neighbours final : public Solver {
 public:
  Neighbours(const Case& c, const ladder::Tuning& tuning) : on_(c, {32, 1}, 1), parts_(parts(tuning.at("blocks"))) {
    require_that_it_fits();
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.together(timesteps<real>, f_.data(), messages_.data(), next_, steps, parts_, on_.problem());
    next_ += static_cast<unsigned>(steps - 1);
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  [[nodiscard]] std::size_t threads(Parts parts) const {
    const auto largest = [](int n, int parts) { return static_cast<std::size_t>((n + parts - 1) / parts); };
    return threads_of_row(on_.c.nx) * largest(on_.c.ny, parts.y) * largest(on_.c.nz, parts.z);
  }
  /// Of the cuts into no more parts than there may be blocks, those that leave a scheduler, of which a multiprocessor has four,
  /// the fewest warps; of these, the one that cuts through the fewest rows.
  [[nodiscard]] Parts parts(int blocks) const {
    const Case& c = on_.c;
    if (blocks == 0) blocks = on_.device.multiprocessors();
    const auto cost = [&](Parts parts) {
      return std::pair{(threads(parts) + 127) / 128, (parts.y > 1 ? parts.y * c.nz : 0) + (parts.z > 1 ? parts.z * c.ny : 0)};
    };
    Parts best{1, 1};
    for (int y = 1; y <= std::min(c.ny, blocks); ++y)
      for (int z = 1; z <= std::min(c.nz, blocks / y); ++z)
        if (cost({y, z}) < cost(best)) best = {y, z};
    return best;
  }
  void require_that_it_fits() const {
    on_.device.require_cooperative_launch();
    const std::string too_large = "box too large for this rung: ";
    if (all_.block.x > most_cells)
      throw ladder::Refused(ladder::Reason::too_large, too_large + "one of " + std::to_string(all_.blocks.x) + " blocks needs " +
                               std::to_string(all_.block.x) + " threads, whole warps for each row; up to " +
                               std::to_string(most_cells) + " fit");
    const auto resident = static_cast<std::size_t>(resident_blocks(on_.device, timesteps<real>, all_.block, all_.shared)) *
                          static_cast<std::size_t>(on_.device.multiprocessors());
    if (all_.blocks.x > resident)
      throw ladder::Refused(ladder::Reason::too_large, too_large + std::to_string(all_.blocks.x) + " blocks; " + on_.device.name() + " runs " +
                               std::to_string(resident) + " at the same time");
  }

  const DeviceCase<real> on_;
  const Parts parts_;
  const ladder::cuda::Launch all_{
      on_.device, {static_cast<std::size_t>(parts_.y) * parts_.z, 1}, {threads(parts_), 1}, 2 * lattice * sizeof(real)};
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice();
  ladder::cuda::Buffer<Bits<real>> messages_{on_.device, all_.blocks.x * 2 * lattice};
  unsigned next_ = 2;  // number of the next message; the buffer starts with the last bits of 0 and 1
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/14_cluster",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::blocks_tunable()},
    .make = ladder::make_solver<d3q27::Neighbours, d3q27::Model>,
};
