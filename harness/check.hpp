#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "harness/error.hpp"
#include "harness/memory.hpp"
#include "harness/parallel.hpp"
#include "harness/rung.hpp"

/// No wrong answer is timed: a rung is compared with the model's reference in the binary, precision, tuning and size that
/// are timed, and on a small odd grid beside it.
namespace ladder {

struct CheckResult {
  bool ok = true;
  std::string reason;           ///< the first thing that is wrong, empty when ok
  std::int64_t steps = 0;       ///< largest step count compared
  double population_error = 0;  ///< max |f - reference| / max |reference|
  double tolerance = 0;         ///< accepted population_error at `steps`
  double history_error = 0;     ///< max relative error of the observable over all steps, where the model records it
};

/// Accepted population error after `steps` steps. Each step rounds a population some ten times. Relaxation damps most of what
/// came before, so that errors add up like a random walk; but no step damps the mass of a site and its neighbours, and where
/// rounding has a bias, that of the mass adds up step by step: a quarter of a unit in the last place at most.
inline double population_tolerance(Precision p, std::int64_t steps) {
  const double epsilon = p == Precision::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const auto n = static_cast<double>(steps);
  return epsilon * (16 + 4 * std::sqrt(n) + n / 4);
}

/// Step counts compared by default of a lattice of `cells` with q velocities: odd and even, as many as cost the reference about
/// a second.
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

/// Consecutive cells that two states are compared in: where they begin in what the rung holds and in the reference.
struct Stretch {
  std::int64_t in_got = 0, in_reference = 0, cells = 0;
};

/// Largest absolute number of the reference in the cells that are compared.
inline double largest(const Populations& reference, const Stretch& where) {
  double all = 0;
  for (int i = 0; i < reference.q; ++i) {
    const auto parts = in_parts(where.cells, worth_a_thread, [&](std::int64_t first, std::int64_t last) {
      double most = 0;
      for (std::int64_t n = first; n < last; ++n)
        most = std::max(most, std::abs(reference.at(i, where.in_reference + n)));
      return most;
    });
    all = std::max(all, *std::max_element(parts.begin(), parts.end()));
  }
  return all;
}

/// Whether a population differs from its start by more than rounding. A rung that still holds its start would agree with a
/// reference that stands still, too.
inline bool has_moved(const Populations& got, const Populations& start, const Stretch& where, Precision p) {
  const double rounding = population_tolerance(p, 0) * largest(start, where);
  for (int i = 0; i < got.q; ++i)
    for (std::int64_t n = 0; n < where.cells; ++n)
      if (!(std::abs(got.at(i, where.in_got + n) - start.at(i, where.in_reference + n)) <= rounding)) return true;
  return false;
}

inline void fail_unmoved(std::string_view name, std::int64_t step, CheckResult& result) {
  fail(result, fmt::format("{}, step {}: the state has not moved", name, step));
}

/// Compares what the rung holds with the reference; NaN is never within a tolerance.
template <class Model>
void compare(const Populations& got, const Populations& reference, const Stretch& where, const typename Model::Case& c,
             std::int64_t steps, Precision p, CheckResult& result) {
  const double scale = largest(reference, where);
  struct Worst {
    double error = 0;
    int i = 0;
    std::int64_t n = 0;
  } all;
  for (int i = 0; i < got.q; ++i) {
    const auto parts = in_parts(where.cells, worth_a_thread, [&](std::int64_t first, std::int64_t last) {
      Worst here;
      for (std::int64_t n = first; n < last && !std::isnan(here.error); ++n) {
        const double error = std::abs(got.at(i, where.in_got + n) - reference.at(i, where.in_reference + n)) / scale;
        if (!(error <= here.error)) here = {error, i, n};
      }
      return here;
    });
    for (const Worst& part : parts)
      if (!std::isnan(all.error) && !(part.error <= all.error)) all = part;
  }
  const double worst = all.error;
  const double tolerance = population_tolerance(p, steps);
  if (!(worst <= result.population_error)) result.population_error = worst;
  result.tolerance = std::max(result.tolerance, tolerance);
  if (worst <= tolerance) return;
  const std::int64_t cell = where.in_got + all.n;
  const auto [nx, ny, nz] = c.grid();
  fail(result, fmt::format("{}, step {}: population {} at ({}, {}, {}) is {:.9g}, reference {:.9g}; error {:.3g} > {:.3g}",
                           c.name, steps, all.i, cell % nx, cell / nx % ny, cell / nx / ny, got.at(all.i, cell),
                           reference.at(all.i, where.in_reference + all.n), worst, tolerance));
}

/// Rounding of a mean over the case's cells, relative: adding up n numbers in rows rounds no worse than sqrt(n) epsilon.
template <class Case>
double summation_tolerance(const Case& c, Precision p) {
  return population_tolerance(p, 0) / 16 * std::sqrt(static_cast<double>(c.cells()));
}

/// The observable of the last step must follow from the state that the rung stores: a velocity is known to a few epsilon,
/// however many steps the populations have drifted, so that one term lost from the mean of a small grid shows.
template <class Model>
void compare_observable(std::span<const double> history, const Populations& got, const typename Model::Case& c,
                        std::int64_t steps, Precision p, CheckResult& result) {
  if (static_cast<std::int64_t>(history.size()) != steps)
    return fail(result, fmt::format("{}: {} values of {} after {} steps", c.name, history.size(), Model::observable, steps));
  const double follows = Model::observe(c, got);
  const double tolerance = population_tolerance(p, 0) / 2 + summation_tolerance(c, p) * follows;
  const double error = std::abs(history.back() - follows);
  if (!(error <= tolerance))
    fail(result, fmt::format("{}, step {}: {} is {:.9g}, but {:.9g} of the stored state; error {:.3g} > {:.3g}", c.name, steps,
                             Model::observable, history.back(), follows, error, tolerance));
}

/// The observable is a mean over cells of a velocity: a population error e changes it by no more than Q e.
template <class Model>
void compare_history(std::span<const double> got, std::span<const double> reference, const typename Model::Case& c, Precision p,
                     CheckResult& result) {
  const double summation = summation_tolerance(c, p);
  for (std::size_t i = 0; i < std::min(got.size(), reference.size()); ++i) {
    const double error = std::abs(got[i] - reference[i]);
    const double relative = error / std::abs(reference[i]);
    if (!(relative <= result.history_error)) result.history_error = relative;
    const double tolerance =
        Model::q * population_tolerance(p, static_cast<std::int64_t>(i) + 1) + summation * std::abs(reference[i]);
    if (!(error <= tolerance))
      fail(result, fmt::format("{}, step {}: {} is {:.9g}, reference {:.9g}; error {:.3g} > {:.3g}", c.name, i + 1,
                               Model::observable, got[i], reference[i], error, tolerance));
  }
}

/// Bytes that a reference's state may take before the reference works on parts of a box.
constexpr double whole_reference = 2'147'483'648;

/// A model whose reference can work on consecutive planes of a case alone, as on a periodic box of their own, and in which
/// nothing moves by more than a plane a step: after s steps all but the s planes at either end hold what they do in the case.
template <class Model>
concept WorksOnPlanes = std::constructible_from<typename Model::Reference, const typename Model::Case&, int, int>;

/// The reference on a whole case.
template <class Model>
class WholeReference {
 public:
  explicit WholeReference(const typename Model::Case& c)
      : case_(c), reference_(c), expected_(Model::q, c.cells()), all_{.cells = c.cells()} {
    reference_.store(expected_);
  }

  /// Compares a state after `step` steps; steps ascend.
  void compare(const Populations& got, std::int64_t step, Precision p, CheckResult& result) {
    if (done_ == 0 && !has_moved(got, expected_, all_, p)) fail_unmoved(case_.name, step, result);
    reference_.advance(step - done_);
    reference_.store(expected_);
    done_ = step;
    detail::compare<Model>(got, expected_, all_, case_, step, p, result);
  }

  [[nodiscard]] const typename Model::Reference& reference() const { return reference_; }

 private:
  const typename Model::Case& case_;
  typename Model::Reference reference_;
  Populations expected_;
  Stretch all_;
  std::int64_t done_ = 0;
};

/// The reference on some planes of a case after others, for boxes whose reference would take more memory than the rung: each
/// part is worked on from the start, with as many planes at either end as it makes steps. Errors are relative to the largest
/// number of their part.
template <class Model>
class ReferenceInParts {
 public:
  /// Parts of `planes` planes.
  ReferenceInParts(const typename Model::Case& c, int planes) : case_(c), planes_(planes) {}

  /// Compares a state after `step` steps.
  void compare(const Populations& got, std::int64_t step, Precision p, CheckResult& result) {
    const auto [nx, ny, nz] = case_.grid();
    const auto halo = static_cast<int>(step);
    for (int first = 0; first < nz; first += planes_) {
      const int own = std::min(planes_, static_cast<int>(nz) - first);
      const int with_halo = own + 2 * halo;
      typename Model::Reference reference(case_, first - halo, with_halo);
      Populations expected(Model::q, nx * ny * with_halo);
      const Stretch where = {nx * ny * first, nx * ny * halo, nx * ny * own};
      if (!moved_) {
        reference.store(expected);
        moved_ = has_moved(got, expected, where, p);
      }
      reference.advance(step);
      reference.store(expected);
      detail::compare<Model>(got, expected, where, case_, step, p, result);
    }
    if (!moved_) fail_unmoved(case_.name, step, result);
  }

 private:
  const typename Model::Case& case_;
  int planes_;
  bool moved_ = false;
};

/// Compares one case after each of the ascending step counts. A reference whose state takes more than `whole` bytes works on
/// parts of the box, where the model's can.
template <class Model>
void check_case(const Rung<Model>& rung, const typename Model::Case& c, Precision p, const Tuning& tuning,
                const std::vector<std::int64_t>& steps, CheckResult& result, double whole = whole_reference) {
  const double numbers = static_cast<double>(Model::q) * static_cast<double>(c.cells());
  const double of_rung = numbers * (rung.lattices * static_cast<double>(size_of(p)) + sizeof(double));
  const auto each_step = [&](auto& reference, Solver<Model>& solver) {
    Populations got(Model::q, c.cells());
    std::int64_t done = 0;
    for (const std::int64_t step : steps) {
      solver.advance(step - done);
      solver.wait();
      got.poison();
      solver.store(got);
      reference.compare(got, step, p, result);
      done = step;
      if constexpr (Model::records) compare_observable<Model>(solver.history(), got, c, step, p, result);
    }
    result.steps = std::max(result.steps, done);
  };
  if constexpr (WorksOnPlanes<Model>) {
    const double plane = numbers * sizeof(double) / static_cast<double>(c.grid()[2]);
    const int planes = static_cast<int>(std::max(1.0, whole / plane));
    const auto with_halo = static_cast<double>(planes + 2 * steps.back());
    if (numbers * sizeof(double) > whole && with_halo < static_cast<double>(c.grid()[2])) {
      require_memory(of_rung + 3 * with_halo * plane, "checking " + c.name);
      ReferenceInParts<Model> reference(c, planes);
      const auto solver = rung.make(c, p, tuning);
      return each_step(reference, *solver);
    }
  }
  require_memory(of_rung + 3 * numbers * sizeof(double), "checking " + c.name);
  WholeReference<Model> reference(c);
  const auto solver = rung.make(c, p, tuning);
  each_step(reference, *solver);
  if constexpr (Model::records) compare_history<Model>(solver->history(), reference.reference().history(), c, p, result);
}

}  // namespace detail

/// State that a check starts from: one in which every population differs, or the one that the case's real run has.
enum class CheckStart { seeded, own };

/// Checks a rung on `c` and on the model's small odd grids. `steps` empty: default_check_steps().
/// @throws Unavailable, InputError as Rung::make does
template <class Model>
CheckResult check(const Rung<Model>& rung, const typename Model::Case& c, Precision p, const Tuning& tuning,
                  std::vector<std::int64_t> steps, CheckStart start = CheckStart::seeded) {
  if (steps.empty()) steps = default_check_steps(Model::q, c.cells());
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  CheckResult companions;
  for (const auto& companion : Model::companion_cases())
    detail::check_case<Model>(rung, companion, p, tuning, {1, 2, 7, 20}, companions);
  if (!companions.ok) return companions;
  CheckResult result;
  detail::check_case<Model>(rung, start == CheckStart::seeded ? Model::seeded(c) : c, p, tuning, steps, result);
  return result;
}

}  // namespace ladder
