#include "program/compare.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/limits.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/run/stop_rule.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// `RUNG:wx=32,wy=8` as a block in a study.
MatrixBlock block_of(const std::string& text, const CompareOptions& options, const Catalogue& catalogue) {
  const auto colon = text.find(':');
  MatrixBlock block;
  block.rungs = {catalogue.built_rung(text.substr(0, colon)).id};
  block.cases = {options.case_name};
  block.precisions = {options.precision};
  block.placements = {options.placement};
  std::vector<std::string_view> settings;
  if (colon != text.npos) settings = split(std::string_view(text).substr(colon + 1), ',');
  if (colon != text.npos && settings.empty()) settings = {""};
  for (const std::string_view setting : settings) {
    const auto given = key_value(setting);
    std::int64_t value = 0;
    if (!given || !read_number(given->value, value))
      throw InputError(fmt::format("'{}': '{}'; accepted is RUNG or RUNG:name=value,name=value", text, setting));
    block.set[std::string(given->key)] = {value};
  }
  return block;
}

/// The speeds of one side, by round.
struct Side {
  Row row;  ///< the last sample
  Series speeds;
  Series joules_per_update;  ///< from the samples with energy
};

Side side_of(const RunSummary& summary, const std::string& key, const std::string& kind) {
  Side side;
  for (const Row& row : summary.measured) {
    if (row.key != key || row.kind != kind || row.outcome != "ok") continue;
    side.row = row;
    side.speeds.push_back({row.session, row.round, row.updates_per_second});
    if (row.joules > 0) side.joules_per_update.push_back({row.session, row.round, row.joules_per_update()});
  }
  return side;
}

Json json_of(const Side& side) {
  const double speed = median(side.speeds);
  return {{"rung", side.row.rung},
          {"tuning", side.row.tuning},
          {"updates_per_second", speed},
          {"seconds_per_step", static_cast<double>(side.row.cells) / speed},
          {"joules_per_update", json_number(median(side.joules_per_update))},
          {"energy_domain", side.row.energy_domain}};
}

void print(const char* name, const Side& side) {
  const double speed = median(side.speeds);
  print_out("{}  {:42} {:>10.4g} MLUPS {:>10.4g} us per step", name,
            side.row.rung + (side.row.tuning.empty() ? "" : " " + side.row.tuning), speed * 1e-6,
            1e6 * static_cast<double>(side.row.cells) / speed);
  if (!side.joules_per_update.empty()) print_out(" {:>10.4g} J per 10^9 updates", 1e9 * median(side.joules_per_update));
  print_out("\n");
}

/// "0.78 [0.77, 0.79]"
std::string text_of(const Ratio& ratio) {
  std::string text = fmt::format("{:.4g}", ratio.value);
  if (ratio.interval.is_known()) text += fmt::format(" [{:.4g}, {:.4g}]", ratio.interval.low, ratio.interval.high);
  return text;
}

}  // namespace

int compare(const Context& context, const CompareOptions& options) {
  if (options.fail_if_slower >= 0 && options.rounds < static_cast<int>(verdict_rounds))
    throw InputError(fmt::format("--rounds {}: accepted with --fail-if-slower: from {}, as a verdict takes", options.rounds,
                                 verdict_rounds));
  parse_placement(options.placement);
  Catalogue catalogue(context.bin);
  Study study;
  study.file = context.experiments / "compare" / "study.toml";
  study.name = "compare";
  study.rounds = options.rounds;
  if (options.energy) study.sample_seconds = energy_sample_seconds;
  study.against_first = true;
  study.launcher = options.launcher;
  study.matrix = {block_of(options.a, options, catalogue), block_of(options.b, options, catalogue)};
  const auto cells = expand(study, catalogue);
  for (const Cell& cell : cells)
    if (!cell.unavailable.empty()) throw Unavailable(fmt::format("{}: {}", cell.row.rung, cell.unavailable));
  const std::string key_a = cells.front().row.key;
  const std::string key_b = cells.back().row.key;
  const RunSummary summary = run_study(study, catalogue,
                                       {.root = context.root,
                                        .machine = options.machine,
                                        .budget_seconds = options.budget_seconds,
                                        .again = true,
                                        .command = context.command});
  if (summary.not_run > 0) throw NotRun("not all checks and samples could be run");
  for (const Row& row : summary.measured)
    if (row.outcome != "ok") {
      print_err("ladder: {} is {}: {}\n", row.rung, row.outcome, row.reason);
      return exit_check_failed;
    }
  // A rung compared with itself is its own twin.
  const Side a = side_of(summary, key_a, "sample");
  const Side b = side_of(summary, key_b, key_a == key_b ? "twin" : "sample");
  const Side twin = side_of(summary, key_a, "twin");
  if (a.speeds.empty() || b.speeds.empty())
    throw std::runtime_error("the time was up before both rungs were measured; give a larger --budget");
  const Ratio ratio = paired_ratio(b.speeds, a.speeds);
  const Ratio energy = paired_ratio(b.joules_per_update, a.joules_per_update);
  const double floor = noise_floor(paired_ratio(a.speeds, twin.speeds));
  const std::string verdict = to_string(ladder::verdict(ratio, floor));
  const bool is_too_slow = options.fail_if_slower >= 0 && ratio.interval.is_known() &&
                           ratio.interval.high < 1 - options.fail_if_slower / 100 && verdict == "slower";
  const bool is_undecided = options.fail_if_slower >= 0 && ratio.pairs < verdict_rounds;
  if (is_undecided)
    print_err("ladder: {} paired rounds are too few for a verdict, which takes {}: give more rounds or a larger --budget\n",
              ratio.pairs, verdict_rounds);
  if (is_too_slow) print_err("ladder: B is slower than A by more than {} %\n", options.fail_if_slower);
  if (options.json) {
    print_json(Json{{"a", json_of(a)},
                    {"b", json_of(b)},
                    {"case", options.case_name},
                    {"precision", a.row.precision},
                    {"placement", a.row.placement},
                    {"threads", a.row.threads},
                    {"ratio", json_number(ratio.value)},
                    {"low", json_number(ratio.interval.low)},
                    {"high", json_number(ratio.interval.high)},
                    {"rounds", ratio.pairs},
                    {"noise_floor", json_number(floor)},
                    {"verdict", verdict},
                    {"energy_ratio", json_number(energy.value)},
                    {"energy_low", json_number(energy.interval.low)},
                    {"energy_high", json_number(energy.interval.high)},
                    {"stopped", summary.stopped},
                    {"session", summary.session}});
    return is_too_slow || is_undecided ? exit_check_failed : exit_ok;
  }
  print("A", a);
  print("B", b);
  if (!a.row.placement.empty()) print_out("{}\n", a.row.placement);
  print_out("B over A: {} in {} rounds; noise floor {}: {}\n", text_of(ratio), ratio.pairs,
            std::isfinite(floor) ? percent(floor) : std::string("unknown"), verdict);
  if (summary.rounds < options.rounds)
    print_out("{} after {} of {} rounds\n",
              summary.stopped == "resolved" ? "decided"
              : summary.stopped == "noise"  ? "stopped: the noise hides the difference,"
                                            : "stopped: the time was up",
              summary.rounds, options.rounds);
  if (energy.is_known())
    print_out("energy of an update, B over A: {} in {} rounds ({})\n", text_of(energy), energy.pairs, a.row.energy_domain);
  else if (options.energy)
    print_err(
        "ladder: no energy: this user can read no counter of the device, or samples took less than a second "
        "(docs/measuring.md)\n");
  print_out("rows: {}, session {}\n", summary.rows.string(), summary.session);
  return is_too_slow || is_undecided ? exit_check_failed : exit_ok;
}

}  // namespace ladder
