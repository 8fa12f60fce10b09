#include "reports/terms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/format.hpp"

namespace ladder::reports {
namespace {

std::string describe(const PaperValue& v) {
  std::string text = v.label.empty() ? v.quantity : v.label + ", " + v.quantity;
  if (!v.case_name.empty()) text += ", " + v.case_name;
  return fmt::format("{} = {} {}", text, significant(v.value, 4), v.unit);
}

Term of_paper(const Parameters& where, const TermDefaults& defaults, const Context& context) {
  const PaperValue& v = look_up(where, defaults, context);
  return {.value = v.value, .how = "[" + describe(v) + "]", .unit = v.unit};
}

/// Time of one kernel launch in µs, from the latest profile.
Term of_kernel(const std::string& kernel, const CellQuery& query, const Context& context) {
  const Profile* profile = context.results.latest_profile([&](const Profile& p) {
    return p.kind == "kernel" && p.kernel == kernel && matches(query.rung, p.rung) && p.case_name == query.case_name &&
           p.precision == query.precision;
  });
  if (profile == nullptr) return {.why = fmt::format("no counters of {} in {}, {}", kernel, query.rung, query.case_name)};
  const double value = profile->microseconds_per_launch();
  return {.value = value,
          .how = fmt::format("[{} of {}, {}: {} µs]", kernel, profile->rung, profile->case_name, significant(value, 4)),
          .unit = "µs",
          .profiles = {profile}};
}

/// The largest error in the latest passed checks of the matching rungs: a column of their rows.
Term of_check(const Parameters& where, const TermDefaults& defaults, const Context& context) {
  const std::string rung = where.text("rung");
  const std::string case_name = where.text("case", defaults.case_name);
  const std::string precision = where.text("precision", defaults.precision);
  const std::string column = where.text("check");
  if (column != "population_error" && column != "history_error")
    where.fail("check", fmt::format("is '{}'; accepted: population_error, history_error", column));
  std::map<std::string, const Row*> latest;  // by rung and tuning
  for (const Row& row : context.results.data().file.rows)
    if (row.kind == "check" && row.ok() && matches(rung, row.rung) && row.precision == precision &&
        (case_name.empty() || row.case_name == case_name))
      latest[row.rung + " " + row.tuning] = &row;
  Term term{.why = fmt::format("{}, {}, {}: no passed check", rung, case_name, precision)};
  for (const auto& [unused, row] : latest) {
    const double error = column == "history_error" ? row->history_error : row->population_error;
    if (!(std::isnan(term.value) || error > term.value)) continue;
    term = {.value = error,
            .how = fmt::format("[{} of {}, {}, {}]", column, row->rung, row->case_name, row->precision),
            .rows = {row}};
  }
  return term;
}

/// The fraction of the copy from DRAM with the cell's access pattern; NaN if that ceiling is not stored.
double share_of_copy(const Cell& cell, const Context& context) {
  const auto share = context.ceilings.of_dram_copy(cell, "");
  return share ? share->ratio.value : unknown;
}

/// A quantity of one of our cells.
Term of_rung(const Parameters& where, const TermDefaults& defaults, const Context& context) {
  const CellQuery query{.rung = where.text("rung"),
                        .case_name = where.text("case", defaults.case_name),
                        .precision = where.text("precision", defaults.precision),
                        .tuning = where.text("tuning", "best")};
  const std::string quantity = where.text("quantity", "mlups");
  const std::string kernel = where.text("kernel", "");
  if (!kernel.empty()) return of_kernel(kernel, query, context);
  const std::string phase = where.text("phase", "");
  const Cell* cell = context.results.choose(query);
  Series rates;
  if (cell != nullptr) rates = phase.empty() ? cell->updates_per_second : phase_rates(*cell, phase);
  const double rate = median(rates);
  const auto value = [&]() -> std::optional<std::pair<double, const char*>> {
    if (quantity == "mlups") return std::pair(rate / 1e6, "MLUPS");
    if (quantity == "step_time")
      return std::pair(cell == nullptr ? unknown : 1e6 * static_cast<double>(cell->row->cells) / rate, "µs per step");
    if (quantity == "queue_time")
      return std::pair(cell == nullptr ? unknown : 1e6 * median(cell->queue_seconds), "µs to queue a step");
    if (quantity == "cells") return std::pair(cell == nullptr ? unknown : static_cast<double>(cell->row->cells), "cells");
    if (quantity == "bandwidth")
      return std::pair(cell == nullptr ? unknown : rate * cell->row->bytes_per_update_minimum / 1e9, "GB/s");
    if (quantity == "energy") return std::pair(cell == nullptr ? unknown : cell->joules_per_giga_update(), "J per 10⁹ updates");
    if (quantity == "flops") return std::pair(cell == nullptr ? unknown : cell->row->flops_per_update, "operations per update");
    if (quantity == "of_copy") return std::pair(cell == nullptr ? unknown : share_of_copy(*cell, context), "");
    return std::nullopt;
  }();
  if (!value)
    where.fail(
        "quantity",
        fmt::format("is '{}'; accepted: mlups, step_time, queue_time, bandwidth, energy, flops, of_copy, cells", quantity));
  if (cell == nullptr) return {.why = fmt::format("{}, {}: {}", query.rung, query.case_name, why_missing(context, query))};
  if (quantity == "queue_time" && cell->queue_seconds.empty())
    return {.why = fmt::format("{}, {}: no queue times", query.rung, query.case_name)};
  if (rates.empty()) return {.why = fmt::format("{}, {}: no times for phase '{}'", query.rung, query.case_name, phase)};
  if (std::isnan(value->first)) return {.why = fmt::format("{}, {}: no {} stored", query.rung, query.case_name, quantity)};
  return {.value = value->first,
          .how = fmt::format("[{}{} = {} {}]", cell->describe(), phase.empty() ? "" : ", " + phase,
                             significant(value->first, 4), value->second),
          .unit = value->second,
          .cells = {cell},
          .quantity = quantity,
          .rates = std::move(rates)};
}

/// A ceiling of DRAM size in GB/s, or the ceiling of an event in µs.
Term of_ceiling(const Parameters& where, const Context& context) {
  const CeilingQuery query{where.text("ceiling"), where.text("precision", ""), where.text("backend", "")};
  const std::optional<Ceiling> ceiling = context.ceilings.dram(query, nullptr);
  if (!ceiling) return {.why = "ceiling " + query.name + ": not measured"};
  const bool is_event = !std::isnan(ceiling->latency());
  const double value = is_event ? 1e6 * ceiling->latency() : ceiling->bandwidth() / 1e9;
  return {.value = value,
          .how = fmt::format("[{} = {} {}]", describe(*ceiling), significant(value, 4), is_event ? "µs" : "GB/s"),
          .unit = is_event ? "µs" : "GB/s",
          .cells = {ceiling->cell}};
}

Term sum_of(const std::vector<Parameters>& parts, const TermDefaults& defaults, const Context& context) {
  Term sum{.value = 0};
  for (const Parameters& part : parts) {
    const Term term = make_term(part, defaults, context);
    sum.value += term.value;
    sum.how += (sum.how.empty() ? "(" : " + ") + term.how;
    take_sources(sum, term);
  }
  sum.how += ")";
  return sum;
}

}  // namespace

const PaperValue& look_up(const Parameters& where, const TermDefaults& defaults, const Context& context) {
  const std::string label = where.text("label", defaults.label);
  const std::string case_name = where.text("case", defaults.case_name);
  const std::string quantity = where.text("quantity");
  if (const PaperValue* value = context.study.paper.find(label, case_name, quantity)) return *value;
  where.fail("quantity",
             fmt::format("is '{}' of '{}' for case '{}', which {} lacks; accepted: a quantity, label and case of one of "
                         "its rows",
                         quantity, label, case_name, context.study.paper.path().string()));
}

void take_sources(Term& whole, const Term& part) {
  whole.cells.insert(whole.cells.end(), part.cells.begin(), part.cells.end());
  whole.profiles.insert(whole.profiles.end(), part.profiles.begin(), part.profiles.end());
  whole.rows.insert(whole.rows.end(), part.rows.begin(), part.rows.end());
  if (whole.why.empty()) whole.why = part.why;
}

Term make_term(const Parameters& where, const TermDefaults& defaults, const Context& context) {
  Term term = where.has("sum")       ? sum_of(where.tables("sum"), defaults, context)
              : where.has("check")   ? of_check(where, defaults, context)
              : where.has("rung")    ? of_rung(where, defaults, context)
              : where.has("ceiling") ? of_ceiling(where, context)
                                     : of_paper(where, defaults, context);
  if (where.has("factor")) {
    const double factor = where.number("factor", 1);
    term.value *= factor;
    term.how = fmt::format("{} × {}", factor, term.how);
    term.quantity.clear();
  }
  where.finish();
  return term;
}

}  // namespace ladder::reports
