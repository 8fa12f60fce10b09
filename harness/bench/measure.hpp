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

/// Describes, in a sentence, the first step whose observable is not finite; empty if there is none.
template <class Model>
std::string not_finite(Solver<Model>& solver) {
  const auto history = solver.history();
  for (std::size_t i = 0; i < history.size(); ++i)
    if (!std::isfinite(history[i]))
      return fmt::format("{} of step {} is {}", Model::observable, i + 1, std::isnan(history[i]) ? "nan" : "infinite");
  return "";
}

/// Explains why the final state after `steps` steps is wrong; empty if it is right. Every value must be finite and, for a case
/// that conserves the sum, the sum must still be `before`.
template <class Model>
std::string implausible(Solver<Model>& solver, const typename Model::Case& c, double before, const Number& number,
                        std::int64_t steps) {
  if (std::string wrong = not_finite(solver); !wrong.empty()) return wrong;
  const double after = solver.conserved();
  if (!ObstacleRules<Model>::conserves(c))
    return std::isfinite(after) ? "" : fmt::format("the sum of all populations is {} after {} steps", after, steps);
  // If rounding is biased, its errors grow with every step.
  const auto n = static_cast<double>(steps);
  const double tolerance = number.epsilon * (16 + (rounds_without_bias<Model>(number) ? std::sqrt(n) : n));
  if (!(std::abs(after - before) <= tolerance * before))
    return fmt::format("the conserved sum went from {:.12g} to {:.12g} in {} steps", before, after, steps);
  return "";
}

/// A cell of a matrix, as seen by a rung's executable.
template <class Model>
struct Work {
  typename Model::Case c;
  const Number& number;
  Tuning tuning;
};

/// Traffic as text: bytes read and written at each level, e.g. `dram=72+36;shared=72+72`.
inline std::string traffic_text(const std::vector<Traffic>& traffic) {
  std::string text;
  for (const Traffic& t : traffic)
    text += fmt::format("{}{}={}+{}", text.empty() ? "" : ";", t.level, t.read, t.write);
  return text;
}

/// Seconds per phase of a step as text, `stream=0.00125;collide=0.0031`: means over `steps` steps, waiting for each phase
/// before the next starts. Empty if the solver is not Phased.
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

/// Seconds per step that `advance` needs to queue `steps` steps; the device may still be working afterwards.
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

/// Most steps queued at once for queue_seconds(). A driver's queue is bounded, and waiting for a free slot would mean waiting
/// for the device.
constexpr std::int64_t most_queued_steps = 100;

/// Runs `work` in a benchmark's timed loop and sets the energy of `row` if known. The time to read the meter is excluded from
/// the sample.
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

/// Times `solver` and its phases and writes Google Benchmark's JSON to `to.out`, including those columns of a row that
/// executables provide. Returns why the run was wrong, or an empty string.
template <class Model>
std::string measure(Solver<Model>& solver, const Work<Model>& work, const std::vector<Traffic>& traffic, double footprint,
                    const std::string& name, const MeasureOptions& options, const Streams& to) {
  const double before = solver.conserved();
  std::int64_t made = 0;
  // All processes start together, and the sample lasts until the slowest has finished.
  const auto run = [&](std::int64_t steps) {
    team().barrier();
    solver.advance(steps);
    solver.wait();
    team().barrier();
    made += steps;
  };
  std::int64_t steps = options.steps;
  if (steps == 0)
    steps = whole_passes(calibrate(run, options.min_seconds, [](double seconds) { return team().of_first(seconds); }));
  else
    run(1);  // warm-up
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
  // Other processes, or other parts of this one, may use other devices.
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
