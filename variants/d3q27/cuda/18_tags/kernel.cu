// Idea:    no barrier: a population's last bit tells which step it is of, and a warp waits for what comes to its own cells
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: of shared memory: 27 numbers read, 27 written, those that leave a block's part in another's
// Source:  Z. Hu et al., "Demystifying NCCL", arXiv:2507.04786, 2025, protocol LL, whose flags come with the data
// Bound:   the latencies of a store to another block and of a collision; on larger boxes what 16 multiprocessors can send
#include <cooperative_groups.h>

#include <algorithm>
#include <bit>
#include <cuda/std/bit>
#include <string>
#include <type_traits>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

/// Cells of a block at most, each a thread's: as many as leave a thread the registers that an update needs, and as shared
/// memory has room for. Also how far apart populations lie: a constant, which instructions hold as an offset.
template <class real>
constexpr int most_cells = sizeof(real) == 4 ? 768 : 512;

/// How many parts the box is cut into along y and z, one a block. Rows along x stay whole; parts as long along y as along z
/// send less than slabs do.
struct Parts {
  int y, z;
};

/// First of n rows or planes that part number `part` of so many keeps; they differ by one at most.
__host__ __device__ constexpr int first_of(int part, int parts, int n) { return part * n / parts; }
/// The part that keeps row or plane `k` of n.
__device__ constexpr int part_of(int k, int parts, int n) { return ((k + 1) * parts - 1) / n; }

/// x, which may be one beyond either end of a side of n cells.
__device__ int wrapped(int x, int n) { return x < 0 ? x + n : x < n ? x : x - n; }

/// The bits of a population. The last is given up to tell the two steps apart whose populations may be in one place: that which
/// a cell waits for and the one two steps before. That rounds each population once more.
template <class real>
using Bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
/// The last bit of what step number `number` sends.
__device__ constexpr unsigned last_bit(unsigned number) { return number / 2 % 2; }

/// The first place of row (y, z) in the first lattice of the block that keeps it.
template <class real>
__device__ Bits<real>* row_of(int y, int z, Parts parts, Bits<real>* lattices, const Problem<real>& c) {
  const int part_y = part_of(y, parts.y, c.ny), part_z = part_of(z, parts.z, c.nz);
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int row = (z - first_z) * rows + y - first_y;
  const int block = part_z * parts.y + part_y;
  // A block's own memory has a shorter way than the one to other blocks.
  if (block != blockIdx.x) lattices = cooperative_groups::this_cluster().map_shared_rank(lattices, block);
  return lattices + row * c.nx;
}

/// A cell's own place, and the rows (by direction along z and y) and columns (by direction along x) that its populations move
/// to, all in the first lattice.
template <class real>
struct Cell {
  Bits<real>* own;
  Bits<real>* rows[3][3];
  int columns[3];

  static constexpr int lattice = 27 * most_cells<real>;  // places

  /// The place of direction i; volatile, as it is read while other threads write it. An atomic_ref would ask of each address
  /// which memory it is in.
  __device__ static volatile Bits<real>& at(Bits<real>* place, int i) { return place[i * most_cells<real>]; }

  /// Sends the populations of a cell on.
  __device__ void send(const real* site, unsigned number) const {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      const auto bits = cuda::std::bit_cast<Bits<real>>(site[i]);
      Bits<real>* const there = rows[d3q27_cz[i] + 1][d3q27_cy[i] + 1] + (columns[d3q27_cx[i] + 1] + number % 2 * lattice);
      at(there, i) = (bits & ~Bits<real>{1}) | last_bit(number);
    }
  }

  /// Reads what comes to the cell until all of it is of the step that it waits for. The warp's cells, `lanes`, look together:
  /// lanes that left the loop one by one would collide one by one.
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

/// Advances f by `steps` steps, at least one. The last one's results go to f instead of on to the neighbours.
///
/// A population and its last bit arrive together, so that neither fence nor barrier is needed; a tool that knows of barriers
/// alone, such as racecheck, takes each wait for a race. None overwrites one that was not
/// read yet: a cell sends to the same place every second step, and has in between received what the reader of that place made
/// of the population before. A block ends when all that is sent to it has come, so that no other touches its memory later.
template <class real>
__global__ void __launch_bounds__(most_cells<real>, 1) timesteps(real* f, std::int64_t steps, Parts parts, Problem<real> c) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // on other devices it is never launched
  extern __shared__ double room[];
  Bits<real>* const lattices = reinterpret_cast<Bits<real>*>(room);
  const int part_y = blockIdx.x % parts.y, part_z = blockIdx.x / parts.y;
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int x = threadIdx.x % c.nx;
  const int y = first_y + threadIdx.x / c.nx % rows;
  const int z = first_z + threadIdx.x / c.nx / rows;
  const bool is_cell = z < first_of(part_z + 1, parts.z, c.nz);
  const auto at = [&](int i, int x, int y, int z) { return ((static_cast<std::size_t>(i) * c.nz + z) * c.ny + y) * c.nx + x; };

  constexpr unsigned first_number = 2;
  Cell<real> cell{lattices + threadIdx.x, {}, {wrapped(x - 1, c.nx), x, wrapped(x + 1, c.nx)}};
  real site[27];
  if (is_cell) {
#pragma unroll
    for (int k = 0; k < 9; ++k)
      cell.rows[k / 3][k % 3] = row_of(wrapped(y + k % 3 - 1, c.ny), wrapped(z + k / 3 - 1, c.nz), parts, lattices, c);
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      site[i] = f[at(i, wrapped(x - d3q27_cx[i], c.nx), wrapped(y - d3q27_cy[i], c.ny), wrapped(z - d3q27_cz[i], c.nz))];
      for (const unsigned number : {first_number - 2, first_number - 1})
        cell.at(cell.own + number % 2 * cell.lattice, i) = last_bit(number);
    }
  }
  cooperative_groups::this_cluster().sync();  // all have read f, and the shared memory of all blocks is there
  const unsigned lanes = __ballot_sync(0xffffffffu, is_cell);
  if (!is_cell) return;

  unsigned number = first_number;
  for (std::int64_t step = 1; step < steps; ++step, ++number) {
    d3q27_collide(site, c.omega);
    cell.send(site, number);
    cell.receive(site, number, lanes);
  }

  d3q27_collide(site, c.omega);
#pragma unroll
  for (int i = 0; i < 27; ++i)
    f[at(i, x, y, z)] = site[i];
#endif
}

/// The blocks of the cluster, as a tunable.
ladder::Tunable blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks of the cluster, each of which keeps a part of the box; along y and z no more than it has cells",
          .values = {4, 8, 16},
          .initial = 16};
}

template <class real>
class Tags final : public Solver {
 public:
  Tags(const Case& c, const ladder::Tuning& tuning)
      : on_(c, {whole_warps(cells(c, parts(c, tuning))), 1}, 1), parts_(parts(c, tuning)) {
    require_cluster(all_, timesteps<real>);
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    if (steps > 0) all_.as_cluster(timesteps<real>, f_.data(), steps, parts_, on_.problem());
  }

  void wait() override { on_.device.wait(); }
  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }

 private:
  /// As many blocks along z as along y, or twice as many; along either a power of two, no more than there are cells.
  static Parts parts(const Case& c, const ladder::Tuning& tuning) {
    const auto blocks = static_cast<unsigned>(tuning.at("blocks"));
    const auto along = [](unsigned wanted, int n) {
      return static_cast<int>(std::min(wanted, std::bit_floor(static_cast<unsigned>(n))));
    };
    const unsigned y = 1U << (std::bit_width(blocks) - 1) / 2;
    return {along(y, c.ny), along(blocks / y, c.nz)};
  }
  /// Cells of the largest part. @throws ladder::Refused where a block cannot keep as many
  static std::size_t cells(const Case& c, Parts parts) {
    const auto largest = [](int n, int parts) { return static_cast<std::size_t>((n + parts - 1) / parts); };
    const std::size_t count = static_cast<std::size_t>(c.nx) * largest(c.ny, parts.y) * largest(c.nz, parts.z);
    if (count > most_cells<real>)
      throw ladder::Refused(ladder::Reason::too_large, "box too large for this rung: one of " + std::to_string(parts.y * parts.z) + " blocks keeps " +
                               std::to_string(count) + " cells; two lattices of up to " + std::to_string(most_cells<real>) +
                               " fit");
    return count;
  }
  static std::size_t whole_warps(std::size_t threads) { return (threads + 31) / 32 * 32; }

  const DeviceCase<real> on_;
  const Parts parts_;
  const ladder::cuda::Launch all_ =
      on_.in_blocks(static_cast<std::size_t>(parts_.y) * parts_.z, std::size_t{2} * 27 * most_cells<real> * sizeof(real));
  const Strides strides_ = structure_of_arrays(on_.c);
  ladder::cuda::Buffer<real> f_ = on_.lattice();
};

}  // namespace
}  // namespace d3q27

const d3q27::Rung d3q27::rung = {
    .follows = "d3q27/cuda/14_cluster",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::blocks_tunable()},
    .make = ladder::make_solver<d3q27::Tags, d3q27::Model>,
};
