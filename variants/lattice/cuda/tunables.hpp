#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/device.hpp"
#include "harness/bench/rung.hpp"

/// Tunables shared by the CUDA rungs of several models, and their effect on a launch.
namespace lattice::cuda {

/// `threads`: threads per block along x, at most `most`. The values are multiples of the warp size, plus 720, which Chintapalli
/// and Goh found best. `one` names what a thread works on.
inline ladder::Tunable threads_tunable(int initial, int most, const std::string& one = "cell") {
  std::vector<int> values = {32, 64, 96, 128, 192, 256, 320, 384, 512, 720};
  std::erase_if(values, [most](int value) { return value > most; });
  return {.name = "threads", .meaning = "threads per block, one per " + one, .values = std::move(values), .initial = initial};
}

/// Returns the block that `threads` selects.
inline ladder::cuda::Shape row_block(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("threads")), 1};
}

/// `width`: cells that a thread moves in one access of at most 16 bytes.
inline ladder::Tunable width_tunable() {
  return {.name = "width",
          .meaning = "cells of a row per thread, at most 16 bytes per direction; 0: 8 bytes",
          .values = {0, 1, 2, 4},
          .initial = 0};
}

/// Returns the number of cells that `width` selects for elements of type real. 0 selects two elements in single precision or
/// one in double; the populations then take 54 registers, and many threads run at once.
template <class real>
int vector_width(const ladder::Tuning& tuning) {
  constexpr int most = 16 / sizeof(real);
  const int width = tuning.at("width");
  return width > 0 ? std::min(width, most) : most / 2;
}

/// `blocks`: blocks per cluster, each of which keeps a part of the cells. A cluster of 8 is portable.
inline ladder::Tunable cluster_tunable() {
  return {.name = "blocks",
          .meaning = "blocks per cluster, each keeping a part of the box; at most one per cell along y and z",
          .values = {4, 8, 16},
          .initial = 16};
}

/// `blocks`: blocks that all run at the same time, each of which keeps a part of the cells.
inline ladder::Tunable parts_tunable() {
  return {.name = "blocks",
          .meaning = "maximum number of blocks, each keeping a part of the box; 0: one per multiprocessor",
          .values = {0, 16, 32, 64, 96, 128},
          .initial = 0};
}

}  // namespace lattice::cuda
