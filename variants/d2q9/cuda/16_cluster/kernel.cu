// Idea:    one cluster of blocks: each block writes populations that leave its strip into the shared memory of the neighbour's
//          block
// Layout:  in place (AA pattern), f[9][rows][x] and halos[2][2][3][x] in shared memory; f[9][y][x] in global memory
// Traffic: 9 values read, 9 written in shared memory; 6 values per column of a strip, each way, in the neighbours' shared
//          memory
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory"
// Bound:   shared memory and arithmetic on sixteen multiprocessors; the cluster's barrier on small grids
#include <cooperative_groups.h>

#include <bit>
#include <utility>

#include "variants/d2q9/cuda/strips.hpp"

namespace d2q9 {
namespace {

/// Returns as many strips as the tuning has blocks, but at most one per row.
Strips strips_of_blocks(const Case& c, const ladder::Tuning& tuning) {
  const auto named = static_cast<std::size_t>(tuning.at("blocks"));
  return Strips::of_count(grid_of(c), std::min(named, std::bit_floor(static_cast<std::size_t>(c.ny))));
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const ladder::Traffic halos = halo_traffic(real, grid_of(c), strips_of_blocks(c, tuning));
  return {{9 * real + halos.read, 9 * real + halos.write, "shared"}};
}

/// Kernel arguments.
template <class real>
struct Steps {
  real* f;
  /// [step][strip]: the sum of |u| over the fluid cells of a strip.
  real* speeds;
  /// The row to accelerate for the next step, if there is one, among these `steps` steps or later (`more`); -1 for none.
  int driven;
  int steps;
  bool more;
  Problem<real> c;
};

/// Advances a cell of a strip by one step and returns its |u|, or 0 if it is solid. A `driven` cell is accelerated for the next
/// step.
template <bool local, Rows where, class Strip, class Halos, class real>
__device__ real update(const Strip& strip, const Halos& halos, Cell cell, bool fluid, bool driven, const Problem<real>& c) {
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = strip.template place<local, where>(i, cell);

  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, c.omega);
  const bool drive = driven && fluid && s[3] - c.w1 > 0 && s[6] - c.w2 > 0 && s[7] - c.w2 > 0;
  const real along[9] = {0, c.w1, 0, -c.w1, 0, c.w2, -c.w2, -c.w2, c.w2};
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    strip.template place<local, where>(d2q9_opposite[i], cell) = s[i];
  if (where == Rows::any) halos.send(s, strip, cell);
  return fluid ? sqrt(u2) : real{0};
}

/// Advances a strip by one step. Bit k of `solid` marks this thread's k-th cell as an obstacle; `driven` is the row to
/// accelerate. Returns the sum of |u| over this thread's cells.
template <bool local, class Strip, class Halos, class real>
__device__ real sweep(const Strip& strip, const Halos& halos, unsigned solid, int driven, const Problem<real>& c) {
  real speed = 0;
  for_own_cells(strip.nx, strip.rows, [&](int k, Cell cell) {
    const bool fluid = (solid >> k & 1) == 0;
    const bool edge = cell.y == 0 || cell.y == strip.rows - 1;
    speed += edge ? update<local, Rows::any>(strip, halos, cell, fluid, cell.y == driven, c)
                  : update<local, Rows::shared>(strip, halos, cell, fluid, cell.y == driven, c);
  });
  return speed;
}

/// Returns the first of the ny rows that block `block` of `blocks` keeps; their row counts differ by at most one.
__host__ __device__ constexpr int first_row(int block, int blocks, int ny) { return block * ny / blocks; }

/// Advances the lattice by `steps` steps, one strip per block of the cluster. Blocks write the halos of one parity in their
/// neighbours while the neighbours read the halos of the other parity.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1) timesteps(Steps<real> all) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  extern __shared__ double room[];
  __shared__ real sums[32];
  const auto [f, speeds, row, steps, more, c] = all;
  const auto cluster = cooperative_groups::this_cluster();
  const int block = blockIdx.x;
  const int blocks = gridDim.x;
  const int first = first_row(block, blocks, c.ny);
  real* const halos_here = reinterpret_cast<real*>(room);  // [2][2][3][nx]: by parity of the step, from south and from north
  real* const halos_south = cluster.map_shared_rank(halos_here, (block + blocks - 1) % blocks);
  real* const halos_north = cluster.map_shared_rank(halos_here, (block + 1) % blocks);
  const auto halos_of = [&](int step) {
    const int now = step % 2 * 6 * c.nx;
    const int next = (step + 1) % 2 * 6 * c.nx;
    return Halos<real, Direct>{halos_here + now, halos_here + now + 3 * c.nx, halos_south + next + 3 * c.nx,
                               halos_north + next};
  };
  const Strip<SharedRows<real>> strip{{halos_here + 12 * c.nx, c.nx, first_row(block + 1, blocks, c.ny) - first}};
  cluster.sync();  // the neighbours' shared memory exists
  const unsigned solid = load(strip, halos_of(1), f, c.solid, first, c.ny);
  cluster.sync();

  for (int step = 0; step < steps; ++step) {
    const auto halos = halos_of(step);
    halos.receive(strip);
    __syncthreads();
    const int driven = step + 1 < steps || more ? row - first : -1;
    const real speed =
        step % 2 == 0 ? sweep<false>(strip, halos, solid, driven, c) : sweep<true>(strip, halos, solid, driven, c);
    auto arrived = cluster.barrier_arrive();
    put_warp_sum(sums, speed);
    __syncthreads();
    add_warp_sums(sums, speeds + static_cast<std::size_t>(step) * gridDim.x + block);
    cluster.barrier_wait(std::move(arrived));
  }
  store(strip, strip.rows, steps, f, first, c.ny);
#endif
}

/// The tunables for the blocks of the cluster and the threads of a block.
ladder::Tunable blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks per cluster, each keeping a strip; at most one per row of the grid",
          .values = {1, 2, 4, 8, 16},
          .initial = 16};
}
ladder::Tunable threads_tunable() {
  return {.name = "threads",
          .meaning = "maximum threads per block; at most one per cell of a strip",
          .values = {128, 256, 512, 1024},
          .initial = 512};
}

/// Returns whole warps: as many as the tunable says, fewer if a strip has fewer cells, more if a thread would have too many
/// cells for its bits.
std::size_t threads_of(const Strips& strips, const ladder::Tuning& tuning) {
  constexpr std::size_t most_bits = 32;  // a thread has one bit per cell
  const auto warps = [](std::size_t items) { return (items + 31) / 32 * 32; };
  return std::max(std::min(warps(strips.cells()), static_cast<std::size_t>(tuning.at("threads"))),
                  warps((strips.cells() + most_bits - 1) / most_bits));
}

/// Returns one block per strip, all in one cluster; each has shared memory for its strip and the halos.
template <class real>
Launch launch(const Strips& strips, const ladder::Tuning& tuning, const Device& device) {
  const std::size_t shared = (strips.cells() * 9 + 12 * strips.nx) * sizeof(real);
  const std::size_t most = device.shared_memory() - beside_a_strip;
  if (shared > most)
    throw ladder::Refused(ladder::Reason::device_limit, "grid too large for this rung: strips of " +
                                                            std::to_string(strips.cells()) + " cells need " +
                                                            std::to_string(shared) + " bytes of shared memory; " +
                                                            device.name() + " accepts up to " + std::to_string(most));
  const Launch all{device, {strips.count, 1}, {threads_of(strips, tuning), 1}, shared};
  require_cluster(all, timesteps<real>);
  return all;
}

template <class real>
class Cluster final : public PersistentSolver<real, PullInPlace> {
 public:
  Cluster(const Case& c, const ladder::Tuning& tuning)
      : PersistentSolver<real, PullInPlace>(c, {128, 1}, structure_of_arrays(c), [&](const Device& device) {
          return launch<real>(strips_of_blocks(c, tuning), tuning, device);
        }) {}

 private:
  void queue(real* speeds, int steps, bool more) override {
    const Steps<real> now{
        .f = this->f(),
        .speeds = speeds,
        .driven = this->driven_row(),
        .steps = steps,
        .more = more,
        .c = this->problem(),
    };
    this->all_.as_cluster(timesteps<real>, now);
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/13_resident",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::blocks_tunable(), d2q9::threads_tunable()},
    .make = ladder::make_solver<d2q9::Cluster, d2q9::Model>,
};
