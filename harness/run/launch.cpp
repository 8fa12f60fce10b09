#include "harness/run/launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/affinity.hpp"
#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/key_values.hpp"
#include "base/text.hpp"
#include "harness/record/outcome.hpp"
#include "roofline/model/machine.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const Words srun = {"srun", "--nodes={nodes}", "--ntasks={processes}", "--cpus-per-task={threads}", "--cpu-bind=cores"};
/// Open MPI's launcher. It passes only the variables that are named to other nodes.
const Words mpirun = {"mpirun",          "-n", "{processes}", "--map-by", "slot:PE={threads}", "--bind-to", "core", "-x",
                      "OMP_NUM_THREADS", "-x", "OMP_PLACES",  "-x",       "OMP_PROC_BIND"};

std::string filled(std::string word, const Placement& placement) {
  for (const auto& [name, member] : placement_fields)
    word = replace_all(std::move(word), fmt::format("{{{}}}", name), std::to_string(placement.*member));
  return word;
}

bool knows_nodes(const Words& launcher) {
  return std::any_of(launcher.begin(), launcher.end(),
                     [](const std::string& word) { return word.find("{nodes}") != std::string::npos; });
}

Words prefix_of(const Placement& placement, const Words& command) {
  const bool is_in_slurm_job = std::getenv("SLURM_JOB_ID") != nullptr;
  std::vector<Words> launchers = {command};
  if (command.empty()) launchers = is_in_slurm_job ? std::vector{srun, mpirun} : std::vector{mpirun, srun};
  std::string ignores_nodes;
  for (const Words& launcher : launchers) {
    Words words = {found_on_path(launcher.front())};
    if (words.front().empty()) continue;
    if (placement.nodes > 1 && !knows_nodes(launcher)) {
      ignores_nodes = launcher.front();
      continue;
    }
    std::transform(launcher.begin() + 1, launcher.end(), std::back_inserter(words),
                   [&](const std::string& word) { return filled(word, placement); });
    return words;
  }
  if (!ignores_nodes.empty())
    throw Unavailable(fmt::format(
        "nodes={}: {} starts processes without regard to nodes; accepted is nodes=1, a Slurm job, or a launcher with {{nodes}}",
        placement.nodes, ignores_nodes));
  throw Unavailable(fmt::format("no launcher: {} (name another with --launcher)",
                                command.empty() ? "neither mpirun nor srun is on PATH" : command.front() + " is not on PATH"));
}

/// Variables set by the user keep their values.
Environment with_those_of_user(Environment variables) {
  for (auto& [name, value] : variables)
    if (const char* set = std::getenv(name.c_str())) value = set;
  return variables;
}

/// Lets threads migrate, unless the user set the variable. Otherwise OpenMP would bind the first thread to a core at startup,
/// and the threads that compute the reference would inherit that core.
void unbind(Environment& environment) {
  for (auto& [name, value] : environment)
    if (name == "OMP_PROC_BIND" && std::getenv("OMP_PROC_BIND") == nullptr) value = "false";
}

/// A launcher's message without its frame; for Open MPI's long refusal to run as root, only the remedy.
std::string without_frames(const std::string& text) {
  if (text.find("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM") != std::string::npos)
    return "it refuses root, unless OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 are in the environment\n";
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of("- ") != std::string::npos) rest += line + "\n";
  return rest;
}

/// How messages about a launcher begin, after its name, if it fails before or after the program answers.
constexpr const char* before_answer = " did not start it: ";
constexpr const char* after_answer = " failed after the answer: ";

std::string name_of(const Launch& launch) { return fs::path(launch.prefix.front()).filename().string(); }

/// Whether this is an executable's answer rather than an object printed by a launcher.
bool is_answer(const Json& json) {
  if (!json.is_object()) return false;
  const auto has_text = [&](const char* name) { return json.value(name, Json()).is_string(); };
  return has_text("outcome") || has_text("code") || json.contains("benchmarks") || json.contains("available") ||
         json.contains("footprint_bytes");
}

/// Whether a program reported success.
bool is_good(const std::string& answer) {
  const Json json = Json::parse(answer, nullptr, false);
  return json.is_object() && (json.contains("benchmarks") || json.value("outcome", Json()) == "ok");
}

/// The process or node count in an answer (for a measurement, among its counters); empty if there is none.
std::optional<int> count_in(const std::string& answer, const char* name) {
  Json json = Json::parse(answer, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  if (const Json samples = json.value("benchmarks", Json()); samples.is_array() && !samples.empty()) json = samples.front();
  const Json count = json.is_object() ? json.value(name, Json()) : Json();
  if (!count.is_number() || !(count.get<double>() >= 0 && count.get<double>() <= 1e9)) return std::nullopt;
  return static_cast<int>(count.get<double>());
}

/// How the counted processes and nodes differ from those requested; empty if they match or were not counted.
std::string other_count(const Launch& launch, const std::string& answer) {
  // Processes that are not connected all answer.
  const int processes = count_in(answer, "processes").value_or(launch.processes);
  const int nodes = count_in(answer, "nodes").value_or(launch.nodes);
  if (processes == launch.processes && nodes == launch.nodes) return "";
  const auto text = [](int of_processes, int of_nodes) {
    return fmt::format("{} process{} on {}", of_processes, of_processes == 1 ? "" : "es",
                       counted(static_cast<std::size_t>(of_nodes), "node"));
  };
  return fmt::format("{} answered instead of {}", text(processes, nodes), text(launch.processes, launch.nodes));
}

/// The last answer that begins a line; the whole text if there is none.
std::string answer_in(const std::string& text) {
  std::istringstream in(text);
  std::string found = text;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    if (text[at] != '{') continue;
    in.clear();
    in.seekg(static_cast<std::streamoff>(at));
    try {
      Json json;
      in >> json;
      const std::size_t end = in.eof() ? text.size() : static_cast<std::size_t>(in.tellg());
      if (is_answer(json)) found = text.substr(at, end - at);
      at = end - 1;
    } catch (const Json::exception&) {  // a line of the launcher
    }
  }
  return found;
}

/// Turns a launcher's own failure into the result of a program that cannot run here.
ProcessResult of_launcher(const Launch& launch, ProcessResult result) {
  if (launch.prefix.empty()) return result;
  result.out = answer_in(result.out);
  using End = ProcessResult::End;
  constexpr int signal_offset = 128;  // a launcher exits with this plus the signal that ended a process
  const bool exited = result.end == End::exited && result.code != exit_ok && result.code < signal_offset;
  // Executables exit with 0 after success, print what is wrong if they exit with 1, and do not use codes above exit_broken.
  const bool is_own = result.code > exit_broken || (result.code == exit_check_failed && result.out.empty());
  if ((exited && is_own) || ((exited || result.end == End::signalled) && is_good(result.out))) {
    std::string message = without_frames(result.err);
    if (message.empty()) message = fmt::format("{} {}\n", exited ? "exit code" : "signal", result.code);
    result.end = End::exited;
    result.code = exit_unavailable;
    result.err = name_of(launch) + (has_answer(result) ? after_answer : before_answer) + message;
  } else if (const std::string other = other_count(launch, result.out); !other.empty()) {
    result.end = End::exited;
    result.code = exit_unavailable;
    result.err = name_of(launch) + before_answer + other + "\n";
    result.out.clear();
  }
  return result;
}

}  // namespace

std::string Launch::text() const {
  Words words = prefix;
  for (const auto& [name, value] : environment)
    words.push_back(name + "=" + value);
  return fmt::format("{}", fmt::join(words, " "));
}

int Launch::threads() const {
  for (const auto& [name, value] : environment)
    if (name == "OMP_NUM_THREADS") return std::max(0, std::atoi(value.c_str()));
  return 0;
}

std::vector<std::string> slurm_launcher() {
  if (std::getenv("SLURM_JOB_ID") == nullptr)
    throw InputError(
        "launcher slurm: accepted inside an allocation of Slurm, i.e. with SLURM_JOB_ID in the environment; "
        "`ladder run STUDY --job FILE` writes a script for sbatch");
  return srun;
}

const std::vector<int>& usable_cores() {
  static const std::vector<int> usable = [] {
    std::vector<int> cores = this_machine().processors;
    if (cores.empty()) {  // hwloc lists none of those that this process may use
      const std::vector<int> allowed = allowed_processors();
      cores = {allowed.empty() ? 0 : allowed.front()};
    }
    const double quota = std::max(1., control_groups().processors);
    if (quota < static_cast<double>(cores.size())) cores.resize(static_cast<std::size_t>(quota));
    return cores;
  }();
  return usable;
}

Launch launch_of(const Placement& placement, const Words& command) {
  const std::vector<int>& cores = usable_cores();
  const auto all = static_cast<int>(cores.size());
  const int processes_per_node = (placement.processes + placement.nodes - 1) / placement.nodes;
  Placement filled_in = placement;
  if (placement.threads == 0) filled_in.threads = std::max(1, all / processes_per_node);
  if (placement.nodes == 1 && filled_in.threads > all / placement.processes)
    throw Unavailable(fmt::format("{}: this machine has {} usable cores", to_string(placement), all));
  Launch launch;
  std::string places = "cores";  // cores that the launcher assigns to the process
  if (placement.processes > 1) {
    launch.prefix = prefix_of(filled_in, command);
    launch.nodes = placement.nodes;
    launch.processes = placement.processes;
  } else {
    const std::vector<int> used(cores.begin(), cores.begin() + filled_in.threads);
    places = fmt::format("{{{}}}", fmt::join(used, "},{"));
  }
  launch.environment = with_those_of_user(
      {{"OMP_NUM_THREADS", std::to_string(filled_in.threads)}, {"OMP_PLACES", places}, {"OMP_PROC_BIND", "close"}});
  if (placement.threads > 0) launch.environment.front().second = std::to_string(placement.threads);
  // A variable set by the user must not affect cells with one device. If it is unset, the keys of these cells do not contain
  // it.
  if (placement.devices > 1 || std::getenv("LADDER_DEVICES") != nullptr)
    launch.environment.emplace_back("LADDER_DEVICES", std::to_string(placement.devices));
  return launch;
}

bool is_launcher_failure(const Launch& launch, const ProcessResult& result) {
  return !launch.prefix.empty() && result.end == ProcessResult::End::exited && result.code == exit_unavailable &&
         (result.err.starts_with(name_of(launch) + before_answer) || result.err.starts_with(name_of(launch) + after_answer));
}

bool has_answer(const ProcessResult& result) { return is_answer(Json::parse(result.out, nullptr, false)); }

bool lacks_counts(const Launch& launch, const ProcessResult& result) {
  return launch.processes > 1 && is_good(result.out) && !(count_in(result.out, "processes") && count_in(result.out, "nodes"));
}

std::string launcher_fault(const Launch& launch, Lines lines) {
  if (launch.prefix.empty()) return "";
  constexpr double timeout_seconds = 60;
  // About as long as an answer, and with quotes and braces, but shorter than 1,024 bytes: srun cuts longer lines and may mix
  // the parts of two processes. Counting the mark counts the processes even if the launcher changes the line.
  const std::string mark = "process-of-ladder";
  const std::string greeting = fmt::format("{{\"{}\": [{{\"{}\": 1}}]}}", mark, std::string(900, '-'));
  const ProcessResult result = run_launched(launch, found_on_path("echo"), {greeting}, timeout_seconds);
  if (is_launcher_failure(launch, result)) return excerpt(result.err);
  const std::string name = name_of(launch);
  if (!succeeded(result)) {
    const std::string reason = outcome_of(result, timeout_seconds).reason;
    return fmt::format("{} failed: {}", name, reason.empty() ? fmt::format("exit code {}", result.code) : reason);
  }
  int started = 0;
  std::string_view changed;
  for (const std::string_view line : split(result.out, '\n')) {
    for (std::size_t at = 0; (at = line.find(mark, at)) != std::string_view::npos; at += mark.size()) {
      ++started;
      if (line != greeting && changed.empty()) changed = line;
    }
  }
  if (started != launch.processes) {
    const std::string said = excerpt(without_frames(result.err));
    return fmt::format("{} started echo {} times instead of {}{}{}", name, started, launch.processes, said.empty() ? "" : ": ",
                       said);
  }
  const auto shown = [](std::string_view line) {
    return fmt::format("'{} …' ({} bytes)", excerpt(line.substr(0, 40)), line.size());
  };
  if (!changed.empty() && lines == Lines::must_be_whole)
    return fmt::format("{} changes the lines that a program prints: {}; accepted: {}", name, shown(changed), shown(greeting));
  return "";
}

ProcessResult run_launched(const Launch& launch, const fs::path& program, const std::vector<std::string>& arguments,
                           double timeout_seconds, double memory_bytes) {
  Words words = launch.prefix;
  words.push_back(program.string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  Environment environment = launch.environment;
  if (!arguments.empty() && arguments.front() == "check") unbind(environment);
  const double grace_seconds = launch.prefix.empty() ? 0 : launcher_grace_seconds;
  return of_launcher(launch, run_process(words.front(), {words.begin() + 1, words.end()}, timeout_seconds, environment,
                                         memory_bytes, grace_seconds));
}

ProcessResult request_launched(Residents& residents, const Launch& launch, const fs::path& program,
                               const std::vector<std::string>& arguments, double timeout_seconds, double memory_bytes) {
  return of_launcher(
      launch, residents.of(program, launch.environment, launch.prefix).request(arguments, timeout_seconds, memory_bytes));
}

}  // namespace ladder
