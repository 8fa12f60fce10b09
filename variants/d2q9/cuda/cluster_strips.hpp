#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "variants/d2q9/cuda/strips.hpp"

/// Strips kept by the blocks of one cluster.
namespace d2q9 {

/// Returns as many strips as the tuning has blocks, but at most one per row.
inline Strips cluster_strips(const Case& c, const ladder::Tuning& tuning) {
  const auto named = static_cast<std::size_t>(tuning.at("blocks"));
  return Strips::of_count(grid_of(c), std::min(named, std::bit_floor(static_cast<std::size_t>(c.ny))));
}

/// Returns the first of the ny rows that block `block` of `blocks` keeps; their row counts differ by at most one.
__host__ __device__ constexpr int first_row(int block, int blocks, int ny) { return block * ny / blocks; }

/// Halos in shared memory, [2][2][3][nx]: for each parity of the step, the populations that arrive from the south (side 0) and
/// north (side 1). A block writes those of its neighbours.
template <class real>
struct ClusterExchange {
  real *here, *south, *north;  ///< the halos of this block and of its neighbours

  /// Returns the halos that this block reads and writes in a step.
  __device__ Halos<real, Direct> of(int step, int nx) const {
    const int now = step % 2 * 6 * nx;
    const int next = (step + 1) % 2 * 6 * nx;
    return {here + now, here + now + 3 * nx, south + next + 3 * nx, north + next};
  }
};

/// The tunables for the blocks of the cluster and the threads of a block.
inline ladder::Tunable cluster_blocks_tunable() {
  return {.name = "blocks",
          .meaning = "blocks per cluster, each keeping a strip; at most one per row of the grid",
          .values = {1, 2, 4, 8, 16},
          .initial = 16};
}
inline ladder::Tunable cluster_threads_tunable() {
  return {.name = "threads",
          .meaning = "maximum threads per block; at most one per cell of a strip",
          .values = {128, 256, 512, 1024},
          .initial = 512};
}

/// Returns whole warps: as many as the tunable says, fewer if a strip has fewer cells, more if a thread would have too many
/// cells for its bits.
inline std::size_t cluster_threads(const Strips& strips, const ladder::Tuning& tuning) {
  constexpr std::size_t most_bits = 32;  // a thread has one bit per cell
  const auto warps = [](std::size_t items) { return (items + 31) / 32 * 32; };
  return std::max(std::min(warps(strips.cells()), static_cast<std::size_t>(tuning.at("threads"))),
                  warps((strips.cells() + most_bits - 1) / most_bits));
}

/// Returns a launch of one block per strip, all in one cluster; each has shared memory for its strip and the halos.
/// @throws ladder::Refused if a strip does not fit; ladder::Unavailable if the device has no clusters
template <class real, class... Parameters>
Launch cluster_launch(const Strips& strips, const ladder::Tuning& tuning, const Device& device, void (*kernel)(Parameters...)) {
  const std::size_t shared = (strips.cells() * 9 + 12 * strips.nx) * sizeof(real);
  const std::size_t most = device.shared_memory() - beside_a_strip;
  if (shared > most)
    throw ladder::Refused(ladder::Reason::device_limit, "grid too large for this rung: strips of " +
                                                            std::to_string(strips.cells()) + " cells need " +
                                                            std::to_string(shared) + " bytes of shared memory; " +
                                                            device.name() + " accepts up to " + std::to_string(most));
  const Launch all{device, {strips.count, 1}, {cluster_threads(strips, tuning), 1}, shared};
  require_cluster(all, kernel);
  return all;
}

}  // namespace d2q9
