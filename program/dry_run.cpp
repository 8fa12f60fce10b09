#include "program/dry_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/run.hpp"
#include "harness/run/targets.hpp"
#include "reports/document.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What remains to be built.
struct BuildPlan {
  std::vector<std::string> targets = {};  ///< those that are not built
  std::optional<std::size_t> steps = {};  ///< build steps that they need, e.g. files to compile
  double seconds = std::numeric_limits<double>::quiet_NaN();
};

/// Mean duration of a build step in seconds, from ninja's log, whose lines begin with start and end in ms; NaN without a log.
double mean_step_seconds(const fs::path& build) {
  std::istringstream log(read_if_there(build / ".ninja_log"));
  double sum = 0, count = 0;
  for (std::string line; std::getline(log, line);) {
    std::istringstream words(line);
    if (double begin = 0, end = 0; words >> begin >> end && end > begin) {
      sum += (end - begin) / 1000;
      ++count;
    }
  }
  return sum / count;
}

/// Number of build steps of these targets, done or not; nullopt if ninja fails.
std::optional<std::size_t> steps_of(const fs::path& build, const std::vector<std::string>& targets) {
  constexpr double timeout = 60;
  std::vector<std::string> words = {"ninja", "-C", build.string(), "-t", "commands"};
  words.insert(words.end(), targets.begin(), targets.end());
  const ProcessResult ninja = run_process("/usr/bin/env", words, timeout);
  if (ninja.end != ProcessResult::End::exited || ninja.code != 0) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::count(ninja.out, '\n'));
}

/// What remains to be built for targets that were never built. Targets whose sources changed since do not count.
BuildPlan build_plan(const Context& context, const Study& study, Catalogue& catalogue) {
  BuildPlan plan;
  Targets targets(catalogue);
  targets.add(study);
  std::vector<std::string> built = {"ladder"};
  for (const auto* executables : {&catalogue.rungs(), &catalogue.ceilings()})
    for (const Executable& executable : *executables)
      if (std::ranges::find(targets.names(), executable.target) != targets.names().end())
        (executable.is_built ? built : plan.targets).push_back(executable.target);
  const fs::path build = context.bin.parent_path();
  if (plan.targets.empty()) {
    plan.steps = 0;
    plan.seconds = 0;
  } else if (fs::exists(build / "build.ninja")) {
    std::vector<std::string> all = built;
    all.insert(all.end(), plan.targets.begin(), plan.targets.end());
    const auto needed = steps_of(build, all), done = steps_of(build, built);
    if (!needed || !done) return plan;
    plan.steps = *needed - std::min(*needed, *done);
    const char* const asked = std::getenv("LADDER_JOBS");
    const double jobs = asked != nullptr ? std::atof(asked) : std::thread::hardware_concurrency();
    plan.seconds = static_cast<double>(*plan.steps) * mean_step_seconds(build) / std::max(1., jobs);
  }
  return plan;
}

/// The cells of a rung in one build, or of a backend's ceilings.
struct PlannedGroup {
  std::string name;
  std::map<std::string, std::size_t> states = {};  ///< cells by state
  std::size_t cells = 0, checks = 0, samples = 0;
  double seconds = 0;

  [[nodiscard]] std::string left_out() const {
    std::vector<std::string> parts;
    for (const auto& [state, count] : states)
      if (state != "stored" && state != "measure" && state != "build") parts.push_back(fmt::format("{} {}", count, state));
    return joined(parts);
  }
};

std::vector<PlannedGroup> groups_of(const StudyPlan& plan) {
  std::vector<PlannedGroup> groups;
  for (const PlannedCell& planned : plan.cells) {
    const Row& row = planned.cell.row;
    const std::string name = planned.cell.is_ceiling()                     ? "ceilings of " + row.backend
                             : row.build == "default" || row.build.empty() ? row.rung
                                                                           : row.rung + " [" + row.build + "]";
    auto group = std::ranges::find(groups, name, &PlannedGroup::name);
    if (group == groups.end()) group = groups.insert(groups.end(), {.name = name});
    ++group->states[planned.state];
    ++group->cells;
    group->checks += planned.checks;
    group->samples += planned.samples;
    group->seconds += planned.check_seconds + planned.sample_seconds;
  }
  return groups;
}

std::string about(double seconds) { return std::isfinite(seconds) ? "about " + duration_text(seconds) : "unknown time"; }

}  // namespace

int dry_run(const Context& context, const RunCommandOptions& options, const Study& study, Catalogue& catalogue) {
  const StudyPlan plan = plan_study(study, catalogue,
                                    {.root = context.root,
                                     .machine = options.machine,
                                     .rounds = options.rounds,
                                     .budget_seconds = options.budget_seconds,
                                     .again = options.again,
                                     .command = context.command});
  const BuildPlan build = build_plan(context, study, catalogue);
  std::size_t checks = 0, samples = 0;
  double check_seconds = 0, sample_seconds = 0;
  for (const PlannedCell& cell : plan.cells) {
    checks += cell.checks;
    samples += cell.samples;
    check_seconds += cell.check_seconds;
    sample_seconds += cell.sample_seconds;
  }
  const double budget = options.budget_seconds > 0 ? options.budget_seconds : study.budget_seconds;
  if (budget > 0) sample_seconds = std::min(sample_seconds, budget);
  const double seconds = build.seconds + check_seconds + sample_seconds;
  if (options.json) {
    Json cells = Json::array();
    for (const PlannedCell& cell : plan.cells)
      cells.push_back({{"rung", cell.cell.row.rung},
                       {"build", cell.cell.row.build},
                       {"case", cell.cell.row.case_name},
                       {"precision", cell.cell.row.precision},
                       {"tuning", cell.cell.row.tuning},
                       {"placement", cell.cell.row.placement},
                       {"state", cell.state},
                       {"reason", cell.reason},
                       {"checks", cell.checks},
                       {"samples", cell.samples},
                       {"seconds", cell.check_seconds + cell.sample_seconds}});
    print_json(Json{{"study", study.name},
                    {"machine", plan.machine},
                    {"session", plan.session},
                    {"cells", cells},
                    {"build",
                     {{"targets", build.targets},
                      {"steps", build.steps ? Json(*build.steps) : Json()},
                      {"seconds", json_number(build.seconds)}}},
                    {"checks", {{"count", checks}, {"seconds", check_seconds}}},
                    {"rounds", {{"most", plan.rounds}, {"samples", samples}, {"seconds", sample_seconds}}},
                    {"pictures", plan.pictures},
                    {"known_rows", plan.known_rows},
                    {"seconds", json_number(seconds)}});
    return exit_ok;
  }
  const auto number = [](std::size_t count) { return count == 0 ? std::string() : std::to_string(count); };
  const auto in_state = [&](const char* state) {
    return [=](const PlannedGroup& group) -> reports::TableCell {
      const auto found = group.states.find(state);
      return number(found == group.states.end() ? 0 : found->second);
    };
  };
  const auto count = [&](auto member) {
    return [=](const PlannedGroup& group) -> reports::TableCell { return number(group.*member); };
  };
  const auto time = [](const PlannedGroup& group) -> reports::TableCell {
    return group.checks + group.samples == 0 ? "" : duration_text(group.seconds);
  };
  print_out("study {} on {}: {}\n{}", study.name, plan.machine,
            plan.session.empty() ? "no session to continue" : "continues session " + plan.session,
            reports::to_text(reports::tabulate("plan", "",
                                               {{"rung", "", &PlannedGroup::name},
                                                {"cells", "", &PlannedGroup::cells},
                                                {"stored", "", in_state("stored")},
                                                {"not built", "", in_state("build")},
                                                {"checks", "", count(&PlannedGroup::checks)},
                                                {"samples", "", count(&PlannedGroup::samples)},
                                                {"time", "", time},
                                                {"left out", "", &PlannedGroup::left_out}},
                                               groups_of(plan))));
  std::map<std::string, std::size_t> reasons;
  for (const PlannedCell& cell : plan.cells)
    if (!cell.reason.empty()) ++reasons[fmt::format("{}: {}", cell.state, one_line(cell.reason))];
  for (const auto& [reason, cells] : reasons)
    print_out("{} {}\n", counted(cells, "cell"), reason);
  print_out("build:    {}, {}, {}\n", counted(build.targets.size(), "missing target"),
            build.steps ? counted(*build.steps, "step") : "unknown number of steps", about(build.seconds));
  print_out("checks:   {}, {}\n", checks, about(check_seconds));
  print_out("rounds:   at most {}, with {}, {}\n", plan.rounds, counted(samples, "sample"), about(sample_seconds));
  if (plan.pictures > 0) print_out("pictures: {}, unknown time\n", plan.pictures);
  print_out("total:    {}; {}\n", about(seconds),
            plan.known_rows == 0 ? "times of checks and samples are guesses, as no rows are stored"
                                 : fmt::format("times of checks and samples estimated from {} stored rows", plan.known_rows));
  return exit_ok;
}

}  // namespace ladder
