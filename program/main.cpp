// The `ladder` program: reads the command line and calls one command.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <sstream>
#include <system_error>
#include <tuple>

#include "base/command_line.hpp"
#include "base/console.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "base/standard_streams.hpp"
#include "base/text.hpp"
#include "harness/record/solve_options.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/targets.hpp"
#include "harness/study/campaign.hpp"
#include "harness/study/commands.hpp"
#include "program/campaign.hpp"
#include "program/commands.hpp"
#include "program/commit_build.hpp"
#include "program/compare.hpp"
#include "program/exchange.hpp"
#include "program/explain.hpp"
#include "program/grade.hpp"
#include "program/history.hpp"
#include "program/profile.hpp"
#include "program/timeline.hpp"
#include "program/tune.hpp"
#include "reports/study.hpp"

namespace {

namespace fs = std::filesystem;

/// Parses a launcher command.
void add_launcher(CLI::App* command, std::vector<std::string>& words) {
  command
      ->add_option_function<std::string>(
          "--launcher",
          [&words](const std::string& text) {
            words = ladder::command_words(text);
            if (words.empty()) words = {""};
            if (words == std::vector<std::string>{"slurm"}) words = ladder::slurm_launcher();
            ladder::require_launcher(words);
          },
          "launcher for several processes, e.g. 'mpirun -n {processes}' (quote words that contain blanks), or slurm; default: "
          "srun in a Slurm job, else mpirun")
      ->type_name("COMMAND");
}

/// How `solve` starts a rung.
struct SolveLaunch {
  std::string placement;
  std::vector<std::string> launcher;

  void add_to(CLI::App& app) {
    app.add_option("--placement", placement, "placement, e.g. threads=1 or processes=4;threads=2");
    add_launcher(&app, launcher);
  }
};

/// The options of `solve` that all rungs share; each rung's executable has more.
std::string solve_help(const std::string& footer) {
  CLI::App app("Computes one real input with any rung and writes the results.", "ladder solve RUNG");
  ladder::CellWords cell;
  ladder::SolveOptions options;
  SolveLaunch launch;
  options.add_to(app, cell);
  launch.add_to(app);
  return app.help() +
         "\nEach model adds options for the files of its cases. To see all options of a rung:\n"
         "  ladder solve RUNG --help\n"
         "For example:\n"
         "  ladder solve d2q9/serial/01_skeleton --params FILE --obstacles FILE --out FOLDER\n\n" +
         footer;
}

fs::path working_folder() {
  std::error_code error;
  fs::path folder = fs::current_path(error);
  if (error == std::errc::no_such_file_or_directory)
    throw ladder::InputError("the working folder no longer exists; change to an existing folder");
  if (error) throw ladder::InputError(fmt::format("cannot determine the working folder: {}", error.message()));
  return folder;
}

ladder::Context make_context(int argc, char** argv) {
  const char* root = std::getenv("LADDER_ROOT");
  ladder::Context context;
  context.bin = fs::canonical("/proc/self/exe").parent_path();
  setenv("LADDER_REFERENCES", (context.bin.parent_path() / "references").c_str(), 0);
  context.root = root != nullptr ? fs::path(root) : working_folder();
  context.experiments = context.root / "experiments";
  context.command.assign(argv, argv + argc);
  context.command[0] = "ladder";
  return context;
}

constexpr const char* description =
    R"(LBM Ladder: performance engineering of lattice Boltzmann codes, one step at a time.

Every optimization step is a rung: one small program that adds one idea to the previous rung. The
harness checks each rung against a reference, times it in interleaved rounds, relates its speed to the
machine's limits, and draws the tables and figures of a published study next to its own.)";

/// Appends `words` to `text`, separated by commas, in lines of at most 100 columns.
void append_list(std::string& text, const std::vector<std::string>& words) {
  std::size_t column = text.size() - (text.rfind('\n') + 1);
  for (const std::string& word : words) {
    const bool is_last = &word == &words.back();
    const bool breaks = column + word.size() + 2 > 100;
    text += (breaks ? "\n  " : " ") + word + (is_last ? "" : ",");
    column = (breaks ? 2 : column + 1) + word.size() + 1;
  }
}

/// Explains the names of rungs, studies and cases, and the exit codes.
std::string footer(const ladder::Context& context) {
  std::string text = "GLOB matches rung ids, e.g. 'd2q9/opencl/*'; `ladder list --all` lists them.\n";
  std::vector<std::string> studies = ladder::reports::study_names(context.experiments);
  if (studies.empty()) studies = {"none"};
  text += fmt::format("Studies (folders in {} with a study.toml):", context.experiments.filename().string());
  append_list(text, studies);
  return text +
         "\nCases: `ladder list GLOB` lists those of rungs that are built; docs/<model>.md describes them all. Other "
         "sizes\nare accepted too, e.g. box-300x200.\n"
         "Exit codes: 0 success, 1 a check or measurement failed, 2 usage or bad input, 3 cannot run here.\n"
         "Start with `ladder run`.";
}

/// Parses a duration into seconds.
CLI::Option* add_duration(CLI::App* command, const char* name, double& seconds, const char* meaning) {
  return command
      ->add_option_function<std::string>(
          name, [&seconds](const std::string& text) { seconds = *ladder::parse_duration(text); }, meaning)
      ->check([](const std::string& text) {
        return ladder::parse_duration(text) ? std::string() : fmt::format("'{}': accepted is e.g. 90s, 10m or 1.5h", text);
      })
      ->type_name("TIME");
}

/// Refuses an empty text, which would mean that the option is not given.
const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "''; accepted is a name" : ""; }, "NAME");

constexpr const char* placement_meaning = "placement: default, or e.g. threads=1 or processes=4;threads=2";

/// Options for running a program that is not a rung and for reading its output.
template <class Options>
void add_contender_options(CLI::App* command, Options& options) {
  command
      ->add_option("--time", options.time,
                   "regular expression whose one group matches the printed time, or `wall` for the wall time of the process; "
                   "default: as in UoB-HPC programs")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("''; accepted is a regular expression with one group, or wall") : std::string();
      })
      ->type_name("REGEX");
  command->add_option("--time-unit", options.time_unit, "unit of the printed time; default: as printed, or s")
      ->check(CLI::IsMember(std::vector<std::string>(ladder::time_units.begin(), ladder::time_units.end())));
  command
      ->add_option("--copy", options.copy,
                   "globs of files next to a program to copy into the folder in which it runs, in addition to *.cl")
      ->type_name("GLOB");
}

/// @throws InputError if the first word is not the name of a command
void require_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw ladder::InputError(
      fmt::format("unknown command '{}'{}; accepted: {}", word, ladder::suggestion(word, names), fmt::join(names, ", ")));
}

/// Prints the help or the command-line parser's message, with an example of the command, and returns the exit code.
int exit_code_of(const CLI::App& app, const CLI::ParseError& e) {
  if (e.get_exit_code() == 0) {
    std::ostringstream out;
    app.exit(e, out, out);
    std::string text = out.str();
    text.erase(text.find_last_not_of('\n') + 1);
    ladder::write_out(ladder::for_terminal(text + "\n"));
    return ladder::exit_ok;
  }
  const std::string what = ladder::for_terminal(e.what());
  if (app.get_subcommands().empty()) {
    ladder::print_err("ladder: {}; see `./ladder --help`\n", what);
  } else {
    const CLI::App& command = *app.get_subcommands().front();
    const std::string example = command.get_footer().substr(0, command.get_footer().find('\n'));
    ladder::print_err("ladder: {0}: {1}\n{2}\nOptions: ./ladder {0} --help\n", command.get_name(), what, example);
  }
  return ladder::exit_bad_input;
}

/// Adds an example to the help, and to the parser's messages: the first line of the footer.
void add_example(CLI::App* command, const char* arguments) {
  command->footer([command, arguments] {
    return fmt::format("Example: ./ladder {} {}\n{}", command->get_name(), arguments, command->get_parent()->get_footer());
  });
}

/// Reads the command line, runs the command and returns its exit code.
int run_program(int argc, char** argv) {
  // `ladder targets COMMAND …` prints the targets that COMMAND needs, one per line, for the script that builds them.
  const bool asks_targets = argc > 1 && argv[1] == std::string_view("targets");
  if (asks_targets) {
    ++argv;
    --argc;
  }
  CLI::App app{description, "ladder"};
  app.require_subcommand(1);
  ladder::Context context = make_context(argc, argv);
  app.footer([&] { return footer(context); });  // once the options are read
  app.set_version_flag("--version", "ladder " LADDER_VERSION, "print the version");
  app.add_option("--experiments", context.experiments, "folder of the studies and their results")->capture_default_str();

  ladder::ListOptions list_options;
  auto* list = app.add_subcommand(
      "list", "show the ladders, or the rungs that GLOB matches: idea, parent, backend, and why some cannot run here");
  add_example(list, "'d2q9/opencl/*'");
  list->add_option("GLOB", list_options.glob, "rungs to show");
  list->add_flag("--all", list_options.all, "show all rungs");
  list->add_flag("--builds", list_options.builds, "also show the builds of the compiler-flags axis");
  list->add_flag("--json", list_options.json, "descriptions as JSON");

  ladder::CheckOptions check_options;
  auto* check = app.add_subcommand("check", "compare rungs, or a program of your own, with the reference; exit 1 if one fails");
  add_example(check, "'d2q9/opencl/*' --case box-128");
  check->add_option("GLOB", check_options.glob, "rungs to check; default: all (builds all of them)");
  check
      ->add_option("--program", check_options.program,
                   "check an external program instead: run as `PROGRAM params obstacles`, it writes "
                   "final_state.dat and av_vels.dat (UoB-HPC format)")
      ->check(not_empty);
  add_contender_options(check, check_options);
  check->add_option("--case", check_options.cases, "cases, e.g. box-128, porous-300x200; default: the model's first");
  check->add_option("--precision", check_options.precisions, "number formats, e.g. f32; default: all that a rung accepts");
  check->add_option("--set", check_options.settings, "value of a tunable: name=value");
  check->add_option("--steps", check_options.steps, "step counts to compare; default: enough for about a second")
      ->check(ladder::count(ladder::most_steps));
  check->add_option("--placement", check_options.placements, placement_meaning);
  add_launcher(check, check_options.launcher);
  check->add_flag("--json", check_options.json, "results as JSON");

  ladder::RunCommandOptions run_options;
  auto* run = app.add_subcommand("run", "run or resume the experiments of a study, and write its report");
  add_example(run, "quick --rounds 6");
  run->add_option("STUDY", run_options.study, "study.toml, its folder, or name of a study; default: the quick study");
  for (const auto& [name, globs, what] :
       {std::tuple("--rungs", &run_options.rungs, "rungs"), std::tuple("--cases", &run_options.cases, "cases"),
        std::tuple("--placements", &run_options.placements, "placements")})
    run->add_option(
           name, *globs,
           fmt::format("measure only these {} of the study, and the ceilings that they are compared with; globs", what))
        ->type_name("GLOB");
  run->add_option("--rounds", run_options.rounds, "maximum number of rounds; default: the study's")
      ->check(ladder::count(ladder::most_samples));
  add_duration(run, "--budget", run_options.budget_seconds, "time for measuring, e.g. 10m; the same command continues later");
  auto* campaign = run->add_option("--campaign", run_options.campaign,
                                   "run the parts of studies listed in this file, in order; --budget limits the total time");
  run->add_option("--machine", run_options.machine, "name to store the results under; default: derived from the processor");
  add_launcher(run, run_options.launcher);
  run->add_flag("--again", run_options.again, "measure everything again, in a new session; stored rows are kept");
  run->add_flag("--energy", run_options.energy,
                "take samples of at least a second and measure the energy per update, if the device has a counter");
  run->add_flag("!--no-report", run_options.report, "do not write the report");
  run->add_option("--out", run_options.out, "folder of the report; default: report/<study>");
  auto* dry_run =
      run->add_flag("--dry-run", run_options.dry_run,
                    "only print what would be built, checked and measured, what is already stored or cannot run here, and how "
                    "long each part would take");
  run->add_flag("--json", run_options.json, "with --dry-run: the plan as JSON")->needs(dry_run);
  auto* job = run->add_option("--job", run_options.job, "only write a Slurm job script that runs the study")->check(not_empty);
  for (const char* other : {"--rungs", "--cases", "--placements", "--rounds", "--budget", "--launcher", "--again", "--energy",
                            "--no-report", "--out", "--campaign", "--dry-run"})
    job->excludes(run->get_option(other));
  for (const char* other : {"STUDY", "--rungs", "--cases", "--placements", "--rounds", "--launcher", "--again", "--energy",
                            "--no-report", "--out", "--dry-run"})
    campaign->excludes(run->get_option(other));

  ladder::ReportCommandOptions report_options;
  auto* report = app.add_subcommand("report", "regenerate tables, figures and the HTML page from stored results");
  add_example(report, "quick");
  report->add_option("STUDY", report_options.studies,
                     "studies, as for run; default: every study with results, and an overview page");
  report->add_option("--machine", report_options.machine, "show only the results of the machine with this name");
  report->add_option("--out", report_options.out,
                     "folder to write to; default: report/<study>; report/all for several; report for every study");
  report->add_flag(
      "--check", report_options.check,
      "write nothing: list the findings that do not hold on the machine they were written for, lack values, or have "
      "rows that are older than their rungs; exit code 1 if there are any");
  report->add_flag("--docs", report_options.docs, "rewrite the generated blocks of README.md and docs/ from the stored rows");
  report->add_flag("--verify", report_options.verify,
                   "write nothing: recompute the report in its folder from the rows, and show the differences");

  ladder::CeilingsOptions ceilings_options;
  auto* ceilings = app.add_subcommand("ceilings", "measure this machine's limits (STREAM, copy-Q, caches, FMA, launch)");
  add_example(ceilings, "--rounds 10");
  ceilings->add_option("--machine", ceilings_options.machine, "name to store the results under");
  ceilings->add_option("--rounds", ceilings_options.rounds, "number of rounds")->check(ladder::count(ladder::most_samples));
  ceilings->add_flag("--json", ceilings_options.json, "results as JSON");

  ladder::CompareOptions compare_options;
  auto* compare = app.add_subcommand("compare", "measure two rungs in the same rounds: ratio, interval, verdict");
  add_example(compare, "d2q9/opencl/07_deferred d2q9/opencl/08_tuned:wx=64,wy=2 --case box-256");
  compare
      ->add_option("A", compare_options.a, "RUNG, or RUNG:name=value,… with values of tunables; RUNG@COMMIT: as of that commit")
      ->required();
  compare->add_option("B", compare_options.b, "the rung to compare with A, in the same forms")->required();
  compare->add_option("--case", compare_options.case_name, "case, e.g. box-256")->required();
  compare->add_option("--precision", compare_options.precision, "number format, e.g. f64; default: f32 if the rung accepts it");
  compare->add_option("--placement", compare_options.placement, placement_meaning);
  add_launcher(compare, compare_options.launcher);
  compare->add_option("--rounds", compare_options.rounds, "maximum number of rounds")
      ->check(ladder::count(ladder::most_samples))
      ->capture_default_str();
  add_duration(compare, "--budget", compare_options.budget_seconds, "time for measuring, e.g. 2m");
  compare
      ->add_option("--fail-if-slower", compare_options.fail_if_slower,
                   "exit 1 if B is slower than A by more than PCT per cent, beyond the noise")
      ->check(ladder::number_between(0, 100))
      ->type_name("PCT");
  compare->add_option("--machine", compare_options.machine, "name to store the results under");
  compare->add_flag("--energy", compare_options.energy,
                    "take samples of at least a second and measure the energy per update, if the device has a counter");
  compare->add_flag("--json", compare_options.json, "result as JSON");

  ladder::HistoryOptions history_options;
  auto* history = app.add_subcommand("history", "show a rung's stored speeds by session and commit, and where they changed");
  add_example(history, "d2q9/cuda/04_soa --case box-1024 --machine nvidia-h100");
  history->add_option("RUNG", history_options.rung, "id of the rung, or RUNG:name=value,… with values of tunables")->required();
  history->add_option("--case", history_options.case_name, "case, e.g. box-256")->required();
  history->add_option("--precision", history_options.precision, "number format, e.g. f64; default: f32 if it is stored");
  history->add_option("--placement", history_options.placement, placement_meaning);
  history->add_option("--machine", history_options.machine, "name of the machine whose results to show; default: this machine");
  history->add_option("--chart", history_options.chart, "write a chart to this SVG file")->check(not_empty)->type_name("FILE");
  auto* history_csv = history->add_flag("--csv", history_options.csv, "the table as CSV");
  history->add_flag("--json", history_options.json, "everything as JSON")->excludes(history_csv);

  ladder::ExplainOptions explain_options;
  auto* explain = app.add_subcommand(
      "explain", "explain a rung: idea, traffic, bound, difference from the parent, gain here and in the publication");
  add_example(explain, "d2q9/opencl/08_tuned");
  explain->add_option("RUNG", explain_options.rung, "rung to explain, or a glob")->required();
  explain->add_option("--machine", explain_options.machine, "name of the machine whose results to show; default: this machine");
  explain
      ->add_option("--study", explain_options.studies,
                   "also show the rows of this study outside the folder of the studies: a study.toml or its folder")
      ->type_name("STUDY");
  explain->add_flag("!--no-color", explain_options.color, "do not use colours");
  explain->add_flag("--json", explain_options.json, "everything as JSON");
  explain
      ->add_flag(
          "--sass{opcodes}", explain_options.sass,
          "compare the GPU instructions of CUDA rungs with their parents', by opcode; --sass=full: also list all of them")
      ->check(CLI::IsMember({"opcodes", "full"}));

  std::string new_id;
  std::string new_parent;
  auto* make = app.add_subcommand("new", "start a rung of your own as a copy of another: folder and build line");
  add_example(make, "d2q9/opencl/20_mine --from d2q9/opencl/08_tuned");
  make->add_option("RUNG", new_id, "id of the new rung, e.g. d2q9/opencl/20_mine")->required();
  make->add_option("--from", new_parent, "id of the rung that it follows")->required();

  ladder::TuneOptions tune_options;
  auto* tune = app.add_subcommand("tune", "search a rung's tunables; re-measure the best few; report ties");
  add_example(tune, "d2q9/opencl/08_tuned --case box-256");
  tune->add_option("RUNG", tune_options.rung, "id of the rung")->required();
  tune->add_option("--case", tune_options.case_name, "case, e.g. box-256")->required();
  tune->add_option("--precision", tune_options.precision, "number format, e.g. f64; default: f32 if the rung accepts it");
  tune->add_option("--placement", tune_options.placement, placement_meaning);
  add_launcher(tune, tune_options.launcher);
  add_duration(tune, "--budget", tune_options.budget_seconds,
               "time for the search, e.g. 90s, 10m, 1h (default: 10m); re-measuring the best takes extra time");
  tune->add_option("--sample-seconds", tune_options.sample_seconds, "minimum duration of a sample")
      ->check(ladder::seconds())
      ->capture_default_str();
  tune->add_option_function<std::string>(
          "--for",
          [&](const std::string& goal) { tune_options.goal = goal == "energy" ? ladder::Goal::energy : ladder::Goal::speed; },
          "speed (default), or energy: find the least energy per update, with samples of at least a second")
      ->check(CLI::IsMember({"speed", "energy"}));
  tune->add_option("--seed", tune_options.seed, "seed of the random start")
      ->check(ladder::count(ladder::most_samples))
      ->capture_default_str();
  tune->add_option("--machine", tune_options.machine, "name to store the results under");
  tune->add_flag("--json", tune_options.json, "results as JSON");

  ladder::ProfileOptions profile_options;
  auto* profile = app.add_subcommand(
      "profile",
      "read the hardware counters of GPUs (Nsight Compute) or processors (perf_event_open), and compare them with the model's "
      "traffic; for a processor without counters, compare the rate with that in the L2 cache");
  add_example(profile, "'d2q9/cuda/*' --case box-1024");
  profile->add_option("RUNG", profile_options.rungs, "rungs to profile, of backend cuda, openmp or serial; globs")->required();
  profile->add_option("--case", profile_options.case_name, "case, e.g. box-1024")->required();
  profile->add_option("--precision", profile_options.precision, "number format, e.g. f64; default: f32 if the rung accepts it");
  profile->add_option("--set", profile_options.settings, "value of a tunable: name=value");
  profile
      ->add_option("--steps", profile_options.steps,
                   "steps to profile; default: 16, or 1024 if one kernel does several; on a processor, those of 0.2 s")
      ->check(ladder::count(ladder::most_steps));
  profile
      ->add_option("--replay", profile_options.replay,
                   "GPU: unit to repeat until all counters are read: kernel, application, auto")
      ->check(CLI::IsMember({"kernel", "application", "auto"}))
      ->capture_default_str();
  profile->add_flag(
      "--details", profile_options.details,
      "GPU: also read utilization, cycles, clocks, and requests and hits of L1, L2 and shared memory; takes longer");
  profile->add_flag("--slowdown", profile_options.slowdown,
                    "GPU: also time a step without a profiler, while a timeline is recorded, and while counters are read");
  profile->add_option("--study", profile_options.study, "study to store the profiles in")->capture_default_str();
  profile->add_option("--machine", profile_options.machine, "name to store the results under");

  ladder::TimelineOptions timeline_options;
  auto* timeline = app.add_subcommand(
      "timeline", "record what the host and the queues of NVIDIA GPUs do during a few steps: kernels, copies, calls and waits");
  add_example(timeline, "d2q9/cuda/10_vectors --case box-1024");
  timeline->add_option("RUNG", timeline_options.rung, "id of the rung; its backend must use CUDA or OpenACC")->required();
  timeline->add_option("--case", timeline_options.case_name, "case, e.g. box-1024")->required();
  timeline->add_option("--precision", timeline_options.precision,
                       "number format, e.g. f64; default: f32 if the rung accepts it");
  timeline->add_option("--set", timeline_options.settings, "value of a tunable: name=value");
  timeline->add_option("--steps", timeline_options.steps, "steps to record")
      ->check(ladder::count(ladder::most_steps))
      ->capture_default_str();
  timeline->add_option("--placement", timeline_options.placement, placement_meaning);
  add_launcher(timeline, timeline_options.launcher);
  timeline->add_option("--study", timeline_options.study, "study to store the timeline in")->capture_default_str();
  timeline->add_option("--machine", timeline_options.machine, "name to store the results under");

  ladder::GradeOptions grade_options;
  auto* grade = app.add_subcommand("grade",
                                   "check and measure every program in a folder (UoB-HPC format); one table: correctness, "
                                   "time, speed-up, what to look at next");
  add_example(grade, "submissions --out results");
  grade->add_option("DIR", grade_options.folder, "folder of executables, or of folders with an executable d2q9-bgk")
      ->required();
  grade->add_option("--case", grade_options.cases, "cases; default: box-128, box-256 and box-1024");
  grade->add_option("--steps", grade_options.steps, "steps per sample; default: enough for about a second")
      ->check(ladder::count(ladder::most_steps));
  grade->add_option("--rounds", grade_options.rounds, "number of rounds")
      ->check(ladder::count(ladder::most_samples))
      ->capture_default_str();
  add_duration(grade, "--budget", grade_options.budget_seconds, "time for measuring, e.g. 10m");
  add_duration(grade, "--timeout", grade_options.timeout_seconds, "stop a program that runs longer; default: 2m");
  grade->add_option("--precision", grade_options.precision, "number format that the programs compute in")
      ->capture_default_str();
  add_contender_options(grade, grade_options);
  grade->add_option("--placement", grade_options.placements,
                    "placement of the programs, e.g. 'processes=2;threads=1' for MPI programs; may be repeated");
  add_launcher(grade, grade_options.launcher);
  grade->add_option("--out", grade_options.out, "folder for grade, grade-ranking and grade-summary, as .csv and .md");
  grade->add_option("--machine", grade_options.machine, "name to store the results under");

  ladder::ExportOptions export_options;
  auto* exported = app.add_subcommand("export", "write stored results for other programs: one CSV, or Google Benchmark's JSON");
  add_example(exported, "quick --format benchmark-json --out quick.json");
  exported->add_option("STUDY", export_options.study, "study, as for run")->required();
  exported
      ->add_option("--format", export_options.format,
                   "csv: all rows, with their study and machine; benchmark-json: the latest samples of one machine")
      ->check(CLI::IsMember({"csv", "benchmark-json"}))
      ->capture_default_str();
  exported->add_option("--machine", export_options.machine, "only the results of the machine with this name");
  exported->add_option("--out", export_options.out, "file to write; default: standard output")->check(not_empty);

  fs::path import_file;
  std::string import_machine;
  auto* imported = app.add_subcommand("import", "add another machine's rows and provenance to a study");
  add_example(imported, "mail/laptop.csv --machine anns-laptop");
  imported->add_option("FILE", import_file, "stored rows, <machine>.csv, next to <machine>.<session>.json")->required();
  imported->add_option("--machine", import_machine, "name to store the results under")->required()->check(not_empty);

  auto* solve = app.add_subcommand(
      "solve", "compute one real input with any rung: `ladder solve RUNG --help` shows the options of a rung");
  add_example(solve, "d2q9/serial/01_skeleton --params FILE --obstacles FILE --out FOLDER");
  solve->set_help_flag();
  solve->prefix_command();

  if (asks_targets) try {
      app.parse(argc, argv);
      ladder::Catalogue catalogue(context.bin, context.root);  // the sources name the parents of unbuilt rungs
      ladder::Targets targets(catalogue);
      const auto add_study = [&](const std::string& name) {
        ladder::Study study = ladder::read_study(ladder::find_study(context.experiments, name));
        ladder::take_part(study, run_options.rungs, run_options.cases, run_options.placements);
        targets.add(study);
      };
      if (check->parsed() && check_options.program.empty()) targets.add_rungs(check_options.glob);
      if (!check_options.program.empty()) ladder::require_program(check_options.program);
      if ((check->parsed() && !check_options.program.empty()) || grade->parsed()) {
        ladder::Study study;
        study.contenders.emplace_back();
        targets.add_contenders(study);
      }
      if (grade->parsed()) {
        targets.add_rungs(grade_options.skeleton);
        targets.add_ceilings("openmp");
      }
      if (!run_options.campaign.empty())
        for (const ladder::CampaignPart& part : ladder::read_campaign(run_options.campaign).parts)
          targets.add(ladder::study_of(run_options.campaign, part, context.experiments));
      else if (run->parsed() && run_options.job.empty() && !run_options.dry_run)
        add_study(run_options.study);
      if (report->parsed() && report_options.verify) targets.refresh_all();
      if (compare->parsed())
        for (const std::string& side : {compare_options.a, compare_options.b})
          if (const auto name = ladder::parse_rung_name(side); name.commit.empty()) targets.add_rungs(name.id);
      if (ceilings->parsed()) add_study("ceilings");
      if (explain->parsed() && !explain_options.sass.empty()) targets.add_steps(explain_options.rung);
      if (explain->parsed())
        for (const ladder::Executable* rung : catalogue.match(explain_options.rung))
          targets.refresh(rung->id);
      if (tune->parsed()) targets.add_rungs(tune_options.rung);
      for (const std::string& glob : profile_options.rungs)
        targets.add_rungs(glob);
      if (timeline->parsed()) targets.add_rungs(timeline_options.rung);
      if (const auto words = solve->remaining(); !words.empty()) targets.add_rungs(words[0]);
      for (const std::string& name : targets.names())
        ladder::print_out("{}\n", name);
      return ladder::exit_ok;
    } catch (const std::exception&) {
      return ladder::exit_bad_input;  // the command itself prints the error
    }

  try {
    ladder::catch_interrupts();
    for (int i = 1; i < argc; ++i)
      if (!ladder::is_utf8(argv[i])) throw ladder::InputError(fmt::format("'{}': accepted are arguments in UTF-8", argv[i]));
    if (argc > 1) require_command(app, argv[1]);
    app.parse(argc, argv);
    if (list->parsed()) return ladder::list(context, list_options);
    if (check->parsed()) return ladder::check(context, check_options);
    if (!run_options.campaign.empty()) return ladder::run_campaign(context, run_options);
    if (run->parsed()) return ladder::run(context, run_options);
    if (report->parsed()) return ladder::report(context, report_options);
    if (compare->parsed()) return ladder::compare(context, compare_options);
    if (ceilings->parsed()) return ladder::ceilings(context, ceilings_options);
    if (explain->parsed()) return ladder::explain(context, explain_options);
    if (grade->parsed()) return ladder::grade(context, grade_options);
    if (history->parsed()) return ladder::history(context, history_options);
    if (exported->parsed()) return ladder::export_results(context, export_options);
    if (imported->parsed()) return ladder::import_results(context, import_file, import_machine);
    if (make->parsed()) return ladder::new_rung(context, new_id, new_parent);
    if (tune->parsed()) return ladder::tune(context, tune_options);
    if (profile->parsed()) return ladder::profile(context, profile_options);
    if (timeline->parsed()) return ladder::timeline(context, timeline_options);
    const auto words = solve->remaining();
    if (!words.empty() && (words[0] == "-h" || words[0] == "--help")) {
      ladder::print_out("{}", solve_help(app.get_footer()));
      return ladder::exit_ok;
    }
    if (words.empty() || words[0].starts_with("-"))
      throw ladder::InputError("solve: the rung is missing; accepted: solve RUNG [OPTIONS] (see `ladder solve --help`)");
    SolveLaunch launch;
    CLI::App own;
    own.set_help_flag();  // the rung prints it
    own.allow_extras();
    launch.add_to(own);
    own.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
    return ladder::solve(context, words[0], launch.placement, launch.launcher, own.remaining());
  } catch (const CLI::ParseError& e) {
    return exit_code_of(app, e);
  } catch (const ladder::InputError& e) {
    ladder::print_err("ladder: {}\n", e.what());
    return ladder::exit_bad_input;
  } catch (const ladder::Unavailable& e) {
    ladder::print_err("ladder: cannot run here: {}\n", e.what());
    return ladder::exit_unavailable;
  } catch (const ladder::Interrupted&) {
    const bool carries_on = run->parsed() && !run_options.again;
    ladder::print_err("\nladder: interrupted; the measured rows are stored{}\n",
                      carries_on ? ", and the same command continues" : "");
    return 130;
  } catch (const std::bad_alloc&) {
    ladder::print_err("ladder: cannot run here: not enough memory\n");
    return ladder::exit_unavailable;
  } catch (const std::system_error& e) {  // e.g. too many open files
    ladder::print_err("ladder: {}\n", e.what());
    return ladder::exit_bad_input;
  } catch (const std::exception& e) {
    ladder::print_err("ladder: {}\n", e.what());
    return ladder::exit_check_failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  ladder::open_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // treat a closed pipe, and a file at its size limit (`ulimit -f`), like a full disk
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return ladder::close_output(run_program(argc, argv));
  } catch (const std::exception& e) {  // e.g. the working folder no longer exists
    ladder::print_err("ladder: {}\n", e.what());
    return ladder::exit_bad_input;
  }
}
