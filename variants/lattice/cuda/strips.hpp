#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "backends/cuda/launch.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/cuda/strip.hpp"

namespace lattice::cuda {

/// The rows of a strip, as a tunable.
inline ladder::Tunable rows_tunable() {
  return {.name = "rows",
          .meaning = "rows of a strip, which one multiprocessor keeps; 0: as few as spread the grid over all multiprocessors",
          .values = {0, 1, 2, 4, 8, 16, 32},
          .initial = 0};
}

/// Rows cut into strips, one per block.
struct Strips {
  std::size_t nx;
  std::size_t rows;  ///< of the largest strip
  std::size_t count;

  /// Strips of so many rows; the last may have fewer.
  static Strips of_rows(const ladder::cuda::Shape& grid, std::size_t rows) {
    return {grid.x, std::min(rows, grid.y), (grid.y + rows - 1) / rows};
  }
  /// So many strips, whose sizes differ by one row at most.
  static Strips of_count(const ladder::cuda::Shape& grid, std::size_t count) {
    return {grid.x, (grid.y + count - 1) / count, count};
  }
  /// The strips for the tunable `rows`.
  static Strips tuned(const ladder::cuda::Shape& grid, const ladder::Tuning& tuning, const ladder::cuda::Device& device) {
    const auto rows = static_cast<std::size_t>(tuning.at("rows"));
    return of_rows(grid, rows > 0 ? rows : of_count(grid, static_cast<std::size_t>(device.multiprocessors())).rows);
  }

  /// A launch of one block per strip: whole warps, one thread per cell up to the largest block.
  template <class real>
  [[nodiscard]] ladder::cuda::Launch launch(const ladder::cuda::Device& device, std::size_t shared) const {
    const std::size_t threads = std::min<std::size_t>((cells() + 31) / 32 * 32, most_threads<real>);
    return {device, {count, 1}, {threads, 1}, shared};
  }
  /// Cells of the largest strip.
  [[nodiscard]] std::size_t cells() const { return nx * rows; }
  /// Numbers of all halos, [2][strip][2][3][nx].
  [[nodiscard]] std::size_t halos() const { return 2 * count * 2 * 3 * nx; }
};

/// Bytes of shared memory in addition to a strip: sums, and the part that CUDA reserves.
inline constexpr std::size_t beside_a_strip = 1024;

/// The strips of a grid for the tunable `rows`, for use in a formula: without a GPU, `rows` of 0 counts as 1.
inline Strips strips_of(const ladder::cuda::Shape& grid, const ladder::Tuning& tuning) {
  const auto gpu = ladder::cuda::Device::available();
  if (gpu) return Strips::tuned(grid, tuning, *gpu);
  return Strips::of_rows(grid, static_cast<std::size_t>(std::max(tuning.at("rows"), 1)));
}

/// Traffic of an update through the halos of strips, which are in the L2 cache: 6 numbers of a column cross the edges of a
/// strip each way.
inline ladder::Traffic halo_traffic(double real, const ladder::cuda::Shape& grid, const Strips& strips) {
  const double numbers = 6 * static_cast<double>(strips.count) / static_cast<double>(grid.y);
  return {numbers * real, numbers * real, "l2"};
}

}  // namespace lattice::cuda
