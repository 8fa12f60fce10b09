#include "program/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/run/stop_rule.hpp"
#include "harness/study/commands.hpp"
#include "program/commit_build.hpp"
#include "program/json.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// The study's block for a rung and its settings.
MatrixBlock block_of(const std::string& text, const CompareOptions& options, const Catalogue& catalogue) {
  const RungName name = parse_rung_name(text);
  MatrixBlock block;
  block.rungs = {name.id};
  block.cases = {options.case_name};
  block.precisions = {options.precision};
  block.placements = {options.placement};
  std::vector<std::string_view> settings;
  if (name.has_settings) settings = split(std::string_view(name.settings), ',');
  if (name.has_settings && settings.empty()) settings = {""};
  for (const std::string_view setting : settings) {
    const auto given = key_value(setting);
    std::int64_t value = 0;
    if (!given || !read_number(given->value, value))
      throw InputError(fmt::format("'{}': '{}'; accepted is RUNG or RUNG:name=value,name=value{}", text, setting,
                                   name.commit.empty() ? "" : ", where RUNG may be RUNG@COMMIT without a ':' in COMMIT"));
    block.set[std::string(given->key)] = {value};
  }
  if (name.commit.empty()) (void)catalogue.built_rung(name.id);
  return block;
}

/// Builds the rung if `text` names a commit, and adds it to the catalogue.
void add_commit(const std::string& text, const Context& context, Catalogue& catalogue, MatrixBlock& block) {
  const RungName name = parse_rung_name(text);
  if (name.commit.empty()) return;
  Executable rung = build_at_commit(context.root, name.id, name.commit);
  block.builds = {rung.build};
  catalogue.add_rung(std::move(rung));
}

/// `d2q9/serial/04_fused`, followed by `@0123456789ab` for a commit
std::string name_of(const Row& row) {
  const std::string commit = commit_of(row.build);
  return row.rung + (commit.empty() ? "" : "@" + commit);
}

/// The speeds of one side, by round.
struct Side {
  Row row;  ///< what all samples share
  Series speeds;
  Series joules_per_update;  ///< from the samples with energy
};

Side side_of(const RunSummary& summary, const Row& shared, const std::string& kind) {
  Side side{shared, {}, {}};
  for (const Row& row : summary.measured) {
    if (row.key != shared.key || row.kind != kind || row.outcome != "ok") continue;
    side.row.threads = row.threads;
    if (!row.energy_domain.empty()) side.row.energy_domain = row.energy_domain;
    side.speeds.push_back({row.session, row.round, row.updates_per_second});
    if (row.joules > 0) side.joules_per_update.push_back({row.session, row.round, row.joules_per_update()});
  }
  return side;
}

Json json_of(const Side& side) {
  const double speed = median(side.speeds);
  return {{"rung", side.row.rung},
          {"build", side.row.build},
          {"tuning", side.row.tuning},
          {"updates_per_second", speed},
          {"seconds_per_step", static_cast<double>(side.row.cells) / speed},
          {"joules_per_update", json_number(median(side.joules_per_update))},
          {"energy_domain", side.row.energy_domain}};
}

void print(const char* name, const Side& side) {
  const double speed = median(side.speeds);
  print_out("{}  {:42} median {:>10.4g} MLUPS, {:>10.4g} us per step", name,
            name_of(side.row) + (side.row.tuning.empty() ? "" : " " + side.row.tuning), speed * 1e-6,
            1e6 * static_cast<double>(side.row.cells) / speed);
  if (!side.joules_per_update.empty()) print_out(", {:>10.4g} J per 10^9 updates", 1e9 * median(side.joules_per_update));
  print_out("\n");
}

/// "0.78 [0.77, 0.79]"
std::string text_of(const Ratio& ratio) {
  std::string text = fmt::format("{:.4g}", ratio.value);
  if (ratio.interval.is_known()) text += fmt::format(" [{:.4g}, {:.4g}]", ratio.interval.low, ratio.interval.high);
  return text;
}

/// The samples that are marked as suspicious (noise_flags.hpp).
struct Disturbances {
  std::size_t samples = 0, disturbed = 0;
  std::map<std::string, std::size_t> reasons;  ///< with the number of samples

  explicit Disturbances(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      if (row.kind == "check") continue;
      ++samples;
      if (!row.suspicious.empty()) ++disturbed;
      for (const std::string_view reason : split(std::string_view(row.suspicious), ';'))
        ++reasons[std::string(reason)];
    }
  }

  /// Empty if there are none.
  [[nodiscard]] std::string text() const {
    if (disturbed == 0) return "";
    static const std::map<std::string, std::string> meanings = {
        {"load", "other programs were running"},      {"steal", "the hypervisor took processor time"},
        {"unpinned", "threads could move"},           {"threads", "fewer threads worked than requested"},
        {"clock", "the clock was below its maximum"}, {"throttle", "the GPU throttled its clock"}};
    std::vector<std::string> parts;
    for (const auto& [reason, count] : reasons)
      parts.push_back(fmt::format("{} in {}", meanings.contains(reason) ? meanings.at(reason) : reason, count));
    return fmt::format("The machine was disturbed during {} of {} samples: {}.", disturbed, samples, fmt::join(parts, ", "));
  }
};

/// Everything that is known after measuring.
struct Comparison {
  Side a, b;
  Ratio ratio, energy;
  double floor = 0;
  Verdict verdict = Verdict::unresolved;
  bool is_same_executable = false;
  Disturbances disturbances;
  RunSummary summary;

  [[nodiscard]] double medians_ratio() const { return median(b.speeds) / median(a.speeds); }
  /// Whether the ratio of the medians is outside the interval of the paired ratio, and differs from it by more than
  /// `resolution`.
  [[nodiscard]] bool medians_disagree() const {
    const double medians = medians_ratio();
    return ratio.interval.is_known() && (medians < ratio.interval.low || medians > ratio.interval.high) &&
           std::abs(medians / ratio.value - 1) > resolution;
  }
};

std::string stop_text(const Comparison& c, int rounds) {
  const std::string& why = c.summary.stopped;
  if (why == "rounds") return fmt::format("all {} rounds are done", rounds);
  return fmt::format("{} after {} of {} rounds",
                     why == "resolved" ? "decided"
                     : why == "noise"  ? "the noise hides the difference,"
                                       : "the time was up",
                     c.summary.rounds, rounds);
}

/// The command to run next, and why.
std::string next_text(const Comparison& c, const CompareOptions& options, const Executable& b) {
  const auto again = [&](const std::string& case_name, int rounds) {
    std::string command = fmt::format("./ladder compare {} {} --case {}", options.a, options.b, case_name);
    if (!options.precision.empty()) command += " --precision " + options.precision;
    if (!options.placement.empty()) command += " --placement '" + options.placement + "'";
    if (!options.launcher.empty()) command += " --launcher " + shell_quoted(command_text(options.launcher));
    if (rounds != CompareOptions().rounds) command += fmt::format(" --rounds {}", rounds);
    // The same time would be up again.
    if (options.budget_seconds > 0)
      command += fmt::format(" --budget {}s", options.budget_seconds * (c.summary.stopped == "budget" ? 4 : 1));
    if (options.fail_if_slower >= 0) command += fmt::format(" --fail-if-slower {}", options.fail_if_slower);
    if (!options.machine.empty()) command += " --machine " + options.machine;
    if (options.energy) command += " --energy";
    return "`" + command + "`";
  };
  if (c.is_same_executable && options.a != options.b)
    return "nothing: A and B are the same executable, so the ratio shows only noise";
  if (c.ratio.pairs < verdict_rounds)
    return fmt::format("{}, since a verdict requires {} rounds", again(options.case_name, CompareOptions().rounds),
                       verdict_rounds);
  if (c.verdict == Verdict::unresolved && c.disturbances.disturbed > 0)
    return again(options.case_name, options.rounds) + " on an idle machine";
  if (c.verdict == Verdict::unresolved)
    return again(options.case_name, std::min<int>(4 * options.rounds, most_samples)) +
           ", since more rounds narrow the interval";
  if (c.verdict == Verdict::same) {
    const auto& cases = b.description.cases;
    const auto other = std::ranges::find_if(cases, [&](const std::string& name) { return name != options.case_name; });
    return other == cases.end() ? "another case" : again(*other, options.rounds) + ", since other sizes may differ";
  }
  if (const std::string commit = commit_of(c.a.row.build); c.a.row.rung == c.b.row.rung && !commit.empty())
    return fmt::format("`git diff {}{}{} -- {}` shows what changed in its folder", commit,
                       commit_of(c.b.row.build).empty() ? "" : " ", commit_of(c.b.row.build), folder_of(b).string());
  return fmt::format("`./ladder explain {}` shows what it changes and what limits it", c.b.row.rung);
}

void print_answer(const Comparison& c, const CompareOptions& options, const Executable& b) {
  if (const std::string text = c.disturbances.text(); !text.empty()) print_out("{}\n", text);
  print("A", c.a);
  print("B", c.b);
  if (!c.a.row.placement.empty()) print_out("{}\n", c.a.row.placement);
  print_out("B over A: {}, speeds paired by round in {} rounds: {}\n", text_of(c.ratio), c.ratio.pairs, to_string(c.verdict));
  if (c.medians_disagree())
    print_out(
        "The ratio of the medians, {:.4g}, is outside this interval: speeds drifted from round to round. Trust the paired "
        "ratio, which compares samples of the same round.\n",
        c.medians_ratio());
  print_out("noise floor: {}\n", std::isfinite(c.floor) ? "A measured against itself differs by up to " + percent(c.floor)
                                                        : std::string("unknown with fewer than 3 rounds"));
  print_out("stopped: {}\n", stop_text(c, options.rounds));
  if (c.energy.is_known())
    print_out("energy of an update, B over A: {} in {} rounds ({})\n", text_of(c.energy), c.energy.pairs,
              c.a.row.energy_domain);
  else if (options.energy)
    print_err(
        "ladder: no energy: this user can read no counter of the device, or samples took less than a second "
        "(docs/measuring.md)\n");
  print_out("rows: {}, session {}\n", c.summary.rows.string(), c.summary.session);
  print_out("next: {}\n", next_text(c, options, b));
}

void print_as_json(const Comparison& c, const CompareOptions& options, const Executable& b) {
  Json disturbances = Json::object();
  for (const auto& [reason, count] : c.disturbances.reasons)
    disturbances[reason] = count;
  print_json(Json{{"a", json_of(c.a)},
                  {"b", json_of(c.b)},
                  {"case", options.case_name},
                  {"precision", c.a.row.precision},
                  {"placement", c.a.row.placement},
                  {"threads", c.a.row.threads},
                  {"ratio", json_number(c.ratio.value)},
                  {"low", json_number(c.ratio.interval.low)},
                  {"high", json_number(c.ratio.interval.high)},
                  {"rounds", c.ratio.pairs},
                  {"medians_ratio", json_number(c.medians_ratio())},
                  {"medians_disagree", c.medians_disagree()},
                  {"noise_floor", json_number(c.floor)},
                  {"verdict", to_string(c.verdict)},
                  {"same_executable", c.is_same_executable},
                  {"energy_ratio", json_number(c.energy.value)},
                  {"energy_low", json_number(c.energy.interval.low)},
                  {"energy_high", json_number(c.energy.interval.high)},
                  {"samples", c.disturbances.samples},
                  {"disturbed_samples", c.disturbances.disturbed},
                  {"disturbances", disturbances},
                  {"stopped", c.summary.stopped},
                  {"next", next_text(c, options, b)},
                  {"session", c.summary.session}});
}

/// Applies --fail-if-slower and returns the exit code.
int gate(const Comparison& c, double per_cent) {
  if (per_cent < 0) return exit_ok;
  if (c.ratio.pairs < verdict_rounds) {
    print_err("ladder: {} paired rounds are too few for a verdict, which requires {}: give more rounds or a larger --budget\n",
              c.ratio.pairs, verdict_rounds);
    return exit_check_failed;
  }
  const Interval& interval = c.ratio.interval;
  const double accepted = 1 - per_cent / 100;
  if (c.verdict == Verdict::slower && interval.high < accepted) {
    print_err("ladder: B is slower than A by more than {} %: by {}, and by at least {}\n", per_cent, percent(1 - c.ratio.value),
              percent(1 - interval.high));
    return exit_check_failed;
  }
  if (interval.low < accepted)
    print_err("ladder: B may be slower than A by more than {} % (by at most {}), but noise hides it; this is not a failure\n",
              per_cent, percent(1 - interval.low));
  return exit_ok;
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
  add_commit(options.a, context, catalogue, study.matrix.front());
  add_commit(options.b, context, catalogue, study.matrix.back());
  const auto cells = expand(study, catalogue);
  for (const Cell& cell : cells)
    if (!cell.unavailable.empty()) throw Unavailable(fmt::format("{}: {}", cell.row.rung, cell.unavailable));
  const Cell& a = cells.front();
  const Cell& b = cells.back();
  if ((!a.executable->root.empty() || !b.executable->root.empty()) && model_of(*a.executable) == model_of(*b.executable))
    require_same_case(*a.executable, *b.executable, options.case_name);
  // A rung compared with itself, or with a commit since which it has not changed, is its own twin.
  const bool is_same = a.row.key == b.row.key;
  if (is_same) study.matrix.pop_back();
  RunSummary summary = run_study(study, catalogue,
                                 {.root = context.root,
                                  .machine = options.machine,
                                  .budget_seconds = options.budget_seconds,
                                  .again = true,
                                  .command = context.command});
  if (summary.not_run > 0) throw NotRun("not all checks and samples could be run");
  for (const Row& row : summary.measured)
    if (row.outcome != "ok") {
      print_err("ladder: {} is {}: {}{}\n", name_of(row), row.outcome, row.reason,
                (row.outcome == "failed" || row.outcome == "skipped") && !commit_of(row.build).empty()
                    ? " (an executable of an older commit may speak an older protocol; compare with a later commit)"
                    : "");
      return exit_check_failed;
    }
  Comparison c{.a = side_of(summary, a.row, "sample"),
               .b = side_of(summary, b.row, is_same ? "twin" : "sample"),
               .ratio = {},
               .energy = {},
               .is_same_executable = is_same,
               .disturbances = Disturbances(summary.measured),
               .summary = std::move(summary)};
  const Side twin = side_of(c.summary, a.row, "twin");
  if (c.a.speeds.empty() || c.b.speeds.empty())
    throw std::runtime_error("the time was up before both rungs were measured; give a larger --budget");
  c.ratio = paired_ratio(c.b.speeds, c.a.speeds);
  c.energy = paired_ratio(c.b.joules_per_update, c.a.joules_per_update);
  c.floor = noise_floor(paired_ratio(c.a.speeds, twin.speeds));
  c.verdict = verdict(c.ratio, c.floor);
  if (options.json)
    print_as_json(c, options, *b.executable);
  else
    print_answer(c, options, *b.executable);
  return gate(c, options.fail_if_slower);
}

}  // namespace ladder
