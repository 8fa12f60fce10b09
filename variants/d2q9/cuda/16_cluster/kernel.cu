// Idea:    one cluster of blocks: each block writes populations that leave its strip into the shared memory of the neighbour's
//          block
// Layout:  in place (AA pattern), f[9][rows][x] and halos[2][2][3][x] in shared memory; f[9][y][x] in global memory
// Traffic: 9 values read, 9 written in shared memory; 6 values per column of a strip, each way, in the neighbours' shared
//          memory
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory"
// Bound:   shared memory and arithmetic on sixteen multiprocessors; the cluster's barrier on small grids
#include <cooperative_groups.h>

#include <utility>

#include "variants/d2q9/cuda/cluster_strips.hpp"

namespace d2q9 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const ladder::Traffic halos = halo_traffic(real, grid_of(c), cluster_strips(c, tuning));
  return {{9 * real + halos.read, 9 * real + halos.write, "shared"}};
}

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
  const bool drive = driven && fluid && d2q9_can_drive(s, c.w1, c.w2);
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

/// Advances the lattice by `steps` steps, one strip per block; speeds[step][strip] = the sum of |u| over the fluid cells of a
/// strip. The row `driven` (-1 for none) is accelerated for the next step, after the last one if `more` is set.
///
/// Blocks write the halos of one parity in their neighbours while the neighbours read the halos of the other parity.
template <class real>
__global__ void __launch_bounds__(most_threads<real>, 1)
    timesteps(real* f, real* speeds, int driven, int steps, bool more, Problem<real> c) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // not launched on other devices
  extern __shared__ double room[];
  __shared__ real sums[32];
  const auto cluster = cooperative_groups::this_cluster();
  const int block = blockIdx.x, blocks = gridDim.x;
  const int first = first_row(block, blocks, c.ny);
  real* const here = reinterpret_cast<real*>(room);
  const ClusterExchange<real> exchange{here, cluster.map_shared_rank(here, (block + blocks - 1) % blocks),
                                       cluster.map_shared_rank(here, (block + 1) % blocks)};
  const Strip<SharedRows<real>> strip{{here + 12 * c.nx, c.nx, first_row(block + 1, blocks, c.ny) - first}};
  cluster.sync();  // the neighbours' shared memory exists
  const unsigned solid = load(strip, exchange.of(1, c.nx), f, c.solid, first, c.ny);
  cluster.sync();

  for (int step = 0; step < steps; ++step) {
    const auto halos = exchange.of(step, c.nx);
    halos.receive(strip);
    __syncthreads();
    const int drive = step + 1 < steps || more ? driven - first : -1;
    const real speed = step % 2 == 0 ? sweep<false>(strip, halos, solid, drive, c) : sweep<true>(strip, halos, solid, drive, c);
    auto arrived = cluster.barrier_arrive();
    put_warp_sum(sums, speed);
    __syncthreads();
    add_warp_sums(sums, speeds + static_cast<std::size_t>(step) * gridDim.x + blockIdx.x);
    cluster.barrier_wait(std::move(arrived));
  }
  store(strip, strip.rows, steps, f, first, c.ny);
#endif
}

template <class real>
class Resident final : public PersistentSolver<real, PullInPlace> {
 public:
  Resident(const Case& c, const ladder::Tuning& tuning)
      : PersistentSolver<real, PullInPlace>(c, {128, 1}, structure_of_arrays(c), [&](const Device& device) {
          return cluster_launch<real>(cluster_strips(c, tuning), tuning, device, timesteps<real>);
        }) {}

 private:
  void queue(real* speeds, int steps, bool more) override {
    this->all_.as_cluster(timesteps<real>, this->f(), speeds, this->driven_row(), steps, more, this->problem());
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/cuda/13_resident",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::cluster_blocks_tunable(), d2q9::cluster_threads_tunable()},
    .make = ladder::make_solver<d2q9::Resident, d2q9::Model>,
};
