#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "backends/devices/wanted.hpp"
#include "backends/team.hpp"
#include "base/limits.hpp"
#include "harness/bench/calibrate.hpp"
#include "harness/bench/check.hpp"
#include "harness/bench/energy.hpp"
#include "harness/bench/measure_options.hpp"
#include "harness/bench/phases.hpp"
#include "harness/bench/rung.hpp"
#include "harness/bench/sample.hpp"
#include "harness/bench/serve.hpp"

namespace ladder {

/// A sentence about the first step whose observable is not a finite number, or empty.
template <class Model>
std::string not_finite(Solver<Model>& solver) {
  const auto history = solver.history();
  for (std::size_t i = 0; i < history.size(); ++i)
    if (!std::isfinite(history[i]))
      return fmt::format("{} of step {} is {}", Model::observable, i + 1, std::isnan(history[i]) ? "nan" : "infinite");
  return "";
}

/// Why the final state of a run of `steps` steps is wrong, or empty: the sum of a case that conserves it, `before` at the
/// start, must be the same, and every value must be finite.
template <class Model>
std::string implausible(Solver<Model>& solver, const typename Model::Case& c, double before, const Number& number,
                        std::int64_t steps) {
  if (std::string wrong = not_finite(solver); !wrong.empty()) return wrong;
  const double after = solver.conserved();
  if (!Model::conserves(c))
    return std::isfinite(after) ? "" : fmt::format("the sum of all populations is {} after {} steps", after, steps);
  // Rounding may have a bias, so that in the worst case its errors add up step by step.
  const double epsilon = population_tolerance(number, 0) / 16;
  const double tolerance = epsilon * (16 + static_cast<double>(steps));
  if (!(std::abs(after - before) <= tolerance * before))
    return fmt::format("the conserved sum went from {:.12g} to {:.12g} in {} steps", before, after, steps);
  return "";
}

/// A cell of a matrix, as known to a rung's executable.
template <class Model>
struct Work {
  typename Model::Case c;
  const Number& number;
  Tuning tuning;
};

/// Traffic as text: bytes read and written at each level, `dram=72+36;shared=72+72`.
inline std::string traffic_text(const std::vector<Traffic>& traffic) {
  std::string text;
  for (const Traffic& t : traffic)
    text += fmt::format("{}{}={}+{}", text.empty() ? "" : ";", t.level, t.read, t.write);
  return text;
}

/// Seconds of each phase of a step as text, `stream=0.00125;collide=0.0031`: means of `steps` steps, in which each phase is
/// waited for before the next begins. Empty if the solver is not Phased.
template <class Model>
std::string phases_text(Solver<Model>& solver, std::int64_t steps) {
  using Clock = std::chrono::steady_clock;
  auto* const phased = dynamic_cast<Phased*>(&solver);
  const std::vector<Phase> phases = phased == nullptr ? std::vector<Phase>() : phased->phases();
  std::vector<double> seconds(phases.size());
  for (std::int64_t step = 0; step < steps && !phases.empty(); ++step) {
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const auto begin = Clock::now();
      phases[i].run();
      solver.wait();
      seconds[i] += std::chrono::duration<double>(Clock::now() - begin).count();
    }
  }
  std::string text;
  for (std::size_t i = 0; i < phases.size(); ++i)
    text += fmt::format("{}{}={:.6g}", i == 0 ? "" : ";", phases[i].name, seconds[i] / static_cast<double>(steps));
  return text;
}

/// Seconds until the host has queued `steps` steps, per step: those of `advance` alone, after which the device may still work.
template <class Model>
double queue_seconds(Solver<Model>& solver, std::int64_t steps) {
  using Clock = std::chrono::steady_clock;
  team().barrier();
  const auto begin = Clock::now();
  solver.advance(steps);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  solver.wait();
  return seconds / static_cast<double>(steps);
}

/// Most steps that are queued at once for queue_seconds(): a driver's queue is bounded, and to wait for a place in it is to
/// wait for the device.
constexpr std::int64_t most_queued_steps = 100;

/// Runs `work` in the timed loop of a benchmark, and sets the energy of `row`, if it is known. The time of reading the meter is
/// not a part of the sample.
template <class Work>
void run_metered(benchmark::State& state, EnergyMeter& meter, Row& row, Work work) {
  if (!meter.has_source()) return work();
  state.PauseTiming();
  meter.start();
  state.ResumeTiming();
  work();
  state.PauseTiming();
  const auto joules = meter.stop();
  row.joules = joules.value_or(Row::unknown);
  row.energy_domain = joules ? meter.domain() : "";
  state.ResumeTiming();
}

/// Times `solver` and its phases and writes Google Benchmark's JSON to `to.out`, with the columns of a row that it answers.
/// Returns why the run was wrong, or empty.
template <class Model>
std::string measure(Solver<Model>& solver, const Work<Model>& work, const std::vector<Traffic>& traffic, double footprint,
                    const std::string& name, const MeasureOptions& options, const Streams& to) {
  const double before = solver.conserved();
  std::int64_t made = 0;
  // All processes begin together, and the sample lasts until the slowest has ended.
  const auto run = [&](std::int64_t steps) {
    team().barrier();
    solver.advance(steps);
    solver.wait();
    team().barrier();
    made += steps;
  };
  std::int64_t steps = options.steps;
  if (steps == 0)
    steps = calibrate(run, options.min_seconds, [](double seconds) { return team().of_first(seconds); });
  else
    run(1);  // warms up
  Row row;
  row.cells = work.c.cells();
  row.steps = steps;
  row.footprint_bytes = footprint;
  row.bytes_per_update_levels = traffic_text(traffic);
  row.phases = phases_text(solver, steps);
  if (!row.phases.empty()) made += steps;
  if (!options.gpu.empty()) {
    const std::int64_t queued = std::min(steps, most_queued_steps);
    row.queue_seconds = queue_seconds(solver, queued);
    made += queued;
  }
  // Other processes, and other parts of this one, may use other devices.
  const bool has_energy = options.min_seconds >= least_energy_seconds && team().size() == 1 && wanted_devices() == 1 &&
                          (options.on_processor || !options.gpu.empty());
  EnergyMeter energy(has_energy ? energy_of(options.gpu) : std::nullopt);
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark(name.c_str(),
                               [&](benchmark::State& state) {
                                 take_sample(state, options.gpu, row,
                                             [&] { run_metered(state, energy, row, [&] { run(steps); }); });
                               })
      ->Iterations(1)
      ->Repetitions(options.samples)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&to.out);
  reporter.SetErrorStream(&to.err);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return implausible(solver, work.c, before, work.number, made);
}

}  // namespace ladder
