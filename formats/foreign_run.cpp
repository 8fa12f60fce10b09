#include "formats/foreign_run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
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

using Phrases = std::vector<std::string>;
/// In the first line of each paragraph that Open MPI prints after a process has ended
const Phrases notices_of_end = {"Primary job", "MPI_ABORT", " detected that", " noticed that", " has exited due to"};
/// In the first line of most of Open MPI's paragraphs
const Phrases words_of_launcher = {"Primary job", "MPI_ABORT", "mpirun", "mpiexec", "orterun", "prterun", "Open MPI"};

/// The error output of launched processes, without lines of dashes, without the launcher's paragraphs between such lines whose
/// first line has one of `phrases`, and without repeated lines, because every process may print the same text.
std::string without_launcher(const std::string& text, const Phrases& phrases) {
  const auto is_of_launcher = [&](const std::string& line) {
    return std::ranges::any_of(phrases, [&](const std::string& phrase) { return line.find(phrase) != line.npos; });
  };
  std::istringstream lines(text);
  std::string rest, last;
  bool was_frame = false, is_enclosed = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_frame = line.starts_with("-----") && line.find_first_not_of('-') == std::string::npos;
    is_enclosed = !is_frame && (is_enclosed || (was_frame && is_of_launcher(line)));
    was_frame = is_frame;
    if (is_frame || is_enclosed || line == last) continue;
    rest += line + '\n';
    last = line;
  }
  return rest;
}

/// Whether programs end with this signal because of an error, or because the system lacks memory.
bool is_fault(int signal) {
  constexpr std::array faults = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL};
  return std::ranges::find(faults, signal) != faults.end();
}

/// Addition to an error if a script's interpreter does not exist, e.g. `; its interpreter '/bin/sh\r' does not exist`;
/// otherwise empty. The system's own error does not name the interpreter.
std::string missing_interpreter(const fs::path& script) {
  std::array<char, 256> line{};
  std::ifstream(script, std::ios::binary).getline(line.data(), line.size());
  const std::string_view text = line.data();
  const std::size_t begin = text.starts_with("#!") ? text.find_first_not_of(" \t", 2) : std::string_view::npos;
  if (begin == std::string_view::npos) return "";
  const std::string interpreter(text.substr(begin, text.find_first_of(" \t", begin) - begin));
  std::error_code none;
  return fs::exists(interpreter, none)
             ? ""
             : fmt::format("; its interpreter '{}' does not exist", replace_all(interpreter, "\r", "\\r"));
}

/// The outcome of an unknown program, whose exit codes other than 0 have no known meaning.
Outcome outcome_of_foreign(ProcessResult result, double timeout, bool is_launched) {
  constexpr int signal_offset = 128;  // a launcher exits with this plus the signal that ended a process
  if (is_launched && result.end == ProcessResult::End::exited && is_fault(result.code - signal_offset)) {
    result.end = ProcessResult::End::signalled;
    result.code -= signal_offset;
  }
  if (is_launched) {
    const std::string own = without_launcher(result.err, words_of_launcher);
    // If the program says nothing, the launcher may say why it did not start.
    result.err = own.empty() && result.out.empty() ? without_launcher(result.err, notices_of_end) : own;
  }
  if (result.end != ProcessResult::End::exited || result.code == exit_ok) return outcome_of(result, timeout);
  const std::string said = excerpt(result.err.empty() ? result.out : result.err);
  return {"failed", fmt::format("exit code {}{}{}", result.code, said.empty() ? "" : ": ", said)};
}

/// The lines of `text` that contain `word`, which is faster to find than a pattern.
std::string lines_with(const std::string& text, std::string_view word) {
  std::string lines;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    const std::size_t before = text.find_last_of("\n\r", at);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    at = std::min(text.find_first_of("\n\r", at), text.size());
    lines += text.substr(first, at - first) + '\n';
  }
  return lines;
}

/// If several processes print a time, the longest counts, whatever the order of their lines.
Which which_time(const ForeignProgram& program) { return program.launcher.empty() ? Which::last : Which::largest; }

/// Reads the time of a run from its output. If it is missing or 0, the wall time counts. @throws BadResult if the output
/// does not contain what the program should print, or the value is not a time
void read_time(const ForeignProgram& program, std::int64_t steps, const std::string& printed, const std::string& time,
               ForeignTimes& times) {
  const auto require_positive = [](double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) throw BadResult(fmt::format("impossible {}: it prints {}", what, value));
  };
  if (program.time == wall_time) return;
  if (!program.rate.empty()) {
    const auto rate = find_number_in(printed, program.rate);
    if (!rate)
      throw BadResult(fmt::format("it prints no rate that matches '{}' and is a plain number such as 12.5", program.rate));
    require_positive(*rate, "rate");
    times.source = "rate";
    times.seconds = static_cast<double>(program.cells()) * static_cast<double>(steps) / (*rate * 1e6);
  } else if (const auto own = program.time.empty()
                                  ? find_time_in(lines_with(printed, "lapsed"), time, program.time_unit, which_time(program))
                                  : find_time_in(printed, program.time, program.time_unit, which_time(program))) {
    if (*own == 0) return;  // its clock is too coarse
    require_positive(*own, "time");
    times.source = "program";
    times.seconds = *own;
  } else if (!program.time.empty()) {
    throw BadResult(fmt::format("it prints no time of the run that matches '{}'", program.time));
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

/// The value that `read(match)` returns for the last line of `text` that has one or, with Which::largest, the largest over all
/// lines. @throws BadResult if the search takes too long
template <class Read>
std::optional<double> find_in(const std::string& text, const std::string& pattern, Which which, Read read) try {
  constexpr std::size_t longest_line = 2000;  // the library's regular expressions use stack space for every character
  const std::regex expression = number_pattern(pattern);
  constexpr std::chrono::seconds most_time{10};
  const auto begin = std::chrono::steady_clock::now();
  std::optional<double> found;
  for (std::size_t end = text.size(), at = 0;; end = at - 1) {
    if (std::chrono::steady_clock::now() - begin > most_time) {
      if (found) return found;
      throw BadResult(fmt::format("searching its output for '{}' takes too long", pattern));
    }
    const std::size_t line_break = end == 0 ? std::string::npos : text.find_last_of("\n\r", end - 1);
    at = line_break == std::string::npos ? 0 : line_break + 1;
    // The end and the beginning of a long line.
    for (const std::size_t from : {end - std::min(end - at, longest_line), at}) {
      const std::string line = text.substr(from, std::min(end - from, longest_line));
      std::smatch match;
      const auto flags = from == at ? std::regex_constants::match_default : std::regex_constants::match_not_bol;
      if (std::regex_search(line, match, expression, flags))
        if (const std::optional<double> value = read(match)) {
          if (which == Which::last) return value;
          found = std::max(found.value_or(*value), *value);
        }
      if (from == at) break;
    }
    if (at == 0) return found;
  }
} catch (const std::regex_error&) {  // the search takes too long or too much memory
  return std::nullopt;
}

/// Whether a character may be part of a unit, such as the bytes of "µs".
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }

/// Takes a number from the front of a text, in any locale: `,` is a decimal comma unless several groups of digits, or a `.`,
/// follow.
std::optional<double> take_number(std::string_view& text) {
  std::size_t size = std::min(text.find_first_not_of("0123456789.,"), text.size());
  while (size > 0 && (text[size - 1] == ',' || (text[size - 1] == '.' && size == 1)))
    --size;  // punctuation
  std::string digits(text.substr(0, size));
  const std::size_t separator = digits.find_last_of(".,");
  if (separator == std::string::npos ? digits.empty() : digits.size() == 1) return std::nullopt;
  const auto is_once = [&](char c) { return std::ranges::count(digits, c) == 1; };
  if (separator != std::string::npos) {
    const char decimal = digits[separator];
    const bool has_both = digits.find(decimal == '.' ? ',' : '.') != std::string::npos;
    if (!is_once(decimal)) {
      const bool are_groups = std::regex_match(digits, std::regex(R"(\d{1,3}(,\d{3})+)"));
      if (decimal == '.' || has_both || !are_groups) return std::nullopt;  // e.g. a version
      std::erase(digits, ',');
    } else {
      digits[separator] = ';';
      std::erase_if(digits, [](char c) { return c == '.' || c == ','; });
      std::ranges::replace(digits, ';', '.');
    }
  }
  std::size_t end = size;
  if (end < text.size() && std::string_view("eEdD").find(text[end]) != std::string_view::npos) {  // D in Fortran
    std::size_t exponent = end + 1;
    const bool has_sign = exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-');
    if (has_sign) ++exponent;
    const std::size_t past = std::min(text.find_first_not_of("0123456789", exponent), text.size());
    const bool are_days = (text[end] == 'd' || text[end] == 'D') && !has_sign && past < text.size() && is_letter(text[past]);
    if (past > exponent && !are_days) {
      digits += fmt::format("e{}", text.substr(end + 1, past - end - 1));
      end = past;
    }
  }
  double value = 0;
  std::erase(digits, '+');
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  text.remove_prefix(end);
  return value;
}

constexpr std::pair<std::string_view, double> units[] = {{"ks", 1e3},
                                                         {"S", 1},
                                                         {"s", 1},
                                                         {"sec", 1},
                                                         {"secs", 1},
                                                         {"second", 1},
                                                         {"seconds", 1},
                                                         {"ms", 1e-3},
                                                         {"msec", 1e-3},
                                                         {"msecs", 1e-3},
                                                         {"millisecond", 1e-3},
                                                         {"milliseconds", 1e-3},
                                                         {"us", 1e-6},
                                                         {"\u00b5s", 1e-6},
                                                         {"\u03bcs", 1e-6},
                                                         {"usec", 1e-6},
                                                         {"microsecond", 1e-6},
                                                         {"microseconds", 1e-6},
                                                         {"ns", 1e-9},
                                                         {"nsec", 1e-9},
                                                         {"nanosecond", 1e-9},
                                                         {"nanoseconds", 1e-9},
                                                         {"ps", 1e-12},
                                                         {"m", 60},
                                                         {"min", 60},
                                                         {"mins", 60},
                                                         {"minute", 60},
                                                         {"minutes", 60},
                                                         {"h", 3600},
                                                         {"hour", 3600},
                                                         {"hours", 3600},
                                                         {"d", 86400},
                                                         {"day", 86400},
                                                         {"days", 86400}};

/// `text` without leading blanks, opening brackets and "in ".
std::string_view from_word(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t(["), text.size()));
  if (text.starts_with("in ")) text.remove_prefix(3);
  return text;
}

std::size_t letters_in_front(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
}

/// Takes a unit, which may be in brackets, from the front of a text; 0 if there is none. "(min of 3)" has none, and neither has
/// "(min 0.24, max 0.27)".
double take_unit(std::string_view& text) {
  const std::string_view rest = from_word(text);
  const std::size_t size = letters_in_front(rest);
  std::string word(rest.substr(0, size));
  if (word.size() > 2) std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto* const found = std::ranges::find(units, std::string_view(word), &std::pair<std::string_view, double>::first);
  const bool is_in_brackets = rest.data() != text.data() && (rest.data()[-1] == '(' || rest.data()[-1] == '[');
  const std::string_view after = rest.substr(size);
  if (found == std::end(units)) return 0;
  if (is_in_brackets && (after.starts_with(" of ") || (found->second >= 60 && after.starts_with(' ')))) return 0;
  text = after;
  return found->second;
}

/// Whether `text`, which follows a number or is a label, begins with what looks like an unknown unit: "0.25 centiseconds", "0.2
/// MS", "0.2 of 0.3 s".
bool has_unknown_unit(std::string_view text) {
  if (take_unit(text) > 0) return false;
  const std::string_view word = from_word(text);
  static const std::regex unit(
      "(?:(?!(?:is|as|was|has|its)(?![a-z]))(?:[a-z]|.{0,2}s)|[a-z]*second[a-z]*|.{0,2}secs?|cycles?|ticks?|clocks?|jiffies|"
      "of(?= +[0-9]))(?![a-z0-9_])",
      std::regex::icase);
  return std::regex_search(word.begin(), word.end(), unit, std::regex_constants::match_continuous);
}

/// Whether what follows a number, or a label in brackets, makes it a time per something: "us/step", "ms (per step)", "s each".
bool is_rate(std::string_view text) {
  const auto skip = [&](const char* characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  };
  skip(" \t");
  bool is_in_brackets = text.starts_with('(') || text.starts_with('[');
  skip("([");
  if (text.starts_with("in ")) text.remove_prefix(3);
  const std::size_t size = letters_in_front(text);
  std::string_view unit = text.substr(0, size);
  text.remove_prefix(size);
  skip(" \t");
  if (text.starts_with('/') && (unit.empty() || take_unit(unit) > 0)) return true;
  if (!is_in_brackets && (text.starts_with('(') || text.starts_with('['))) {
    is_in_brackets = true;
    skip("([");
  }
  const std::string_view described = text.substr(0, text.find_first_of(is_in_brackets ? ")]0123456789" : ",;([0123456789"));
  const std::string words = fmt::format("{} {}", unit, described);
  static const std::regex per(R"((^|[^a-z])(per|each|a[ \t]+step)([^a-z]|$)|@[ \t]*(step|iter)|\^-)", std::regex::icase);
  return std::regex_search(words, per) || words.find("\u207b") != std::string::npos;  // superscript minus
}

/// Whether `text`, which follows `number`, may continue its digits: "'234 ms" and " 234 ms" may, " 20 steps" does not. After a
/// blank, only thousands do.
bool has_more_digits(std::string_view number, std::string_view text) {
  static const std::regex more("(?:['_]|\u2007|\u2009|\u2019|\u202f|\u00a0)\\d"), thousands(" \\d{3}(?!\\d)");
  const auto follows = [&](const std::regex& digits) {
    return std::regex_search(text.begin(), text.end(), digits, std::regex_constants::match_continuous);
  };
  const bool is_short = number.size() <= 3 && number.find_first_not_of("0123456789") == std::string_view::npos;
  return follows(more) || (is_short && follows(thousands));
}

/// Whether a comma may separate thousands as well as decimals: "30,696", but not "0,696" or "30,6".
bool is_ambiguous(const std::string& number) {
  static const std::regex either(R"([1-9]\d{0,2},\d{3})");
  return std::regex_match(number, either);
}

}  // namespace

std::optional<double> find_number_in(const std::string& text, const std::string& pattern) {
  return find_in(text, pattern, Which::last, [](const std::smatch& match) -> std::optional<double> {
    const std::string number = match[1];
    double value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || stop != number.data() + number.size()) return std::nullopt;
    return value;
  });
}

std::optional<double> parse_printed_time(std::string_view text, std::string_view unit) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view from_number = text;
  auto value = take_number(text);
  if (!value || has_more_digits(from_number.substr(0, from_number.size() - text.size()), text)) return std::nullopt;
  // Times in units below a second are often whole numbers, so the comma in "30,696 us" may separate thousands.
  const bool is_unclear = is_ambiguous(std::string(from_number.substr(0, from_number.size() - text.size())));
  const double sign = is_negative ? -1 : 1;
  if (is_rate(text) || is_rate(unit)) return std::nullopt;
  if (!unit.empty()) {
    const double factor = take_unit(unit);
    return is_unclear && factor < 1 ? std::nullopt : std::optional(sign * *value * factor);
  }
  if (text.starts_with(':')) {  // [hours:]minutes:seconds
    while (value && text.starts_with(':')) {
      text.remove_prefix(1);
      const auto next = take_number(text);
      value = next ? std::optional(60 * *value + *next) : std::nullopt;
    }
    return value ? std::optional(sign * *value) : std::nullopt;
  }
  if (has_unknown_unit(text)) return std::nullopt;
  double factor = take_unit(text);
  if (is_unclear && factor > 0 && factor < 1) return std::nullopt;
  double seconds = *value * (factor > 0 ? factor : 1);
  while (factor > 0) {  // smaller units may follow
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::string_view from_next = text;
    const auto next = take_number(text);
    if (next && has_more_digits(from_next.substr(0, from_next.size() - text.size()), text)) return std::nullopt;
    const bool is_another = next && is_rate(text);
    const double smaller = next && !is_another ? take_unit(text) : 0;
    if (smaller <= 0 || smaller >= factor) break;
    seconds += *next * smaller;
    factor = smaller;
  }
  return sign * seconds;
}

std::string elapsed_pattern(std::string_view what) {
  // A launcher may label lines: "[1,0]<stdout>:", "[0] ", "0: ".
  return fmt::format(R"(^(?:\[[^\]]*\]\S*|\d+:)?[ \t]*[Ee]lapsed {}time\s*(?:[(\[][^)\]]*[)\]]\s*)?[:=]\s*([0-9.,:eE+-]+))",
                     what);
}

std::optional<double> find_time_in(const std::string& text, const std::string& pattern, std::string_view unit, Which which) {
  return find_in(text, pattern, which, [&](const std::smatch& match) -> std::optional<double> {
    if (!match[1].matched) return std::nullopt;
    // A unit or an exponent may follow the group, but no more of the number.
    const bool goes_on = match[1].second != match.suffix().second &&
                         std::string_view("0123456789.,:").find(*match[1].second) != std::string_view::npos;
    const std::string group = match[1];
    const bool is_cut = goes_on && group.find_first_of(".,") == std::string::npos &&
                        match[1].second + 1 != match.suffix().second &&
                        std::isdigit(static_cast<unsigned char>(*(match[1].second + 1))) != 0;
    if (is_cut) return std::nullopt;  // "1" of "1,5"
    const std::string from_time(match[1].first, goes_on ? match[1].second : match.suffix().second);
    // "Elapsed time (ms): 512"
    const std::string before(match[0].first, match[1].first);
    std::string_view label = before;
    label.remove_prefix(std::min(label.find_first_of("(["), label.size()));
    if (is_rate(label)) return std::nullopt;
    if (!unit.empty()) return parse_printed_time(from_time, unit);
    std::string_view in_label = label, after_number = from_time;
    const double of_label = take_unit(in_label);
    if (of_label <= 0) return has_unknown_unit(label) ? std::nullopt : parse_printed_time(from_time, "");
    if (after_number.starts_with('-') || after_number.starts_with('+')) after_number.remove_prefix(1);
    (void)take_number(after_number);
    if (has_unknown_unit(after_number)) return std::nullopt;
    const double own = take_unit(after_number);
    return own > 0 && own != of_label ? std::nullopt : parse_printed_time(from_time, label);
  });
}

/// Sum of the printed times of initialization, computation and collation; NaN if one is missing.
static double total_time(const std::string& printed, std::string_view unit, Which which) {
  const std::string lines = lines_with(printed, "lapsed");
  double seconds = 0;
  for (const char* part : {"[Ii]nit ", "[Cc]ompute ", "[Cc]ollate "}) {
    const auto own = find_time_in(lines, elapsed_pattern(part), unit, which);
    if (!own || !(*own >= 0)) return Conditions::unknown;
    seconds += *own;
  }
  return seconds;
}

ForeignRun run_foreign(const ForeignProgram& program, std::int64_t steps, const fs::path& folder,
                       const std::map<std::string, std::string>& files, const std::string& time) {
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
  words.insert(words.begin(), program.command.front());
  words.insert(words.begin(), program.launcher.begin(), program.launcher.end());
  const bool is_launched = !program.launcher.empty();
  const double cpu_before = cpu_seconds_of_children();
  const Watch watch("");
  const ProcessResult result =
      run_process(words.front(), {words.begin() + 1, words.end()}, program.timeout_seconds, {},
                  static_cast<double>(program.memory_limit_bytes), is_launched ? launcher_grace_seconds : 0, folder);
  ForeignRun run{outcome_of_foreign(result, program.timeout_seconds, is_launched),
                 {.source = "wall", .seconds = result.seconds, .wall_seconds = result.seconds, .is_launched = is_launched}};
  constexpr int not_started = 127;
  if (result.end == ProcessResult::End::exited && result.code == not_started && !is_launched)
    run.outcome.reason += missing_interpreter(words.front());
  run.conditions = watch.stop();
  run.times.cpu_seconds = std::max(0.0, cpu_seconds_of_children() - cpu_before);
  // Slurm's daemon starts the processes, not srun.
  if (is_launched && fs::path(words.front()).filename() == "srun") run.times.cpu_seconds = Conditions::unknown;
  // To this process, the program is one of the others. An unknown load stays unknown.
  run.conditions.other_load = std::max(run.conditions.other_load - run.times.cpu_seconds / result.seconds, 0.0);
  run.conditions.pages.clear();
  run.conditions.involuntary_switches = run.conditions.working_threads = Conditions::unknown;
  if (run.outcome.name == "timeout" && run.conditions.other_load > most_other_load)
    run.outcome.reason += fmt::format("; meanwhile, other processes kept {:.1f} processors busy", run.conditions.other_load);
  if (run.outcome.name == "ok") try {
      const std::string printed = result.out + "\n" + result.err;
      read_time(program, steps, printed, time, run.times);
      if (program.time.empty() && program.rate.empty())
        run.times.total_seconds = total_time(printed, program.time_unit, which_time(program));
      if (run.times.total_seconds > 1.01 * result.seconds + 0.01) run.times.total_seconds = Conditions::unknown;
    } catch (const BadResult& e) {
      run.outcome = {"failed", excerpt(e.what())};
    }
  return run;
}

bool is_longer(const ForeignTimes& start, const ForeignTimes& times) {
  return start.wall_seconds > 1.25 * times.wall_seconds + 0.1;
}

std::string why_impossible(const ForeignTimes& times, const std::optional<ForeignTimes>& start, int cores) {
  if (times.source == "wall") return "";
  const double own = times.seconds;
  if (own > 1.01 * times.wall_seconds + 0.01) {  // two different clocks
    std::string hint;
    for (const auto& [unit, factor] : {std::pair{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}})
      if (const double read = own * factor;
          hint.empty() && times.source == "program" && read < times.wall_seconds && read > 0.1 * times.wall_seconds)
        hint = fmt::format("; as {0}, {1:.3g} s would be possible (--time-unit {0})", unit, read);
    return fmt::format("impossible time: {:.3g} s by its own account, but it ran for {:.3g} s{}", own, times.wall_seconds,
                       hint);
  }
  if (!start) return "";
  if (is_longer(*start, times))
    return fmt::format("impossible time: two steps take {:.3g} s, but the whole run takes {:.3g} s", start->wall_seconds,
                       times.wall_seconds);
  // On a busy machine, startup and file I/O may take longer than in the run of a few steps.
  const double wall = times.wall_seconds - start->wall_seconds;
  const double cpu = times.cpu_seconds - start->cpu_seconds;
  if (own < 0.25 * wall - 0.1)
    return fmt::format("impossible time: {:.3g} s by its own account, but it ran {:.3g} s longer than for two steps", own,
                       wall);
  // The startup of a launcher and MPI takes a varying amount of processor time.
  const double slack = 0.05 + (times.is_launched ? 0.5 * start->cpu_seconds : 0);
  if (cpu > 4 * own * cores + slack)
    return fmt::format(
        "impossible time: {:.3g} s by its own account, but it used {:.3g} s of processor time more than for two steps", own,
        cpu);
  return "";
}

std::string why_too_fast(const ForeignTimes& times, double populations, int cores, bool has_gpu) {
  // Relaxing a population takes at least three operations. No processor or GPU exceeds these limits: two fused multiply-adds of
  // 16 values per core and cycle at 6.5 GHz, and 2e15 operations per second for all GPUs together.
  constexpr double per_core = 64 * 6.5e9 / 3, gpus = 2e15 / 3;
  const double most = per_core * cores + (has_gpu ? gpus : 0);
  const double rate = populations / times.seconds;
  if (rate > most)
    return fmt::format("impossible time: {:.3g} s is {:.3g} populations per second; {} cannot exceed {:.3g}", times.seconds,
                       rate, has_gpu ? "its cores and GPUs" : fmt::format("{} cores", cores), most);
  // The processor time may have no finer resolution than a tick of the kernel's clock.
  if (!has_gpu && populations > per_core * (times.cpu_seconds + 0.02))
    return fmt::format(
        "impossible time: {:.3g} populations in {:.3g} s of processor time; a core cannot exceed {:.3g} per second",
        populations, times.cpu_seconds, per_core);
  return "";
}

bool has_gpu() {
  return std::ranges::any_of(std::array{"/dev/nvidiactl", "/dev/kfd", "/dev/dri/renderD128"}, [](const char* path) {
    std::error_code none;
    return fs::exists(path, none);
  });
}

}  // namespace ladder
