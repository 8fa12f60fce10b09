#include "program/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/limits.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/contender.hpp"
#include "harness/run/job.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/run/session.hpp"
#include "harness/study/commands.hpp"
#include "program/dry_run.hpp"
#include "program/grade.hpp"
#include "program/new_rung.hpp"
#include "reports/chapters.hpp"
#include "reports/docs.hpp"
#include "reports/document.hpp"
#include "reports/overview.hpp"
#include "reports/report.hpp"
#include "reports/study.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double check_timeout_seconds = 3600;

/// Prints the report's location and warnings; returns the exit code.
int print_report(const reports::ReportResult& result) {
  for (const auto& warning : result.warnings)
    print_err("{}\n", warning);
  for (const auto& problem : result.left_out)
    print_err("ladder: {}\n", problem);
  print_out("report: {}\n", result.html.string());
  return result.left_out.empty() ? exit_ok : exit_bad_input;
}

/// Why the rounds ended, in words for the user.
std::string stop_text(const RunSummary& summary) {
  std::string open = summary.unresolved > 0 ? fmt::format("; {} steps are unresolved", summary.unresolved) : "";
  if (!open.empty() && summary.rounds < static_cast<int>(verdict_rounds))
    open += fmt::format(", since a verdict takes {} rounds (--rounds)", verdict_rounds);
  if (summary.stopped == "resolved") return fmt::format("{} rounds: every step has a verdict", summary.rounds);
  if (summary.stopped == "noise")
    return fmt::format("{} rounds: the noise hides the remaining differences{}", summary.rounds, open);
  if (summary.stopped == "budget") return fmt::format("{} whole rounds: the time is up{}", summary.rounds, open);
  return fmt::format("{} rounds, as asked{}", summary.rounds, open);
}

/// Checks that a report can be written to a folder, and keeps other processes from writing there.
std::unique_ptr<OutputFolder> hold_report_folder(const fs::path& out) {
  auto held = std::make_unique<OutputFolder>(out, std::vector<std::string>{"index.html"});
  reports::require_report_folder(out);
  for (const char* folder : {"figures", "rows", "tables"})
    require_writable(out / folder, {"any"});
  return held;
}

/// Compiler flags without the target processor.
std::string portable_flags(const std::string& flags) {
  std::istringstream words(flags);
  std::string rest;
  for (std::string word; words >> word;)
    if (!word.starts_with("-march=")) rest += word + " ";
  return rest;
}

/// The checks of one call. Outcomes are printed as they come, or as JSON at the end.
class Checks {
 public:
  explicit Checks(bool json) : json_(json) {}

  /// `names`: identifies the checked rung and its settings. Unknown values are left out.
  void add(Json names, const Row& answer) {
    if (answer.outcome == "skipped")
      ++skipped_;
    else if (!answer.ok())
      ++failures_;
    std::string what;
    for (const auto& [key, value] : names.items())
      what += " " + value.get<std::string>();
    names.update({{"outcome", answer.outcome}, {"reason", answer.reason}});
    const bool is_known = !std::isnan(answer.population_error) && !std::isnan(answer.tolerance);
    if (is_known)
      names.update({{"check_steps", answer.check_steps},
                    {"population_error", answer.population_error},
                    {"tolerance", answer.tolerance}});
    if (is_known && !std::isnan(answer.history_error)) names["history_error"] = answer.history_error;
    const bool passes_coursework = answer.relative_error <= answer.relative_tolerance;
    if (!std::isnan(answer.relative_error))
      names.update({{"relative_error", answer.relative_error}, {"passes_coursework", passes_coursework}});
    all_.push_back(std::move(names));
    if (json_) return;
    print_out("{:8}{}", answer.outcome, what);
    if (is_known)
      print_out("  error {:.2e} (accepted {:.2e}) in {} steps", answer.population_error, answer.tolerance, answer.check_steps);
    if (!std::isnan(answer.relative_error))
      print_out("\n         coursework's criterion: {}, largest difference {:.2g} % (accepted {:g} %)",
                passes_coursework ? "right" : "wrong", 100 * answer.relative_error, 100 * answer.relative_tolerance);
    print_out("{}\n", answer.ok() ? "" : "\n         " + answer.reason);
    flush_output();
  }

  /// Prints the summary and returns the exit code.
  int finish() const {
    if (json_)
      print_json(all_);
    else
      print_out("{}: {} ok, {} failed, {} skipped\n", counted(all_.size(), "check"), all_.size() - failures_ - skipped_,
                failures_, skipped_);
    if (failures_ > 0) return exit_check_failed;
    return skipped_ == all_.size() ? exit_unavailable : exit_ok;
  }

 private:
  bool json_;
  Json all_ = Json::array();
  std::size_t failures_ = 0, skipped_ = 0;
};

/// Why results of a contender are older than its program on this machine; empty if they are not.
std::string why_older(const Context& context, const reports::Origin& o) try {
  const Study study = read_study(find_study(context.experiments, o.study));
  const auto block = std::ranges::find(study.contenders, o.rung, &ContenderBlock::id);
  if (block == study.contenders.end()) return "the study no longer names it";
  const fs::path folder = study.file.parent_path();
  if (block->is_optional && program_of(*block, folder).empty()) return "";  // no longer installed here
  const Contender found = find_contender(*block, folder);
  return o.executable == hash_of_executable(found.program.command.front()) ? "" : "its program has changed";
} catch (const InputError& e) {
  return fmt::format("its program cannot be compared: {}", e.what());
}

/// Why results of this origin are older than the rung they name; empty if they are not.
std::string why_older(const Context& context, const Catalogue& catalogue, const std::string& machine,
                      const reports::Origin& o) {
  if (o.backend == foreign_backend) return o.machine == machine ? why_older(context, o) : "";
  const auto named = [&](const Executable& e) { return e.id == o.rung && e.build == o.build; };
  const Executable* here = nullptr;
  for (const auto* all : {&catalogue.rungs(), &catalogue.ceilings()}) {
    const auto found = std::find_if(all->begin(), all->end(), named);
    if (found != all->end()) here = &*found;
  }
  // On the machine that measured, the executable decides, as it does for `ladder run`; elsewhere, its sources decide.
  const Executable gone{.path = {}, .id = o.rung, .build = o.build, .backend = o.backend, .description = {}};
  const Executable& rung = here != nullptr ? *here : gone;
  if (here != nullptr && !here->is_built) here = nullptr;
  if (here != nullptr && o.machine == machine && !o.executable.empty())
    return o.executable == hash_of_executable(here->path) ? "" : "its executable has changed";
  const std::string sources = hash_of_sources(context.root, rung);
  if (sources.empty()) return "this rung does not exist any more";
  if (o.sources.empty()) return "the session does not record the sources it was built from";
  if (o.sources != sources) return "its sources have changed";
  if (here != nullptr && portable_flags(o.flags) != portable_flags(here->description.flags)) return "its flags have changed";
  return "";
}

/// Whether the sources of an origin's rung have changed, regardless of what is built here.
reports::IsOlder sources_have_changed(const Context& context) {
  // Models may share a folder. Its name is known for all rungs that can be built here.
  std::map<std::string, fs::path> folders;
  const Catalogue catalogue(context.bin);
  for (const Executable& rung : catalogue.rungs())
    folders.emplace(rung.id, rung.folder);
  return [root = context.root, folders = std::move(folders),
          hashes = std::make_shared<std::map<std::string, std::string>>()](const reports::Origin& o) {
    if (o.backend == foreign_backend || o.sources.empty()) return false;
    Executable rung{.path = {}, .id = o.rung, .build = o.build, .backend = o.backend, .description = {}};
    if (const auto found = folders.find(o.rung); found != folders.end()) rung.folder = found->second;
    const auto [hash, is_new] = hashes->try_emplace(o.rung + " " + o.backend);
    if (is_new) hash->second = hash_of_sources(root, rung);
    return hash->second != o.sources;
  };
}

/// Compares a report with its rows, and the executables that measured them with the ones built here.
int verify(const Context& context, const reports::ReportOptions& what) {
  const reports::Verification found = reports::verify_report(what);
  for (const auto& mismatch : found.mismatches)
    print_out("{}: {}\n", mismatch.file.string(), mismatch.problem);
  const Catalogue catalogue(context.bin);
  const std::string machine = machine_name("");
  std::size_t older = 0;
  for (const auto& o : found.origins) {
    const std::string why = why_older(context, catalogue, machine, o);
    if (why.empty()) continue;
    ++older;
    print_out("experiments/{}/results/{}.csv: session {}, {}{}: {}\n", o.study, o.machine, o.session, o.rung,
              o.build == "default" ? "" : " [" + o.build + "]", why);
  }
  print_out("{} numbers and {} figures computed again: {} mismatches; {} of {} results are older than their rungs\n",
            found.numbers, found.figures, found.mismatches.size(), older, found.origins.size());
  return found.mismatches.empty() && older == 0 ? exit_ok : exit_check_failed;
}

/// Lists what is wrong with findings on the machines for which they were written.
int check_findings(const Context& context, const reports::ReportOptions& what) {
  const Catalogue catalogue(context.bin);
  const std::string machine = machine_name("");
  const auto all = reports::source_findings(what);
  std::size_t wrong = 0;
  for (const auto& [study, finding, origins] : all) {
    std::vector<std::string> problems;
    for (const std::string& missing : finding.missing)
      problems.push_back("no value: " + missing);
    if (finding.is_known() && !finding.holds) problems.push_back("does not hold: " + finding.text);
    for (const auto& origin : origins)
      if (const std::string why = why_older(context, catalogue, machine, origin); !why.empty())
        problems.push_back(fmt::format("older than its rung: session {}, {}: {}", origin.session, origin.rung, why));
    if (!problems.empty()) ++wrong;
    for (const std::string& problem : problems)
      print_out("{}:{}: {}\n", (what.experiments / study / "study.toml").string(), finding.line, problem);
  }
  print_out("{}: {} to look at\n", counted(all.size(), "finding"), wrong);
  return wrong == 0 ? exit_ok : exit_check_failed;
}

/// Writes a report for each study with results, and an overview page. Studies with errors are left out.
int report_all(const Context& context, const ReportCommandOptions& options) {
  const fs::path out = options.out.empty() ? context.root / "report" : options.out;
  reports::ReportOptions what{.experiments = context.experiments,
                              .studies = {},
                              .out = out,
                              .machine = options.machine,
                              .is_older = sources_have_changed(context)};
  if (!options.verify) reports::require_overview_folder(out);
  int worst = exit_ok;
  const std::vector<std::string> studies = reports::study_names(context.experiments);
  if (studies.empty())
    throw InputError(
        fmt::format("{} holds no study; accepted: a folder with <study>/study.toml", context.experiments.string()));
  for (const std::string& study : studies)
    try {
      if (reports::read_study(context.experiments / study, options.machine).machines.empty()) continue;
      const reports::ReportOptions one{.experiments = what.experiments,
                                       .studies = {study},
                                       .out = out / study,
                                       .machine = what.machine,
                                       .is_older = what.is_older};
      if (options.verify) {
        print_out("{}: ", study);
        worst = std::max(worst, verify(context, one));
      } else {
        const auto held = hold_report_folder(one.out);
        worst = std::max(worst, print_report(reports::write_report(one)));
      }
      what.studies.push_back(study);
    } catch (const InputError& e) {
      print_err("ladder: experiments/{} is left out: {}\n", study, e.what());
      worst = exit_bad_input;
    }
  if (what.studies.empty() && !options.machine.empty())
    throw InputError(fmt::format("{} has no study with results of machine {}; accepted: the name of a file in a results folder",
                                 context.experiments.string(), options.machine));
  if (what.studies.empty()) print_err("no study has results yet; `ladder run` makes some\n");
  if (!options.verify) return std::max(worst, print_report(reports::write_overview(what)));
  for (const auto& mismatch : reports::verify_overview(what).mismatches) {
    print_out("{}: {}\n", mismatch.file.string(), mismatch.problem);
    worst = std::max<int>(worst, exit_check_failed);
  }
  return worst;
}

/// Checks a rung, and stores the answer in `row`. @throws InputError for a wrong request, or one beyond a limit of the rung or
/// this machine if it names this rung; a glob skips the rung. @throws NotRun
void check_one(const Executable& rung, const std::string& case_name, const std::string& precision, const Placement& placement,
               const CheckOptions& options, Row& row) try {
  std::vector<std::string> arguments = {"check", "--case", case_name, "--precision", precision};
  for (const auto& setting : options.settings)
    arguments.insert(arguments.end(), {"--set", setting});
  for (const auto steps : options.steps)
    arguments.insert(arguments.end(), {"--steps", std::to_string(steps)});
  const Launch launch = launch_of(placement, options.launcher);
  const ProcessResult result = run_launched(launch, rung.path, arguments, check_timeout_seconds);
  require_answer(launch, result);
  require_counts(launch, result);
  row.backend = rung.backend;
  set_checked(row, result, check_timeout_seconds);
  require_room(row, result);
  const bool may_skip = !row.reason_code.empty() && options.glob != rung.id;
  if (result.end == ProcessResult::End::exited && result.code == exit_bad_input && !may_skip)
    throw InputError(fmt::format("{}: {}", rung.id, excerpt(result.err)));
} catch (const Unavailable& e) {
  set_outcome(row, {"skipped", e.what()});
}

/// Prints how long the checks may take, if that is long, and how to run fewer.
void print_check_plan(Catalogue& catalogue, const std::vector<const Executable*>& rungs, const CheckOptions& options) {
  constexpr double guessed_seconds = 2, long_seconds = 60;
  std::size_t checks = 0, checked_rungs = 0, most_precisions = 0;
  for (const Executable* rung : rungs) {
    if (!rung->fault.empty()) continue;
    const Availability& here = catalogue.probe(*rung);
    if (!here.available) continue;
    const std::vector<std::string>& accepted = rung->description.numbers;
    const auto is_accepted = [&](const std::string& precision) {
      return std::ranges::find(accepted, precision) != accepted.end();
    };
    const std::size_t precisions = options.precisions.empty()
                                       ? accepted.size()
                                       : static_cast<std::size_t>(std::ranges::count_if(options.precisions, is_accepted));
    checks +=
        std::max<std::size_t>(1, options.cases.size()) * precisions * placements_for(options.placements, *rung, here).size();
    if (precisions > 0) ++checked_rungs;
    most_precisions = std::max(most_precisions, precisions);
  }
  const double seconds = guessed_seconds * static_cast<double>(checks);
  if (seconds < long_seconds) return;
  std::vector<std::string> ways;
  if (checked_rungs > 1) ways.emplace_back("narrow the glob");
  if (options.precisions.empty() && most_precisions > 1) ways.emplace_back("use --precision");
  print_err("{} may take about {}{}{}\n", counted(checks, "check"), duration_text(seconds),
            ways.empty() ? "" : "; to run fewer, ", fmt::join(ways, " or "));
}

/// `check --program`: compares the results of a program in the default format with the reference.
int check_program(const Context& context, const CheckOptions& options) {
  if (options.glob != "*")
    throw InputError(fmt::format("--program and '{}': accepted: a program, or a glob of rungs", options.glob));
  if (!options.settings.empty() || options.precisions.size() > 1 || options.steps.size() > 1)
    throw InputError(
        "--program: accepted options: --case, one --precision, one --steps, --placement, --launcher, --time, --time-unit, "
        "--copy and --json");
  require_program(options.program);
  ContenderBlock block;
  block.name = id_slug(options.program.filename().string()).substr(0, 70);
  block.command.front() = fs::absolute(options.program).lexically_normal().string();
  block.cases = options.cases.empty() ? std::vector<std::string>{"box-128"} : options.cases;
  if (!options.precisions.empty()) block.precision = options.precisions.front();
  if (!options.steps.empty()) block.check_steps = options.steps.front();
  block.time = options.time;
  block.time_unit = options.time_unit;
  block.placements = options.placements;
  const std::vector<fs::path> files = files_beside(options.program, options.copy);
  require_matches(options.copy, files);
  std::ranges::copy(files, std::back_inserter(block.needs));
  require_contender(
      block, [](const char* key, const std::string& what) { throw InputError(fmt::format("--program, {}: {}", key, what)); });
  Catalogue catalogue(context.bin);
  Study study;
  study.contenders = {block};
  study.launcher = options.launcher;
  study.timeout_seconds = check_timeout_seconds;
  Residents residents;
  Checks checks(options.json);
  for (const Cell& cell : expand(study, catalogue)) {
    Row row = cell.row;
    check_cell(cell, catalogue, residents, row);
    Json names = {{"rung", row.rung}, {"case", row.case_name}, {"precision", row.precision}};
    if (!row.placement.empty()) names["placement"] = row.placement;
    checks.add(std::move(names), row);
  }
  return checks.finish();
}

/// Prints a line for each ladder: its rungs, and whether they can run here.
void list_ladders(Catalogue& catalogue, const std::vector<const Executable*>& rungs) {
  const auto ladder_of = [](const Executable& rung) { return rung.id.substr(0, rung.id.rfind('/')); };
  const auto name_of = [](const Executable& rung) { return rung.id.substr(rung.id.rfind('/') + 1); };
  for (auto first = rungs.begin(); first != rungs.end();) {
    const std::string ladder = ladder_of(**first);
    const auto end = std::find_if(first, rungs.end(), [&](const Executable* rung) { return ladder_of(*rung) != ladder; });
    const Availability& here = catalogue.probe(**first);
    print_out("{:20} {:>3}  {}{}{}\n", ladder, end - first, name_of(**first),
              end - first > 1 ? " to " + name_of(**(end - 1)) : "", here.available ? "" : "; cannot run here: " + here.reason);
    first = end;
  }
  print_out("'ladder list {}/*' shows the rungs of a ladder, 'ladder list --all' all rungs.\n", ladder_of(*rungs.front()));
}

}  // namespace

void require_program(const fs::path& program) {
  if (found_on_path(fs::absolute(program).string()).empty())
    throw InputError(fmt::format("--program: '{}' is not an executable file", program.string()));
}

int list(const Context& context, const ListOptions& options) {
  Catalogue catalogue(context.bin, context.root);
  const auto rungs = catalogue.match(options.glob.empty() ? "*" : options.glob, options.builds ? "*" : "default");
  if (options.glob.empty() && !options.all && !options.builds && !options.json) {
    list_ladders(catalogue, rungs);
    for (const auto& [backend, reason] : catalogue.left_out())
      print_out("backend {} is not built: {}\n", backend, reason);
    return exit_ok;
  }
  Json all = Json::array();
  for (const Executable* rung : rungs) {
    const Availability& here = catalogue.probe(*rung);
    if (options.json) {
      Json entry = described_rung(*rung);
      entry["built"] = rung->is_built;
      entry["available"] = here.available;
      if (!here.available) entry["reason"] = here.reason;
      all.push_back(std::move(entry));
      continue;
    }
    print_out("{}{}\n", rung->id, rung->build == "default" ? "" : " [" + rung->build + "]");
    print_out("    idea     {}\n", rung->description.idea);
    if (const auto& parent = rung->description.follows; !parent.empty()) print_out("    follows  {}\n", parent);
    if (const auto& cases = rung->description.cases; !cases.empty()) print_out("    cases    {}\n", fmt::join(cases, ", "));
    print_out("    backend  {}, {}\n", rung->backend,
              here.available ? "runs here on " + here.device : "cannot run here: " + here.reason);
  }
  const std::string asked = backend_of(options.glob);
  for (const auto& [backend, reason] : catalogue.left_out())
    if (!options.json && (asked.empty() || matches(asked, backend)))
      print_out("backend {} is not built: {}\n", backend, reason);
  if (options.json) print_json(all);
  return exit_ok;
}

int check(const Context& context, const CheckOptions& options) {
  if (!options.program.empty()) return check_program(context, options);
  for (const auto& [name, is_given] : {std::pair{"--time", !options.time.empty()},
                                       {"--time-unit", !options.time_unit.empty()},
                                       {"--copy", !options.copy.empty()}})
    if (is_given) throw InputError(fmt::format("{}: accepted with --program", name));
  Catalogue catalogue(context.bin);
  for (const auto& precision : options.precisions)
    find_number(precision);
  std::ranges::for_each(options.cases, require_case_name);
  Checks checks(options.json);
  const std::vector<const Executable*> rungs = catalogue.match_built(options.glob);
  print_check_plan(catalogue, rungs, options);
  for (const Executable* rung : rungs) {
    if (!rung->fault.empty()) {
      Row row;
      set_outcome(row, {"failed", fmt::format("{}; build {} again", rung->fault, rung->target)});
      checks.add({{"rung", rung->id}}, row);
      continue;
    }
    const Availability& here = catalogue.probe(*rung);
    std::vector<std::pair<std::string, Placement>> variants;
    const std::vector<std::string>& accepted = rung->description.numbers;
    for (const auto& precision : options.precisions.empty() ? accepted : options.precisions)
      for (const Placement& placement : placements_for(options.placements, *rung, here))
        variants.emplace_back(precision, placement);
    auto cases = options.cases;
    if (cases.empty()) cases = {rung->description.cases.front()};
    for (const auto& case_name : cases)
      for (const auto& [precision, placement] : variants) {
        Json names = {{"rung", rung->id}, {"case", case_name}, {"precision", precision}};
        if (placement != Placement{}) names["placement"] = to_string(placement);
        Row row;
        if (!here.available)
          set_outcome(row, {here.is_broken ? "failed" : "skipped", here.reason});
        else if (std::find(accepted.begin(), accepted.end(), precision) == accepted.end())
          set_outcome(row, {"skipped", fmt::format("the rung stores only {}", fmt::join(accepted, ", "))});
        else
          check_one(*rung, case_name, precision, placement, options, row);
        checks.add(std::move(names), row);
      }
  }
  return checks.finish();
}

int run(const Context& context, const RunCommandOptions& options) {
  Catalogue catalogue(context.bin);
  const fs::path file = find_study(context.experiments, options.study);
  Study study = read_study(file);
  if (!options.job.empty()) {
    write_job(options.job, job_script(study, {.root = fs::absolute(context.root),
                                              .study = fs::absolute(file).lexically_normal(),
                                              .machine = options.machine}));
    print_out("job script: {}; submit it with sbatch\n", options.job.string());
    return exit_ok;
  }
  take_part(study, options.rungs, options.cases, options.placements);
  if (!options.launcher.empty()) study.launcher = options.launcher;
  if (options.energy) study.sample_seconds = std::max(study.sample_seconds, energy_sample_seconds);
  if (options.dry_run) return dry_run(context, options, study, catalogue);
  const fs::path out = options.out.empty() ? context.root / "report" / study.name : options.out;
  reports::require_reportable(file.parent_path(), options.report ? std::optional(options.machine) : std::nullopt);
  if (options.report) hold_report_folder(out);
  const RunSummary summary = run_study(study, catalogue,
                                       {.root = context.root,
                                        .machine = options.machine,
                                        .rounds = options.rounds,
                                        .budget_seconds = options.budget_seconds,
                                        .again = options.again,
                                        .command = context.command});
  if (summary.measured.empty() && summary.not_run == 0)
    print_out("nothing to do: {} (--again measures everything again)\n",
              summary.failed + summary.skipped == 0
                  ? fmt::format("all {} cells are measured", summary.cells)
                  : fmt::format("{1} of {0} cells are measured; the others failed or cannot run", summary.cells,
                                summary.cells - summary.failed - summary.skipped));
  else if (!summary.measured.empty())
    print_out("{} rows in {}, {:.0f} % of it in checks and measurements\n", summary.measured.size(),
              duration_text(summary.seconds), 100 * summary.working_seconds / summary.seconds);
  if (!summary.measured.empty()) print_out("{}\n", stop_text(summary));
  print_out("rows: {}\n", summary.rows.string());
  if (summary.skipped > 0) print_out("{} of {} cells cannot run here; the rows say why\n", summary.skipped, summary.cells);
  if (summary.failed > 0) print_out("{} of {} cells failed; the rows say why\n", summary.failed, summary.cells);
  if (summary.not_run > 0)
    print_err("ladder: {} checks, samples or pictures could not be run; repeat the command to retry them\n", summary.not_run);
  release_interrupts();
  if (options.report) {
    const auto held = hold_report_folder(out);
    print_report(reports::write_report({.experiments = file.parent_path().parent_path(),
                                        .studies = {study.name},
                                        .out = out,
                                        .machine = options.machine,
                                        .is_older = sources_have_changed(context)}));
  }
  std::vector<std::string> answers;
  if (study.is_part) {
    const auto [cells, sentences] = reports::answer_of_part(file.parent_path(), summary.rows.stem().string(), summary.keys);
    if (!cells.rows.empty()) print_out("{}", to_text(cells));
    answers = sentences;
  } else {
    answers = reports::answers_of(file.parent_path(), summary.rows.stem().string());
  }
  for (const std::string& sentence : answers)
    print_out("{}\n", sentence);
  if (summary.not_run > 0) return exit_bad_input;
  return summary.failed == 0 ? exit_ok : exit_check_failed;
}

int report(const Context& context, const ReportCommandOptions& options) {
  fs::path experiments = context.experiments;
  std::vector<std::string> names;
  for (const auto& study : options.studies) {
    const fs::path folder = find_study(context.experiments, study).parent_path();
    if (!names.empty() && folder.parent_path() != experiments)
      throw InputError(fmt::format("'{}' is in {}, the studies before it are in {}; accepted: studies in one folder", study,
                                   folder.parent_path().string(), experiments.string()));
    experiments = folder.parent_path();
    names.push_back(folder.filename());
  }
  release_interrupts();
  if (options.docs) {
    for (const fs::path& file : reports::update_docs(context.root, experiments, sources_have_changed(context)))
      print_out("{}\n", file.string());
    return exit_ok;
  }
  if (options.check) return check_findings(context, {.experiments = experiments, .studies = names, .out = {}, .machine = {}});
  if (names.empty()) return report_all(context, options);
  const std::string name = names.size() == 1 ? names[0] : "all";
  const fs::path out = options.out.empty() ? context.root / "report" / name : options.out;
  const reports::ReportOptions what{.experiments = experiments,
                                    .studies = names,
                                    .out = out,
                                    .machine = options.machine,
                                    .is_older = sources_have_changed(context)};
  if (options.verify) return verify(context, what);
  const auto held = hold_report_folder(out);
  return print_report(reports::write_report(what));
}

int new_rung(const Context& context, const std::string& id, const std::string& parent) {
  const FolderLock lock(context.root / "variants");
  const NewRung rung = plan_rung(context.root, id, parent);
  make_rung(rung);
  std::vector<std::string> names;
  for (const auto& [name, text] : rung.files)
    names.push_back(name);
  print_out(
      "made variants/{0}/ ({1}), a copy of {2}, and added a line for it to {3}\n"
      "next:\n"
      "  write its idea and its code      variants/{0}/{4}\n"
      "  check that it is right           ./ladder check {0}\n"
      "  measure whether it is faster     ./ladder compare {2} {0} --case CASE\n"
      "  see its change and its gain      ./ladder explain {0}\n",
      id, fmt::join(names, ", "), parent, fs::relative(rung.build_file, context.root).string(), rung.kernel);
  return exit_ok;
}

int solve(const Context& context, const std::string& rung, const std::string& placement,
          const std::vector<std::string>& launcher, const std::vector<std::string>& arguments) {
  Catalogue catalogue(context.bin);
  const Executable& executable = catalogue.built_rung(rung);
  if (placement.empty() && !launcher.empty()) throw InputError("solve: --launcher needs --placement");
  const Launch launch = placement.empty()
                            ? launch_of({})
                            : launch_of(placements_for({placement}, executable, catalogue.probe(executable)).front(), launcher);
  for (const auto& [name, value] : launch.environment)
    setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> words = launch.prefix;
  words.insert(words.end(), {executable.path.string(), "solve"});
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  for (const int ignored : {SIGPIPE, SIGXFSZ})
    std::signal(ignored, SIG_DFL);
  execvp(argv[0], argv.data());
  throw std::runtime_error(fmt::format("{}: {}", words[0], std::strerror(errno)));
}

}  // namespace ladder
