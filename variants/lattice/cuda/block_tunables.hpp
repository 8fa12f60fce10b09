#pragma once

#include <string>
#include <vector>

#include "backends/cuda/device.hpp"
#include "harness/bench/rung.hpp"

namespace lattice::cuda {

/// The tunable for the threads per block along x.
inline ladder::Tunable wx_tunable(int initial) {
  return {.name = "wx", .meaning = "threads per block along x", .values = {1, 2, 4, 8, 16, 32, 64, 128}, .initial = initial};
}

/// The tunable for the threads per block along y.
inline ladder::Tunable wy_tunable(int initial) {
  return {.name = "wy", .meaning = "threads per block along y", .values = {1, 2, 4, 8, 16, 32, 64, 128}, .initial = initial};
}

/// Limits blocks to `most` threads: the GPU's limit, or less if a multiprocessor has too few registers for that many.
inline std::vector<ladder::Constraint> block_constraints(int most) {
  return {{"wx * wy <= " + std::to_string(most) + " (threads of a block, and the registers that they need)",
           [most](const ladder::Tuning& t) { return t.at("wx") * t.at("wy") <= most; }}};
}

/// Returns the block that the tuning selects.
inline ladder::cuda::Shape block_shape(const ladder::Tuning& tuning) {
  return {static_cast<std::size_t>(tuning.at("wx")), static_cast<std::size_t>(tuning.at("wy"))};
}

}  // namespace lattice::cuda
