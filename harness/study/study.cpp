#include "harness/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <regex>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "harness/record/placement.hpp"
#include "harness/study/commands.hpp"
#include "harness/study/formats.hpp"
#include "harness/study/parameters.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

/// TOML's largest integer.
constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();

void take_placements(const Parameters& table, std::vector<std::string>& placements) {
  table.take("placements", placements);
  for (const std::string& text : placements)
    table.accept("placements", [&] { parse_placements(text); });
}

void read(const Parameters& table, MatrixBlock& block) {
  table.require({"rungs", "cases"});
  table.take("rungs", block.rungs);
  table.take("builds", block.builds);
  table.take("cases", block.cases);
  table.take("precisions", block.precisions);
  table.take("set", block.set);
  table.take("check_steps", block.check_steps, 1, most_steps);
  table.take("check_start", block.check_start, {"seeded", "own"});
  table.take_integer("steps", block.steps, most_steps);
  table.take_integer("rounds", block.rounds, most_samples);
  take_placements(table, block.placements);
}

void read(const Parameters& table, CeilingsBlock& block) {
  table.require({"backend", "names", "bytes"});
  table.take("backend", block.backend);
  table.take("names", block.names);
  table.take("bytes", block.bytes, least_working_set, most_working_set);
  table.take("precisions", block.precisions);
  table.take("stores", block.stores);
  table.take_integer("rounds", block.rounds, most_samples);
  take_placements(table, block.placements);
}

void read(const Parameters& table, FieldBlock& block) {
  table.require({"rung", "case", "steps"});
  table.take("rung", block.rung);
  table.take("case", block.case_name);
  table.accept("case", [&] { require_case_name(block.case_name); });
  table.take_integer("steps", block.steps, most_steps);
  table.take_integer("frames", block.frames, most_points);
  table.take_integer("points", block.points, most_points);
  table.take("layers", block.layers);
  table.finish();
  if (block.layers && block.points == 0) table.refuse("layers", "without points; accepted is a number of points with it");
  if (block.steps % block.frames != 0)
    table.refuse("frames",
                 fmt::format("{} in {} steps; accepted is a number that divides the steps", block.frames, block.steps));
}

void read(const Parameters& table, SeriesBlock& block) {
  table.require({"rung", "cases"});
  table.take("rung", block.rung);
  table.take("cases", block.cases);
  table.accept("cases", [&] { std::ranges::for_each(block.cases, require_case_name); });
  table.take("precision", block.precision);
  table.accept("precision", [&] { find_number(block.precision); });
  table.take_integer("points", block.points, most_points);
  table.take("layers", block.layers);
  table.take("stability", block.stability);
  if (block.stability && block.layers) table.refuse("stability", "together with layers; accepted: one of the two");
}

void read(const Parameters& table, ContenderBlock& block) {
  table.require({"name", "command", "cases"});
  table.take("name", block.name);
  table.take("command", block.command);
  table.take("cases", block.cases);
  table.take("model", block.model);
  table.take("precision", block.precision);
  std::vector<std::string> formats;
  for (const ContenderFormat& format : contender_formats())
    formats.push_back(format.name);
  formats.emplace_back("none");
  table.take("format", block.format, formats);
  table.take("files", block.files);
  table.take("needs", block.needs);
  table.take("time", block.time);
  table.take("time_unit", block.time_unit, {time_units.begin(), time_units.end()});
  table.take("rate", block.rate);
  table.take("follows", block.follows);
  table.take("device", block.device);
  table.take_integer("steps", block.steps, most_steps);
  table.take_integer("check_steps", block.check_steps, most_steps);
  table.take_integer("rounds", block.rounds, most_samples);
  table.take("optional", block.is_optional);
  take_placements(table, block.placements);
  table.finish();
  require_contender(block, [&](const char* key, const std::string& what) { table.refuse(key, what); });
}

/// Refuses a case that has two outcomes for a rung and precision: reports show one. @throws FileError
void require_one_outcome(const std::filesystem::path& file, const std::vector<SeriesBlock>& blocks) {
  std::set<std::tuple<std::string, std::string, std::string>> tested;
  for (const SeriesBlock& block : blocks)
    for (const std::string& case_name : block.cases)
      if (block.stability && !tested.emplace(block.rung, block.precision, case_name).second)
        throw FileError(file, static_cast<std::size_t>(block.line),
                        fmt::format("stability: tests '{}' with {} in {} a second time; accepted: each case once per rung and "
                                    "precision",
                                    case_name, block.rung, block.precision));
}

std::vector<std::string> read_launcher(const Parameters& study) {
  std::vector<std::string> command;
  if (!study.has("launcher")) return command;
  const Parameters table = study.table("launcher");
  table.require({"command"});
  table.take("command", command);
  table.finish();
  table.accept("command", [&] { require_launcher(command); });
  return command;
}

template <class Block>
void read_blocks(const Parameters& study, const char* key, std::vector<Block>& blocks) {
  for (const Parameters& table : study.tables_if_any(key)) {
    Block& block = blocks.emplace_back();
    block.line = static_cast<int>(table.line());
    read(table, block);
    table.finish();
  }
}

Study study_of(const std::filesystem::path& file, const Parameters& table) {
  Study study;
  study.file = file;
  study.name = std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
  require_study_name(file, study.name);
  table.take_integer("seed", study.seed, any);
  table.take_integer("rounds", study.rounds, most_samples);
  table.take("sample_seconds", study.sample_seconds);
  bool energy = false;
  table.take("energy", energy);
  if (energy) study.sample_seconds = std::max(study.sample_seconds, energy_sample_seconds);
  table.take("timeout_seconds", study.timeout_seconds);
  table.take("budget_seconds", study.budget_seconds);
  table.take_integer("memory_limit_bytes", study.memory_limit_bytes, any);
  table.leave({"title", "citation", "question", "place", "source", "finding", "text", "paper", "report", "launcher", "matrix",
               "ceilings", "field", "series", "contender"});
  table.finish();
  study.launcher = read_launcher(table);
  read_blocks(table, "matrix", study.matrix);
  read_blocks(table, "ceilings", study.ceilings);
  read_blocks(table, "field", study.fields);
  read_blocks(table, "series", study.series);
  require_one_outcome(file, study.series);
  read_blocks(table, "contender", study.contenders);
  for (auto block = study.contenders.begin(); block != study.contenders.end(); ++block)
    if (std::any_of(study.contenders.begin(), block, [&](const ContenderBlock& b) { return b.name == block->name; }))
      throw InputError(fmt::format("{}:{}: name: a second contender '{}'; accepted: a name for each", file.string(),
                                   block->line, block->name));
  if (study.matrix.empty() && study.ceilings.empty() && study.fields.empty() && study.series.empty() &&
      study.contenders.empty())
    throw InputError(
        fmt::format("{}: nothing to run; accepted are blocks [[matrix]], [[contender]], [[ceilings]], [[field]] and [[series]]",
                    file.string()));
  return study;
}

}  // namespace

ContenderBlock::ContenderBlock() {
  const ContenderFormat& usual = contender_formats().front();
  command = {""};
  command.insert(command.end(), usual.placeholders.begin(), usual.placeholders.end());
  format = usual.name;
  files = usual.results;
  model = usual.model;
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
}

void require_case_name(const std::string& name) {
  static const std::regex zeros("(^|[^0-9.])0+([0-9])");
  if (std::regex_search(name, zeros))
    throw InputError(
        fmt::format("case '{}': numbers have no leading zeros; accepted: {}", name, std::regex_replace(name, zeros, "$1$2")));
}

void require_study_name(const std::filesystem::path& file, const std::string& name) {
  if (!is_utf8(name))
    throw InputError(
        fmt::format("{}: accepted is a folder with a name in UTF-8, because files contain the name", file.string()));
  if (has_control_character(name))
    throw InputError(fmt::format("{}: accepted is a folder whose name has no control characters", one_line(file.string())));
  if (name == "all" || name == "index.html")  // report/all and report/index.html are about several studies
    throw InputError(fmt::format("{}: accepted is a folder with another name than 'all' and 'index.html'", file.string()));
}

Study read_study(const std::filesystem::path& file) { return parse_study(file, read_whole(file)); }

Study parse_study(const std::filesystem::path& file, std::string_view text) {
  return study_of(file, parse_parameters(file, text));
}

void take_part(Study& study, const std::vector<std::string>& rungs, const std::vector<std::string>& cases,
               const std::vector<std::string>& placements) {
  /// Applies globs and records the names that occurred.
  struct Choice {
    const std::vector<std::string>& globs;
    std::set<std::string> names = {};

    bool leaves_out(const std::string& name) {
      names.insert(name);
      return !matches_any(globs, name);
    }
    void require_all(const std::string& study, const char* what) const {
      for (const std::string& glob : globs)
        if (std::ranges::none_of(names, [&](const std::string& name) { return matches_any({glob}, name); }))
          throw InputError(fmt::format("no {} of the study {} matches '{}'{}; accepted: {}", what, study, glob,
                                       suggestion(glob, {names.begin(), names.end()}), fmt::join(names, ", ")));
    }
  };
  study.is_part = !rungs.empty() || !cases.empty() || !placements.empty();
  study.only_rungs = rungs;  // for the matrix, whose blocks contain globs
  Choice of_cases{cases}, of_placements{placements};
  const auto restrict_cases = [&](auto& blocks) {
    for (auto& block : blocks)
      std::erase_if(block.cases, [&](const std::string& name) { return of_cases.leaves_out(name); });
    std::erase_if(blocks, [](const auto& block) { return block.cases.empty(); });
  };
  restrict_cases(study.matrix);
  restrict_cases(study.contenders);
  // The cases of a block with `stability` share a file, so they are kept or left out together.
  std::erase_if(study.series, [&](const SeriesBlock& block) {
    return block.stability &&
           std::ranges::count_if(block.cases, [&](const std::string& name) { return of_cases.leaves_out(name); }) > 0;
  });
  restrict_cases(study.series);
  std::erase_if(study.fields, [&](const FieldBlock& block) { return of_cases.leaves_out(block.case_name); });
  const auto restrict_placements = [&](auto& blocks) {
    for (auto& block : blocks)
      std::erase_if(block.placements, [&](const std::string& text) { return !text.empty() && of_placements.leaves_out(text); });
    std::erase_if(blocks, [](const auto& block) { return block.placements.empty(); });
  };
  restrict_placements(study.matrix);
  restrict_placements(study.contenders);
  const auto is_of_another = [&](const auto& block) { return !matches_any(rungs, block.rung); };
  std::erase_if(study.fields, is_of_another);
  std::erase_if(study.series, is_of_another);
  std::erase_if(study.contenders, [&](const ContenderBlock& block) { return !matches_any(rungs, block.id()); });
  of_cases.require_all(study.name, "case");
  of_placements.require_all(study.name, "placement");
}

std::filesystem::path find_study(const std::filesystem::path& experiments, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;  // a name may be too long for a file name
  for (const fs::path& candidate : {fs::path(name), fs::path(name) / "study.toml", experiments / name / "study.toml"}) {
    if (!fs::is_regular_file(candidate, error)) continue;
    if (candidate == name && !name.ends_with(".toml") && fs::is_regular_file(experiments / name / "study.toml", error))
      continue;
    const fs::path file = fs::absolute(candidate).lexically_normal();
    if (file.filename() != "study.toml")
      throw InputError(
          fmt::format("{}: is not a study; accepted: a file named study.toml, because reports find it by this name, "
                      "or its folder",
                      file.string()));
    return file;
  }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(experiments, error))
    if (fs::is_regular_file(entry.path() / "study.toml", error)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  if (names.empty())
    throw InputError(fmt::format("no study '{}', and none in {} (LADDER_ROOT, --experiments); accepted: a study.toml", name,
                                 experiments.string()));
  throw InputError(fmt::format("no study '{}'{}; accepted: a study.toml, or one of: {}", name, suggestion(name, names),
                               fmt::join(names, ", ")));
}

}  // namespace ladder
