#pragma once

#include <cooperative_groups.h>

#include "backends/cuda/parts.hpp"
#include "backends/cuda/shared.hpp"
#include "backends/cuda/tags.hpp"
#include "variants/d3q27/cuda/solver.hpp"

namespace d3q27 {

/// Arguments of a kernel whose blocks send each other messages.
template <class real>
struct MessageSteps {
  Steps<real> run;
  Bits<real>* messages;  ///< [block][2][27][maximum cells of a block]; initially zero
  unsigned number;       ///< of the first step that sends messages
};

/// Base of solvers that advance the box by all steps in one launch of concurrently running blocks, each keeping a part of the
/// box. The tunable is lattice::cuda::parts_tunable().
template <class real>
class GridBox : public BoxSolver<Model, real, PullInPlace> {
 public:
  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.together(timesteps_,
                  {.run = {.f = this->f(), .steps = steps, .parts = parts_, .box = this->box_, .omega = this->omega_},
                   .messages = messages_.data(),
                   .number = next_});
    next_ += static_cast<unsigned>(steps - 1);
  }

 protected:
  using Kernel = void (*)(MessageSteps<real>);

  /// A block of `timesteps` has up to `most_cells` threads, in whole warps for each row, and two copies of its part of the
  /// lattice in shared memory.
  GridBox(const Case& c, const ladder::Tuning& tuning, Kernel timesteps, std::size_t most_cells)
      : GridBox(c, grid_parts(tuning.at("blocks"), box_of(c)), timesteps, most_cells) {}

 private:
  GridBox(const Case& c, Parts parts, Kernel timesteps, std::size_t most_cells)
      : GridBox::BoxSolver(c, block_of_rows(parts, box_of(c), static_cast<int>(most_cells)), structure_of_arrays(c)),
        timesteps_(timesteps),
        parts_(parts),
        all_{this->device_, {static_cast<std::size_t>(parts.count()), 1}, this->block_, 2 * 27 * most_cells * sizeof(real)},
        messages_(this->device_, all_.blocks.x * 2 * 27 * most_cells) {
    require_together(all_, timesteps_);
  }

  const Kernel timesteps_;
  const Parts parts_;
  const Launch all_;
  Buffer<Bits<real>> messages_;
  unsigned next_ = 2;  // number of the next message; the buffer starts with last bits 0 and 1
};

}  // namespace d3q27
