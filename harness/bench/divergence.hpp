#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/parallel.hpp"
#include "harness/bench/measure.hpp"
#include "harness/bench/rung.hpp"

/// Detects flows that have diverged, so that none of their values is written.
namespace ladder {

/// A flow that has diverged. Exit code 1.
class Diverged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

/// The flow in one cell, in units of cells and steps.
struct CellFlow {
  double density = 0, speed = 0;
  double sound = 0;  ///< speed of sound; 0 if nothing moves

  [[nodiscard]] bool is_finite() const { return std::isfinite(density) && std::isfinite(speed); }
  /// The speed relative to that of sound; infinite for a state that no fluid has.
  [[nodiscard]] double mach() const {
    if (!is_finite() || (sound != 0 && !(density > 0 && sound > 0))) return std::numeric_limits<double>::infinity();
    return sound == 0 ? 0 : speed / sound;
  }
};

/// The flow in the n-th cell of a state. Lattices that reach further than one cell carry energy: their speed of sound is that
/// of a gas with as many degrees of freedom as dimensions, and depends on the temperature.
template <class Lattice>
CellFlow cell_flow(const Populations& state, std::int64_t n) {
  double density = 0, x = 0, y = 0, z = 0, energy = 0;
  for (int i = 0; i < Lattice::q; ++i) {
    const double f = state.at(i, n);
    const auto c = Lattice::c(i);
    density += f;
    x += f * c.x;
    y += f * c.y;
    z += f * c.z;
    energy += f * (c.x * c.x + c.y * c.y + c.z * c.z);
  }
  if (Lattice::sound_squared == 0) return {density};
  const double squared = (x * x + y * y + z * z) / (density * density);
  constexpr double dimensions = Lattice::dimensions;
  const double sound_squared =
      Lattice::reach > 1 ? (1 + 2 / dimensions) * (energy / density - squared) / dimensions : Lattice::sound_squared;
  return {density, std::sqrt(squared), std::sqrt(sound_squared)};
}

/// Describes the fastest fluid cell if its state is impossible; otherwise returns an empty string.
template <class Model>
std::string impossible_cell(Solver<Model>& solver, const typename Model::Case& c) {
  struct Worst {
    double mach = 0;
    Triple place{};
    CellFlow flow;
  } worst;
  const Triple grid = c.grid(), size = part_size(grid, sizeof(double) * static_cast<double>(Model::q), slab_bytes, 0);
  Populations state;
  for (std::int64_t z = 0; z < grid[2]; z += size[2])
    for (std::int64_t y = 0; y < grid[1]; y += size[1]) {
      state.reset(Model::q, {{0, y, z}, {grid[0], std::min(size[1], grid[1] - y), std::min(size[2], grid[2] - z)}});
      solver.store(state);
      const auto parts = in_parts(state.cells(), worth_a_thread / Model::q, [&](std::int64_t first, std::int64_t last) {
        Worst here;
        for (std::int64_t n = first; n < last; ++n) {
          const Triple place = state.box.place(n);
          if (c.is_solid(place[0], place[1], place[2])) continue;
          const CellFlow flow = cell_flow<typename Model::Lattice>(state, n);
          if (const double mach = flow.mach(); mach > here.mach) here = {mach, place, flow};
        }
        return here;
      });
      for (const Worst& part : parts)
        if (part.mach > worst.mach) worst = part;
    }
  if (worst.mach <= 1) return "";
  const auto& [x, y, z] = worst.place;
  const std::string cell = fmt::format("cell ({}, {}, {})", x, y, z);
  if (!worst.flow.is_finite()) return fmt::format("the state of {} is not finite", cell);
  if (!(worst.flow.density > 0)) return fmt::format("the density of {} is {:.4g}", cell, worst.flow.density);
  return fmt::format("the speed in {} is {:.4g}, above the speed of sound, {:.4g}", cell, worst.flow.speed, worst.flow.sound);
}

}  // namespace detail

/// Watches a run of a case, from its first step.
template <class Model>
class FlowWatch {
 public:
  /// Replaces the solver with one in the initial state.
  using Restart = std::function<Solver<Model>&()>;

  /// `which`: the part of the results that is not written if the flow diverges, as in "nothing is written<which>".
  /// `restart`: if given, part of the run is repeated to find the first wrong step, with a copy of the whole state.
  FlowWatch(Solver<Model>& solver, const typename Model::Case& c, const Number& number, std::string_view which = "",
            Restart restart = nullptr)
      : solver_(&solver), case_(c), number_(number), which_(which), restart_(std::move(restart)), before_(solver.conserved()) {}

  /// Checks the state after `step` steps: all populations must be finite, and every fluid cell's density positive and its
  /// speed at most that of sound. A case that conserves mass must still have its initial mass. @throws Diverged
  void look(std::int64_t step) {
    std::string wrong = detail::impossible_cell(*solver_, case_);
    if (!wrong.empty() && restart_ != nullptr) find_first(step, wrong);
    if (wrong.empty()) wrong = implausible(*solver_, case_, before_, number_, step);
    if (!wrong.empty())
      throw Diverged(fmt::format("{}: step {}: {}{}; the flow is unstable, nothing is written{} (accepted: {})", case_.name,
                                 step, wrong, step > 0 ? fmt::format(" (nothing was wrong at step {})", sound_) : "", which_,
                                 Model::stabler));
    sound_ = step;
  }

 private:
  /// Repeats the run up to the last sound step, and bisects between it and `step`. Sets `step` to the first wrong step and
  /// `wrong` to what is wrong there.
  void find_first(std::int64_t& step, std::string& wrong) {
    solver_ = &restart_();
    advance(sound_);
    Populations sound(Model::q, {{}, case_.grid()});
    solver_->store(sound);
    while (step - sound_ > 1) {
      const std::int64_t middle = sound_ + (step - sound_) / 2;
      solver_->load(sound);
      advance(middle - sound_);
      if (std::string text = detail::impossible_cell(*solver_, case_); !text.empty()) {
        step = middle;
        wrong = std::move(text);
      } else {
        sound_ = middle;
        solver_->store(sound);
      }
    }
  }

  void advance(std::int64_t steps) {
    solver_->advance(steps);
    solver_->wait();
  }

  Solver<Model>* solver_;
  const typename Model::Case& case_;
  const Number& number_;
  const std::string_view which_;
  const Restart restart_;
  const double before_;
  std::int64_t sound_ = 0;  ///< last step at which nothing was wrong
};

}  // namespace ladder
