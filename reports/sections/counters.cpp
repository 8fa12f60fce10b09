#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// Unit of a quantity.
struct Measure {
  std::string_view unit;                         ///< of the table
  std::map<std::string_view, double> accepted;   ///< units allowed in paper.csv, each with its size in the table's unit
  std::string_view per_update = {};              ///< unit of the value per update, if there is one
  std::function<double(double, double)> amount;  ///< converts a value and the duration in µs to it; unset without one
};

const Measure percentage{"%", {{"%", 1}}, "", nullptr};
const Measure count{"", {{"", 1}, {"cycles", 1}}, "", [](double value, double) { return value; }};
const Measure mean{"", {{"", 1}, {"cycles", 1}}, "", nullptr};
const Measure time{
    "µs", {{"s", 1e6}, {"ms", 1e3}, {"µs", 1}, {"ns", 1e-3}}, "ns", [](double value, double) { return 1e3 * value; }};
const Measure frequency{"MHz", {{"Hz", 1e-6}, {"kHz", 1e-3}, {"MHz", 1}, {"GHz", 1e3}}, "", nullptr};
const Measure rate{
    "GB/s", {{"B/s", 1e-9}, {"MB/s", 1e-3}, {"GB/s", 1}, {"TB/s", 1e3}}, "B", [](double value, double microseconds) {
      return 1e3 * value * microseconds;
    }};

/// A row of the table, named like the quantity in paper.csv.
struct Quantity {
  std::string name;
  std::string title;
  const Measure* measure;
  std::function<double(const Profile&, double)> value;  ///< computes the value from a profile and its number of steps
};

double detail(const Profile& p, const std::string& name) { return p.details.at(place_of_detail(name)); }

/// Mean number of cycles between two instructions of a warp; NaN if no stalls were counted.
double warp_cycles(const Profile& p) {
  double all = 0;
  for (const auto& [reason, warps] : p.stalls())
    all += warps;
  return all > 0 ? all : unknown;
}

/// Share of these cycles in which the warp waits for this reason, e.g. `barrier`.
double waits_for(const Profile& p, std::string_view reason) {
  const auto stalls = p.stalls();
  const auto found = std::ranges::find(stalls, reason, [](const auto& stall) { return stall.first; });
  return (found == stalls.end() ? 0 : found->second) / warp_cycles(p);
}

/// Kinds of requests that belong together: the names of their counters without `_requests`, `_sectors` and `_hits`.
struct Requests {
  std::string name;
  std::string title;
  std::vector<std::string> kinds = {name};

  [[nodiscard]] double sum(const Profile& p, const std::string& what) const {
    double all = 0;
    for (const std::string& kind : kinds)
      all += detail(p, kind + what);
    return all;
  }
};

const std::vector<Requests> all_requests = {
    {"l1_local_load", "L1/TEX local load"},
    {"l1_global_load", "L1/TEX global load"},
    {"l1_global_store", "L1/TEX global store"},
    {"l1_local_store", "L1/TEX local store"},
    {"l1_loads", "L1/TEX loads", {"l1_local_load", "l1_global_load"}},
    {"l1_stores", "L1/TEX stores", {"l1_local_store", "l1_global_store"}},
    {"l1", "L1/TEX total", {"l1_local_load", "l1_global_load", "l1_local_store", "l1_global_store"}},
    {"l2_load", "L2, load from L1/TEX"},
    {"l2_store", "L2, store from L1/TEX"},
    {"l2_from_l1", "L2, total from L1/TEX"},
    {"l2_fabric", "L2, fabric"},
    {"l2", "L2, total"}};

std::vector<Quantity> make_quantities() {
  std::vector<Quantity> all;
  const auto add_detail = [&](const std::string& name, const std::string& title, const Measure& measure) {
    all.push_back({name, title, &measure, [name, &measure](const Profile& p, double steps) {
                     const double value = detail(p, name);
                     if (&measure == &percentage) return 100 * value;
                     return &measure == &frequency ? 1e-6 * value : value / static_cast<double>(p.steps) * steps;
                   }});
  };
  add_detail("sm_throughput", "Compute (SM) throughput", percentage);
  add_detail("memory_throughput", "Memory throughput", percentage);
  add_detail("l1_throughput", "L1/TEX throughput", percentage);
  add_detail("l2_throughput", "L2 throughput", percentage);
  add_detail("dram_throughput", "DRAM throughput", percentage);
  all.push_back({"duration", "Duration", &time,
                 [](const Profile& p, double steps) { return 1e6 * p.seconds / static_cast<double>(p.steps) * steps; }});
  add_detail("elapsed_cycles", "Elapsed cycles", count);
  add_detail("active_cycles", "SM active cycles", count);
  add_detail("sm_frequency", "SM frequency", frequency);
  add_detail("dram_frequency", "DRAM frequency", frequency);
  all.push_back({"occupancy", "Occupancy", &percentage, [](const Profile& p, double) { return 100 * p.occupancy; }});
  all.push_back(
      {"occupancy_limit", "Occupancy, at most", &percentage, [](const Profile& p, double) { return 100 * p.occupancy_limit; }});
  all.push_back({"instructions", "Instructions of all threads", &count,
                 [](const Profile& p, double steps) { return p.instructions / static_cast<double>(p.steps) * steps; }});
  all.push_back(
      {"warp_cycles", "Cycles of a warp per instruction", &mean, [](const Profile& p, double) { return warp_cycles(p); }});
  all.push_back({"branch_waits", "Warp cycles waiting for branches", &percentage,
                 [](const Profile& p, double) { return 100 * waits_for(p, "branch_resolving"); }});
  all.push_back({"barrier_waits", "Warp cycles waiting at barriers", &percentage,
                 [](const Profile& p, double) { return 100 * waits_for(p, "barrier"); }});
  add_detail("shared_wavefronts", "Shared memory, wavefronts", count);
  add_detail("shared_throughput", "Shared memory, of the peak", percentage);
  for (const Requests& requests : all_requests) {
    all.push_back(
        {requests.name + "_requests", requests.title + ", requests", &count, [&requests](const Profile& p, double steps) {
           return requests.sum(p, "_requests") / static_cast<double>(p.steps) * steps;
         }});
    all.push_back(
        {requests.name + "_hit_rate", requests.title + ", hit rate", &percentage,
         [&requests](const Profile& p, double) { return 100 * requests.sum(p, "_hits") / requests.sum(p, "_sectors"); }});
  }
  const auto add_rate = [&](const std::string& name, const std::string& title, double (*bytes)(const Profile&)) {
    all.push_back({name, title, &rate, [bytes](const Profile& p, double) { return 1e-9 * bytes(p) / p.seconds; }});
  };
  add_rate("dram_read_rate", "DRAM load", [](const Profile& p) { return p.dram_bytes_read; });
  add_rate("dram_write_rate", "DRAM store", [](const Profile& p) { return p.dram_bytes_written; });
  add_rate("dram_rate", "DRAM total", [](const Profile& p) { return p.dram_bytes(); });
  const auto add_sum = [&](const std::string& name, const std::string& title, double Profile::*sum) {
    all.push_back(
        {name, title, &count, [sum](const Profile& p, double steps) { return p.*sum / static_cast<double>(p.steps) * steps; }});
  };
  add_sum("cycles", "Processor cycles of all threads", &Profile::cycles);
  add_sum("cache_misses", "Last-level cache misses", &Profile::cache_misses);
  all.push_back({"instructions_per_cycle", "Instructions per processor cycle", &mean,
                 [](const Profile& p, double) { return p.instructions_per_cycle(); }});
  all.push_back(
      {"running_share", "Counted, of the time", &percentage, [](const Profile& p, double) { return 100 * scaled_share(p); }});
  return all;
}

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = make_quantities();
  return all;
}

/// A column of the tables, for the paper or for a rung.
struct CounterSide {
  std::string title;
  bool is_paper = false;
  std::vector<double> values = std::vector<double>(quantities().size(), unknown);  ///< in the order of quantities()
  double updates = unknown;                                                        ///< number of updates that the values cover
  const Profile* profile = nullptr;

  [[nodiscard]] double duration() const {
    return values[static_cast<std::size_t>(std::ranges::find(quantities(), "duration", &Quantity::name) -
                                           quantities().begin())];
  }
  /// The i-th value per update.
  [[nodiscard]] double per_update(std::size_t i) const {
    return quantities()[i].measure->amount(values[i], duration()) / updates;
  }
};

double cells_of_case(const Context& context, const std::string& case_name) {
  for (const Profile& p : context.results.data().profiles.rows)
    if (p.case_name == case_name) return static_cast<double>(p.cells);
  return cells_in_case(context, case_name);
}

CounterSide side_of_paper(const Parameters& column, const Context& context, const std::string& case_name, double steps) {
  const std::string label = column.text("paper");
  paper_labels(column, context);
  CounterSide side{column.text("title", "paper: " + label), true};
  side.updates = cells_of_case(context, case_name) * steps;
  for (std::size_t i = 0; i < quantities().size(); ++i) {
    const Quantity& q = quantities()[i];
    const PaperValue* v = context.study.paper.find_or_general(label, case_name, q.name);
    if (v == nullptr) continue;
    const auto unit = q.measure->accepted.find(v->unit);
    if (unit == q.measure->accepted.end()) {
      std::vector<std::string> names;
      for (const auto& [name, factor] : q.measure->accepted)
        names.push_back(name.empty() ? "none" : std::string(name));
      column.fail("paper",
                  fmt::format("names '{}', whose '{}' is in '{}'; accepted: {}", label, q.name, v->unit, joined(names)));
    }
    side.values[i] = v->value * unit->second;
  }
  return side;
}

/// The rung, case, precision and tuning that a column asks for.
struct Asked {
  std::string rung, case_name, precision, tuning;

  [[nodiscard]] std::string describe() const {
    return fmt::format("{}, {}, {}{}", rung, case_name, precision, tuning.empty() ? "" : ", " + tuning);
  }
  [[nodiscard]] std::string command(const std::string& study, double steps) const {
    std::string set;
    for (const auto& [name, value] : parse_tuning(tuning))
      if (!value.empty()) set += fmt::format(" --set {}={}", name, value);
    if (steps > 1) set += fmt::format(" --steps {:.0f}", steps);
    return fmt::format("ladder profile '{}' --case {} --precision {}{} --details --study {}", rung, case_name, precision, set,
                       study);
  }
};

/// The latest profile of the requested kind, preferably one with details. `asked` receives the rung and tuning that are meant.
const Profile* find_profile(const Context& context, Asked& asked) {
  const Cell* cell = context.results.choose(
      {.rung = asked.rung, .case_name = asked.case_name, .precision = asked.precision, .tuning = asked.tuning});
  bool is_any_tuning = asked.tuning == "initial" || asked.tuning == "best";
  if (cell != nullptr) {
    asked.rung = cell->row->rung;
    asked.tuning = cell->row->tuning;
    is_any_tuning = false;
  }
  const Profile* found = nullptr;
  for (const Profile& p : context.results.data().profiles.rows) {
    if (p.kind != "step" || !matches(asked.rung, p.rung) || p.build != "default" || p.case_name != asked.case_name ||
        p.precision != asked.precision || (!is_any_tuning && p.tuning != asked.tuning))
      continue;
    if (found == nullptr || p.has_details() || !found->has_details()) found = &p;
  }
  if (found != nullptr) {
    asked.rung = found->rung;
    asked.tuning = found->tuning;
  } else if (is_any_tuning) {
    asked.tuning.clear();
  }
  return found;
}

CounterSide side_of_rung(const Parameters& column, const Context& context, Asked asked, double steps, Section& section) {
  CounterSide side;
  side.profile = find_profile(context, asked);
  side.title = column.text("title", asked.describe());
  if (side.profile == nullptr || !(side.profile->has_details() || side.profile->is_of_processor()))
    section.note(fmt::format("{} counters of {}. To read them: {}", side.profile == nullptr ? "No" : "No detailed",
                             asked.describe(), asked.command(context.study.name, steps)));
  if (side.profile == nullptr) return side;
  if (context.results.is_outdated(*side.profile))
    section.warn(fmt::format("The profiled executable differs from the one measured last: {}.", asked.describe()));
  if (static_cast<double>(side.profile->steps) != steps && steps > 1)
    section.note(fmt::format("{}: the counters are of {} steps; events that happen once per launch are scaled as well.",
                             asked.describe(), grouped(side.profile->steps)));
  side.updates = static_cast<double>(side.profile->cells) * steps;
  for (std::size_t i = 0; i < quantities().size(); ++i)
    side.values[i] = quantities()[i].value(*side.profile, steps);
  return side;
}

/// The quantities to show: those of the paper, or all known ones if no column is from the paper.
std::vector<std::size_t> shown_quantities(const std::vector<CounterSide>& sides) {
  const bool has_paper = std::ranges::any_of(sides, &CounterSide::is_paper);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < quantities().size(); ++i) {
    const auto is_known = [&](const CounterSide& side) { return (side.is_paper || !has_paper) && !std::isnan(side.values[i]); };
    if (std::ranges::any_of(sides, is_known)) shown.push_back(i);
  }
  return shown;
}

TableCell value_cell(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? count_cell(value) : number_cell(value, 4);
}

}  // namespace

void counters(const Parameters& block, const Context& context, Section& section) {
  const std::string case_name = block.text("case");
  const std::string precision = precision_of(block);
  const std::string tuning = block.text("tuning", "initial");
  const double steps = block.number("steps", 1);
  if (!(steps >= 1) || steps > 1e12 || steps != std::floor(steps))
    block.fail("steps", fmt::format("is {}; accepted: a whole number from 1", steps));
  std::vector<CounterSide> sides;
  for (const Parameters& column : block.tables("columns")) {
    const std::string own_case = column.text("case", case_name);
    sides.push_back(column.has("paper") ? side_of_paper(column, context, own_case, steps)
                                        : side_of_rung(column, context,
                                                       {column.text("rung"), own_case, column.text("precision", precision),
                                                        column.text("tuning", tuning)},
                                                       steps, section));
    column.finish();
  }
  const std::vector<std::size_t> shown = shown_quantities(sides);
  const auto is_ours = [](const CounterSide& side) { return side.profile != nullptr; };
  const bool asks_for_ours = !std::ranges::all_of(sides, &CounterSide::is_paper);
  if (shown.empty() || (asks_for_ours && std::ranges::none_of(sides, is_ours))) return;
  const std::string duration = steps == 1 ? "a step" : fmt::format("{} steps", grouped(std::llround(steps)));
  std::vector<std::size_t> shown_per_update = shown;
  std::erase_if(shown_per_update, [](std::size_t i) { return !quantities()[i].measure->amount; });
  /// A table whose first columns are the quantity's title and a unit, followed by one for each side.
  const auto table_of = [&](const char* id, const std::string& title, const auto& rows, auto unit, auto value) {
    std::vector<Column<std::size_t>> columns = {
        {"Quantity", "quantity", [](std::size_t i) { return quantities()[i].title; }},
        {"Unit", "unit", [unit](std::size_t i) { return std::string(quantities()[i].measure->*unit); }}};
    for (const CounterSide& side : sides)
      columns.emplace_back(side.title, id_slug(side.title), [&side, value](std::size_t i) { return value(side, i); });
    return tabulate(id, title, columns, rows);
  };
  Table table = table_of("counters", "Counters of " + duration, shown, &Measure::unit,
                         [](const CounterSide& side, std::size_t i) { return value_cell(side.values[i]); });
  Table shares = table_of("counters-per-update", "The same per cell update", shown_per_update, &Measure::per_update,
                          [](const CounterSide& side, std::size_t i) { return number_cell(side.per_update(i), 4); });
  std::vector<const Profile*> profiles;
  for (const CounterSide& side : sides)
    if (side.profile != nullptr) profiles.push_back(side.profile);
  table.caption = profiles_caption(context, profiles);
  table.caption += fmt::format(
      "{}Counts and times are sums over the kernels of {}; fractions of the peak and frequencies are means weighted by the "
      "kernels' times; hit rates are total hits over total sectors. The paper's values are as printed, in the units of the "
      "table.",
      table.caption.empty() ? "" : " ", duration);
  shares.caption =
      "Counts, times and bytes are divided by cells and steps; bytes are the DRAM rate times the duration. The paper's values "
      "are divided by the cells of its case.";
  table.profiles = shares.profiles = profiles;
  section.parts.emplace_back(std::move(table));
  if (!shares.rows.empty()) section.parts.emplace_back(std::move(shares));
}

}  // namespace ladder::reports
