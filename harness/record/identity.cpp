#include "harness/record/identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace ladder {
namespace {

/// Cache sizes by level; the number of caches follows from the number of cores.
std::set<std::pair<int, double>> sizes(const std::vector<CacheLevel>& caches) {
  std::set<std::pair<int, double>> all;
  for (const CacheLevel& cache : caches)
    all.emplace(cache.level, cache.bytes);
  return all;
}

bool may_be_same(const GpuFacts& a, const GpuFacts& b) {
  const bool same_capability =
      a.compute_capability.empty() || b.compute_capability.empty() || a.compute_capability == b.compute_capability;
  const bool same_memory = a.memory_bytes == 0 || b.memory_bytes == 0 || a.memory_bytes == b.memory_bytes;
  return a.name == b.name && same_capability && same_memory;
}

/// Sessions need not use all GPUs, but they must have one in common.
bool may_be_same(const std::vector<GpuFacts>& a, const std::vector<GpuFacts>& b) {
  return a.empty() || b.empty() || std::ranges::any_of(a, [&](const GpuFacts& one) {
           return std::ranges::any_of(b, [&](const GpuFacts& other) { return may_be_same(one, other); });
         });
}

/// The processor's widest vector instruction set as one word.
std::string vectors(const ProcessorIdentity& identity) {
  const auto has = [&](std::string_view set) {
    return std::ranges::find(identity.instruction_sets, set) != identity.instruction_sets.end();
  };
  for (const auto& [set, word] : {std::pair{"avx512f", "avx512"},
                                  {"avx2", "avx2"},
                                  {"avx", "avx"},
                                  {"sse4_2", "sse4"},
                                  {"sve2", "sve2"},
                                  {"sve", "sve"},
                                  {"asimd", "neon"}})
    if (has(set)) return word;
  return "";
}

/// A processor's name without uninformative parts: `(R)`, `(TM)`, `CPU`, `Processor`, `64-Core`, and the clock after `@`.
std::string plain_name(std::string name) {
  for (const std::string_view mark : {"(R)", "(TM)", "(r)", "(tm)"})
    name = replace_all(std::move(name), mark, " ");
  std::istringstream words(name.substr(0, name.find('@')));
  std::string plain;
  for (std::string word; words >> word;)
    if (word != "CPU" && word != "Processor" && word != "processor" && !word.ends_with("-Core"))
      plain += (plain.empty() ? "" : " ") + word;
  return plain;
}

}  // namespace

bool may_be_same_processor(const MachineFacts& a, const MachineFacts& b) {
  return (a.cpu.empty() || b.cpu.empty() || a.cpu == b.cpu) && (a.cores == 0 || b.cores == 0 || a.cores == b.cores) &&
         (a.caches.empty() || b.caches.empty() || sizes(a.caches) == sizes(b.caches)) &&
         (!a.identity || !b.identity || a.identity == b.identity);
}

bool measured_processor(const Provenance& session) {
  // Devices that are the processor contain its name: `AMD EPYC`, `AMD EPYC, one thread`, `cpu-haswell-AMD EPYC`.
  return session.devices.empty() || std::ranges::any_of(session.devices, [&](const auto& device) {
           return device.second.find(session.machine.cpu) != std::string::npos;
         });
}

bool may_be_same_machine(const Measured& a, const Measured& b) {
  const bool gpus_decide = !(a.processor && b.processor) && !a.machine.gpus.empty() && !b.machine.gpus.empty();
  return may_be_same(a.machine.gpus, b.machine.gpus) && (gpus_decide || may_be_same_processor(a.machine, b.machine));
}

std::string identity_text(const MachineFacts& machine) {
  std::string text = machine.cpu;
  if (const auto& i = machine.identity)
    text += fmt::format(" ({}, family {}, model {}, stepping {}; {})", i->vendor, i->family, i->model, i->stepping,
                        fmt::join(i->instruction_sets, " "));
  text += fmt::format(", {} core{}", machine.cores, machine.cores == 1 ? "" : "s");
  for (const auto& [level, bytes] : sizes(machine.caches))
    text += fmt::format(", L{} {} KiB", level, bytes / 1024);
  for (const GpuFacts& gpu : machine.gpus) {
    text += "; " + gpu.name;
    if (!gpu.compute_capability.empty()) text += ", compute capability " + gpu.compute_capability;
    if (gpu.memory_bytes > 0) text += fmt::format(", {:.1f} GB", gpu.memory_bytes * 1e-9);
  }
  return text;
}

std::string short_name(const MachineFacts& machine) {
  std::string name = plain_name(machine.cpu);
  if (const auto& i = machine.identity) name += fmt::format(" f{}m{} {}", i->family, i->model, vectors(*i));
  return slug(fmt::format("{} {}c", name, machine.cores));
}

}  // namespace ladder
