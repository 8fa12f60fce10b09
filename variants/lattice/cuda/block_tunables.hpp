#pragma once

#include <string>
#include <vector>

#include "backends/cuda/device.hpp"
#include "harness/bench/rung.hpp"

namespace lattice::cuda {

/// Threads of a block along x, as a tunable.
inline ladder::Tunable wx_tunable(int initial) {
  return {.name = "wx", .meaning = "threads of a block along x", .values = {1, 2, 4, 8, 16, 32, 64, 128}, .initial = initial};
}

/// Threads of a block along y, as a tunable.
inline ladder::Tunable wy_tunable(int initial) {
  return {.name = "wy", .meaning = "threads of a block along y", .values = {1, 2, 4, 8, 16, 32, 64, 128}, .initial = initial};
}

/// Blocks have at most `most` threads: the limit of a GPU, or fewer if the registers of a multiprocessor do not suffice for
/// more.
inline std::vector<ladder::Constraint> block_constraints(int most) {
  return {{"wx * wy <= " + std::to_string(most) + " (threads of a block, and the registers that they need)",
           [most](const ladder::Tuning& t) { return t.at("wx") * t.at("wy") <= most; }}};
}

/// The block that the tuning names.
inline ladder::cuda::Shape block_shape(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("wx")), static_cast<std::size_t>(tuning.at("wy"))};
}

}  // namespace lattice::cuda
