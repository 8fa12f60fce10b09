// Idea:    all steps in one launch: the box lies in the shared memory of a cluster of blocks, which send across what moves
// Layout:  structure of arrays, f[2][27][cells] of a block's part of the box in shared memory; f[27][z][y][x] in global memory
// Traffic: of shared memory: 27 numbers read, 27 written, those that leave a block's part in another's
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory"
// Bound:   the cluster's barrier and the latency of a collision; on larger boxes shared memory of sixteen multiprocessors
#include <cooperative_groups.h>

#include <algorithm>
#include <bit>
#include <string>

#include "variants/d3q27/cuda/device_case.hpp"

namespace d3q27 {
namespace {

ladder::Traffic traffic(double real) { return {27 * real, 27 * real}; }

/// Cells of a block at most, each a thread's: as many as leave a thread the registers that an update needs, and as shared
/// memory has room for. Also how far apart populations lie: a constant, which instructions hold as an offset.
template <class real>
constexpr int most_cells = sizeof(real) == 4 ? 896 : 512;

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

/// The first number of row (y, z) in the first lattice of the block that keeps it.
template <class real>
__device__ real* row_of(int y, int z, Parts parts, real* lattices, const Problem<real>& c) {
  const int part_y = part_of(y, parts.y, c.ny), part_z = part_of(z, parts.z, c.nz);
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int row = (z - first_z) * rows + y - first_y;
  return cooperative_groups::this_cluster().map_shared_rank(lattices, part_z * parts.y + part_y) + row * c.nx;
}

/// A cell's own place, and the rows (by direction along z and y) and columns (by direction along x) that its populations move
/// to, all in the first lattice.
template <class real>
struct Cell {
  real* own;
  real* rows[3][3];
  int columns[3];

  /// Reads what came to the cell in the lattice that lies `from` behind the first, and collides it.
  __device__ void collide(real* site, int from, real omega) const {
#pragma unroll
    for (int i = 0; i < 27; ++i)
      site[i] = own[from + i * most_cells<real>];
    d3q27_collide(site, omega);
  }

  /// Sends it on in the lattice that lies `to` behind the first.
  __device__ void send(const real* site, int to) const {
#pragma unroll
    for (int i = 0; i < 27; ++i) {
      real* const there = rows[d3q27_cz[i] + 1][d3q27_cy[i] + 1] + (columns[d3q27_cx[i] + 1] + to);
      there[i * most_cells<real>] = site[i];
    }
  }
};

/// Advances f by `steps` steps, at least one. The last one's results go to f instead of on to the neighbours.
///
/// One barrier a step does, because there are two lattices: a step writes the one that nobody reads before the barrier. After
/// the last barrier no block touches another's shared memory, so that each may end.
template <class real>
__global__ void __launch_bounds__(most_cells<real>, 1) timesteps(real* f, std::int64_t steps, Parts parts, Problem<real> c) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // on other devices it is never launched
  extern __shared__ double room[];
  real* const lattices = reinterpret_cast<real*>(room);
  const auto cluster = cooperative_groups::this_cluster();
  const int part_y = blockIdx.x % parts.y, part_z = blockIdx.x / parts.y;
  const int first_y = first_of(part_y, parts.y, c.ny), first_z = first_of(part_z, parts.z, c.nz);
  const int rows = first_of(part_y + 1, parts.y, c.ny) - first_y;
  const int x = threadIdx.x % c.nx;
  const int y = first_y + threadIdx.x / c.nx % rows;
  const int z = first_z + threadIdx.x / c.nx / rows;
  const bool is_cell = z < first_of(part_z + 1, parts.z, c.nz);
  const auto at = [&](int i, int x, int y, int z) { return ((static_cast<std::size_t>(i) * c.nz + z) * c.ny + y) * c.nx + x; };

  Cell<real> cell{lattices + threadIdx.x, {}, {wrapped(x - 1, c.nx), x, wrapped(x + 1, c.nx)}};
  if (is_cell) {
#pragma unroll
    for (int k = 0; k < 9; ++k)
      cell.rows[k / 3][k % 3] = row_of(wrapped(y + k % 3 - 1, c.ny), wrapped(z + k / 3 - 1, c.nz), parts, lattices, c);
#pragma unroll
    for (int i = 0; i < 27; ++i)
      cell.own[i * most_cells<real>] =
          f[at(i, wrapped(x - d3q27_cx[i], c.nx), wrapped(y - d3q27_cy[i], c.ny), wrapped(z - d3q27_cz[i], c.nz))];
  }
  cluster.sync();  // all have read f, and the shared memory of all blocks is there

  constexpr int both = 27 * most_cells<real>;  // offsets of the two lattices, 0 and this, together
  int from = 0;
  real site[27];
  for (std::int64_t step = 1; step < steps; ++step) {
    if (is_cell) {
      cell.collide(site, from, c.omega);
      cell.send(site, both - from);
    }
    from = both - from;
    cluster.sync();
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
    .follows = "d3q27/cuda/11_graph",
    .traffic = d3q27::traffic,
    .lattices = 1,
    .tunables = {d3q27::blocks_tunable()},
    .make = ladder::make_solver<d3q27::Cluster, d3q27::Model>,
};
