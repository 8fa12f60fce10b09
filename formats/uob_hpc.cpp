// Programs in the UoB-HPC format, which compute cases of the model d2q9: checks and measures them as `ladder` asks a rung to
// (docs/architecture.md, "A foreign program"). It writes their two input files, and compares their two result files with the
// reference's. Programs of the format `none` have no files, and compute cases of any model.
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "base/command_line.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/process.hpp"
#include "base/processor.hpp"
#include "formats/foreign_run.hpp"
#include "formats/uob_files.hpp"
#include "formats/uob_solver.hpp"
#include "harness/bench/serve.hpp"
#include "harness/record/answers.hpp"
#include "roofline/model/machine.hpp"
#include "variants/d2q9/model.hpp"

namespace {

namespace fs = std::filesystem;
using namespace ladder;

/// Steps of a run whose time is taken as that of startup and file I/O. Some programs advance by two steps at a time.
constexpr std::int64_t start_steps = 2;
/// "Elapsed time:", or "Elapsed Compute time:" among other times; a unit may follow in brackets.
const std::string& uob_time() {
  static const std::string pattern = elapsed_pattern("(?:[Cc]ompute )?");
  return pattern;
}
/// Limit in seconds for computing the expected results of a timed run.
constexpr double most_verifying_seconds = 100;

/// Writes `input.params` and `obstacles.dat`.
void write_inputs(const d2q9::Case& c, const fs::path& folder) {
  const std::string params =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", c.nx, c.ny, c.steps, c.reynolds_dim, c.density, c.accel, c.omega);
  std::string obstacles;
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x)
      if (c.is_solid(x, y)) fmt::format_to(std::back_inserter(obstacles), "{} {} 1\n", x, y);
  write_file(folder / "input.params", params);
  write_file(folder / "obstacles.dat", obstacles);
}

UobRun size_of(const d2q9::Case& c) { return {c.nx, c.ny, c.steps}; }

/// The results that the reference would write, as read from its files. Kept as long as this process runs.
const UobResults& reference_of(const d2q9::Case& c) {
  static std::map<std::pair<std::string, std::int64_t>, UobResults> all;
  if (const auto found = all.find({c.name, c.steps}); found != all.end()) return found->second;
  constexpr double lattices = 3;  // two of the reference, and the stored state
  require_memory(lattices * d2q9::q * sizeof(double) * static_cast<double>(c.cells()), "the reference of " + c.name);
  d2q9::Reference reference(c);
  reference.advance(c.steps);
  Populations state(d2q9::q, {{}, c.grid()});
  reference.store(state);
  const TemporaryFolder folder;
  d2q9::Model::write_results(c, state, reference.history(), folder.path().string());
  return all[{c.name, c.steps}] =
             read_uob_results(folder.path() / "final_state.dat", folder.path() / "av_vels.dat", size_of(c));
}

/// A case of the same size with a weaker force and a few more obstacles, both random. Each timed run computes one, so the
/// results of earlier runs are wrong.
d2q9::Case varied(d2q9::Case c) {
  static std::mt19937_64 random(std::random_device{}());
  c.accel *= std::uniform_real_distribution<double>(0.8, 1)(random);
  const int side = std::clamp(std::min(c.nx, c.ny) / 16, 1, 4);
  if (c.fluid_cells() <= 2 * side * side) return c;  // too few to turn some into obstacles
  std::int64_t chosen = 0;
  do
    chosen = std::uniform_int_distribution<std::int64_t>(0, c.cells() - 1)(random);
  while (c.solid[static_cast<std::size_t>(chosen)] != 0);
  for (int k = 0; k < side * side; ++k) {
    const std::int64_t x = (chosen + k % side) % c.nx, y = (chosen / c.nx + k / side) % c.ny;
    c.solid[static_cast<std::size_t>(y * c.nx + x)] = 1;
  }
  return c;
}

/// Seconds that solve_uob() takes per site and step of the case. @throws std::logic_error if it differs from the reference
double seconds_per_update(const d2q9::Case& c) {
  static std::map<std::string, double> known;
  if (const auto found = known.find(c.name); found != known.end()) return found->second;
  const auto begin = std::chrono::steady_clock::now();
  const UobResults results = solve_uob(c);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // The files of the reference have 13 digits.
  const Number digits = {"13 digits", sizeof(double), "f64", 1e-12};
  if (const std::string wrong = compare_uob(results, reference_of(c), size_of(c), digits, "state", "speeds").wrong;
      !wrong.empty())
    throw std::logic_error(fmt::format("{}: the expected results of timed runs differ from the reference: {}", c.name, wrong));
  return known[c.name] = seconds / (static_cast<double>(c.cells()) * static_cast<double>(c.steps));
}

/// A program on a case.
class Contender {
 public:
  Contender(const std::string& case_name, const Number& number, ForeignProgram program)
      : program_(std::move(program)), number_(number) {
    if (program_.is_checked()) case_ = d2q9::Model::make_case(case_name);
    // As many as the reference computes in a few seconds.
    const std::int64_t some_seconds = 1'000'000'000 / (std::max(program_.q, 1) * std::max<std::int64_t>(program_.cells(), 1));
    check_steps_ = program_.check_steps > 0 ? program_.check_steps : std::clamp<std::int64_t>(some_seconds, 2, 1000) / 2 * 2;
    if (program_.steps > 0) check_steps_ = std::min(check_steps_, program_.steps);
  }

  /// Compares its results with the reference. Returns the columns of a check.
  Row check() {
    checked_ = checked();
    return *checked_;
  }

  /// Times it. `steps`: 0 to let the sample last about `seconds`. Returns the columns of a sample or, if it failed, of a check.
  Row sample(double seconds, std::int64_t steps) {
    Row row;
    row.kind = "sample";
    row.cells = program_.cells();
    // Two copies of the lattice and a flag for each site, as in most codes; the program's own data are unknown.
    row.footprint_bytes = static_cast<double>(row.cells) * (2 * program_.q * static_cast<double>(number_.bytes) + 1);
    row.steps = steps > 0 ? steps : steps_for(seconds);
    row.outcome = "ok";
    std::optional<d2q9::Case> work;
    if (case_) {
      require_verifiable(row.steps);
      (void)start_run();
      work = varied(*case_);
    }
    Run made = run(work, row.steps);
    static_cast<Conditions&>(row) = made.conditions;
    row.wall_seconds = made.times.wall_seconds;
    row.cpu_seconds = made.times.cpu_seconds;
    set_outcome(row, made.outcome);
    if (row.ok()) require_possible(row, made, row.steps);
    if (row.ok() && work) require_right(row, made, *work);
    if (row.ok())
      set_times(row, made.times);
    else
      row.kind = "check";
    if (row.ok() && row.seconds < 0.1 * row.wall_seconds && row.wall_seconds > 0.5) suspect(row, "untimed");
    return row;
  }

 private:
  struct Run : ForeignRun {
    UobResults results = {};
  };

  Row checked() {
    Row row;
    row.kind = "check";
    row.outcome = "ok";
    if (!case_) return row;
    require_space(check_steps_);  // the reference writes the same files
    case_->steps = check_steps_;
    const UobResults& expected = reference_of(*case_);
    const ForeignRun& start = start_run();
    if (start.outcome.name == "timeout") {  // after any other failure, a full run decides
      set_outcome(row, start.outcome);
      return row;
    }
    Run made = run(case_, check_steps_);
    set_outcome(row, made.outcome);
    if (!row.ok()) return row;
    // Without a run of a few steps, nothing would limit the times that it prints.
    if (start.outcome.name != "ok") {
      set_outcome(row, {"failed", fmt::format("a run of two steps: {}: {}", start.outcome.name, start.outcome.reason)});
      return row;
    }
    row.check_steps = check_steps_;
    const UobComparison compared = compare(made, expected, uob_tolerance);
    row.population_error = compared.error;
    row.tolerance = compared.tolerance;
    row.history_error = compared.speed_error;
    row.relative_error = compared.relative_error;
    row.relative_tolerance = uob_tolerance;
    if (!compared.wrong.empty())
      set_outcome(row, {"wrong", compared.wrong});
    else
      require_possible(row, made, check_steps_);
    set_times(row, made.times);
    return row;
  }

  /// Compares all results of a timed run with the expected ones.
  void require_right(Row& row, const Run& made, const d2q9::Case& work) {
    const UobResults expected = solve_uob(work);
    // After many steps, rounding may exceed the check script's limit.
    const double relative = std::max(uob_tolerance, uob_rounding(number_, work.steps));
    const double floor = 4 * number_.epsilon;  // rounding is a large part of a slow speed
    if (const UobComparison compared = compare(made, expected, relative, floor); !compared.wrong.empty()) {
      row.relative_error = compared.relative_error;
      row.relative_tolerance = relative;
      set_outcome(row, {"wrong", fmt::format("a timed run of {} steps with force {:g} and more obstacles: {}", work.steps,
                                             work.accel, compared.wrong)});
    }
    const double half = expected.speeds[expected.speeds.size() / 2], end = expected.speeds.back();
    if (work.steps > 1 && std::abs(end - half) <= 2 * relative * std::abs(end)) suspect(row, "steady");
  }

  /// @throws InputError if the expected results of so long a run cannot be computed in reasonable time
  void require_verifiable(std::int64_t steps) {
    const double seconds = verifying_seconds(steps);
    if (seconds > 30 * most_verifying_seconds)
      throw InputError(
          fmt::format("{} steps of {}: computing the expected results of a timed run would take about {:.2g} h; accepted: "
                      "fewer steps",
                      steps, case_->name, seconds / 3600));
  }

  double verifying_seconds(std::int64_t steps) {
    case_->steps = check_steps_;
    return seconds_per_update(*case_) * static_cast<double>(case_->cells()) * static_cast<double>(steps);
  }

  /// Steps of a sample of so many seconds, according to its check.
  std::int64_t steps_for(double seconds) {
    if (!checked_) (void)check();
    const bool is_known = checked_->seconds > 0;
    // A program that prints too short a time must not cause years of work.
    const double step_seconds =
        (is_known ? std::max(checked_->seconds, checked_->wall_seconds / 100) : seconds) / static_cast<double>(check_steps_);
    double most = 1e9;
    if (case_) {
      most = std::min(most, most_verifying_seconds / verifying_seconds(1));
      // Later, rounding hides wrong results.
      while (uob_rounding(number_, std::llround(most)) > uob_tolerance && most > 1)
        most *= 0.9;
    }
    return std::max<std::int64_t>(std::llround(std::min(most, seconds / step_seconds)) / 2 * 2, check_steps_);
  }

  /// The program's run of a few steps.
  const ForeignRun& start_run() {
    if (!start_) start_ = run(case_, start_steps);
    return *start_;
  }

  /// Times of the short run, for comparison with the full run's times, `whole`. If `whole` looks impossible by comparison, the
  /// short run is repeated up to twice and the longest times count: startup may be slow only the first time, e.g. while kernels
  /// are compiled, and the processor time that it takes varies.
  ForeignTimes start_times(const ForeignTimes& whole, int cores) {
    ForeignTimes longest = start_->times;
    if (!why_impossible(whole, {}, cores).empty()) return longest;
    for (int retry = 0; retry < 2 && !why_impossible(whole, longest, cores).empty(); ++retry) {
      const ForeignRun made = run(case_, start_steps);
      if (made.outcome.name != "ok") break;
      if (is_longer(longest, whole)) {
        start_ = made;
        longest = made.times;
      } else {
        if (!is_longer(made.times, whole)) longest.wall_seconds = std::max(longest.wall_seconds, made.times.wall_seconds);
        longest.cpu_seconds = std::max(longest.cpu_seconds, made.times.cpu_seconds);
      }
      start_->conditions.other_load = std::fmax(start_->conditions.other_load, made.conditions.other_load);
    }
    return longest;
  }

  Run run(std::optional<d2q9::Case>& work, std::int64_t steps) {
    catch_interrupts();  // the folder is removed
    require_space(steps);
    Run made = run_in(TemporaryFolder().path(), work, steps);
    release_interrupts();
    if (made.outcome.name != "ok") require_space(steps);  // the disk may have become full in between
    return made;
  }

  /// @throws InputError if the folder for temporary files lacks the space or the inodes for the program's files
  void require_space(std::int64_t steps) const {
    double needed = 65536;
    // Lines of the two result files, as the coursework's program writes them.
    if (case_) needed += 96.0 * static_cast<double>(case_->cells()) + 24.0 * static_cast<double>(steps);
    std::error_code error;
    for (const auto& need : program_.needs)
      if (const auto bytes = fs::file_size(need, error); !error) needed += static_cast<double>(bytes);
    const fs::path folder = fs::temp_directory_path(error);
    struct statvfs disk = {};
    if (error || statvfs(folder.c_str(), &disk) != 0) return;
    if (const double free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize); free < needed)
      throw InputError(
          fmt::format("{}: {:.3g} MB are free, but the program's files may take {:.3g} MB; accepted: TMPDIR names a "
                      "folder with more space",
                      folder.string(), 1e-6 * free, 1e-6 * needed));
    const std::size_t files = 64 + program_.needs.size();  // five known files, and room for those of the program and a launcher
    const bool has_inodes = disk.f_files > 0;              // some file systems do not count inodes
    if (has_inodes && disk.f_favail < files)
      throw InputError(
          fmt::format("{}: {} inodes are free, but the program's files may need {}; accepted: TMPDIR names a folder with "
                      "more free inodes",
                      folder.string(), disk.f_favail, files));
  }

  Run run_in(const fs::path& folder, std::optional<d2q9::Case>& work, std::int64_t steps) {
    if (!work) return {run_foreign(program_, steps, folder, {}, uob_time())};
    work->steps = steps;
    write_inputs(*work, folder);
    for (const fs::path name : program_.files)
      fs::create_directories((folder / name).parent_path());
    const auto begin = fs::last_write_time(folder / "input.params");  // by the file system's clock, e.g. a server's
    Run made = {run_foreign(program_, steps, folder,
                            {{"{params}", folder / "input.params"}, {"{obstacles}", folder / "obstacles.dat"}}, uob_time())};
    if (made.outcome.name != "ok") return made;
    try {
      for (const auto& name : program_.files) {
        std::error_code none;
        const auto written = fs::last_write_time(folder / name, none);
        // Missing or irregular files are reported when they are read.
        if (!none && fs::is_regular_file(fs::symlink_status(folder / name, none)) && written < begin)
          throw BadResult(name + " is older than the run");
      }
      const auto& [final_state, av_vels] = std::tie(program_.files.at(0), program_.files.at(1));
      made.results = read_uob_results(folder / final_state, folder / av_vels, size_of(*work));
      if (const std::string wrong = not_finite(made.results, size_of(*work), final_state, av_vels); !wrong.empty())
        made.outcome = {"wrong", wrong};
    } catch (const BadResult& e) {
      made.outcome = {"failed", e.what()};
    }
    return made;
  }

  UobComparison compare(const Run& made, const UobResults& expected, double relative, double floor = 0) const {
    return compare_uob(made.results, expected, size_of(*case_), number_, program_.files.at(0), program_.files.at(1), relative,
                       floor);
  }

  /// Other processes may prolong a run. If they do, a time that looks too short is replaced by the wall time, which favours no
  /// program.
  void require_possible(Row& row, Run& made, std::int64_t steps) {
    const int cores = this_machine().cores;
    std::optional<ForeignTimes> start;
    if (case_ && start_run().outcome.name == "ok") start = start_times(made.times, cores);
    std::string why = why_impossible(made.times, start, cores);
    const bool is_disturbed =
        made.conditions.other_load > most_other_load || (start && start_->conditions.other_load > most_other_load);
    if (!why.empty() && start && is_disturbed && made.times.seconds <= made.times.wall_seconds) {
      ForeignTimes without_wall = made.times;
      without_wall.wall_seconds = std::max(made.times.seconds, start->wall_seconds);
      if (why_impossible(without_wall, start, cores).empty()) {
        made.times.source = "wall";
        made.times.seconds = made.times.wall_seconds;
        if (!std::isnan(made.times.total_seconds)) made.times.total_seconds = made.times.wall_seconds;
        why.clear();
      }
    }
    const double populations = static_cast<double>(program_.cells()) * program_.q * static_cast<double>(steps);
    if (why.empty()) why = why_too_fast(made.times, populations, cores, has_gpu());
    if (!why.empty()) set_outcome(row, {"failed", why});
  }

  static void suspect(Row& row, const char* reason) {
    row.suspicious += (row.suspicious.empty() ? "" : ";") + std::string(reason);
  }

  static void set_times(Row& row, const ForeignTimes& times) {
    row.time_source = times.source;
    row.seconds = times.seconds;
    row.wall_seconds = times.wall_seconds;
    row.cpu_seconds = times.cpu_seconds;
    row.total_seconds = times.total_seconds;
  }

  ForeignProgram program_;
  const Number& number_;
  std::optional<d2q9::Case> case_;  ///< if its results are checked
  std::int64_t check_steps_ = 0;
  std::optional<ForeignRun> start_;
  std::optional<Row> checked_;
};

/// The contender of these words, with what is known about it from earlier commands.
Contender& contender_of(const std::string& case_name, const std::string& precision, const std::string& program) {
  static std::map<std::string, Contender> all;
  const std::string key = fmt::format("{} {} {}", case_name, precision, program);
  if (const auto found = all.find(key); found != all.end()) return found->second;
  return all.try_emplace(key, case_name, find_number(precision), parse_foreign(program)).first->second;
}

int run_command(std::vector<std::string> words, const Streams& to) {
  std::signal(SIGXFSZ, SIG_IGN);  // treat an input file at its size limit like a full disk
  CLI::App app{"check and measure a program in the UoB-HPC format", "uob-hpc"};
  app.require_subcommand(1);
  app.add_subcommand("serve", "run commands read from standard input, one after another");
  auto* probe = app.add_subcommand("probe", "say whether programs can run here, as JSON");
  auto* check = app.add_subcommand("check", "compare its results with the reference");
  auto* measure = app.add_subcommand("measure", "time it and write JSON like Google Benchmark's");
  std::string case_name, precision, program, start;
  for (CLI::App* command : {check, measure}) {
    command->add_option("--case", case_name, "generated case, e.g. box-128")->required();
    command->add_option("--precision", precision, "number format that it computes in")->required();
    command->add_option("--contender", program, "the program, as JSON")->required();
  }
  check->add_option("--start", start, "initial state: own (the case's)")->check(CLI::IsMember({"own"}));
  double min_seconds = 0.2;
  int samples = 1;
  std::int64_t steps = 0;
  measure->add_option("--min-time", min_seconds, "seconds that a sample lasts")->check(seconds());
  measure->add_option("--samples", samples, "samples")->check(count(1));
  measure->add_option("--steps", steps, "steps of a sample")->check(count(most_steps));
  try {
    std::reverse(words.begin(), words.end());  // the order that the parser expects
    app.parse(std::move(words));
    if (probe->parsed()) {
      Availability here;
      here.available = here.resident = true;
      here.device = processor_name();
      to.out << answer_text(here) << '\n';
      return exit_ok;
    }
    if (!check->parsed() && !measure->parsed()) throw InputError("serve must be the program's only argument");
    Contender& contender = contender_of(case_name, precision, program);
    const Row row = check->parsed() ? contender.check() : contender.sample(min_seconds, steps);
    to.out << (row.kind == "sample" ? sample_answer(row) : check_text(row)) << '\n';
    return exit_ok;
  } catch (const CLI::ParseError& e) {
    return app.exit(e, to.out, to.err) == 0 ? exit_ok : exit_bad_input;
  } catch (const Refused& e) {
    to.out << nlohmann::json{{"code", to_string(e.reason())}}.dump() << '\n';
    to.err << e.what() << '\n';
    return exit_unavailable;
  } catch (const InputError& e) {
    to.err << e.what() << '\n';
    return exit_bad_input;
  } catch (const Unavailable& e) {
    to.err << e.what() << '\n';
    return exit_unavailable;
  } catch (const std::exception& e) {  // e.g. a full disk
    to.err << e.what() << '\n';
    return exit_broken;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  return ladder::command_main(run_command, argc, argv);
} catch (const ladder::Interrupted&) {
  return 130;
}
