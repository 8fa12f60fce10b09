#include "program/ceiling_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/format.hpp"
#include "harness/record/identity.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/gpu_memory.hpp"
#include "reports/ceilings.hpp"
#include "reports/study.hpp"

namespace ladder {
namespace {

using reports::MachineData;
using Quantity = CeilingSummary::Quantity;

/// A limit that is further below the median of other sessions is reported.
constexpr double accepted_loss = 0.05;

auto identity(const CeilingSummary& s) { return std::tie(s.name, s.backend, s.device, s.precision, s.placement); }

/// Identifies a ceiling of one size and kind of store. Sessions are compared only if they measured the same one, because their
/// best values may be of different ceilings.
auto ceiling_identity(const CeilingSummary& s) {
  return std::tie(s.ceiling, s.case_name, s.store, s.backend, s.device, s.precision, s.placement);
}

/// The name under which a ceiling is summarized; empty if it is left out.
std::string summary_name(const reports::Ceiling& ceiling, const reports::Ceilings& ceilings, const reports::Results& results) {
  if (!std::isnan(ceiling.latency()) || !std::isnan(ceiling.flops()) || ceiling.is_on_chip()) return ceiling.name;
  const bool is_in_memory = ceilings.is_dram_sized(ceiling);
  if (is_in_memory && ceiling.name == "triad") return "STREAM triad";
  if (is_in_memory && (ceiling.name == "copy" || ceiling.name.starts_with("copy-"))) return "best copy";
  if (ceiling.name != "read") return "";
  const std::string level = reports::residency(ceiling.bytes, results.caches(*ceiling.cell->row));
  return level == "unknown" || (level == "DRAM" && !is_in_memory) ? "" : "read from " + level;
}

/// The values of all ceilings among the rows of one session that belong to a limit.
std::vector<CeilingSummary> values_of_session(const MachineData& data, const std::string& session) {
  MachineData own{data.name, data.folder, {}, data.sessions};
  own.file = data.file;
  std::erase_if(own.file.rows, [&](const Row& row) { return row.kind != "ceiling" || row.session != session; });
  const reports::Results results(own);
  const reports::Ceilings ceilings(results);
  std::vector<CeilingSummary> all;
  for (const reports::Ceiling& ceiling : ceilings.all()) {
    const Row& row = *ceiling.cell->row;
    CeilingSummary made{.name = summary_name(ceiling, ceilings, results),
                        .ceiling = ceiling.name,
                        .case_name = row.case_name,
                        .store = row.tuning,
                        .backend = ceiling.backend,
                        .device = row.device,
                        .precision = row.precision,
                        .placement = row.placement};
    if (made.name.empty()) continue;
    if (!std::isnan(ceiling.latency()))
      std::tie(made.quantity, made.value) = std::pair(Quantity::latency, ceiling.latency());
    else if (!std::isnan(ceiling.flops()))
      std::tie(made.quantity, made.value) = std::pair(Quantity::operations, ceiling.flops());
    else
      made.value = ceiling.bandwidth();
    made.samples = ceiling.cell->rows.size();
    made.disturbed = static_cast<std::size_t>(
        std::ranges::count_if(ceiling.cell->rows, [](const Row* sample) { return !sample->suspicious.empty(); }));
    all.push_back(std::move(made));
  }
  return all;
}

/// The best value of each limit among these.
std::vector<CeilingSummary> best_of(std::vector<CeilingSummary> values) {
  std::vector<CeilingSummary> all;
  for (CeilingSummary& made : values) {
    const auto known = std::ranges::find_if(all, [&](const CeilingSummary& s) { return identity(s) == identity(made); });
    if (known == all.end())
      all.push_back(std::move(made));
    else if (made.quantity == Quantity::latency ? made.value < known->value : made.value > known->value)
      *known = std::move(made);
  }
  std::ranges::stable_sort(all, {}, [](const CeilingSummary& s) { return std::tie(s.backend, s.quantity, s.name); });
  return all;
}

/// Whether a device's limits in two sessions belong to the same processor or GPU.
bool is_same_device(const std::string& device, const Provenance& a, const Provenance& b) {
  const bool is_gpu = a.device_caches.contains(device);
  return is_gpu ? may_be_same_machine({a.machine, false}, {b.machine, false}) : may_be_same_processor(a.machine, b.machine);
}

/// Adds the values of all other sessions in this study's results.
void add_stored(const std::vector<MachineData>& results, const Provenance& here, std::vector<CeilingSummary>& limits) {
  for (const MachineData& data : results)
    for (const Provenance& session : data.sessions) {
      if (session.session == here.session) continue;
      const auto is_shared = [&](const CeilingSummary& s) { return is_same_device(s.device, here, session); };
      if (std::ranges::none_of(limits, is_shared)) continue;
      for (const CeilingSummary& stored : values_of_session(data, session.session))
        for (CeilingSummary& limit : limits)
          if (ceiling_identity(limit) == ceiling_identity(stored) && is_shared(limit)) limit.stored.push_back(stored.value);
    }
}

}  // namespace

std::string CeilingSummary::unit() const {
  return quantity == Quantity::bandwidth ? "B/s" : quantity == Quantity::operations ? "FLOP/s" : "s";
}

std::string CeilingSummary::text(double of) const {
  if (quantity == Quantity::latency) return significant(1e6 * of) + " us";
  return significant(of / 1e9, 4) + (quantity == Quantity::bandwidth ? " GB/s" : " GFLOP/s");
}

double CeilingSummary::of_stored() const {
  const double before = median(stored);
  return quantity == Quantity::latency ? before / value : value / before;
}

std::vector<CeilingSummary> summaries_of(const std::filesystem::path& experiments, const std::string& machine,
                                         const std::string& session) {
  std::vector<CeilingSummary> limits;
  Provenance here;
  for (const MachineData& data : reports::read_results(experiments / "ceilings", machine))
    for (const Provenance& found : data.sessions)
      if (found.session == session) {
        here = found;
        std::ranges::move(best_of(values_of_session(data, session)), std::back_inserter(limits));
      }
  for (const std::string& study : reports::study_names(experiments))
    try {
      add_stored(reports::read_results(experiments / study, ""), here, limits);
    } catch (const InputError&) {
      continue;  // `ladder report` prints the error
    }
  for (CeilingSummary& limit : limits)
    if (limit.name == "STREAM triad" || limit.name == "best copy" || limit.name == "read from DRAM")
      limit.nominal = gpu_memory_bandwidth(limit.device);
  return limits;
}

std::string delivery_text(const std::vector<CeilingSummary>& limits) {
  std::vector<std::string> slower;
  std::size_t compared = 0, disturbed = 0, sessions = 0;
  for (const CeilingSummary& limit : limits) {
    disturbed += limit.disturbed > 0 ? 1 : 0;
    if (limit.stored.empty()) continue;
    ++compared;
    sessions = std::max(sessions, limit.stored.size());
    if (limit.of_stored() < 1 - accepted_loss)
      slower.push_back(fmt::format("{} ({}, {}): {}", limit.name, limit.backend, limit.precision, percent(limit.of_stored())));
  }
  std::string text;
  if (compared == 0)
    text = "No other session of this machine has measured these limits, so there is nothing to compare with.";
  else if (slower.empty())
    text = fmt::format("The machine performs as it did in up to {}: no limit is more than {} below their median.",
                       counted(sessions, "other session"), percent(accepted_loss));
  else
    text = fmt::format("{} of {} limits are more than {} below the median of other sessions: {}.", slower.size(), compared,
                       percent(accepted_loss), joined(slower));
  if (disturbed > 0)
    text += fmt::format(" {} disturbed samples.", disturbed == 1 ? "1 limit has" : fmt::format("{} limits have", disturbed));
  return text;
}

}  // namespace ladder
