#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"

namespace d2q9 {

extern const std::string_view pass_text;  ///< functions shared by the kernels of passes

/// How a rung's work-groups share the lattice if a pass through memory advances it by several steps. A work-group marches
/// through the rows of a segment, in a strip of columns. Each step after the first invalidates a column at each side of the
/// strip and a row at each end of the segment, so strips and segments overlap.
struct Pass {
  int steps;   ///< per pass
  int rows;    ///< that a segment advances by all steps of a pass
  int items;   ///< per work-group, side by side
  int cells;   ///< of a row that a work-item updates
  int margin;  ///< work-items at each side of a strip whose cells belong to the adjacent strips

  /// Returns the pass that a tuning selects, for elements of `bytes` bytes.
  static Pass of(const ladder::Tuning& tuning, std::size_t bytes) {
    const auto cells = tuning.find("cells");
    Pass pass{.steps = tuning.at("steps"), .rows = tuning.at("rows"), .items = tuning.at("wx"), .cells = 1, .margin = 0};
    if (cells != tuning.end()) pass.cells = cells->second > 0 ? cells->second : static_cast<int>(8 / bytes);
    pass.margin = tuning.at("margin") > 0 ? tuning.at("margin") : pass.least_margin();
    return pass;
  }

  [[nodiscard]] int least_margin() const { return (steps - 1 + cells - 1) / cells; }
  /// Returns the columns that a strip advances by all steps of a pass; not positive if the margins leave none.
  [[nodiscard]] int columns() const { return (items - 2 * margin) * cells; }
  [[nodiscard]] int strips(const Case& c) const { return (c.nx + columns() - 1) / columns(); }
  [[nodiscard]] int segments(const Case& c) const { return (c.ny + rows - 1) / rows; }

  /// Returns the work-items of a launch.
  [[nodiscard]] ladder::opencl::Shape launch(const Case& c) const {
    return {static_cast<std::size_t>(strips(c)) * static_cast<std::size_t>(items), static_cast<std::size_t>(segments(c))};
  }

  [[nodiscard]] lattice::opencl::Setup setup() const {
    return {.group = {static_cast<std::size_t>(items), 1},
            .macros = {{"steps", std::to_string(steps)},
                       {"rows", std::to_string(rows)},
                       {"margin", std::to_string(margin)},
                       {"cells", std::to_string(cells)}},
            .texts = {pass_text}};
  }

  /// Returns the bytes per update. Each cell of a strip and a segment is read once per pass, overlaps included, and each cell
  /// of the lattice is written once.
  static std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
    const Pass pass = of(tuning, static_cast<std::size_t>(real));
    const double columns = 1.0 * pass.strips(c) * pass.items * pass.cells / c.nx;
    const double rows = 1 + 2.0 * (pass.steps - 1) * pass.segments(c) / c.ny;
    return {{(9 * real + 1) * columns * rows / pass.steps, 9 * real / pass.steps}};
  }

  static ladder::Tunable steps_tunable(int initial) {
    return {.name = "steps", .meaning = "steps per pass through memory", .values = {1, 2, 3, 4, 5, 6, 8}, .initial = initial};
  }
  static ladder::Tunable rows_tunable() {
    return {.name = "rows",
            .meaning = "rows per segment, excluding those that overlap the next ones",
            .values = {4, 8, 16, 32, 64, 128, 256},
            .initial = 64};
  }
  static ladder::Tunable items_tunable() {
    return {.name = "wx", .meaning = "work-items per work-group", .values = {16, 32, 64, 128, 256}, .initial = 32};
  }
  static ladder::Tunable margin_tunable() {
    return {.name = "margin",
            .meaning = "work-items on each side of a strip that overlap the adjacent strip; 0: as few as possible",
            .values = {0, 1, 2, 3, 4, 5, 6, 7, 8},
            .initial = 0};
  }
  static ladder::Tunable cells_tunable() {
    return {.name = "cells", .meaning = "cells of a row per work-item; 0: 8 bytes", .values = {0, 1, 2, 4}, .initial = 0};
  }

  static std::vector<ladder::Constraint> constraints() {
    const auto holds_for_all_numbers = [](const ladder::Tuning& t, bool (*holds)(const Pass&)) {
      return holds(of(t, sizeof(float))) && holds(of(t, sizeof(double)));
    };
    return {
        {"margin * cells >= steps - 1 (each step after the first invalidates a column at each side of a strip)",
         [=](const ladder::Tuning& t) {
           return holds_for_all_numbers(t, [](const Pass& pass) { return pass.margin >= pass.least_margin(); });
         }},
        {"wx > 2 * margin (columns that are not overlap)",
         [=](const ladder::Tuning& t) {
           return holds_for_all_numbers(t, [](const Pass& pass) { return pass.columns() > 0; });
         }},
        {"steps * cells <= 32 (bits of a number: one per cell)",
         [=](const ladder::Tuning& t) {
           return holds_for_all_numbers(t, [](const Pass& pass) { return pass.steps * pass.cells <= 32; });
         }},
    };
  }
};

/// Base of OpenCL rungs that advance the lattice by several steps per pass. The rung's kernel `timesteps` is built twice: for
/// whole passes, and with `steps` = 1 for the remaining steps. It takes f, g, speeds, first, driven and `more`, which says
/// whether another pass follows, for which the driven row is accelerated.
template <class real>
class PassSolver : public OpenclSolver<real> {
 public:
  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate();
    for (std::int64_t done = 0; done < steps;) {
      const bool whole = steps - done >= pass_.steps;
      const int count = whole ? pass_.steps : 1;
      done += count;
      (whole ? timesteps_ : timestep_)(
          pass_.launch(this->case_),
          {{"f", this->f()}, {"g", this->g()}, {"first", speeds_.first()}, {"more", static_cast<int>(done < steps)}});
      this->swap_lattices();
      speeds_.record(static_cast<std::size_t>(count));
    }
  }

  std::span<const double> history() override { return speeds_.history(); }

 protected:
  PassSolver(const Case& c, const lattice::Strides& strides, const Pass& pass, const lattice::opencl::Setup& setup)
      : OpenclSolver<real>(c, strides, setup), pass_(pass) {
    for (ladder::opencl::Kernel* kernel : {&timesteps_, &timestep_})
      kernel->bind({{"speeds", speeds_.sums()}, {"driven", c.accelerated_row()}});
  }

  /// @throws ladder::Refused if the work-items of a work-group do not form a single sub-group
  void require_one_sub_group() const {
    for (const ladder::opencl::Kernel* kernel : {&timesteps_, &timestep_})
      kernel->require_one_sub_group(this->device_);
  }

 private:
  const Pass pass_;
  ladder::opencl::DeferredSums<real> speeds_{this->device_, this->group_, pass_.launch(this->case_), this->case_.fluid_cells(),
                                             static_cast<std::size_t>(pass_.steps)};
  ladder::opencl::Kernel timesteps_ = this->kernel("timesteps");
  ladder::opencl::Kernel timestep_ = this->kernel_with({{"steps", "1"}}, "timesteps");
};

}  // namespace d2q9
