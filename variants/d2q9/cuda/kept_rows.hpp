#pragma once

#include <string>

#include "backends/cuda/block_flags.hpp"
#include "variants/d2q9/cuda/strips.hpp"

/// Strips that keep only some of their rows in shared memory.
namespace d2q9 {

/// Rows of a strip: the first `kept` rows in shared memory, f[9][kept][nx], the others, starting at row `first`, in global
/// memory, g[9][ny][nx].
template <class real>
struct KeptRows {
  real *f, *g;
  int nx, ny, first, rows, kept;

  template <Rows where>
  __device__ real& at(int i, int x, int y) const {
    if (where == Rows::shared) return f[(i * kept + y) * nx + x];
    if (where == Rows::global) return g[(static_cast<std::size_t>(i) * ny + first + y) * nx + x];
    real* const row = y < kept ? f + y * nx : g + static_cast<std::size_t>(first + y) * nx;
    const std::size_t plane = static_cast<std::size_t>(y < kept ? kept : ny) * nx;
    return row[i * plane + x];
  }
};

/// Reads the kept rows of a strip, and sends its halos as an odd step before the first one would. `f` is the lattice in global
/// memory.
template <class real>
__device__ void load(const Strip<KeptRows<real>>& strip, const Halos<real>& halos, const real* f) {
  for_own_cells(strip.nx, strip.rows, [&](int, Cell cell) {
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) {
      s[i] = f[at(i, cell.x, strip.first + cell.y, strip.nx, strip.ny)];
      if (cell.y < strip.kept) strip.template at<Rows::shared>(i, cell.x, cell.y) = s[i];
    }
    halos.send(s, strip, cell);
  });
}

/// Returns how many rows of each strip fit in a block's shared memory, given the bytes per cell.
inline std::size_t kept_rows(const Strips& strips, std::size_t cell, const Device& device) {
  return std::min(strips.rows, (device.shared_memory() - beside_a_strip) / (strips.nx * cell));
}

/// Returns the traffic of an update. The level with the most bytes comes first; without a GPU, all rows count as kept.
inline std::vector<ladder::Traffic> kept_traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const Strips strips = strips_of(grid_of(c), tuning);
  const auto gpu = Device::available();
  const auto kept = static_cast<double>(gpu ? kept_rows(strips, static_cast<std::size_t>(9 * real), *gpu) : strips.rows);
  const double part = kept / static_cast<double>(strips.rows);
  const ladder::Traffic shared = {9 * real * part, 9 * real * part, "shared"};
  const ladder::Traffic global = {9 * real * (1 - part) + 1, 9 * real * (1 - part)};
  const ladder::Traffic halos = halo_traffic(real, grid_of(c), strips);
  if (part > 0.5) return {shared, global, halos};
  return {global, shared, halos};
}

/// Returns a launch of one block per strip of `ny` rows, with all blocks resident. @throws ladder::Refused if there are too
/// many
template <class real, class... Parameters>
Launch launch_with_kept_rows(const Strips& strips, const Device& device, void (*kernel)(Parameters...), int ny) {
  device.require_cooperative_launch();
  const Launch all = strips.launch<real>(device, 9 * sizeof(real) * kept_rows(strips, 9 * sizeof(real), device) * strips.nx);
  const std::size_t resident = resident_blocks(all, kernel);
  if (strips.count > resident)
    throw ladder::Refused(ladder::Reason::device_limit, std::to_string(ny) + " rows in strips of " +
                                                            std::to_string(strips.rows) + ": " + device.name() +
                                                            " accepts up to " + std::to_string(resident) + " strips");
  return all;
}

}  // namespace d2q9
