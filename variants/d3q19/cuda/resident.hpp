#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <optional>

#include "backends/cuda/parts.hpp"
#include "backends/cuda/shared.hpp"
#include "variants/d3q19/cuda/solver.hpp"

namespace d3q19 {

/// The row to which direction i leads, among the nine rows around a cell ordered by z, then y; it comes from row 8 - row(i).
__device__ constexpr int row(int i) { return 3 * (d3q19_cz[i] + 1) + d3q19_cy[i] + 1; }

/// Arguments of a kernel that advances the lattice by many steps, with each block keeping a part of the box.
template <class real, class Message = real>
struct Steps {
  Step<real> step;  ///< for a lattice that is read before it is written
  std::int64_t steps;
  Parts parts;
  Message* messages;  ///< [block][shared elements of a block]; null if there are none
  unsigned number;    ///< of the first step that sends messages
};

/// Base of solvers that advance the lattice by all steps in one launch. The tunable is lattice::cuda::parts_tunable().
template <class real, class Message = real>
class PartsSolver : public ObstacleSolver<real, lattice::cuda::PullInPlace> {
 public:
  void advance(std::int64_t steps) override {
    if (steps == 0) return;
    all_.together(timesteps_, {.step = this->step(),
                               .steps = steps,
                               .parts = parts_,
                               .messages = messages_ ? messages_->data() : nullptr,
                               .number = next_});
    next_ += static_cast<unsigned>(steps - 1);
  }

 protected:
  using Kernel = void (*)(Steps<real, Message>);

  /// A block of `timesteps` has up to `most_cells` threads, in whole warps for each row, and `shared` elements in shared memory
  /// and as many messages.
  PartsSolver(const Case& c, const ladder::Tuning& tuning, Kernel timesteps, int most_cells, std::size_t shared)
      : PartsSolver(c, grid_parts(tuning.at("blocks"), {c.nx, c.ny, c.nz}), timesteps, most_cells, shared) {}

 private:
  PartsSolver(const Case& c, Parts parts, Kernel timesteps, int most_cells, std::size_t shared)
      : PartsSolver::ObstacleSolver(c, block_of_rows(parts, {c.nx, c.ny, c.nz}, most_cells), structure_of_arrays(c)),
        timesteps_(timesteps),
        parts_(parts),
        all_{this->device_, {static_cast<std::size_t>(parts.count()), 1}, this->block_, shared * sizeof(real)} {
    require_together(all_, timesteps_);
    if (shared > 0) messages_.emplace(this->device_, all_.blocks.x * shared);
  }

  const Kernel timesteps_;
  const Parts parts_;
  const Launch all_;
  std::optional<Buffer<Message>> messages_;
  unsigned next_ = 2;  // number of the next message; tags start with last bits 0 and 1
};

}  // namespace d3q19
