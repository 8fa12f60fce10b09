#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "variants/d2q9/cuda/step_solver.hpp"
#include "variants/d2q9/cuda/strip.hpp"

namespace d2q9 {

using lattice::cuda::PullInPlace;

/// The tunable for the rows per strip.
inline ladder::Tunable rows_tunable() {
  return {.name = "rows",
          .meaning = "rows per strip, which one multiprocessor keeps; 0: spread the grid over all multiprocessors",
          .values = {0, 1, 2, 4, 8, 16, 32},
          .initial = 0};
}

/// Bytes of shared memory needed in addition to a strip: sums, and the part that CUDA reserves.
inline constexpr std::size_t beside_a_strip = 1024;

/// The rows of a grid cut into strips, one per block.
struct Strips {
  std::size_t nx;
  std::size_t rows;  ///< of the largest strip
  std::size_t count;

  /// Returns strips of `rows` rows; the last one may have fewer.
  static Strips of_rows(const Shape& grid, std::size_t rows) {
    return {grid.x, std::min(rows, grid.y), (grid.y + rows - 1) / rows};
  }
  /// Returns `count` strips whose sizes differ by at most one row.
  static Strips of_count(const Shape& grid, std::size_t count) { return {grid.x, (grid.y + count - 1) / count, count}; }
  /// Returns the strips for the tunable `rows`.
  static Strips tuned(const Shape& grid, const ladder::Tuning& tuning, const Device& device) {
    const auto rows = static_cast<std::size_t>(tuning.at("rows"));
    return of_rows(grid, rows > 0 ? rows : of_count(grid, static_cast<std::size_t>(device.multiprocessors())).rows);
  }

  /// Returns a launch of one block per strip: whole warps, one thread per cell up to the largest block.
  template <class real>
  [[nodiscard]] Launch launch(const Device& device, std::size_t shared) const {
    const std::size_t threads = std::min<std::size_t>((cells() + 31) / 32 * 32, most_threads<real>);
    return {device, {count, 1}, {threads, 1}, shared};
  }
  /// Returns such a launch if all its blocks are resident and keep their strips of the `ny` rows in shared memory.
  /// @throws ladder::Refused if they do not fit
  template <class real, class... Parameters>
  [[nodiscard]] Launch resident(const Device& device, void (*kernel)(Parameters...), int ny) const {
    device.require_cooperative_launch();
    const std::string too_large = "grid too large for this rung: " + std::to_string(ny) + " rows in " + std::to_string(count) +
                                  " strips of " + std::to_string(cells()) + " cells: " + device.name() + " accepts up to ";
    const std::size_t most = (device.shared_memory() - beside_a_strip) / (9 * sizeof(real));
    if (cells() > most)
      throw ladder::Refused(ladder::Reason::device_limit, too_large + std::to_string(most) + " cells per strip");
    const Launch all = launch<real>(device, cells() * 9 * sizeof(real));
    const std::size_t resident = resident_blocks(all, kernel);
    if (count > resident)
      throw ladder::Refused(ladder::Reason::device_limit, too_large + std::to_string(resident) + " such strips");
    return all;
  }
  /// Returns the cells of the largest strip.
  [[nodiscard]] std::size_t cells() const { return nx * rows; }
  /// Returns the elements of all halos, [2][strip][2][3][nx].
  [[nodiscard]] std::size_t halos() const { return 2 * count * 2 * 3 * nx; }
};

/// Returns the strips of a grid for the tunable `rows`, for use in a formula: without a GPU, `rows` of 0 counts as 1.
inline Strips strips_of(const Shape& grid, const ladder::Tuning& tuning) {
  const auto gpu = Device::available();
  if (gpu) return Strips::tuned(grid, tuning, *gpu);
  return Strips::of_rows(grid, static_cast<std::size_t>(std::max(tuning.at("rows"), 1)));
}

/// Returns the traffic of an update through the halos of strips, which are in the L2 cache: 6 values per column cross the edges
/// of a strip in each direction.
inline ladder::Traffic halo_traffic(double real, const Shape& grid, const Strips& strips) {
  const double numbers = 6 * static_cast<double>(strips.count) / static_cast<double>(grid.y);
  return {numbers * real, numbers * real, "l2"};
}

/// Base of solvers whose blocks keep strips, with halos in global memory. The tunable is rows_tunable().
template <class real>
class StripSolver : public PersistentSolver<real, PullInPlace> {
 protected:
  /// `launch(strips, device)` returns the launch for all steps.
  /// @throws ladder::Unavailable without a GPU; ladder::InputError beyond its limits
  template <class LaunchOn>
  StripSolver(const Case& c, const ladder::Tuning& tuning, LaunchOn&& launch)
      : PersistentSolver<real, PullInPlace>(
            c, {128, 1}, structure_of_arrays(c),
            [&](const Device& device) { return launch(Strips::tuned(grid_of(c), tuning, device), device); }),
        strips_(Strips::tuned(this->grid_, tuning, this->device_)) {}

  /// Returns the halos.
  [[nodiscard]] Exchange<real> exchange() { return {halos_.data()}; }
  /// Returns the rows per strip; the last one may have fewer.
  [[nodiscard]] int rows() const { return static_cast<int>(strips_.rows); }

  const Strips strips_;

 private:
  Buffer<real> halos_{this->device_, strips_.halos()};
};

}  // namespace d2q9
