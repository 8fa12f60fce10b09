#include "harness/study/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/record/pattern.hpp"
#include "harness/record/placement.hpp"
#include "harness/study/formats.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

using Refuse = std::function<void(const char* key, const std::string& what)>;

void require_pattern(const char* key, const std::string& pattern, const Refuse& refuse) {
  const char* const accepted =
      "accepted: a regular expression with one group, at most one lookahead, and no back references, e.g. 'time: ([0-9.]+)'";
  if (pattern.empty()) return;
  constexpr std::size_t longest = 1000;  // the library's parser and matcher recurse
  if (pattern.size() > longest)
    refuse(key, fmt::format("a pattern of {} characters; accepted: at most {}", pattern.size(), longest));
  // Nested lookaheads take time that grows exponentially with the text.
  int lookaheads = 0;
  for (std::size_t at = 0; at < pattern.size(); at += pattern[at] == '\\' ? 2 : 1)
    if (pattern.compare(at, 3, "(?=") == 0 || pattern.compare(at, 3, "(?!") == 0) ++lookaheads;
  if (lookaheads > 1) refuse(key, fmt::format("'{}'; {}", pattern, accepted));
  try {
    if (number_pattern(pattern).mark_count() != 1) refuse(key, fmt::format("'{}'; {}", pattern, accepted));
  } catch (const std::regex_error& e) {
    refuse(key, fmt::format("'{}': {}; {}", pattern, e.what(), accepted));
  }
}

void require_command(const ContenderBlock& block, const Refuse& refuse) {
  const std::string& program = block.command.front();
  const std::regex braces(R"(\{[A-Za-z_]*\})");
  if (program.empty() || std::regex_match(program, braces))
    refuse("command", fmt::format("'{}' is no program; accepted first: a file, or a name on PATH", program));
  const std::string all = fmt::format("{}", fmt::join(block.command.begin() + 1, block.command.end(), " "));
  const std::vector<std::string>& needed = contender_format(block.format).placeholders;
  std::vector<std::string> accepted = needed;
  accepted.insert(accepted.end(), {"{out}", "{nx}", "{ny}", "{nz}", "{steps}"});
  for (std::sregex_iterator word(all.begin(), all.end(), braces), end; word != end; ++word)
    if (std::ranges::find(accepted, word->str()) == accepted.end())
      refuse("command", fmt::format("'{}'; accepted: {}", word->str(), fmt::join(accepted, ", ")));
  const auto is_there = [&](const std::string& name) { return all.find(name) != std::string::npos; };
  if (!std::ranges::all_of(needed, is_there))
    refuse("command", fmt::format("'{} {}'; accepted with format {}: a command with {}", program, all, block.format,
                                  fmt::join(needed, " and ")));
}

void require_files(const std::vector<std::string>& files, const ContenderFormat& format, const Refuse& refuse) {
  constexpr std::size_t longest = 255;  // the longest name on most file systems
  std::vector<std::filesystem::path> taken(format.inputs.begin(), format.inputs.end());
  for (const std::string& file : files) {
    const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
    const bool is_name = path.has_filename() && path != "." && !has_control_character(file) &&
                         std::ranges::all_of(path, [&](const auto& part) { return part.native().size() <= longest; });
    if (!is_name || path.is_absolute() || file.find("..") != std::string::npos)
      refuse("files", fmt::format("'{}'; accepted: a file in the folder that the program runs in", file));
    for (const std::filesystem::path& other : taken) {
      const auto [a, b] = std::mismatch(path.begin(), path.end(), other.begin(), other.end());
      if (a == path.end() || b == other.end())  // the same file, or one is the other's folder
        refuse("files", fmt::format("'{}' and '{}' clash; accepted: different files, read instead of {}", other.string(), file,
                                    fmt::join(format.results, " and ")));
    }
    taken.push_back(path);
  }
}

}  // namespace

std::vector<std::string> command_words(const std::string& text) {
  std::vector<std::string> words;
  char quote = 0;
  bool is_in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      is_in_word = false;
      continue;
    }
    if (!std::exchange(is_in_word, true)) words.emplace_back();
    const bool is_escape =
        c == '\\' && i + 1 < text.size() &&
        (quote == 0 || (quote == '"' && std::string_view("$`\"\\").find(text[i + 1]) != std::string_view::npos));
    if (is_escape)
      words.back() += text[++i];
    else if (quote == 0 ? c == '\'' || c == '"' : c == quote)
      quote = quote == 0 ? c : '\0';
    else
      words.back() += c;
  }
  if (quote != 0) throw InputError(fmt::format("'{}'; accepted: a command with matching quotes", text));
  return words;
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && word.find_first_of(" \t\n'\"\\") == std::string::npos;
    text += (text.empty() ? "" : " ") + (is_plain ? word : shell_quoted(word));
  }
  return text;
}

void require_launcher(const std::vector<std::string>& command) {
  const std::string all = fmt::format("{}", fmt::join(command, " "));
  const auto is_known = [&](std::size_t at) {
    return std::ranges::any_of(
        placement_fields, [&](const PlacementField& f) { return all.substr(at).starts_with(fmt::format("{{{}}}", f.name)); });
  };
  bool is_good = all.find("{processes}") != std::string::npos && !command.front().empty();
  for (std::size_t at = 0; (at = all.find('{', at)) != std::string::npos; ++at)
    is_good = is_good && is_known(at);
  if (!is_good)
    throw InputError(
        fmt::format("launcher '{}': accepted is a command with {{processes}} in it, "
                    "and also {{nodes}}, {{threads}} and {{devices}}, e.g. mpirun -n {{processes}}",
                    all));
}

void require_contender(const ContenderBlock& block, const Refuse& refuse) {
  const char* const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (block.name.empty() || block.name.size() > 80 || block.name.find_first_not_of(letters) != std::string::npos)
    refuse("name", fmt::format("'{}'; accepted: at most 80 letters, digits, '-', '_' and '.'", block.name));
  require_command(block, refuse);
  if (block.time != wall_time) require_pattern("time", block.time, refuse);
  if (!block.time_unit.empty() && std::ranges::find(time_units, block.time_unit) == time_units.end())
    refuse("time_unit", fmt::format("'{}'; accepted: {}", block.time_unit, fmt::join(time_units, ", ")));
  require_pattern("rate", block.rate, refuse);
  for (const std::string& text : block.placements)
    for (const Placement& placement : parse_placements(text))
      if (placement.nodes > 1 || placement.devices > 1)
        refuse("placements", fmt::format("'{}'; accepted: processes and threads on one node", text));
  if (!block.time.empty() && !block.rate.empty()) refuse("rate", "accepted: 'time' or 'rate', not both");
  if (!block.time_unit.empty() && !block.rate.empty())
    refuse("time_unit", fmt::format("'{}'; accepted only without 'rate'", block.time_unit));
  try {
    find_number(block.precision);
  } catch (const InputError& e) {
    refuse("precision", e.what());
  }
  if (!block.is_checked()) {
    if (block.steps == 0) refuse("format", "'none'; accepted with it: 'steps', the number of steps that the program makes");
    return;
  }
  const ContenderFormat& format = contender_format(block.format);
  if (block.model != format.model)
    refuse("model", fmt::format("'{}'; accepted with format {}: {}", block.model, format.name, format.model));
  if (block.files.size() != format.results.size())
    refuse("files", fmt::format("{} names; accepted: {}, read instead of {}", block.files.size(), format.results.size(),
                                fmt::join(format.results, " and ")));
  require_files(block.files, format, refuse);
  if (block.steps > 0 && block.check_steps > block.steps)
    refuse("check_steps", fmt::format("{}; accepted: at most the {} steps of a sample", block.check_steps, block.steps));
}

}  // namespace ladder
