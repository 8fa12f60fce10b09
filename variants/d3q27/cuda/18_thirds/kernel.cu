// Idea:    parts of the box on all multiprocessors, and three threads to a cell: each has a third of its messages and collision
// Layout:  structure of arrays, of a block's part f[2][27][cells] in shared and messages[2][27][cells] in global memory
// Traffic: 27 numbers read, 27 written: of shared memory or, where they move to another part, of global memory
// Source:  NVIDIA CUDA C++ Programming Guide, "Warp Shuffle Functions"; messages as in 17_neighbours
// Bound:   the latencies of the L2 cache and of a third of a collision; on larger boxes instructions, some done three times
#include <cooperative_groups.h>

#include <algorithm>
#include <cuda/atomic>
#include <cuda/std/bit>
#include <string>
#include <type_traits>
#include <utility>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

constexpr int cells_of_warp = 10;  ///< lanes 0 … 9 hold what moves down, 10 … 19 what stays in its plane, 20 … 29 what moves up
/// Warps of a block at most: as many as leave a thread the registers that an update needs.
constexpr int most_warps = 24;
/// Cells of a block at most. Also how far apart populations lie: a constant, which instructions hold as an offset.
constexpr int most_cells = most_warps * cells_of_warp;
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
/// Warps of a row; the last may have fewer cells.
__host__ __device__ constexpr int warps_of_row(int nx) { return (nx + cells_of_warp - 1) / cells_of_warp; }
/// Number among the nine of its plane of a direction.
__device__ constexpr int in_plane(int cx, int cy) { return (cy + 1) * 3 + cx + 1; }

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
  return {part_z * parts.y + part_y, ((z - first_z) * rows + y - first_y) * warps_of_row(c.nx) * cells_of_warp};
}

/// The bits of a population. Of one that goes to another part, a message, the last bit is given up to tell the messages of one
/// place apart: that of a step and that of two steps before. That rounds it once more.
template <class real>
using Bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
/// The last bit of message number `number`.
__device__ constexpr unsigned last_bit(unsigned number) { return number / 2 % 2; }

/// Where a thread finds its third of a cell's populations, and the rows (by direction along y) and columns (by direction along
/// x) that they move to, in the first of two lattices: in the block's shared memory, or among the messages of a block.
template <class real>
struct Third {
  Bits<real>* from[3];
  Bits<real>* rows[3];
  int columns[3];
  unsigned from_other, to_other;  // rows in other blocks, a bit each

  __device__ static cuda::atomic_ref<Bits<real>, cuda::thread_scope_device> at(Bits<real>* place, int i) {
    return cuda::atomic_ref<Bits<real>, cuda::thread_scope_device>(place[i * most_cells]);
  }

  /// Sends the populations on.
  __device__ void send(const real* site, unsigned number) const {
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      const Bits<real> last = to_other >> i / 3 & 1;
      const auto bits = cuda::std::bit_cast<Bits<real>>(site[i]);
      at(rows[i / 3] + (columns[i % 3] + number % 2 * lattice), i)
          .store((bits & ~last) | (last_bit(number) & last), cuda::memory_order_relaxed);
    }
  }

  /// Reads what comes until all messages are those that it waits for. To look too early costs a way to the L2 cache and back,
  /// so the first look waits for `pause` cycles, where there are messages.
  __device__ void receive(real* site, unsigned number, unsigned pause) const {
    if (pause != 0 && from_other != 0) {
      const auto start = static_cast<unsigned>(clock());
      while (static_cast<unsigned>(clock()) - start < pause) {
      }
    }
    Bits<real> wrong = 1;
    while (wrong != 0) {
      wrong = 0;
#pragma unroll
      for (int i = 0; i < 9; ++i) {
        const Bits<real> last = from_other >> i / 3 & 1;
        const Bits<real> bits = at(from[i / 3] + number % 2 * lattice, i).load(cuda::memory_order_relaxed);
        wrong |= (bits ^ last_bit(number)) & last;
        site[i] = cuda::std::bit_cast<real>(bits);
      }
    }
  }
};

/// Sum over the three lanes of a cell, the same for each of them, and what moves up less what moves down.
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

/// Relaxes the nine populations of a cell that move by `cz` along z (d3q27_collide()); the warp does it together.
template <class real>
__device__ void collide(real* f, real cz, real omega) {
  const Sum<real> density(((f[0] + f[1]) + (f[2] + f[3])) + ((f[4] + f[5]) + (f[6] + f[7])) + f[8]);
  const Sum<real> x((f[2] - f[0]) + (f[5] - f[3]) + (f[8] - f[6]));
  const Sum<real> y((f[6] - f[0]) + (f[7] - f[1]) + (f[8] - f[2]));
  const real per_rho = 1 / density.all;
  const real ux = x.all * per_rho;
  const real uy = y.all * per_rho;
  const real uz = density.up * per_rho;

  const real keep = 1 - omega;
  const real rest = 1 - static_cast<real>(1.5) * (ux * ux + uy * uy + uz * uz);
  const real w = omega * density.all;
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

/// Advances f by `steps` steps, at least one; what the first sends has number `number`. The last one's results go to f instead
/// of on to the neighbours.
///
/// A population and its last bit arrive together, so that a message needs no flag and no fence. None overwrites one that was
/// not read yet: a cell sends to the same place every second step, and has in between received what the reader of that place
/// made of the message before: the three threads of a cell add up what they hold before any of them sends. In a block, two
/// lattices need one barrier a step: what a step writes was read before the barrier of the step before.
template <class real>
__global__ void __launch_bounds__(most_warps * 32, 1)
    timesteps(real* f, Bits<real>* messages, unsigned number, std::int64_t steps, Parts parts, unsigned pause,
              Problem<real> c) {
  extern __shared__ double room[];
  const int part_y = blockIdx.x % parts.y, part_z = blockIdx.x / parts.y;
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int plane = min(lane / cells_of_warp, 2);
  const int cz = plane - 1;
  const int row = warp / warps_of_row(c.nx);
  const int x = warp % warps_of_row(c.nx) * cells_of_warp + lane % cells_of_warp;
  const int y = first_y + row % rows;
  const int z = first_z + row / rows;
  const bool is_cell = lane < 3 * cells_of_warp && x < c.nx && z < first_of(part_z + 1, parts.z, c.nz);
  const auto at = [&](int i, int x, int y, int z) { return ((static_cast<std::size_t>(i) * c.nz + z) * c.ny + y) * c.nx + x; };

  const int block = blockIdx.x;
  Bits<real>* const shared = reinterpret_cast<Bits<real>*>(room);
  const auto lattice_of = [&](int receiver, bool other) {
    return (other ? messages + receiver * 2 * lattice : shared) + plane * 9 * most_cells;
  };
  Third<real> third{{}, {}, {wrapped(x - 1, c.nx), x, wrapped(x + 1, c.nx)}, 0, 0};
  real site[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    site[i] = 1;  // lanes without a cell compute with their warp; with a density of 0, say, the division would take longer
  if (is_cell) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const int cy = k - 1;
      const Row back = row_of(wrapped(y - cy, c.ny), wrapped(z - cz, c.nz), parts, c);
      const Row on = row_of(wrapped(y + cy, c.ny), wrapped(z + cz, c.nz), parts, c);
      third.from[k] = lattice_of(block, back.block != block) + row * warps_of_row(c.nx) * cells_of_warp + x;
      third.rows[k] = lattice_of(on.block, on.block != block) + on.first;
      third.from_other |= (back.block != block ? 1u : 0u) << k;
      third.to_other |= (on.block != block ? 1u : 0u) << k;
    }
#pragma unroll
    for (int i = 0; i < 27; ++i)
      if (d3q27_cz[i] == cz)
        site[in_plane(d3q27_cx[i], d3q27_cy[i])] =
            f[at(i, wrapped(x - d3q27_cx[i], c.nx), wrapped(y - d3q27_cy[i], c.ny), wrapped(z - cz, c.nz))];
  }
  cooperative_groups::this_grid().sync();  // all have read f

  for (std::int64_t step = 1; step < steps; ++step, ++number) {
    collide(site, static_cast<real>(cz), c.omega);
    if (is_cell) third.send(site, number);
    __syncthreads();
    if (is_cell) third.receive(site, number, pause);
  }

  collide(site, static_cast<real>(cz), c.omega);
  if (is_cell) {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      if (d3q27_cz[i] == cz) f[at(i, x, y, z)] = site[in_plane(d3q27_cx[i], d3q27_cy[i])];
  }
}

/// The blocks, as a tunable.
ladder::Tunable blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks at most, each of which keeps a part of the box; 0: as many as the device has multiprocessors",
          .values = {0, 16, 32, 64, 96, 128},
          .initial = 0};
}

/// How long a thread waits for messages before it looks, as a tunable.
ladder::Tunable pause_tunable() {
  return {.name = "pause",
          .meaning = "clock cycles that a thread waits, when its block has sent, before it looks for what comes",
          .values = {0, 100, 200, 300, 400, 500, 600, 700, 800},
          .initial = 0};
}

template <class real>
class Thirds final : public Solver {
 public:
  Thirds(const Case& c, const ladder::Tuning& tuning)
      : on_(c, {32, 1}, 1), parts_(parts(tuning.at("blocks"))), pause_(static_cast<unsigned>(tuning.at("pause"))) {
    require_that_it_fits();
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.together(timesteps<real>, f_.data(), messages_.data(), next_, steps, parts_, pause_, on_.problem());
    next_ += static_cast<unsigned>(steps - 1);
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  [[nodiscard]] std::size_t threads(Parts parts) const {
    const auto largest = [](int n, int parts) { return static_cast<std::size_t>((n + parts - 1) / parts); };
    return 32 * warps_of_row(on_.c.nx) * largest(on_.c.ny, parts.y) * largest(on_.c.nz, parts.z);
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
    if (all_.block.x > most_warps * 32)
      throw ladder::InputError(too_large + "one of " + std::to_string(all_.blocks.x) + " blocks needs " +
                               std::to_string(all_.block.x) + " threads, a warp for ten cells of a row; up to " +
                               std::to_string(most_warps * 32) + " fit");
    const auto resident = static_cast<std::size_t>(resident_blocks(on_.device, timesteps<real>, all_.block, all_.shared)) *
                          static_cast<std::size_t>(on_.device.multiprocessors());
    if (all_.blocks.x > resident)
      throw ladder::InputError(too_large + std::to_string(all_.blocks.x) + " blocks; " + on_.device.name() + " runs " +
                               std::to_string(resident) + " at the same time");
  }

  const DeviceCase<real> on_;
  const Parts parts_;
  const unsigned pause_;
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
    .follows = "d3q27/cuda/17_neighbours",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::blocks_tunable(), d3q27::pause_tunable()},
    .make = ladder::make_solver<d3q27::Thirds, d3q27::Model>,
};
