#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "harness/bench/distributed.hpp"
#include "harness/bench/reference_cache.hpp"
#include "harness/bench/rung.hpp"
#include "harness/bench/split.hpp"

/// A wrong answer is never timed: a rung is compared with the model's reference in the same binary, precision, tuning and size
/// as it is timed in, and also on small grids with odd sizes.
namespace ladder {

struct CheckResult {
  bool ok = true;
  std::string reason;           ///< the first error found; empty if ok
  std::int64_t steps = 0;       ///< largest step count compared
  double population_error = 0;  ///< max |f - reference| / max |reference|
  double tolerance = 0;         ///< accepted population_error at `steps`
  double history_error = 0;     ///< max relative error of the observable over all steps, if the model records it
};

/// Step counts compared by default for a lattice of `cells` cells and q velocities: odd and even, limited to about a second of
/// the reference's run time.
inline std::vector<std::int64_t> default_check_steps(int q, std::int64_t cells) {
  const std::int64_t most = std::clamp<std::int64_t>(180'000'000 / (q * cells), 3, 200);
  if (most < 6) return {1, 2, 3};
  return {1, 2, most / 2 * 2 - 1, most / 2 * 2};
}

/// Whether rungs of a model with this number format collide and store distances from rest (variants/lattice/storage.hpp), so
/// that rounding is unbiased in f32 and f64. f16 rounds when it stores, and may be biased near a steady state.
template <class Model>
constexpr bool rounds_without_bias(const Number& number) {
  return Model::Lattice::rest(0) != 0 && number.bytes >= sizeof(float);
}

/// Accepted population error of a rung after `steps` steps: population_tolerance(), or less if rounding is unbiased. Errors are
/// relative to populations, and distances from rest are much smaller.
template <class Model>
double accepted_error(const Number& number, std::int64_t steps) {
  if (!rounds_without_bias<Model>(number)) return population_tolerance(number, steps);
  return number.epsilon * (4 + std::sqrt(static_cast<double>(steps)));
}

namespace detail {

inline void fail(CheckResult& result, std::string reason) {
  if (!result.ok) return;
  result.ok = false;
  result.reason = std::move(reason);
}

/// Largest absolute value in a state.
inline double largest(const Populations& state) {
  const auto parts = in_parts(std::ssize(state.f), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    double most = 0;
    for (std::int64_t n = first; n < last; ++n)
      most = std::max(most, std::abs(state.f[static_cast<std::size_t>(n)]));
    return most;
  });
  return *std::max_element(parts.begin(), parts.end());
}

/// Whether a population differs from the initial state by more than rounding. Otherwise a rung that never advanced would agree
/// with a reference that does not change either.
template <class Case>
bool has_moved(const Populations& got, const Populations& reference, const Case& c, double tolerance) {
  const double rounding = tolerance * largest(reference);
  for (std::int64_t n = 0; n < got.cells(); ++n) {
    const auto [x, y, z] = got.box.place(n);
    const auto start = c.initial(x, y, z);
    for (int i = 0; i < got.q; ++i)
      if (!(std::abs(got.at(i, n) - start[static_cast<std::size_t>(i)]) <= rounding)) return true;
  }
  return false;
}

/// Compares the states of the rung and the reference in the same box; NaN is never within a tolerance. Errors are relative to
/// the largest value in the box.
inline void compare(const Populations& got, const Populations& reference, std::string_view name, std::int64_t steps,
                    double tolerance, CheckResult& result) {
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
  if (!(all.error <= result.population_error)) result.population_error = all.error;
  result.tolerance = std::max(result.tolerance, tolerance);
  if (all.error <= tolerance) return;
  const auto n = static_cast<std::int64_t>(all.n);
  const auto [x, y, z] = got.box.place(n % got.cells());
  fail(result, fmt::format("{}, step {}: population {} at ({}, {}, {}) is {:.9g}, reference {:.9g}; error {:.3g} > {:.3g}",
                           name, steps, n / got.cells(), x, y, z, got.f[all.n], reference.f[all.n], all.error, tolerance));
}

/// Relative rounding error of a mean over the case's cells: adding up n values in rows rounds no worse than sqrt(n) epsilon of
/// the arithmetic.
template <class Case>
double summation_tolerance(const Case& c, const Number& number) {
  return arithmetic_of(number).epsilon * std::sqrt(static_cast<double>(c.cells()));
}

/// The observable of the last step must follow from the state that the rung stores. A velocity is known to a few epsilon, no
/// matter how far the populations have drifted, so a single term missing from the mean of a small grid is detected.
template <class Model>
void compare_observable(std::span<const double> history, double follows, const typename Model::Case& c, std::int64_t steps,
                        const Number& number, CheckResult& result) {
  if (static_cast<std::int64_t>(history.size()) != steps)
    return fail(result, fmt::format("{}: {} values of {} after {} steps", c.name, history.size(), Model::observable, steps));
  const double tolerance = accepted_error<Model>(number, 0) / 2 + summation_tolerance(c, number) * follows;
  const double error = std::abs(history.back() - follows);
  if (!(error <= tolerance))
    fail(result, fmt::format("{}, step {}: {} is {:.9g}, but {:.9g} of the stored state; error {:.3g} > {:.3g}", c.name, steps,
                             Model::observable, history.back(), follows, error, tolerance));
}

/// The observable is a mean velocity over cells: a population error e changes it by at most Q e. `reference` maps each compared
/// step to its observable.
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
    const double tolerance = Model::q * accepted_error<Model>(number, step) + summation * std::abs(expected);
    if (!(error <= tolerance))
      fail(result, fmt::format("{}, step {}: {} is {:.9g}, reference {:.9g}; error {:.3g} > {:.3g}", c.name, step,
                               Model::observable, value, expected, error, tolerance));
  }
}

/// Largest state that is compared as a whole, in bytes. Larger lattices are compared in parts of about `slab_bytes`, with a
/// total of about `whole_reference`.
constexpr double whole_reference = 268'435'456;
constexpr double slab_bytes = 33'554'432;

/// At most `most` of `count` parts in ascending order: the first, the last, and others selected by `seed`.
inline std::vector<std::int64_t> chosen_parts(std::int64_t count, std::int64_t most, std::uint64_t seed) {
  std::set<std::int64_t> chosen = {0, count - 1};
  for (std::uint64_t n = 0; std::ssize(chosen) < std::min(count, most); ++n)
    chosen.insert(static_cast<std::int64_t>(uniform(seed + n) * static_cast<double>(count)));
  return {chosen.begin(), chosen.end()};
}

/// The size of the parts in which a lattice of this size is compared, or the lattice's size if it is compared as a whole. A
/// part is a slab of about `bytes`, cut along the slowest axis. `halo`: cells that its reference computes on each side; if they
/// outnumber those of a slab, the part is instead a bar of as many cells, with a more nearly square cross-section.
inline Triple part_size(const Triple& grid, double cell_bytes, double bytes, std::int64_t halo) {
  const std::size_t axis = grid[2] > 1 ? 2 : 1;
  Triple size = grid;
  const double layer = cell_bytes * static_cast<double>(Box{{}, grid}.cells()) / static_cast<double>(grid[axis]);
  size[axis] = static_cast<std::int64_t>(std::max(1.0, bytes / layer));
  if (size[axis] + 2 * halo >= grid[axis]) return grid;
  while (axis == 2 && size[2] < 4 * halo && size[1] >= 4 * size[2] && 2 * size[2] + 2 * halo < grid[2]) {
    size[1] = (size[1] + 1) / 2;
    size[2] *= 2;
  }
  return size;
}

/// Compares a solver with the reference. A case that fits into `whole` bytes is compared as a whole; its reference continues
/// from one comparison to the next or comes from the cache. A larger case is cut into parts. The first part, the last part and
/// others drawn for the rung, its tuning and the step are compared, each with a reference that starts afresh with a halo as
/// deep as populations can travel. All parts reuse the same memory, because getting new pages takes longer than computing the
/// reference. Each process compares the cells that it owns.
template <class Model>
class Comparison {
 public:
  using Case = typename Model::Case;
  using Reference = typename Model::Reference;

  /// `draw`: seed for choosing slabs.
  Comparison(const Case& c, std::int64_t most_steps, const Number& number, double whole, std::uint64_t draw,
             CheckResult& result)
      : case_(c), most_steps_(most_steps), number_(number), draw_(draw), result_(result) {
    const Triple grid = c.grid();
    constexpr double cell_bytes = sizeof(double) * static_cast<double>(Model::q);
    const std::int64_t halo = Model::reach(c) * most_steps;
    if (cell_bytes * static_cast<double>(c.cells()) > whole)
      part_ = part_size(grid, cell_bytes, std::min(whole, slab_bytes), halo);
    const double bytes = cell_bytes * static_cast<double>(Box{{}, part_}.cells());
    most_parts_ = std::max<std::int64_t>(4, std::llround(whole_reference / bytes));
    bytes_ = 4 * cell_bytes * static_cast<double>(with_halo({{}, part_}, halo).cells());
    if (is_whole()) key_ = fmt::format("{} {} {}", Model::name, library(), c.content());
  }

  /// Memory needed by the comparison.
  [[nodiscard]] double bytes() const { return bytes_; }

  /// Compares the state after `step` steps. Calls must be in ascending order.
  void after(Solver<Model>& solver, std::int64_t step) {
    Observed observed;
    const std::vector<Box> owned = owned_boxes(solver);
    CheckResult compared = result_;
    for (const Box& part : parts(step))
      for (const Box& own : owned) {
        const Box box = own.common(part);
        if (box.cells() == 0) continue;
        got_.reset(Model::q, box);
        solver.store(got_);
        const Populations& reference = advance_reference(part, box, step);
        compare(got_, reference, case_.name, step, accepted_error<Model>(number_, step), compared);
        if (!moved_) moved_ = has_moved(got_, reference, case_, accepted_error<Model>(number_, 0));
        if (is_whole()) observed.add(case_, got_, reference, fluid_cells_);
      }
    moved_ = team().largest(moved_ ? 1 : 0) > 0;
    if (!moved_) fail(result_, fmt::format("{}, step {}: the state has not changed", case_.name, step));
    if (!compared.ok) fail(result_, compared.reason);
    result_.population_error = compared.population_error;
    result_.tolerance = compared.tolerance;
    if (!is_whole() && step == most_steps_) look_at_all(solver, owned, observed);
    if constexpr (Model::records) {
      if (!is_whole() && step != most_steps_) return;
      compare_observable<Model>(solver.history(), team().sum(observed.got), case_, step, number_, result_);
      if (is_whole()) history_[step] = team().sum(observed.expected);
    }
  }

  /// Compares the observable in all steps for which the reference has it.
  void history(Solver<Model>& solver) {
    if constexpr (Model::records) {
      for (std::size_t i = 0; i < reference_history_.size(); ++i)
        history_[static_cast<std::int64_t>(i) + 1] = reference_history_[i];
      compare_history<Model>(solver.history(), history_, case_, number_, result_);
    }
  }

 private:
  /// The observable of the compared cells.
  struct Observed {
    double got = 0, expected = 0;

    void add(const Case& c, const Populations& state, const Populations& reference, std::int64_t fluid_cells) {
      if constexpr (Model::records) {
        got += Model::observe(c, state, fluid_cells);
        expected += Model::observe(c, reference, fluid_cells);
      }
    }
  };

  [[nodiscard]] bool is_whole() const { return part_ == case_.grid(); }

  /// A part with `halo` more cells on both sides of the axes along which the lattice is cut.
  [[nodiscard]] Box with_halo(const Box& part, std::int64_t halo) const {
    Triple around{};
    for (std::size_t a = 0; a < 3; ++a)
      if (part_[a] < case_.grid()[a]) around[a] = halo;
    return part.grown(around);
  }

  /// Hash of the library that contains the reference.
  static const std::string& library() {
    static const std::string hash = hash_of_library(reinterpret_cast<const void*>(&Model::companion_cases));
    return hash;
  }

  /// All parts of the lattice, in the order of their cells.
  [[nodiscard]] std::vector<Box> all_parts() const {
    const Triple grid = case_.grid();
    std::vector<Box> boxes;
    for (std::int64_t z = 0; z < grid[2]; z += part_[2])
      for (std::int64_t y = 0; y < grid[1]; y += part_[1])
        boxes.push_back({{0, y, z}, {grid[0], std::min(part_[1], grid[1] - y), std::min(part_[2], grid[2] - z)}});
    return boxes;
  }

  /// The parts of the lattice to compare after `step` steps.
  [[nodiscard]] std::vector<Box> parts(std::int64_t step) const {
    const std::vector<Box> all = all_parts();
    std::vector<Box> chosen;
    for (const std::int64_t n : chosen_parts(std::ssize(all), most_parts_, draw_ + mixed(static_cast<std::uint64_t>(step))))
      chosen.push_back(all[static_cast<std::size_t>(n)]);
    return chosen;
  }

  /// Checks the cells outside all compared parts: every population must be finite. Also adds up their observable.
  void look_at_all(Solver<Model>& solver, const std::vector<Box>& owned, Observed& observed) {
    if (!std::isfinite(solver.conserved()))
      fail(result_, fmt::format("{}, step {}: a population is not a finite number", case_.name, most_steps_));
    if constexpr (Model::records) {
      for (const Box& part : all_parts())
        for (const Box& own : owned)
          if (const Box box = own.common(part); box.cells() > 0) {
            got_.reset(Model::q, box);
            solver.store(got_);
            observed.got += Model::observe(case_, got_, fluid_cells_);
          }
    }
  }

  [[nodiscard]] std::vector<Box> owned_boxes(Solver<Model>& solver) const {
    const auto* const distributed = dynamic_cast<const Distributed*>(&solver);
    return distributed == nullptr ? std::vector<Box>{{{}, case_.grid()}} : distributed->owned();
  }

  /// The reference's state of `box` after `step` steps. `part` is the region that the reference computes; it contains `box`.
  const Populations& advance_reference(const Box& part, const Box& box, std::int64_t step) {
    if (is_whole()) {
      if (whole_step_ != step) load_or_compute(step);
      if (box == whole_.box) return whole_;
      expected_.reset(Model::q, box);
      expected_.take(whole_);
      return expected_;
    }
    const Box computed = with_halo(part, Model::reach(case_) * step);
    const auto c = part_of_(computed);
    if (reference_) {
      reference_->start(c);
    } else {
      reference_.emplace(c);
    }
    reference_->advance(step);
    expected_.reset(Model::q, box.moved({-computed.origin[0], -computed.origin[1], -computed.origin[2]}));
    reference_->store(expected_);
    expected_.box = box;
    return expected_;
  }

  /// Sets `whole_` to the reference's state after `step` steps.
  void load_or_compute(std::int64_t step) {
    whole_.reset(Model::q, {{}, case_.grid()});
    whole_step_ = step;
    if (cache_.load(key_, step, whole_, reference_history_)) return;
    if (!reference_) reference_.emplace(case_);
    reference_->advance(step - done_);
    done_ = step;
    reference_->store(whole_);
    reference_history_.assign(reference_->history().begin(), reference_->history().end());
    if (team().rank() == 0) cache_.save(key_, step, whole_, reference_history_);
  }

  const Case& case_;
  const std::int64_t fluid_cells_ = case_.fluid_cells();
  const std::int64_t most_steps_;
  const Number& number_;
  const std::uint64_t draw_;
  CheckResult& result_;
  Triple part_ = case_.grid();   ///< size of each part
  std::int64_t most_parts_ = 0;  ///< compared per step
  double bytes_ = 0;
  ReferenceCache cache_ = ReferenceCache::from_environment();
  std::string key_;  ///< cache key of the whole reference
  Populations got_;
  Populations expected_;
  Populations whole_;  ///< the reference's state after `whole_step_` steps
  std::int64_t whole_step_ = -1;
  bool moved_ = false;
  const typename Model::Parts part_of_{case_};
  std::optional<Reference> reference_;
  std::int64_t done_ = 0;                   ///< steps that `reference_` has done, if it is whole
  std::vector<double> reference_history_;   ///< observable of the whole reference
  std::map<std::int64_t, double> history_;  ///< the reference's observable, by step
};

/// Seed for choosing the parts of a large case; it differs between rungs, number formats and tunings.
template <class Model>
std::uint64_t draw_for(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning) {
  std::string text = fmt::format("{} {} {}", rung.follows, c.name, number.name);
  for (const auto& [name, value] : tuning)
    text += fmt::format(" {}={}", name, value);
  return fnv1a(text);
}

/// Compares a case after each of the ascending step counts. `boxes` is the number of boxes along each axis into which the case
/// is cut. If the state takes more than `whole` bytes, the reference works on parts.
template <class Model>
void check_case(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning,
                const Triple& boxes, const std::vector<std::int64_t>& steps, CheckResult& result,
                double whole = whole_reference) {
  Comparison<Model> comparison(c, steps.back(), number, whole, draw_for(rung, c, number, tuning), result);
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

/// The starting state of a check: all populations different, or the initial state of the case's real run.
enum class CheckStart { seeded, own };

/// Checks a rung on `c` and on the model's small grids with odd sizes. If some of the model's rungs do not accept obstacles or
/// open boundaries and `c` has none, grids with them are skipped. If `steps` is empty, default_check_steps() are used. If `c`
/// is cut into several `boxes` along an axis, each with its own halo and solver, only `c` is checked.
/// @throws Unavailable, InputError under the same conditions as Rung::make and Domain
template <class Model>
CheckResult check(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning,
                  std::vector<std::int64_t> steps, CheckStart start = CheckStart::seeded, const Triple& boxes = {1, 1, 1}) {
  if (steps.empty()) steps = default_check_steps(Model::q, c.cells());
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  CheckResult companions;
  if (boxes == Triple{1, 1, 1})
    for (const auto& companion : Model::companion_cases()) {
      if (!optional_parts<Model>(companion).are_in(optional_parts<Model>(c))) continue;
      try {
        detail::check_case<Model>(rung, companion, number, tuning, boxes, {1, 2, 7, 20}, companions);
      } catch (const Refused&) {
        if (team().size() == 1) throw;  // otherwise, the case may be too small for the number of processes
      }
    }
  if (!companions.ok) return companions;
  CheckResult result;
  detail::check_case<Model>(rung, start == CheckStart::seeded ? Model::seeded(c) : c, number, tuning, boxes, steps, result);
  return result;
}

/// Combines the results of all processes, each of which has compared its part: the first failure and the largest errors.
inline CheckResult of_all(CheckResult result) {
  result.reason = team().first_text(result.reason);
  result.ok = result.reason.empty();
  result.population_error = team().largest(result.population_error);
  result.history_error = team().largest(result.history_error);
  return result;
}

}  // namespace ladder
