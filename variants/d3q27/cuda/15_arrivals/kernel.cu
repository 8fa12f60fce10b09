// Idea:    no barrier of the cluster: each block counts the bytes that others store into it, and waits for these alone
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: of shared memory: 27 numbers read, 27 written, those that leave a block's part in another's
// Source:  NVIDIA, PTX ISA, "mbarrier" and "st.async"
// Bound:   the latencies of a store into another block and of a collision; on larger boxes shared memory of 16 multiprocessors
#include <cooperative_groups.h>

#include <algorithm>
#include <bit>
#include <cuda/ptx>
#include <string>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

/// Cells of a block at most, each a thread's: as many as leave a thread the registers that an update needs, and as shared
/// memory has room for. Also how far apart populations lie: a constant, which instructions hold as an offset.
constexpr int most_cells = 512;

/// How many parts the box is cut into along y and z, one a block. Rows along x stay whole, which sends them to other blocks in
/// whole sectors; parts as long along y as along z send less than slabs do.
struct Parts {
  int y, z;
};

/// First of n rows or planes that part number `part` of so many keeps; they differ by one at most.
__host__ __device__ constexpr int first_of(int part, int parts, int n) { return part * n / parts; }
/// The part that keeps row or plane `k` of n.
__device__ constexpr int part_of(int k, int parts, int n) { return ((k + 1) * parts - 1) / n; }

/// x, which may be one beyond either end of a side of n cells.
__device__ int wrapped(int x, int n) { return x < 0 ? x + n : x < n ? x : x - n; }

/// What a block keeps in its shared memory. `arrived` counts, by lattice, the bytes that a step of the other blocks stores into
/// it, and passes when all `expected` ones are there.
template <class real>
struct Room {
  static constexpr int lattice = 27 * most_cells;  // numbers

  std::uint64_t arrived[2];
  std::uint32_t expected;
  real lattices[2 * lattice];
};

/// Where a row lies: in a block, from a cell on.
template <class real>
struct Row {
  Room<real>* room;
  int first;
};

/// Where row (y, z) lies.
template <class real>
__device__ Row<real> row_of(int y, int z, Parts parts, Room<real>* room, const Problem<real>& c) {
  const int part_y = part_of(y, parts.y, c.ny), part_z = part_of(z, parts.z, c.nz);
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  return {cooperative_groups::this_cluster().map_shared_rank(room, part_z * parts.y + part_y),
          ((z - first_z) * rows + y - first_y) * c.nx};
}

/// Whether direction i leads to the k-th of the nine rows around.
__device__ constexpr bool leads_to(int i, int k) { return d3q27_cz[i] + 1 == k / 3 && d3q27_cy[i] + 1 == k % 3; }

/// A cell's number in its block, and the rows (by direction along z and y) and columns (by direction along x) that its
/// populations move to.
template <class real>
struct Cell {
  Room<real>* room;
  int own;
  int columns[3];
  Row<real> rows[9];
  unsigned away;  // rows in other blocks, a bit each

  /// Reads what came to the cell in lattice number `from`, and collides it.
  __device__ void collide(real* site, int from, real omega) const {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = room->lattices[from * Room<real>::lattice + own + i * most_cells];
    d3q27_collide(site, omega);
  }

  /// Sends it on in lattice number `to`.
  __device__ void send(const real* site, int to) const {
    const auto place = [&](Room<real>* there, int first, int i) {
      return there->lattices + (first + columns[d3q27_cx[i] + 1] + to * Room<real>::lattice) + i * most_cells;
    };
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const Row<real>& row = rows[k];
      if (away >> k & 1) {
#pragma unroll
        for (int i = 0; i < 27; ++i)
          if (leads_to(i, k)) cuda::ptx::st_async(place(row.room, row.first, i), site[i], &row.room->arrived[to]);
      } else {
#pragma unroll
        for (int i = 0; i < 27; ++i)
          if (leads_to(i, k)) *place(room, row.first, i) = site[i];
      }
    }
  }
};

/// Advances f by `steps` steps, at least one. The last one's results go to f instead of on to the neighbours.
///
/// Between two blocks as many bytes go one way as the other, so that a block has to expect as many as it sends. What a block
/// one step ahead stores is for the other lattice, and counted there. None is two ahead, nor overwrites what was not read yet:
/// a cell stores into another after that one's results of the step before came to its block, and these depend on all that the
/// other had to read. A block ends after all that others store into it has arrived. Its own threads wait for each other at its
/// own barrier.
template <class real>
__global__ void __launch_bounds__(most_cells, 1) timesteps(real* f, std::int64_t steps, Parts parts, Problem<real> c) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // on other devices it is never launched
  extern __shared__ double memory[];
  Room<real>* const room = reinterpret_cast<Room<real>*>(memory);
  const int part_y = blockIdx.x % parts.y, part_z = blockIdx.x / parts.y;
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int x = threadIdx.x % c.nx;
  const int y = first_y + threadIdx.x / c.nx % rows;
  const int z = first_z + threadIdx.x / c.nx / rows;
  const bool is_cell = z < first_of(part_z + 1, parts.z, c.nz);
  const auto at = [&](int i, int x, int y, int z) { return ((static_cast<std::size_t>(i) * c.nz + z) * c.ny + y) * c.nx + x; };

  Cell<real> cell{room, static_cast<int>(threadIdx.x), {wrapped(x - 1, c.nx), x, wrapped(x + 1, c.nx)}, {}, 0};
  if (is_cell) {
#pragma unroll
    for (int k = 0; k < 9; ++k)
      cell.rows[k] = row_of(wrapped(y + k % 3 - 1, c.ny), wrapped(z + k / 3 - 1, c.nz), parts, room, c);
#pragma unroll
    for (int k = 0; k < 9; ++k)
      cell.away |= cell.rows[k].room != cell.rows[4].room ? 1u << k : 0;
#pragma unroll
    for (int i = 0; i < 27; ++i)
      room->lattices[cell.own + i * most_cells] =
          f[at(i, wrapped(x - d3q27_cx[i], c.nx), wrapped(y - d3q27_cy[i], c.ny), wrapped(z - d3q27_cz[i], c.nz))];
  }
  if (threadIdx.x == 0) {
    room->expected = 0;
    cuda::ptx::mbarrier_init(&room->arrived[0], 1);
    cuda::ptx::mbarrier_init(&room->arrived[1], 1);
    cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
  }
  __syncthreads();
  atomicAdd(&room->expected, 3 * sizeof(real) * __popc(cell.away));  // three directions lead to each row
  cooperative_groups::this_cluster().sync();  // all have read f, and the shared memory of all blocks is there
  const std::uint32_t expected = room->expected;

  int from = 0;
  real site[27];
  for (std::int64_t step = 1; step < steps; ++step) {
    const int to = 1 - from;
    if (threadIdx.x == 0)
      cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared,
                                           &room->arrived[to], expected);
    if (is_cell) {
      cell.collide(site, from, c.omega);
      cell.send(site, to);
    }
    __syncthreads();
    const auto turn = static_cast<std::uint32_t>((step - 1) / 2 % 2);  // of a counter, which every second step uses
    while (!cuda::ptx::mbarrier_try_wait_parity(cuda::ptx::sem_acquire, cuda::ptx::scope_cluster, &room->arrived[to], turn)) {
    }
    from = to;
  }

  if (is_cell) {
    cell.collide(site, from, c.omega);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      f[at(i, x, y, z)] = site[i];
  }
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
class Cluster final : public Solver {
 public:
  Cluster(const Case& c, const ladder::Tuning& tuning)
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
  /// As many blocks along z as along y, or twice as many; along either no more than there are cells.
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
    if (count > most_cells)
      throw ladder::Refused(ladder::Reason::too_large, "box too large for this rung: one of " + std::to_string(parts.y * parts.z) + " blocks keeps " +
                               std::to_string(count) + " cells; two lattices of up to " + std::to_string(most_cells) + " fit");
    return count;
  }
  static std::size_t whole_warps(std::size_t threads) { return (threads + 31) / 32 * 32; }

  const DeviceCase<real> on_;
  const Parts parts_;
  const ladder::cuda::Launch all_ = on_.in_blocks(static_cast<std::size_t>(parts_.y) * parts_.z, sizeof(Room<real>));
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
    .make = ladder::make_solver<d3q27::Cluster, d3q27::Model>,
};
