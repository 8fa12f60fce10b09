#pragma once

#include <benchmark/benchmark.h>

#include "base/conditions.hpp"

namespace ladder {

/// Runs `work` once as the sample of a benchmark, and stores the conditions as the benchmark's counters and label. `gpu`: PCI
/// address of an NVIDIA GPU to observe, or empty. `more`: further `name=value` of the label.
template <class Work>
void take_sample(benchmark::State& state, const std::string& gpu, Work work, const std::string& more = "") {
  const Watch watch(gpu);
  for (auto _ : state)
    work();
  const Conditions conditions = watch.stop();
  const auto note = [&](const char* name, double value) {
    if (value >= 0) state.counters[name] = value;
  };
  note("other_load", conditions.other_load);
  note("steal", conditions.steal);
  note("involuntary_switches", conditions.involuntary_switches);
  note("working_threads", conditions.working_threads);
  note("cpu_mhz", conditions.cpu_mhz);
  note("gpu_mhz", conditions.gpu_mhz);
  note("gpu_celsius", conditions.gpu_celsius);
  note("gpu_watts", conditions.gpu_watts);
  const std::string label = conditions.label();
  state.SetLabel(label + (label.empty() || more.empty() ? "" : " ") + more);
}

}  // namespace ladder
