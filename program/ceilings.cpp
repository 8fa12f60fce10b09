// `ladder ceilings`: measures the limits of this machine, and compares them with stored sessions and with nominal values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/run.hpp"
#include "program/ceiling_summary.hpp"
#include "program/commands.hpp"
#include "reports/document.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<CeilingSummary>& limits) {
  Json all = Json::array();
  for (const CeilingSummary& limit : limits)
    all.push_back({{"limit", limit.name},
                   {"ceiling", limit.ceiling},
                   {"backend", limit.backend},
                   {"device", limit.device},
                   {"precision", limit.precision},
                   {"value", limit.value},
                   {"unit", limit.unit()},
                   {"samples", limit.samples},
                   {"disturbed_samples", limit.disturbed},
                   {"stored_sessions", limit.stored.size()},
                   {"stored_median", json_number(median(limit.stored))},
                   {"of_stored", json_number(limit.of_stored())},
                   {"nominal", json_number(limit.nominal)},
                   {"of_nominal", json_number(limit.value / limit.nominal)}});
  return all;
}

void print(const std::vector<CeilingSummary>& limits) {
  if (limits.empty()) return;
  const auto value = [](const CeilingSummary& l) -> reports::TableCell { return l.text(l.value); };
  const auto stored = [](const CeilingSummary& l) -> reports::TableCell {
    if (l.stored.empty()) return "";
    return fmt::format("{} of {}", percent(l.of_stored()), counted(l.stored.size(), "session"));
  };
  const auto nominal = [](const CeilingSummary& l) -> reports::TableCell {
    return std::isnan(l.nominal) ? std::string("unknown")
                                 : fmt::format("{} of {}", percent(l.value / l.nominal), l.text(l.nominal));
  };
  const auto disturbed = [](const CeilingSummary& l) -> reports::TableCell {
    return l.disturbed == 0 ? "" : fmt::format("{} of {}", l.disturbed, l.samples);
  };
  print_out("\n{}{}\n",
            reports::to_text(reports::tabulate("summary", "",
                                               {{"limit", "", &CeilingSummary::name},
                                                {"", "", &CeilingSummary::precision},
                                                {"backend", "", &CeilingSummary::backend},
                                                {"here", "", value},
                                                {"of stored", "", stored},
                                                {"of nominal", "", nominal},
                                                {"disturbed samples", "", disturbed}},
                                               limits)),
            delivery_text(limits));
}

}  // namespace

int ceilings(const Context& context, const CeilingsOptions& options) {
  Catalogue catalogue(context.bin);
  const Study study = read_study(find_study(context.experiments, "ceilings"));
  const RunSummary summary = run_study(
      study, catalogue,
      {.root = context.root, .machine = options.machine, .rounds = options.rounds, .again = true, .command = context.command});
  std::map<std::string, std::vector<Row>> samples;  // by cell, sorted by name
  for (const Row& row : summary.measured)
    if (row.outcome == "ok")
      samples[fmt::format("{} {} {:0>14} {} {}", row.rung, row.precision, row.case_name, row.tuning, row.placement)].push_back(
          row);
  Json table = Json::array();
  for (auto& [name, rows] : samples) {
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.updates_per_second < b.updates_per_second; });
    const Row& median = rows[rows.size() / 2];
    table.push_back({{"ceiling", median.rung},
                     {"precision", median.precision},
                     {"tuning", median.tuning},
                     {"threads", median.threads},
                     {"footprint_bytes", median.footprint_bytes},
                     {"samples", rows.size()},
                     {"elements_per_second", median.updates_per_second},
                     {"bytes_per_second", median.updates_per_second * median.bytes_per_update_model},
                     {"flops_per_second", median.updates_per_second * median.flops_per_update}});
    const bool is_latency = median.bytes_per_update_model <= 0 && median.flops_per_update <= 0;
    if (is_latency) table.back()["seconds_per_event"] = 1 / median.updates_per_second;
  }
  const std::vector<CeilingSummary> limits =
      summary.session.empty() ? std::vector<CeilingSummary>()
                              : summaries_of(context.experiments, summary.rows.stem().string(), summary.session);
  if (options.json) {
    print_json(Json{{"session", summary.session}, {"ceilings", table}, {"summary", json_of(limits)}});
  } else {
    const auto text = [](const char* key) { return [key](const Json& row) { return row.at(key).get<std::string>(); }; };
    // Quantities that a ceiling does not limit are left blank.
    const auto number = [](const char* key, double scale, const char* form = "{:.4g}") {
      return [=](const Json& row) -> reports::TableCell {
        const double value = row.value(key, 0.0) * scale;
        return value > 0 ? fmt::format(fmt::runtime(form), value) : "";
      };
    };
    print_out("{}rows: {}\n",
              to_text(reports::tabulate("ceilings", "",
                                        {{"ceiling", "", text("ceiling")},
                                         {"", "", text("precision")},
                                         {"", "", text("tuning")},
                                         {"footprint", "", number("footprint_bytes", 1e-3, "{:.0f} kB")},
                                         {"Melements/s", "", number("elements_per_second", 1e-6)},
                                         {"GB/s", "", number("bytes_per_second", 1e-9)},
                                         {"GFLOP/s", "", number("flops_per_second", 1e-9)},
                                         {"us/event", "", number("seconds_per_event", 1e6)}},
                                        table)),
              summary.rows.string());
    print(limits);
  }
  if (summary.not_run > 0) return exit_bad_input;
  return summary.failed == 0 ? exit_ok : exit_check_failed;
}

}  // namespace ladder
