#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "backends/cuda/box.hpp"

/// A box divided among blocks for many steps: how it is cut, and which block owns which cell.
namespace ladder::cuda {

/// Number of parts along y and z, with one part per block. Rows along x are not cut, so that they are sent to other blocks in
/// whole sectors.
struct Parts {
  int y, z;

  [[nodiscard]] constexpr int count() const { return y * z; }
};

/// First of the rows or planes, out of n, in part number `part` of `parts`; parts differ in size by at most one.
__host__ __device__ constexpr int first_of(int part, int parts, int n) { return part * n / parts; }
/// The part that contains row or plane k of n.
__host__ __device__ constexpr int part_of(int k, int parts, int n) { return ((k + 1) * parts - 1) / n; }

/// Rows in the largest part.
[[nodiscard]] constexpr int rows(Parts parts, Sides box) {
  return ((box.ny + parts.y - 1) / parts.y) * ((box.nz + parts.z - 1) / parts.z);
}

/// This thread's cell. Threads are numbered like the cells of their block's part, with `pitch` threads per row.
struct PartCell {
  int x, y, z;
  bool inside;  ///< whether the thread has a cell
};
__device__ inline PartCell own_cell(Parts parts, Sides box, int pitch) {
  const int part_y = blockIdx.x % parts.y, part_z = blockIdx.x / parts.y;
  const int first_y = first_of(part_y, parts.y, box.ny), first_z = first_of(part_z, parts.z, box.nz);
  const int rows = first_of(part_y + 1, parts.y, box.ny) - first_y;
  const int x = threadIdx.x % pitch;
  const int y = first_y + threadIdx.x / pitch % rows;
  const int z = first_z + threadIdx.x / pitch / rows;
  return {x, y, z, x < box.nx && z < first_of(part_z + 1, parts.z, box.nz)};
}

/// Location of row (y, z) of a box: the block that owns it and its index within that block.
struct Row {
  int block, number;
};
__device__ inline Row row_of(int y, int z, Parts parts, Sides box) {
  const int part_y = part_of(y, parts.y, box.ny), part_z = part_of(z, parts.z, box.nz);
  const int first_y = first_of(part_y, parts.y, box.ny), first_z = first_of(part_z, parts.z, box.nz);
  const int rows = first_of(part_y + 1, parts.y, box.ny) - first_y;
  return {part_z * parts.y + part_y, (z - first_z) * rows + y - first_y};
}

/// The parts for a cluster of up to `blocks` blocks, a power of two: as many along z as along y, or twice as many, because this
/// sends less data than slabs. The number along each axis is a power of two, with at most one part per cell.
[[nodiscard]] inline Parts cluster_parts(int blocks, Sides box) {
  const auto along = [](unsigned wanted, int n) {
    return static_cast<int>(std::min(wanted, std::bit_floor(static_cast<unsigned>(n))));
  };
  const unsigned y = 1U << (std::bit_width(static_cast<unsigned>(blocks)) - 1) / 2;
  return {along(y, box.ny), along(static_cast<unsigned>(blocks) / y, box.nz)};
}

/// Block size in whole warps, with one thread per cell of the largest part.
/// @throws Refused if a block would own more than `most` cells
[[nodiscard]] inline Shape block_of_parts(Parts parts, Sides box, int most) {
  const int cells = box.nx * rows(parts, box);
  if (cells > most)
    throw Refused(Reason::too_large, "box too large for this rung: one of " + std::to_string(parts.count()) + " blocks keeps " +
                                         std::to_string(cells) + " cells; up to " + std::to_string(most) + " fit");
  return {(static_cast<std::size_t>(cells) + 31) / 32 * 32, 1};
}

/// Threads per row: whole warps, so that all cells of a warp send to the same rows.
__host__ __device__ constexpr int threads_of_row(int nx) { return (nx + 31) / 32 * 32; }

/// Threads per block if each row occupies whole warps.
[[nodiscard]] constexpr int threads(Parts parts, Sides box) { return threads_of_row(box.nx) * rows(parts, box); }

/// Among the cuts into at most `blocks` parts (0: one per multiprocessor), chooses those with the fewest warps per scheduler (a
/// multiprocessor has four), and among these the one that cuts the fewest rows.
[[nodiscard]] inline Parts grid_parts(int blocks, Sides box) {
  if (blocks == 0) blocks = Device::select().multiprocessors();
  const auto cost = [&](Parts parts) {
    return std::pair{(threads(parts, box) + 127) / 128,
                     (parts.y > 1 ? parts.y * box.nz : 0) + (parts.z > 1 ? parts.z * box.ny : 0)};
  };
  Parts best{1, 1};
  for (int y = 1; y <= std::min(box.ny, blocks); ++y)
    for (int z = 1; z <= std::min(box.nz, blocks / y); ++z)
      if (cost({y, z}) < cost(best)) best = {y, z};
  return best;
}

/// Block size with whole warps for each row of the largest part.
/// @throws Refused if a block needs more than `most` threads
[[nodiscard]] inline Shape block_of_rows(Parts parts, Sides box, int most) {
  const int count = threads(parts, box);
  if (count > most)
    throw Refused(Reason::too_large, "box too large for this rung: one of " + std::to_string(parts.count()) + " blocks needs " +
                                         std::to_string(count) + " threads, whole warps for each row; up to " +
                                         std::to_string(most) + " fit");
  return {static_cast<std::size_t>(count), 1};
}

/// Allows `kernel` to use `launch.shared` bytes of dynamic shared memory.
/// @throws Unavailable without cooperative launches; Refused if the blocks do not all fit on the device at the same time
template <class... Parameters>
void require_together(const Launch& launch, void (*kernel)(Parameters...)) {
  launch.device.require_cooperative_launch();
  const std::size_t resident = resident_blocks(launch, kernel);
  if (launch.blocks.x > resident)
    throw Refused(Reason::device_limit, "box too large for this rung: " + std::to_string(launch.blocks.x) + " blocks; " +
                                            launch.device.name() + " runs " + std::to_string(resident) + " at the same time");
}

}  // namespace ladder::cuda
