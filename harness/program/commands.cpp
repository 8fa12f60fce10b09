#include "harness/program/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "harness/error.hpp"
#include "harness/output.hpp"
#include "harness/program/answers.hpp"
#include "harness/program/catalogue.hpp"
#include "harness/program/launch.hpp"
#include "harness/program/new_rung.hpp"
#include "harness/program/origin.hpp"
#include "harness/program/outcome.hpp"
#include "harness/program/plan.hpp"
#include "harness/program/run.hpp"
#include "harness/program/session.hpp"
#include "harness/program/text.hpp"
#include "reports/report.hpp"
#include "reports/statistics.hpp"
#include "roofline/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double check_timeout_seconds = 3600;

/// Returns the exit code.
int print_report(const reports::ReportResult& result) {
  for (const auto& warning : result.warnings)
    fmt::print(stderr, "{}\n", warning);
  for (const auto& problem : result.left_out)
    fmt::print(stderr, "ladder: {}\n", problem);
  fmt::print("report: {}\n", result.html.string());
  return result.left_out.empty() ? exit_ok : exit_bad_input;
}

/// Why the rounds ended, for the user.
std::string stop_text(const RunSummary& summary) {
  std::string open = summary.unresolved > 0 ? fmt::format("; {} steps are unresolved", summary.unresolved) : "";
  if (!open.empty() && summary.rounds < static_cast<int>(reports::verdict_rounds))
    open += fmt::format(", since a verdict takes {} rounds (--rounds)", reports::verdict_rounds);
  if (summary.stopped == "resolved") return fmt::format("{} rounds: every step has a verdict", summary.rounds);
  if (summary.stopped == "noise") return fmt::format("{} rounds: the noise hides what is left{}", summary.rounds, open);
  if (summary.stopped == "budget") return fmt::format("{} whole rounds: the time is up{}", summary.rounds, open);
  return fmt::format("{} rounds, as asked{}", summary.rounds, open);
}

void require_report_folder(const fs::path& out) {
  reports::require_report_folder(out);
  require_writable(out, {"index.html"});
  for (const char* folder : {"figures", "rows", "tables"})
    require_writable(out / folder, {"any"});
}

/// Flags without the processor they are for.
std::string portable_flags(const std::string& flags) {
  std::istringstream words(flags);
  std::string rest;
  for (std::string word; words >> word;)
    if (!word.starts_with("-march=")) rest += word + " ";
  return rest;
}

/// Why numbers of this origin are older than the rung they name; empty where they are not.
std::string why_older(const Context& context, const Catalogue& catalogue, const std::string& machine,
                      const reports::Origin& o) {
  const auto named = [&](const Executable& e) { return e.id == o.rung && e.build == o.build; };
  const Executable* here = nullptr;
  for (const auto* all : {&catalogue.rungs(), &catalogue.ceilings()}) {
    const auto found = std::find_if(all->begin(), all->end(), named);
    if (found != all->end()) here = &*found;
  }
  // Where it was measured, the executable decides, as it does for `ladder run`; elsewhere, what it was built from.
  if (here != nullptr && !here->is_built) here = nullptr;
  if (here != nullptr && o.machine == machine && !o.executable.empty())
    return o.executable == hash_of_file(here->path) ? "" : "its executable has changed since";
  const std::string sources = hash_of_sources(context.root, o.rung, o.backend);
  if (sources.empty()) return "there is no such rung any more";
  if (o.sources.empty()) return "the session does not say of which sources it was built";
  if (o.sources != sources) return "its sources have changed since";
  if (here != nullptr && portable_flags(o.flags) != portable_flags(here->description.value("flags", "")))
    return "its flags have changed since";
  return "";
}

/// Compares a report with what its rows give, and what they were measured with with what is built here.
int verify(const Context& context, const reports::ReportOptions& what) {
  const reports::Verification found = reports::verify_report(what);
  for (const auto& mismatch : found.mismatches)
    fmt::print("{}: {}\n", mismatch.file.string(), mismatch.problem);
  const Catalogue catalogue(context.bin);
  const std::string machine = machine_name("");
  std::size_t older = 0;
  for (const auto& o : found.origins) {
    const std::string why = why_older(context, catalogue, machine, o);
    if (why.empty()) continue;
    ++older;
    fmt::print("experiments/{}/results/{}.csv: session {}, {}{}: {}\n", o.study, o.machine, o.session, o.rung,
               o.build == "default" ? "" : " [" + o.build + "]", why);
  }
  fmt::print("{} numbers and {} figures computed anew: {} mismatches; {} of {} origins are older than what they name\n",
             found.numbers, found.figures, found.mismatches.size(), older, found.origins.size());
  return found.mismatches.empty() && older == 0 ? exit_ok : exit_check_failed;
}

}  // namespace

int list(const Context& context, const ListOptions& options) {
  Catalogue catalogue(context.bin, context.root);
  const auto rungs = catalogue.match(options.glob, options.builds ? "*" : "default");
  Json all = Json::array();
  for (const Executable* rung : rungs) {
    const Availability& here = catalogue.probe(*rung);
    if (options.json) {
      Json entry = rung->description;
      entry["built"] = rung->is_built;
      entry["available"] = here.available;
      if (!here.available) entry["reason"] = here.reason;
      all.push_back(std::move(entry));
      continue;
    }
    const auto& d = rung->description;
    fmt::print("{}{}\n", rung->id, rung->build == "default" ? "" : " [" + rung->build + "]");
    fmt::print("    idea     {}\n", d.value("idea", ""));
    if (const auto parent = d.value("follows", ""); !parent.empty()) fmt::print("    follows  {}\n", parent);
    fmt::print("    backend  {}, {}\n", rung->backend,
               here.available ? "runs here on " + here.device : "cannot run here: " + here.reason);
  }
  const std::string asked = backend_of(options.glob);
  for (const auto& [backend, reason] : catalogue.left_out())
    if (!options.json && (asked.empty() || fnmatch(asked.c_str(), backend.c_str(), 0) == 0))
      fmt::print("backend {} is not built: {}\n", backend, reason);
  if (options.json) fmt::print("{}\n", all.dump(1));
  return exit_ok;
}

int check(const Context& context, const CheckOptions& options) {
  Catalogue catalogue(context.bin);
  for (const auto& precision : options.precisions)
    find_number(precision);
  Json results = Json::array();
  int failures = 0;
  int skipped = 0;
  for (const Executable* rung : catalogue.match_built(options.glob)) {
    const Availability& here = catalogue.probe(*rung);
    std::vector<std::pair<std::string, Placement>> variants;
    const auto accepted = numbers_of(rung->description);
    for (const auto& precision : options.precisions.empty() ? accepted : options.precisions)
      for (const Placement& placement : placements_for(options.placements, *rung, here))
        variants.emplace_back(precision, placement);
    auto cases = options.cases;
    if (cases.empty()) cases = {rung->description.at("cases").at(0)};
    for (const auto& case_name : cases)
      for (const auto& [precision, placement] : variants) {
        Json row = {{"rung", rung->id}, {"case", case_name}, {"precision", precision}};
        if (placement != Placement{}) row["placement"] = to_string(placement);
        std::string unavailable = here.reason;
        if (std::find(accepted.begin(), accepted.end(), precision) == accepted.end())
          unavailable = fmt::format("the rung stores {} alone", fmt::join(accepted, ", "));
        Launch launch;
        try {
          launch = launch_of(placement, options.launcher);
        } catch (const Unavailable& e) {
          unavailable = e.what();
        }
        if (!here.available || !unavailable.empty()) {
          row.update({{"outcome", "skipped"}, {"reason", unavailable}});
        } else {
          std::vector<std::string> arguments = {"check", "--case", case_name, "--precision", precision};
          for (const auto& setting : options.settings)
            arguments.insert(arguments.end(), {"--set", setting});
          for (const auto steps : options.steps)
            arguments.insert(arguments.end(), {"--steps", std::to_string(steps)});
          const ProcessResult result = run_launched(launch, rung->path, arguments, check_timeout_seconds);
          const bool exited = result.end == ProcessResult::End::exited;
          if (exited && result.code == exit_bad_input) throw InputError(fmt::format("{}: {}", rung->id, one_line(result.err)));
          const auto answer = Json::parse(result.out, nullptr, false);
          const Outcome outcome = outcome_of(result, check_timeout_seconds);
          if ((outcome.name == "ok" || outcome.name == "wrong") && answer.is_object())
            row.update(answer);
          else if (outcome.name == "ok")
            row.update({{"outcome", "failed"}, {"reason", "the check's answer is not what a rung answers"}});
          else
            row.update({{"outcome", outcome.name}, {"reason", outcome.reason}});
        }
        const std::string outcome = row.at("outcome");
        if (outcome == "skipped")
          ++skipped;
        else if (outcome != "ok")
          ++failures;
        if (!options.json) {
          fmt::print("{:8} {} {} {}{}{}", outcome, rung->id, case_name, precision, placement == Placement{} ? "" : " ",
                     to_string(placement));
          if (row.contains("population_error") && row.at("population_error").is_number())
            fmt::print("  error {:.2e} (accepted {:.2e}) in {} steps", row.at("population_error").get<double>(),
                       row.at("tolerance").get<double>(), row.at("check_steps").get<std::int64_t>());
          fmt::print("{}\n", outcome == "ok" ? "" : "\n         " + row.at("reason").get<std::string>());
          std::fflush(stdout);
        }
        results.push_back(std::move(row));
      }
  }
  if (options.json)
    fmt::print("{}\n", results.dump(1));
  else
    fmt::print("{} checks: {} ok, {} failed, {} skipped\n", results.size(),
               static_cast<int>(results.size()) - failures - skipped, failures, skipped);
  if (failures > 0) return exit_check_failed;
  return static_cast<std::size_t>(skipped) == results.size() ? exit_unavailable : exit_ok;
}

int run(const Context& context, const RunCommandOptions& options) {
  Catalogue catalogue(context.bin);
  const fs::path file = find_study(context.experiments, options.study);
  Study study = read_study(file);
  if (!options.launcher.empty()) study.launcher = options.launcher;
  const fs::path out = options.out.empty() ? context.root / "report" / study.name : options.out;
  reports::require_reportable(fs::absolute(file).parent_path(), options.report ? std::optional(options.machine) : std::nullopt);
  if (options.report) require_report_folder(out);
  const RunSummary summary = run_study(study, catalogue,
                                       {.root = context.root,
                                        .machine = options.machine,
                                        .rounds = options.rounds,
                                        .budget_seconds = options.budget_seconds,
                                        .again = options.again,
                                        .command = context.command});
  if (summary.measured.empty())
    fmt::print("nothing to do: {} (--again measures anew)\n",
               summary.failed + summary.skipped == 0
                   ? fmt::format("all {} cells are measured", summary.cells)
                   : fmt::format("of {} cells {} are measured; the others have been tried", summary.cells,
                                 summary.cells - summary.failed - summary.skipped));
  else
    fmt::print("{} rows in {}, {:.0f} % of it in checks and measurements\n", summary.measured.size(),
               duration_text(summary.seconds), 100 * summary.working_seconds / summary.seconds);
  if (!summary.measured.empty()) fmt::print("{}\n", stop_text(summary));
  fmt::print("rows: {}\n", summary.rows.string());
  if (summary.skipped > 0) fmt::print("{} of {} cells cannot run here; the rows say why\n", summary.skipped, summary.cells);
  if (summary.failed > 0) fmt::print("{} of {} cells failed; the rows say why\n", summary.failed, summary.cells);
  release_interrupts();
  if (options.report)
    print_report(reports::write_report({.experiments = fs::absolute(file).parent_path().parent_path(),
                                        .studies = {study.name},
                                        .out = out,
                                        .machine = options.machine}));
  return summary.failed == 0 ? exit_ok : exit_check_failed;
}

int report(const Context& context, const ReportCommandOptions& options) {
  const std::string name = options.studies.size() == 1 ? options.studies[0] : "all";
  for (const auto& study : options.studies)
    find_study(context.experiments, study);
  const fs::path out = options.out.empty() ? context.root / "report" / name : options.out;
  const reports::ReportOptions what{
      .experiments = context.experiments, .studies = options.studies, .out = out, .machine = options.machine};
  release_interrupts();
  if (options.verify) return verify(context, what);
  require_report_folder(out);
  return print_report(reports::write_report(what));
}

int ceilings(const Context& context, const CeilingsOptions& options) {
  Catalogue catalogue(context.bin);
  const Study study = read_study(find_study(context.experiments, "ceilings"));
  const RunSummary summary = run_study(
      study, catalogue,
      {.root = context.root, .machine = options.machine, .rounds = options.rounds, .again = true, .command = context.command});
  std::map<std::string, std::vector<Row>> samples;  // by cell, in the order of names
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
  if (options.json) {
    fmt::print("{}\n", table.dump(1));
  } else {
    fmt::print("{:28} {:4} {:12} {:>12} {:>12} {:>12} {:>10} {:>10}\n", "ceiling", "", "", "footprint", "Melements/s", "GB/s",
               "GFLOP/s", "us/event");
    // What a ceiling does not limit is left blank.
    const auto number = [](double value) { return value > 0 ? fmt::format("{:.4g}", value) : ""; };
    for (const auto& row : table)
      fmt::print("{:28} {:4} {:12} {:>9.0f} kB {:>12} {:>12} {:>10} {:>10}\n", row.at("ceiling").get<std::string>(),
                 row.at("precision").get<std::string>(), row.at("tuning").get<std::string>(),
                 row.at("footprint_bytes").get<double>() / 1000, number(row.at("elements_per_second").get<double>() * 1e-6),
                 number(row.at("bytes_per_second").get<double>() * 1e-9),
                 number(row.at("flops_per_second").get<double>() * 1e-9), number(row.value("seconds_per_event", 0.0) * 1e6));
    fmt::print("rows: {}\n", summary.rows.string());
  }
  return summary.failed == 0 ? exit_ok : exit_check_failed;
}

int new_rung(const Context& context, const std::string& id, const std::string& parent) {
  const NewRung rung = plan_rung(context.root, id, parent);
  make_rung(rung);
  std::vector<std::string> names;
  for (const auto& [name, text] : rung.files)
    names.push_back(name);
  fmt::print(
      "made variants/{0}/ ({1}), which does what {2} does, and a line for it in {3}\n"
      "next:\n"
      "  write its idea and its code      variants/{0}/{4}\n"
      "  see that it is right             ./ladder check {0}\n"
      "  see whether it is faster         ./ladder compare {2} {0} --case CASE\n"
      "  see what changed and was gained  ./ladder explain {0}\n",
      id, fmt::join(names, ", "), parent, fs::relative(rung.build_file, context.root).string(), rung.kernel);
  return exit_ok;
}

int solve(const Context& context, const std::string& rung, const std::vector<std::string>& arguments) {
  Catalogue catalogue(context.bin);
  const Executable& executable = catalogue.built_rung(rung);
  for (const auto& [name, value] : launch_of({}).environment)
    setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> words = {executable.path.string(), "solve"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  throw std::runtime_error(fmt::format("{}: {}", words[0], std::strerror(errno)));
}

}  // namespace ladder
