#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "harness/bench/distributed.hpp"
#include "harness/bench/rung.hpp"
#include "harness/bench/split.hpp"

/// No wrong answer is timed: a rung is compared with the model's reference in the binary, precision, tuning and size that are
/// timed, and on small odd grids.
namespace ladder {

struct CheckResult {
  bool ok = true;
  std::string reason;           ///< the first thing that is wrong, empty when ok
  std::int64_t steps = 0;       ///< largest step count compared
  double population_error = 0;  ///< max |f - reference| / max |reference|
  double tolerance = 0;         ///< accepted population_error at `steps`
  double history_error = 0;     ///< max relative error of the observable over all steps, if the model records it
};

/// Step counts compared by default for a lattice of `cells` with q velocities: odd and even, up to about a second of the
/// reference's time.
inline std::vector<std::int64_t> default_check_steps(int q, std::int64_t cells) {
  const std::int64_t most = std::clamp<std::int64_t>(180'000'000 / (q * cells), 3, 200);
  if (most < 6) return {1, 2, 3};
  return {1, 2, most / 2 * 2 - 1, most / 2 * 2};
}

namespace detail {

inline void fail(CheckResult& result, std::string reason) {
  if (!result.ok) return;
  result.ok = false;
  result.reason = std::move(reason);
}

/// Largest absolute number of a state.
inline double largest(const Populations& state) {
  const auto parts = in_parts(std::ssize(state.f), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    double most = 0;
    for (std::int64_t n = first; n < last; ++n)
      most = std::max(most, std::abs(state.f[static_cast<std::size_t>(n)]));
    return most;
  });
  return *std::max_element(parts.begin(), parts.end());
}

/// Whether a population differs from its start by more than rounding. A rung that still holds its start would agree with a
/// reference that does not change either.
inline bool has_moved(const Populations& got, const Populations& start, const Number& number) {
  const double rounding = population_tolerance(number, 0) * largest(start);
  for (std::size_t n = 0; n < got.f.size(); ++n)
    if (!(std::abs(got.f[n] - start.f[n]) <= rounding)) return true;
  return false;
}

/// Compares the state of the rung with that of the reference, for the same box; NaN is never within a tolerance. Errors are
/// relative to the largest number of the box.
inline void compare(const Populations& got, const Populations& reference, std::string_view name, std::int64_t steps,
                    const Number& number, CheckResult& result) {
  const double scale = largest(reference);
  struct Worst {
    double error = 0;
    std::size_t n = 0;
  } all;
  const auto parts = in_parts(std::ssize(got.f), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    Worst here;
    for (auto n = static_cast<std::size_t>(first); n < static_cast<std::size_t>(last) && !std::isnan(here.error); ++n) {
      const double error = std::abs(got.f[n] - reference.f[n]) / scale;
      if (!(error <= here.error)) here = {error, n};
    }
    return here;
  });
  for (const Worst& part : parts)
    if (!std::isnan(all.error) && !(part.error <= all.error)) all = part;
  const double tolerance = population_tolerance(number, steps);
  if (!(all.error <= result.population_error)) result.population_error = all.error;
  result.tolerance = std::max(result.tolerance, tolerance);
  if (all.error <= tolerance) return;
  const auto n = static_cast<std::int64_t>(all.n);
  const auto [x, y, z] = got.box.place(n % got.cells());
  fail(result, fmt::format("{}, step {}: population {} at ({}, {}, {}) is {:.9g}, reference {:.9g}; error {:.3g} > {:.3g}",
                           name, steps, n / got.cells(), x, y, z, got.f[all.n], reference.f[all.n], all.error, tolerance));
}

/// Rounding of a mean over the case's cells, relative: adding up n numbers in rows rounds no worse than sqrt(n) epsilon of the
/// arithmetic.
template <class Case>
double summation_tolerance(const Case& c, const Number& number) {
  return arithmetic_of(number).epsilon * std::sqrt(static_cast<double>(c.cells()));
}

/// The observable of the last step must follow from the state that the rung stores: a velocity is known to a few epsilon,
/// however many steps the populations have drifted, so that a single term missing from the mean of a small grid is detected.
template <class Model>
void compare_observable(std::span<const double> history, double follows, const typename Model::Case& c, std::int64_t steps,
                        const Number& number, CheckResult& result) {
  if (static_cast<std::int64_t>(history.size()) != steps)
    return fail(result, fmt::format("{}: {} values of {} after {} steps", c.name, history.size(), Model::observable, steps));
  const double tolerance = population_tolerance(number, 0) / 2 + summation_tolerance(c, number) * follows;
  const double error = std::abs(history.back() - follows);
  if (!(error <= tolerance))
    fail(result, fmt::format("{}, step {}: {} is {:.9g}, but {:.9g} of the stored state; error {:.3g} > {:.3g}", c.name, steps,
                             Model::observable, history.back(), follows, error, tolerance));
}

/// The observable is a mean over cells of a velocity: a population error e changes it by at most Q e. `reference` has the
/// observable of the compared steps, by step.
template <class Model>
void compare_history(std::span<const double> got, const std::map<std::int64_t, double>& reference,
                     const typename Model::Case& c, const Number& number, CheckResult& result) {
  const double summation = summation_tolerance(c, number);
  for (const auto& [step, expected] : reference) {
    if (step > std::ssize(got)) return;
    const double value = got[static_cast<std::size_t>(step - 1)];
    const double error = std::abs(value - expected);
    const double relative = error / std::abs(expected);
    if (!(relative <= result.history_error)) result.history_error = relative;
    const double tolerance = Model::q * population_tolerance(number, step) + summation * std::abs(expected);
    if (!(error <= tolerance))
      fail(result, fmt::format("{}, step {}: {} is {:.9g}, reference {:.9g}; error {:.3g} > {:.3g}", c.name, step,
                               Model::observable, value, expected, error, tolerance));
  }
}

/// Largest size of a reference's state, in bytes. Above it, the reference works on parts of the lattice, each of about
/// `reference_part` bytes.
constexpr double whole_reference = 2'147'483'648;
constexpr double reference_part = 536'870'912;

/// Compares a solver with the reference, part by part: a case that fits into `whole` bytes is one part, whose reference
/// continues from one comparison to the next; otherwise the parts are slabs of the slowest axis, each computed from the start,
/// with a halo as deep as populations move. The parts use the same memory one after the other, because getting new pages takes
/// longer than computing the reference. Each process compares the cells of the parts that it owns.
template <class Model>
class Comparison {
 public:
  using Case = typename Model::Case;
  using Reference = typename Model::Reference;

  Comparison(const Case& c, std::int64_t most_steps, const Number& number, double whole, CheckResult& result)
      : case_(c), number_(number), result_(result) {
    const Triple grid = c.grid();
    const std::size_t slowest = grid[2] > 1 ? 2 : 1;
    const double bytes = sizeof(double) * static_cast<double>(Model::q) * static_cast<double>(c.cells());
    const double layer = bytes / static_cast<double>(grid[slowest]);
    const auto layers = static_cast<std::int64_t>(std::max(1.0, std::min(whole, reference_part) / layer));
    const std::int64_t halo = Model::reach(c) * most_steps;
    if (bytes > whole && layers + 2 * halo < grid[slowest]) {
      thickness_ = layers;
      axis_ = slowest;
      bytes_ = 4 * layer * static_cast<double>(layers + 2 * halo);
    } else {
      thickness_ = grid[slowest];
      axis_ = slowest;
      bytes_ = 4 * bytes;
    }
  }

  /// Memory that the comparison takes.
  [[nodiscard]] double bytes() const { return bytes_; }

  /// Compares a state after `step` steps; steps ascend.
  void after(Solver<Model>& solver, std::int64_t step) {
    double observed = 0, expected = 0;
    const std::int64_t size = case_.grid()[axis_];
    const std::vector<Box> owned = owned_boxes(solver);
    CheckResult compared = result_;
    for (std::int64_t first = 0; first < size; first += thickness_) {
      Box part = {{}, case_.grid()};
      part.origin[axis_] = first;
      part.extent[axis_] = std::min(thickness_, size - first);
      for (const Box& own : owned) {
        const Box box = own.common(part);
        if (box.cells() == 0) continue;
        got_.reset(Model::q, box);
        solver.store(got_);
        const Populations& reference = advance_reference(part, box, step);
        compare(got_, reference, case_.name, step, number_, compared);
        if constexpr (Model::records) {
          observed += Model::observe(case_, got_);
          expected += Model::observe(case_, reference);
        }
      }
    }
    moved_ = team().largest(moved_ ? 1 : 0) > 0;
    if (!moved_) fail(result_, fmt::format("{}, step {}: the state has not changed", case_.name, step));
    if (!compared.ok) fail(result_, compared.reason);
    result_.population_error = compared.population_error;
    result_.tolerance = compared.tolerance;
    if constexpr (Model::records) {
      observed = team().sum(observed);
      expected = team().sum(expected);
      compare_observable<Model>(solver.history(), observed, case_, step, number_, result_);
      history_[step] = expected;
    }
  }

  /// Compares the observable of all steps for which the reference has it.
  void history(Solver<Model>& solver) {
    if constexpr (Model::records) {
      if (is_whole())
        for (std::size_t i = 0; i < reference_->history().size(); ++i)
          history_[static_cast<std::int64_t>(i) + 1] = reference_->history()[i];
      compare_history<Model>(solver.history(), history_, case_, number_, result_);
    }
  }

 private:
  [[nodiscard]] bool is_whole() const { return thickness_ == case_.grid()[axis_]; }

  [[nodiscard]] std::vector<Box> owned_boxes(Solver<Model>& solver) const {
    const auto* const distributed = dynamic_cast<const Distributed*>(&solver);
    return distributed == nullptr ? std::vector<Box>{{{}, case_.grid()}} : distributed->owned();
  }

  /// The reference's state of `box` after `step` steps; checks that `got_` differs from the initial state. `part`: that which
  /// the reference works on, and in which the box lies.
  const Populations& advance_reference(const Box& part, const Box& box, std::int64_t step) {
    expected_.reset(Model::q, box);
    Box own = box;  // in the lattice of the reference
    const auto store = [&](const Reference& reference) {
      expected_.box = own;
      reference.store(expected_);
      expected_.box = box;
    };
    const auto look = [&](const Reference& reference) {
      if (moved_) return;
      store(reference);
      moved_ = has_moved(got_, expected_, number_);
    };
    if (is_whole()) {
      if (!reference_) {
        reference_.emplace(case_);
        look(*reference_);
      }
      reference_->advance(step - done_);
      done_ = step;
      store(*reference_);
      return expected_;
    }
    Triple halo{};
    halo[axis_] = Model::reach(case_) * step;
    const Box with_halo = part.grown(halo);
    own = box.moved({-with_halo.origin[0], -with_halo.origin[1], -with_halo.origin[2]});
    const auto c = Model::part(case_, with_halo);
    if (reference_) {
      reference_->start(c);
    } else {
      reference_.emplace(c);
    }
    look(*reference_);
    reference_->advance(step);
    store(*reference_);
    return expected_;
  }

  const Case& case_;
  const Number& number_;
  CheckResult& result_;
  std::size_t axis_ = 0;
  std::int64_t thickness_ = 0;
  double bytes_ = 0;
  Populations got_;
  Populations expected_;
  bool moved_ = false;
  std::int64_t done_ = 0;
  std::optional<Reference> reference_;
  std::map<std::int64_t, double> history_;  ///< the reference's observable by step
};

/// Compares one case after each of the ascending step counts; `boxes`: number of boxes along each axis that the case is cut
/// into. A reference whose state takes more than `whole` bytes works on parts of the case.
template <class Model>
void check_case(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning,
                const Triple& boxes, const std::vector<std::int64_t>& steps, CheckResult& result,
                double whole = whole_reference) {
  Comparison<Model> comparison(c, steps.back(), number, whole, result);
  require_memory(
      static_cast<double>(Model::q) * static_cast<double>(c.cells()) * rung.lattices * static_cast<double>(number.bytes) +
          comparison.bytes(),
      "checking " + c.name);
  const auto solver = boxes == Triple{1, 1, 1} ? rung.make(c, number, tuning)
                                               : std::make_unique<SplitSolver<Model>>(rung, c, number, tuning, boxes);
  std::int64_t done = 0;
  for (const std::int64_t step : steps) {
    solver->advance(step - done);
    solver->wait();
    comparison.after(*solver, step);
    done = step;
  }
  result.steps = std::max(result.steps, done);
  comparison.history(*solver);
}

}  // namespace detail

/// State that a check starts from: every population differs, or the initial state of the case's real run.
enum class CheckStart { seeded, own };

/// Checks a rung on `c` and on the model's small odd grids. `steps` empty: default_check_steps(). If `c` is cut into several
/// `boxes` along an axis, each with its own halo and solver, only `c` is checked.
/// @throws Unavailable, InputError as Rung::make and Domain do
template <class Model>
CheckResult check(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning,
                  std::vector<std::int64_t> steps, CheckStart start = CheckStart::seeded, const Triple& boxes = {1, 1, 1}) {
  if (steps.empty()) steps = default_check_steps(Model::q, c.cells());
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  CheckResult companions;
  if (boxes == Triple{1, 1, 1})
    for (const auto& companion : Model::companion_cases()) {
      try {
        detail::check_case<Model>(rung, companion, number, tuning, boxes, {1, 2, 7, 20}, companions);
      } catch (const Refused&) {
        if (team().size() == 1) throw;  // else it may be too small for so many processes
      }
    }
  if (!companions.ok) return companions;
  CheckResult result;
  detail::check_case<Model>(rung, start == CheckStart::seeded ? Model::seeded(c) : c, number, tuning, boxes, steps, result);
  return result;
}

/// The result of all processes, each of which has compared its part: the first failure, and the largest errors.
inline CheckResult of_all(CheckResult result) {
  result.reason = team().first_text(result.reason);
  result.ok = result.reason.empty();
  result.population_error = team().largest(result.population_error);
  result.history_error = team().largest(result.history_error);
  return result;
}

}  // namespace ladder
