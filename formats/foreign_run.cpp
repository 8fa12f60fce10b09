#include "formats/foreign_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <regex>

#include "base/error.hpp"
#include "base/process.hpp"
#include "harness/record/pattern.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

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

/// Reads the time of a run from its output. @throws BadResult if the output does not contain what the program should print, or
/// the value is not a time
void read_time(const ForeignProgram& program, std::int64_t steps, const std::string& printed, const char* time,
               ForeignTimes& times) {
  const auto require_positive = [](double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) throw BadResult(fmt::format("impossible {}: it prints {}", what, value));
  };
  if (!program.rate.empty()) {
    const auto rate = find_number_in(printed, program.rate);
    if (!rate) throw BadResult(fmt::format("it prints no rate as '{}'", program.rate));
    require_positive(*rate, "rate");
    times.source = "rate";
    times.seconds = static_cast<double>(program.cells()) * static_cast<double>(steps) / (*rate * 1e6);
  } else if (const auto own = find_number_in(printed, program.time.empty() ? time : program.time)) {
    require_positive(*own, "time");
    times.source = "program";
    times.seconds = *own;
  } else if (!program.time.empty()) {
    throw BadResult(fmt::format("it prints no time as '{}'", program.time));
  }
}

/// A word with its placeholders replaced; a value may contain the text of another one.
std::string filled(std::string_view word, const std::map<std::string, std::string>& values) {
  std::string text;
  while (!word.empty()) {
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const auto& value) { return word.starts_with(value.first); });
    text += found == values.end() ? std::string(1, word.front()) : found->second;
    word.remove_prefix(found == values.end() ? 1 : found->first.size());
  }
  return text;
}

}  // namespace

std::optional<double> find_number_in(const std::string& text, const std::string& pattern) try {
  constexpr std::size_t longest_line = 2000;  // the library's regular expressions use stack space for every character
  const std::regex expression = number_pattern(pattern);
  constexpr std::chrono::seconds most_time{10};
  const auto begin = std::chrono::steady_clock::now();
  std::optional<double> last;
  for (std::size_t at = 0; at < text.size();) {
    if (std::chrono::steady_clock::now() - begin > most_time)
      throw BadResult(fmt::format("searching its output for '{}' takes too long", pattern));
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

ForeignRun run_foreign(const ForeignProgram& program, std::int64_t steps, const fs::path& folder,
                       const std::map<std::string, std::string>& files, const char* time) {
  std::map<std::string, std::string> values = files;
  values["{out}"] = folder.string();
  values["{steps}"] = std::to_string(steps);
  values["{nx}"] = std::to_string(program.sides[0]);
  values["{ny}"] = std::to_string(program.sides[1]);
  values["{nz}"] = std::to_string(program.sides[2]);
  for (const fs::path need : program.needs)
    fs::copy_file(need, folder / need.filename());
  std::vector<std::string> words(program.command.begin() + 1, program.command.end());
  for (std::string& word : words)
    word = filled(word, values);
  const double cpu_before = cpu_seconds_of_children();
  const ProcessResult result = run_process(program.command.front(), words, program.timeout_seconds, {},
                                           static_cast<double>(program.memory_limit_bytes), 0, folder);
  ForeignRun run{outcome_of_foreign(result, program.timeout_seconds),
                 {.source = "wall", .seconds = result.seconds, .wall_seconds = result.seconds}};
  run.times.cpu_seconds = std::max(0.0, cpu_seconds_of_children() - cpu_before);
  if (run.outcome.name == "ok") try {
      read_time(program, steps, result.out + "\n" + result.err, time, run.times);
    } catch (const BadResult& e) {
      run.outcome = {"failed", excerpt(e.what())};
    }
  return run;
}

std::string why_impossible(const ForeignTimes& times, const std::optional<ForeignTimes>& start, int cores) {
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

}  // namespace ladder
