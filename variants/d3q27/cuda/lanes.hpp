#pragma once

#include <cooperative_groups.h>

#include <string>

#include "backends/cuda/shared.hpp"
#include "variants/d3q27/cuda/solver.hpp"

/// A cluster whose blocks keep consecutively numbered cells, three threads per cell: numbering of the threads, and the launch.
namespace d3q27 {

inline constexpr int cells_of_warp = 10;  ///< lanes 0 … 9: populations that move down, 10 … 19: within the plane, 20 … 29: up
/// Maximum cells per block, limited by the registers that a thread needs. Also the distance between populations, which is
/// constant so that instructions can encode it as an offset.
inline constexpr int most_cells = 28 * cells_of_warp;
inline constexpr int most_threads = most_cells / cells_of_warp * 32;

/// Arguments of the kernel.
template <class real>
struct LaneSteps {
  real* f;
  std::int64_t steps;
  int part;  // cells per block
  Sides box;
  real omega;
};

/// Tunable for the number of blocks in the cluster.
inline ladder::Tunable blocks_tunable() {
  return {
      .name = "blocks", .meaning = "blocks per cluster, each keeping a part of the cells", .values = {4, 8, 16}, .initial = 16};
}

/// Base of solvers with such a kernel. The tunable is blocks_tunable().
template <class real>
class LaneBox : public BoxSolver<Model, real, PullInPlace> {
 public:
  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.as_cluster(timesteps_, {.f = this->f(), .steps = steps, .part = part_, .box = this->box_, .omega = this->omega_});
  }

 protected:
  using Kernel = void (*)(LaneSteps<real>);

  LaneBox(const Case& c, const ladder::Tuning& tuning, Kernel timesteps)
      : LaneBox(c, tuning.at("blocks"), part(c, tuning), timesteps) {}

 private:
  LaneBox(const Case& c, int blocks, int part, Kernel timesteps)
      : LaneBox::BoxSolver(c, {static_cast<std::size_t>(part + cells_of_warp - 1) / cells_of_warp * 32, 1},
                           structure_of_arrays(c)),
        timesteps_(timesteps),
        part_(part),
        all_{this->device_, {static_cast<std::size_t>(blocks), 1}, this->block_, 2 * 27 * most_cells * sizeof(real)} {
    require_cluster(all_, timesteps_);
  }

  /// Cells per block. @throws ladder::Refused if a block cannot keep that many
  static int part(const Case& c, const ladder::Tuning& tuning) {
    const auto blocks = static_cast<std::int64_t>(tuning.at("blocks"));
    const std::int64_t count = (c.cells() + blocks - 1) / blocks;
    if (count > most_cells)
      throw ladder::Refused(ladder::Reason::too_large, "box too large for this rung: one of " + std::to_string(blocks) +
                                                           " blocks keeps " + std::to_string(count) + " cells; up to " +
                                                           std::to_string(most_cells) + " have threads");
    return static_cast<int>(count);
  }

  const Kernel timesteps_;
  const int part_;
  const Launch all_;
};

}  // namespace d3q27
