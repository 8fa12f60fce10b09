#pragma once

#include <cooperative_groups.h>

#include "backends/cuda/parts.hpp"
#include "backends/cuda/shared.hpp"
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {

/// Base of solvers that advance the box by all steps in one cluster launch, with each block keeping a part of the box. The
/// tunable is lattice::cuda::cluster_tunable().
template <class real>
class ClusterBox : public BoxSolver<Model, real, PullInPlace> {
 public:
  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.as_cluster(timesteps_, {.f = this->f(), .steps = steps, .parts = parts_, .box = this->box_, .omega = this->omega_});
  }

 protected:
  using Kernel = void (*)(Steps<real>);

  /// A block of `timesteps` keeps up to `most_cells` cells, one per thread, and has `shared` bytes of shared memory.
  /// @throws ladder::Refused if the box is too large; ladder::Unavailable if the device has no clusters
  ClusterBox(const Case& c, const ladder::Tuning& tuning, Kernel timesteps, int most_cells, std::size_t shared)
      : ClusterBox(c, cluster_parts(tuning.at("blocks"), box_of(c)), timesteps, most_cells, shared) {}

 private:
  ClusterBox(const Case& c, Parts parts, Kernel timesteps, int most_cells, std::size_t shared)
      : ClusterBox::BoxSolver(c, block_of_parts(parts, box_of(c), most_cells), structure_of_arrays(c)),
        timesteps_(timesteps),
        parts_(parts),
        all_{this->device_, {static_cast<std::size_t>(parts.count()), 1}, this->block_, shared} {
    require_cluster(all_, timesteps_);
  }

  const Kernel timesteps_;
  const Parts parts_;
  const Launch all_;
};

}  // namespace d3q27
