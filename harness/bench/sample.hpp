#pragma once

#include <benchmark/benchmark.h>

#include "harness/bench/process_counts.hpp"
#include "harness/record/answers.hpp"

namespace ladder {

/// Runs `work` once as a benchmark's sample, observes the conditions, and reports those columns of `row` that executables
/// provide, and the process_counts(). `gpu`: PCI address of an NVIDIA GPU to observe, or empty.
template <class Work>
void take_sample(benchmark::State& state, const std::string& gpu, Row& row, Work work) {
  if (const auto counts = process_counts()) {
    state.counters["processes"] = counts->processes;
    state.counters["nodes"] = static_cast<double>(counts->nodes);
  }
  const Watch watch(gpu);
  for (auto _ : state)
    work();
  static_cast<Conditions&>(row) = watch.stop();
  const SampleText text = sample_text(row);
  for (const auto& [name, value] : text.counters)
    state.counters[name] = value;
  state.SetLabel(text.label);
}

}  // namespace ladder
