#include "harness/run/contender.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/process.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/launch.hpp"
#include "roofline/model/machine.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr double reference_timeout_seconds = 3600;
/// Steps of a run whose time is taken as that of startup and file I/O. Some programs advance by two steps at a time.
constexpr std::int64_t start_steps = 2;
/// Output of the UoB-HPC programs: "Elapsed time:", or "Elapsed Compute time:" among other times.
constexpr const char* uob_time = R"(Elapsed (?:[Cc]ompute )?time:\s*([0-9.eE+-]+))";

/// Processor time of all children that have exited.
double cpu_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Runs an unknown program: its exit codes mean nothing beyond success.
Outcome outcome_of_foreign(const ProcessResult& result, double timeout) {
  if (result.end != ProcessResult::End::exited || result.code == exit_ok) return outcome_of(result, timeout);
  const std::string said = excerpt(result.err.empty() ? result.out : result.err);
  return {"failed", fmt::format("exit code {}{}{}", result.code, said.empty() ? "" : ": ", said)};
}

/// Steps of a check: as many as the reference computes in a few seconds.
std::int64_t check_steps_of(const ContenderBlock& block, const Row& cell) {
  const std::int64_t some_seconds = 1'000'000'000 / (std::max(cell.q, 1) * std::max<std::int64_t>(cell.cells, 1));
  const std::int64_t steps =
      block.check_steps > 0 ? block.check_steps : std::clamp<std::int64_t>(some_seconds, 2, 1000) / 2 * 2;
  return block.steps > 0 ? std::min(steps, block.steps) : steps;
}

void set_times(Row& row, const ContenderTimes& times) {
  row.time_source = times.source;
  row.seconds = times.seconds;
  row.wall_seconds = times.wall_seconds;
  row.cpu_seconds = times.cpu_seconds;
}

UobRun size_of(const Row& cell, std::int64_t steps) { return {cell.nx, cell.ny, steps}; }

/// The time of a run according to its output. @throws BadResult if the output lacks what the block describes, or it is not a
/// time
ContenderTimes times_of(const ContenderBlock& block, const Row& cell, std::int64_t steps, const ProcessResult& result) {
  ContenderTimes times{.source = "wall", .seconds = result.seconds, .wall_seconds = result.seconds, .cpu_seconds = 0};
  const std::string printed = result.out + "\n" + result.err;
  const auto require_positive = [](double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) throw BadResult(fmt::format("impossible {}: it prints {}", what, value));
  };
  if (!block.rate.empty()) {
    const auto rate = find_number_in(printed, block.rate);
    if (!rate) throw BadResult(fmt::format("it prints no rate as '{}'", block.rate));
    require_positive(*rate, "rate");
    times.source = "rate";
    times.seconds = static_cast<double>(cell.cells) * static_cast<double>(steps) / (*rate * 1e6);
  } else if (const auto own = find_number_in(printed, block.time.empty() ? uob_time : block.time)) {
    require_positive(*own, "time");
    times.source = "program";
    times.seconds = *own;
  } else if (!block.time.empty()) {
    throw BadResult(fmt::format("it prints no time as '{}'", block.time));
  }
  return times;
}

}  // namespace

Contender find_contender(const ContenderBlock& block, const fs::path& folder) {
  Contender found{.block = block, .program = {}, .needs = {}};
  const fs::path first = block.command.front();
  const std::string name = first.has_parent_path() ? (folder / first).lexically_normal().string() : first.string();
  const std::string program = found_on_path(name);
  if (program.empty())
    throw InputError(fmt::format("contender '{}': command: '{}' is not an executable file{}", block.name, name,
                                 first.has_parent_path() ? "" : " on PATH; accepted: one on PATH, or a path with '/'"));
  found.program = fs::absolute(program);
  for (const auto& need : block.needs) {
    const fs::path file = fs::absolute(folder / need).lexically_normal();
    std::error_code none;
    if (!fs::is_regular_file(file, none))
      throw InputError(fmt::format("contender '{}': needs: {}: no such file", block.name, file.string()));
    // Files are copied into one folder, next to the inputs.
    const fs::path base = file.filename();
    const auto same = [&](const fs::path& other) { return other.filename() == base; };
    if (base == "input.params" || base == "obstacles.dat" || std::any_of(found.needs.begin(), found.needs.end(), same))
      throw InputError(
          fmt::format("contender '{}': needs: {}: another file has this name; accepted: files of different names, "
                      "other than input.params and obstacles.dat",
                      block.name, file.string()));
    found.needs.push_back(file);
  }
  return found;
}

std::string Contender::content() const {
  std::string text = fmt::format("{} {} {} {} {} {}", block.format, fmt::join(block.command, "\x1f"),
                                 fmt::join(block.files, "\x1f"), block.time, block.rate, block.check_steps);
  for (std::size_t i = 1; i < block.command.size(); ++i)  // e.g. a script after its interpreter
    if (fs::path(block.command[i]).is_absolute()) text += " " + hash_of_file(block.command[i]);
  for (const auto& need : needs)
    text += fmt::format(" {} {}", need.filename().string(), hash_of_file(need));
  return text;
}

Executable Contender::executable(const Description& peer) const {
  const double bytes = static_cast<double>(find_number(block.precision).bytes) * peer.q;
  Description facts;
  facts.id = id();
  facts.model = block.model;
  facts.backend = foreign_backend;
  facts.build = "default";
  facts.follows = block.follows;
  facts.idea = "foreign: a program that is not a rung of this project";
  facts.layout = "unknown";
  facts.traffic = "unknown; shown at the model's minimum";
  facts.source = fmt::format("{}", fmt::join(block.command, " "));
  facts.bound = "unknown";
  facts.lattices = 2;
  facts.q = peer.q;
  facts.reach = peer.reach;
  facts.numbers = {block.precision};
  facts.bytes_per_update[block.precision] = {bytes, bytes};
  facts.level = "dram";
  facts.bytes_per_update_minimum[block.precision] = 2 * bytes;
  facts.operations = peer.operations;
  facts.cases = peer.cases;
  // The form with the fewest operations, because the program's own form is unknown.
  const auto least = std::ranges::min_element(facts.operations, {}, &OperationCounts::total);
  if (least != facts.operations.end()) facts.collision = least->form;
  return {.path = program,
          .id = id(),
          .build = "default",
          .backend = std::string(foreign_backend),
          .description = std::move(facts)};
}

std::optional<double> find_number_in(const std::string& text, const std::string& pattern) try {
  constexpr std::size_t longest_line = 2000;  // the library's regular expressions use stack space for every character
  const std::regex expression(pattern);
  std::optional<double> last;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\n\r", at), text.size());
    const std::string line = text.substr(at, std::min(end - at, longest_line));
    at = end + 1;
    std::smatch match;
    if (!std::regex_search(line, match, expression)) continue;
    const std::string number = match[1];
    double value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc{} && stop == number.data() + number.size()) last = value;
  }
  return last;
} catch (const std::regex_error&) {  // the search takes too long or too much memory
  return std::nullopt;
}

std::string why_impossible(const ContenderTimes& times, const std::optional<ContenderTimes>& start, int cores) {
  if (times.source == "wall") return "";
  const double own = times.seconds;
  if (own > 1.01 * times.wall_seconds + 0.01)  // two different clocks
    return fmt::format("impossible time: {:.3g} s by its own account, but it ran for {:.3g} s", own, times.wall_seconds);
  if (!start) return "";
  // On a busy machine, startup and file I/O may take longer than in the run of a few steps.
  const double wall = times.wall_seconds - start->wall_seconds;
  const double cpu = times.cpu_seconds - start->cpu_seconds;
  if (own < 0.25 * wall - 0.1)
    return fmt::format("impossible time: {:.3g} s by its own account, but it ran {:.3g} s longer than for two steps", own,
                       wall);
  if (cpu > 4 * own * cores + 0.05)
    return fmt::format(
        "impossible time: {:.3g} s by its own account, but it used {:.3g} s of processor time more than for two steps", own,
        cpu);
  return "";
}

void ContenderRunner::ask_format(const char* command, const Place& place, const fs::path& folder) {
  const ProcessResult result =
      run_process(uob_hpc_, {command, "--case", place.first, "--steps", std::to_string(place.second), "--out", folder.string()},
                  reference_timeout_seconds);
  working_seconds_ += result.seconds;
  if (result.end == ProcessResult::End::exited && (result.code == exit_bad_input || result.code == exit_unavailable))
    throw Unavailable(excerpt(result.err));
  if (!succeeded(result))
    throw std::runtime_error(fmt::format("{}: {}", uob_hpc_.string(), outcome_of(result, reference_timeout_seconds).reason));
}

const ContenderRunner::Inputs& ContenderRunner::inputs(const Place& place) {
  const auto found = inputs_.find(place);
  if (found != inputs_.end()) return found->second;
  const TemporaryFolder folder;
  ask_format("inputs", place, folder.path());
  return inputs_[place] = {read_whole(folder.path() / "input.params"), read_whole(folder.path() / "obstacles.dat")};
}

const UobResults& ContenderRunner::reference(const Place& place, const UobRun& size) {
  const auto found = references_.find(place);
  if (found != references_.end()) return found->second;
  const TemporaryFolder folder;
  ask_format("reference", place, folder.path());
  return references_[place] = read_uob_results(folder.path() / "final_state.dat", folder.path() / "av_vels.dat", size);
}

ContenderRunner::Run ContenderRunner::run(const Contender& contender, const Environment& environment, const Row& cell,
                                          std::int64_t steps) {
  const ContenderBlock& block = contender.block;
  const TemporaryFolder folder;
  const auto inside = [&](const char* name) { return (folder.path() / name).string(); };
  std::map<std::string, std::string> values = {{"{out}", folder.path().string()},       {"{nx}", std::to_string(cell.nx)},
                                               {"{ny}", std::to_string(cell.ny)},       {"{nz}", std::to_string(cell.nz)},
                                               {"{steps}", std::to_string(steps)},      {"{params}", inside("input.params")},
                                               {"{obstacles}", inside("obstacles.dat")}};
  if (block.is_checked()) {
    const Inputs& files = inputs({cell.case_name, steps});
    write_file(values.at("{params}"), files.params);
    write_file(values.at("{obstacles}"), files.obstacles);
  }
  for (const auto& need : contender.needs)
    fs::copy_file(need, folder.path() / need.filename());
  std::vector<std::string> words(block.command.begin() + 1, block.command.end());
  for (std::string& word : words)
    for (const auto& [name, value] : values)
      for (std::size_t at = 0; (at = word.find(name, at)) != std::string::npos; at += value.size())
        word.replace(at, name.size(), value);
  const auto begin = fs::file_time_type::clock::now();
  const double cpu_before = cpu_seconds_of_children();
  const ProcessResult result =
      run_process(contender.program, words, timeout_seconds_, environment, memory_bytes_, 0, folder.path());
  working_seconds_ += result.seconds;
  Run made{.outcome = outcome_of_foreign(result, timeout_seconds_), .times = {}, .results = {}};
  made.times.wall_seconds = result.seconds;
  made.times.cpu_seconds = std::max(0.0, cpu_seconds_of_children() - cpu_before);
  if (made.outcome.name != "ok") return made;
  try {
    const double cpu = made.times.cpu_seconds;
    made.times = times_of(block, cell, steps, result);
    made.times.cpu_seconds = cpu;
    if (!block.is_checked()) return made;
    for (const auto& name : block.files) {
      std::error_code none;
      const auto written = fs::last_write_time(folder.path() / name, none);
      // The time of a file has the resolution of the operating system's tick.
      if (!none && written < begin - std::chrono::milliseconds(100)) throw BadResult(name + " is older than the run");
    }
    const UobRun size = size_of(cell, steps);
    made.results = read_uob_results(folder.path() / block.files[0], folder.path() / block.files[1], size);
    if (const std::string wrong = not_finite(*made.results, size, block.files[0], block.files[1]); !wrong.empty())
      made.outcome = {"wrong", wrong};
  } catch (const BadResult& e) {
    made.outcome = {"failed", excerpt(e.what())};
  }
  return made;
}

const ContenderRunner::Start& ContenderRunner::start_of(const Contender& contender, const Environment& environment,
                                                        const Row& cell) {
  const auto [entry, is_new] = starts_.try_emplace(cell.key);
  if (!is_new) return entry->second;
  Start& start = entry->second;
  const Run made = run(contender, environment, cell, start_steps);
  start.outcome = made.outcome;
  if (made.outcome.name == "ok") start.times = made.times;
  return start;
}

void ContenderRunner::check(const Contender& contender, const Environment& environment, Row& row) try {
  const ContenderBlock& block = contender.block;
  row.validation = block.is_checked() ? "files" : "none";
  row.outcome = "ok";
  if (!block.is_checked()) return;
  const std::int64_t steps = check_steps_of(block, row);
  const UobRun size = size_of(row, steps);
  const UobResults& expected = reference({row.case_name, steps}, size);
  const Start& start = start_of(contender, environment, row);
  if (start.outcome.name == "timeout") return set_outcome(row, start.outcome);  // after any other failure, a full run decides
  const Run made = run(contender, environment, row, steps);
  set_outcome(row, made.outcome);
  if (made.outcome.name != "ok") return;
  // Without a run of a few steps, nothing would limit the times that it prints.
  if (start.outcome.name != "ok")
    return set_outcome(
        row, {"failed", excerpt(fmt::format("a run of two steps: {}: {}", start.outcome.name, start.outcome.reason))});
  set_times(row, made.times);
  row.check_steps = steps;
  const UobComparison compared =
      compare_uob(*made.results, expected, size, find_number(block.precision), block.files[0], block.files[1]);
  row.population_error = compared.error;
  row.tolerance = compared.tolerance;
  row.history_error = compared.speed_error;
  row.relative_error = compared.relative_error;
  if (!compared.wrong.empty())
    set_outcome(row, {"wrong", excerpt(compared.wrong)});
  else if (const std::string why = why_impossible(made.times, start.times, this_machine().cores); !why.empty())
    set_outcome(row, {"failed", why});
} catch (const Unavailable& e) {
  set_outcome(row, {"skipped", e.what()});
} catch (const std::exception& e) {  // e.g. a full disk
  set_outcome(row, {"failed", excerpt(e.what())});
}

void ContenderRunner::sample(const Contender& contender, const Environment& environment, const Row* check,
                             double sample_seconds, Row& row) try {
  const ContenderBlock& block = contender.block;
  row.validation = block.is_checked() ? "files" : "none";
  const std::int64_t checked_steps = check_steps_of(block, row);
  std::int64_t steps = block.steps;
  if (steps == 0) {
    // A program that prints too short a time must not cause years of work.
    const bool is_known = check != nullptr && check->seconds > 0 && check->check_steps > 0;
    const double step_seconds =
        is_known ? std::max(check->seconds, check->wall_seconds / 100) / static_cast<double>(check->check_steps)
                 : sample_seconds / static_cast<double>(checked_steps);
    steps = std::clamp(std::llround(std::min(1e9, sample_seconds / step_seconds)), static_cast<long long>(checked_steps),
                       1'000'000'000LL);
  }
  std::optional<ContenderTimes> start;
  if (block.is_checked()) start = start_of(contender, environment, row).times;
  const Run made = run(contender, environment, row, steps);
  set_outcome(row, made.outcome);
  row.wall_seconds = made.times.wall_seconds;
  row.cpu_seconds = made.times.cpu_seconds;
  if (made.outcome.name != "ok") return;
  if (const std::string why = why_impossible(made.times, start, this_machine().cores); !why.empty())
    return set_outcome(row, {"failed", why});
  if (block.is_checked()) {
    const UobResults& expected = reference({row.case_name, checked_steps}, size_of(row, checked_steps));
    const UobComparison compared = compare_uob(*made.results, expected, size_of(row, checked_steps),
                                               find_number(block.precision), block.files[0], block.files[1]);
    if (!compared.wrong.empty()) return set_outcome(row, {"wrong", excerpt(compared.wrong)});
  }
  set_times(row, made.times);
  row.steps = steps;
  row.updates_per_second = static_cast<double>(row.cells) * static_cast<double>(steps) / row.seconds;
  // Two copies of the lattice and a flag for each site, as in most codes; the program's own data are unknown.
  row.footprint_bytes =
      static_cast<double>(row.cells) * (2 * row.q * static_cast<double>(find_number(row.precision).bytes) + 1);
} catch (const Unavailable& e) {
  set_outcome(row, {"skipped", e.what()});
} catch (const std::exception& e) {  // e.g. a full disk
  set_outcome(row, {"failed", excerpt(e.what())});
}

}  // namespace ladder
