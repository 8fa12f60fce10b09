#include "harness/bench/rung_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/command_line.hpp"
#include "base/error.hpp"
#include "harness/bench/probe.hpp"
#include "harness/bench/process_counts.hpp"
#include "harness/record/kernel_header.hpp"
#include "harness/record/tuning.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// @throws InputError if `command` is run by several processes
void require_one_process(std::string_view command) {
  if (team().size() > 1)
    throw InputError(fmt::format("{} runs in one process; there are {} (accepted: check, measure, profile and solve)", command,
                                 team().size()));
}

/// @throws InputError unless either a generated case or all required files are given
void require_files(const CellWords& cell, CaseFiles case_files, std::size_t required) {
  for (std::size_t i = 0; cell.case_name.empty() && i < cell.case_files.size(); ++i)
    if (cell.case_files[i].empty() && i < required)
      throw InputError("--" + std::string(case_files[i].first) + " is missing (or name a generated case with --case)");
}

std::string with_counts(const std::string& text) {
  const auto counts = process_counts();
  if (!counts) return text;
  Json answer = Json::parse(text);
  answer["processes"] = counts->processes;
  answer["nodes"] = counts->nodes;
  return answer.dump();
}

}  // namespace

int run_command(const RungInfo& info, CaseFiles case_files, std::size_t required, std::vector<std::string> words,
                const Streams& to, const std::function<int(const RungCommand&)>& run) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow (`ulimit -f`) is an error like a full disk
  CLI::App app{std::string(info.id), std::string(info.id)};
  app.require_subcommand(1);
  app.add_subcommand("serve", "run commands read from standard input, one after another");
  app.add_subcommand("describe", "describe this rung, as JSON");
  app.add_subcommand("probe", "say whether it can run here, as JSON");
  app.add_subcommand("tunings", "list every tuning that its constraints and this machine's device accept, as JSON");

  RungCommand command;
  CellWords& cell = command.cell;
  auto* check = app.add_subcommand("check", "compare with the reference");
  cell.add_to(*check);
  check->add_option("--steps", command.check_steps, "step counts to compare")->check(count(most_steps));
  check
      ->add_option("--boxes", command.boxes,
                   "numbers of boxes along x, y and z that the case is cut into, each with its own solver")
      ->check(count(most_boxes));
  check->add_option("--start", command.start, "initial state: seeded (every population differs), own (the case's)")
      ->check(CLI::IsMember({"seeded", "own"}));

  MeasureOptions& options = command.measuring;
  auto* measure = app.add_subcommand("measure", "time it and write Google Benchmark's JSON");
  cell.add_to(*measure);
  measure->add_option("--min-time", options.min_seconds, "minimum seconds of a sample")->check(seconds());
  measure->add_option("--samples", options.samples, "samples")->check(count(most_samples));
  measure->add_option("--steps", options.steps, "steps of a sample")->check(count(most_steps));

  auto* profile = app.add_subcommand("profile", "run steps for a profiler to record");
  cell.add_to(*profile);
  profile->add_option("--steps", options.steps, "steps to record")->required()->check(count(most_steps));

  auto* solve = app.add_subcommand("solve", "run one case and write its results");
  auto* by_name = command.solving.add_to(*solve, cell);
  const bool has_mesh = std::any_of(case_files.begin(), case_files.end(), [](const auto& f) { return f.first == "mesh"; });
  cell.case_files.resize(case_files.size() + (has_mesh ? 1 : 0));  // a mesh is followed by its axis that points up
  for (std::size_t i = 0; i < case_files.size(); ++i) {
    const auto& [name, meaning] = case_files[i];
    by_name->excludes(solve->add_option("--" + std::string(name), cell.case_files[i], std::string(meaning)));
  }
  if (has_mesh) {
    cell.case_files.back() = "z";
    by_name->excludes(solve->add_option("--up", cell.case_files.back(), "axis of the mesh that points up; default: z")
                          ->check(CLI::IsMember({"x", "y", "z"})));
  }

  auto* facts = app.add_subcommand("case", "give size and nominal steps of a case, as JSON");
  facts->add_option("--case", cell.case_name, "generated case")->required();

  auto* picture = app.add_subcommand("picture", "run a case and write its fields as CSV; also a series, if requested");
  picture->add_option("--case", cell.case_name, "generated case")->required();
  picture->add_option("--steps", command.picture_steps, "numbers of steps, ascending")->required()->check(count(most_steps));
  picture->add_option("--out", command.picture_files, "a file to write for each of them")->required();
  picture->add_option("--series", command.series_file,
                      "file to write for a series of the state, with the time since the start");
  picture->add_option("--layers", command.layers_file, "file to write for the means of each row");
  picture->add_option("--points", command.points, "number of moments after the first for --series and --layers")
      ->check(count(most_points));

  auto* series = app.add_subcommand("series", "run a case and write a series of its state, as CSV");
  cell.add_to(*series);
  series->add_option("--points", command.points, "number of moments after the first")->check(count(most_points));
  series->add_option("--out", command.series_file, "file to write")->required();
  series->add_flag("--layers", command.layers, "write the means of each row instead");

  // The code is for programs; the message is for people.
  const auto refuse = [&](Reason reason, const std::string& message, int code) {
    if (!solve->parsed()) to.out << Json{{"code", to_string(reason)}}.dump() << '\n';
    to.err << message << '\n';
    return code;
  };
  try {
    std::reverse(words.begin(), words.end());  // the order that the parser expects
    app.parse(std::move(words));
    command.name = app.get_subcommands().front()->get_name();
    for (const CLI::App* alone : {series, picture})
      if (alone->parsed()) require_one_process(command.name);
    if (command.name == "check" && command.boxes != Triple{1, 1, 1}) require_one_process("check --boxes");
    if (command.name == "serve") throw InputError("serve must be the executable's only argument");
    if (command.name == "solve") require_files(cell, case_files, required);
    if (command.name != "probe") return run(command);
    to.out << answer_text(availability(info.status())) << '\n';
    return exit_ok;
  } catch (const CLI::ParseError& e) {
    return app.exit(e, to.out, to.err) == 0 ? exit_ok : exit_bad_input;
  } catch (const Refused& e) {
    return refuse(e.reason(), e.what(), exit_bad_input);
  } catch (const InputError& e) {
    to.err << e.what() << '\n';
    return exit_bad_input;
  } catch (const Unavailable& e) {
    return refuse(e.reason(), e.what(), exit_unavailable);
  } catch (const std::bad_alloc&) {
    return refuse(Reason::no_memory, "not enough memory for this case", exit_bad_input);
  } catch (const std::runtime_error& e) {
    to.err << e.what() << '\n';
    return exit_broken;
  }
}

std::string describe_answer(const RungInfo& info, Description facts) {
  const KernelHeader header =
      parse_kernel_header(std::string_view(info.header).substr(std::string_view(LADDER_KERNEL_HEADER_MARK).size()));
  facts.id = info.id;
  facts.backend = info.backend;
  facts.build = info.build;
  facts.idea = header.idea;
  facts.layout = header.layout;
  facts.traffic = header.traffic;
  facts.source = header.source;
  facts.bound = header.bound;
  facts.compiler = info.compiler;
  facts.flags = info.flags;
  return described(facts).dump();
}

std::string tunings_answer(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints) {
  const LegalTunings legal = legal_tunings(tunables, constraints);
  Space space{.names = {}, .combinations = legal.combinations, .constraints = {}, .legal = legal.values};
  for (const Tunable& t : tunables)
    space.names.push_back(t.name);
  for (std::size_t i = 0; i < constraints.size(); ++i)
    space.constraints.push_back({constraints[i].text, legal.refused[i]});
  return answer_text(space);
}

std::string check_answer(const CheckResult& result, bool records) {
  Row row;
  row.kind = "check";
  row.outcome = result.ok ? "ok" : "wrong";
  row.reason = result.reason;
  row.check_steps = result.steps;
  row.population_error = result.population_error;
  row.tolerance = result.tolerance;
  if (records) row.history_error = result.history_error;
  return with_counts(check_text(row));
}

std::string profile_answer(const ProfileFacts& facts) { return with_counts(answer_text(facts)); }

}  // namespace ladder
