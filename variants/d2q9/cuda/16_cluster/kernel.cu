// Idea:    one cluster of blocks: each writes populations that leave its strip into the shared memory of the neighbour's block
// Layout:  in place (AA pattern), f[9][rows][x] and halos[2][2][3][x] in shared memory; f[9][y][x] in global memory
// Traffic: 9 numbers read, 9 written in shared memory; 6 numbers of each column of a strip, each way, in that of neighbours
// Source:  NVIDIA CUDA C++ Programming Guide, "Thread Block Clusters" and "Distributed Shared Memory"
// Bound:   shared memory and arithmetic of sixteen multiprocessors; on small grids the cluster's barrier
#include <cooperative_groups.h>

#include <bit>
#include <string>
#include <utility>

#include "variants/d2q9/cuda/strip_update.hpp"

namespace d2q9 {
namespace {

/// As many strips as the tuning names blocks, at most one per row.
Strips strips_of_blocks(const Case& c, const ladder::Tuning& tuning) {
  const auto named = static_cast<std::size_t>(tuning.at("blocks"));
  return Strips::of_count(grid_of(c), std::min(named, std::bit_floor(static_cast<std::size_t>(c.ny))));
}

std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const ladder::Traffic halos = halo_traffic(real, grid_of(c), strips_of_blocks(c, tuning));
  return {{9 * real + halos.read, 9 * real + halos.write, "shared"}};
}

/// Arguments of the kernel.
template <class real>
struct Steps {
  real* f;
  /// [step][strip]: the sum of |u| over the fluid cells of a strip.
  real* speeds;
  /// The row to accelerate for the next step, if there is one: one of these `steps` steps, or a later one (`more`); -1: none.
  int driven;
  int steps;
  bool more;
  Problem<real> c;
};

/// First of the ny rows that block number `block` of so many keeps; they differ by one row at most.
__host__ __device__ constexpr int first_row(int block, int blocks, int ny) { return block * ny / blocks; }

/// Advances the lattice by `steps` steps, one strip per block of the cluster. Blocks write the halos of one parity in their
/// neighbours while these read the halos of the other parity.
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

/// The blocks of the cluster and the threads of a block, as tunables.
ladder::Tunable blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks of the cluster, each of which keeps a strip; no more than the grid has rows",
          .values = {1, 2, 4, 8, 16},
          .initial = 16};
}
ladder::Tunable threads_tunable() {
  return {.name = "threads",
          .meaning = "threads of a block at most; no more than a strip has cells",
          .values = {128, 256, 512, 1024},
          .initial = 512};
}

template <class real>
class Cluster final : public CudaSolver<real, PullInPlace> {
 public:
  Cluster(const Case& c, const ladder::Tuning& tuning)
      : CudaSolver<real, PullInPlace>(c, {128, 1}, structure_of_arrays(c)),
        strips_(strips_of_blocks(c, tuning)),
        all_{this->device_, {strips_.count, 1}, {threads(static_cast<std::size_t>(tuning.at("threads"))), 1}, shared()} {
    const std::size_t most = this->device_.shared_memory() - beside_a_strip;
    if (shared() > most)
      throw ladder::Refused(ladder::Reason::device_limit, "grid too large for this rung: strips of " +
                                                              std::to_string(strips_.cells()) + " cells need " +
                                                              std::to_string(shared()) + " bytes of shared memory; " +
                                                              this->device_.name() + " accepts up to " + std::to_string(most));
    require_cluster(all_, timesteps<real>);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    speeds_.in_parts(steps, [this](int count, bool more) {
      const Steps<real> now{
          .f = this->f(),
          .speeds = speeds_.next(),
          .driven = this->driven_row(),
          .steps = count,
          .more = more,
          .c = this->problem(),
      };
      all_.as_cluster(timesteps<real>, now);
    });
  }

  std::span<const double> history() override { return speeds_.history(); }

 private:
  /// Bytes of shared memory of a block: its strip and the halos.
  [[nodiscard]] std::size_t shared() const { return (strips_.cells() * 9 + 12 * this->grid_.x) * sizeof(real); }
  /// Whole warps: as many as named; fewer if there are fewer cells; more if there are too many cells for the bits of a thread.
  [[nodiscard]] std::size_t threads(std::size_t named) const {
    constexpr std::size_t most_bits = 32;  // a thread has a bit for each of its cells
    const auto warps = [](std::size_t items) { return (items + 31) / 32 * 32; };
    return std::max(std::min(warps(strips_.cells()), named), warps((strips_.cells() + most_bits - 1) / most_bits));
  }

  const Strips strips_;
  const Launch all_;
  DeferredSums<real> speeds_{this->device_, all_.blocks, this->fluid_cells_};
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
