#include "harness/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "harness/record/placement.hpp"
#include "harness/study/commands.hpp"
#include "harness/study/toml.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

/// The largest integer of TOML.
constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();

/// A TOML table whose keys are taken one by one; keys left over at the end are an error.
class Table {
 public:
  Table(const std::filesystem::path& file, const toml::table& table, std::string name)
      : file_(file), table_(table), name_(std::move(name)) {}

  [[nodiscard]] int line() const { return static_cast<int>(table_.source().begin.line); }

  [[noreturn]] void fail(const toml::node& at, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), at.source().begin.line, what));
  }

  /// Refuses the value of a key, or the lack of it.
  [[noreturn]] void refuse(const char* key, const std::string& what) const {
    const toml::node* const node = table_.get(key);
    fail(node == nullptr ? static_cast<const toml::node&>(table_) : *node, fmt::format("{}: {}", key, what));
  }

  /// Calls `check` on the value of a key, if there is one; its exceptions name the value's line.
  template <class Check>
  void accept(const char* key, Check check) const {
    try {
      check();
    } catch (const InputError& e) {
      refuse(key, e.what());
    }
  }

  void require(const char* key) const {
    if (!table_.contains(key)) fail(table_, fmt::format("{} has no '{}'", name_, key));
  }

  void take(const char* key, std::string& out) {
    if (const auto* node = find(key)) out = text(key, *node);
  }

  void take(const char* key, std::string& out, const std::vector<std::string>& accepted) {
    take(key, out);
    if (table_.contains(key) && std::find(accepted.begin(), accepted.end(), out) == accepted.end())
      fail(*table_.get(key), fmt::format("{}: '{}'; accepted: {}", key, out, fmt::join(accepted, ", ")));
  }

  void take(const char* key, bool& out) {
    const auto* node = find(key);
    if (node == nullptr) return;
    if (!node->is_boolean()) fail(*node, fmt::format("{}: accepted is true or false", key));
    out = **node->as_boolean();
  }

  void take(const char* key, double& out) {
    const auto* node = find(key);
    if (node == nullptr) return;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !(*value > 0) || *value > most_seconds)
      fail(*node, fmt::format("{}: accepted is a number above 0, at most {}", key, most_seconds));
    out = *value;
  }

  template <class Integer>
  void take_integer(const char* key, Integer& out, std::int64_t most) {
    if (const auto* node = find(key)) out = static_cast<Integer>(integer(key, *node, 1, most));
  }

  void take(const char* key, std::vector<std::string>& out) {
    if (const auto* node = find(key)) out = list<std::string>(key, *node, [&](const toml::node& n) { return text(key, n); });
  }

  void take(const char* key, std::vector<std::int64_t>& out, std::int64_t least, std::int64_t most) {
    if (const auto* node = find(key))
      out = list<std::int64_t>(key, *node, [&](const toml::node& n) { return integer(key, n, least, most); });
  }

  void take(const char* key, std::map<std::string, std::vector<std::int64_t>>& out) {
    const auto* node = find(key);
    if (node == nullptr) return;
    if (!node->is_table()) fail(*node, fmt::format("{}: accepted is a table such as {{ wx = [8, 16] }}", key));
    for (const auto& [name, values] : *node->as_table()) {
      const std::string tunable(name.str());
      out[tunable] = list<std::int64_t>(tunable, values, [&](const toml::node& n) { return integer(tunable, n, 0, any); });
    }
  }

  /// Keys that other code reads.
  void leave(std::initializer_list<const char*> keys) { known_.insert(known_.end(), keys.begin(), keys.end()); }

  void finish() const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        fail(node, fmt::format("unknown key '{}' in {}{}", name, name_, suggestion(name, known_)));
    }
  }

 private:
  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }

  [[nodiscard]] std::string text(const char* key, const toml::node& node) const {
    if (!node.is_string()) fail(node, fmt::format("{}: accepted is text in quotes", key));
    return *node.value<std::string>();
  }

  [[nodiscard]] std::int64_t integer(std::string_view key, const toml::node& node, std::int64_t least,
                                     std::int64_t most) const {
    const auto value = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
    if (!value || *value < least || *value > most)
      fail(node,
           fmt::format("{}: accepted is an integer from {}{}", key, least, most == any ? "" : fmt::format(" to {}", most)));
    return *value;
  }

  template <class T, class Read>
  std::vector<T> list(std::string_view key, const toml::node& node, Read read) const {
    if (!node.is_array() || node.as_array()->empty())
      fail(node, fmt::format("{}: accepted is a list [ … ] that is not empty", key));
    std::vector<T> out;
    for (const auto& element : *node.as_array())
      out.push_back(read(element));
    return out;
  }

  const std::filesystem::path& file_;
  const toml::table& table_;
  std::string name_;
  std::vector<std::string> known_;
};

void take_placements(Table& table, std::vector<std::string>& placements) {
  table.take("placements", placements);
  for (const std::string& text : placements)
    table.accept("placements", [&] { parse_placements(text); });
}

MatrixBlock read_matrix(Table table) {
  MatrixBlock block;
  block.line = table.line();
  table.require("rungs");
  table.require("cases");
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
  table.finish();
  return block;
}

CeilingsBlock read_ceilings(Table table) {
  CeilingsBlock block;
  block.line = table.line();
  for (const char* key : {"backend", "names", "bytes"})
    table.require(key);
  table.take("backend", block.backend);
  table.take("names", block.names);
  table.take("bytes", block.bytes, least_working_set, most_working_set);
  table.take("precisions", block.precisions);
  table.take("stores", block.stores);
  table.take_integer("rounds", block.rounds, most_samples);
  take_placements(table, block.placements);
  table.finish();
  return block;
}

FieldBlock read_field(Table table) {
  FieldBlock block;
  block.line = table.line();
  for (const char* key : {"rung", "case", "steps"})
    table.require(key);
  table.take("rung", block.rung);
  table.take("case", block.case_name);
  table.take_integer("steps", block.steps, most_steps);
  table.take_integer("frames", block.frames, most_points);
  table.finish();
  if (block.steps % block.frames != 0)
    table.refuse("frames",
                 fmt::format("{} in {} steps; accepted is a number that divides the steps", block.frames, block.steps));
  return block;
}

SeriesBlock read_series(Table table) {
  SeriesBlock block;
  block.line = table.line();
  for (const char* key : {"rung", "cases"})
    table.require(key);
  table.take("rung", block.rung);
  table.take("cases", block.cases);
  table.take("precision", block.precision);
  table.accept("precision", [&] { find_number(block.precision); });
  table.take_integer("points", block.points, most_points);
  table.take("layers", block.layers);
  table.finish();
  return block;
}

ContenderBlock read_contender(Table table) {
  ContenderBlock block;
  block.line = table.line();
  for (const char* key : {"name", "command", "cases"})
    table.require(key);
  table.take("name", block.name);
  table.take("command", block.command);
  table.take("cases", block.cases);
  table.take("model", block.model);
  table.take("precision", block.precision);
  table.take("format", block.format, {"uob-hpc", "none"});
  table.take("files", block.files);
  table.take("needs", block.needs);
  table.take("time", block.time);
  table.take("rate", block.rate);
  table.take("follows", block.follows);
  table.take("device", block.device);
  table.take_integer("steps", block.steps, most_steps);
  table.take_integer("check_steps", block.check_steps, most_steps);
  table.take_integer("rounds", block.rounds, most_samples);
  table.finish();
  require_contender(block, [&](const char* key, const std::string& what) { table.refuse(key, what); });
  return block;
}

std::vector<std::string> read_launcher(const std::filesystem::path& file, const toml::table& root) {
  std::vector<std::string> command;
  const auto* node = root.get("launcher");
  if (node == nullptr) return command;
  if (!node->is_table())
    throw InputError(fmt::format("{}:{}: launcher: accepted is a table [launcher]", file.string(), node->source().begin.line));
  Table table(file, *node->as_table(), "[launcher]");
  table.require("command");
  table.take("command", command);
  table.finish();
  table.accept("command", [&] { require_launcher(command); });
  return command;
}

template <class Block>
std::vector<Block> read_blocks(const std::filesystem::path& file, const toml::table& root, const char* key,
                               Block (*read)(Table)) {
  std::vector<Block> blocks;
  const auto* node = root.get(key);
  if (node == nullptr) return blocks;
  if (!node->is_array_of_tables())
    throw InputError(fmt::format("{}:{}: {}: accepted are blocks [[{}]]", file.string(), node->source().begin.line, key, key));
  for (const auto& element : *node->as_array())
    blocks.push_back(read(Table(file, *element.as_table(), fmt::format("[[{}]]", key))));
  return blocks;
}

Study study_of(const std::filesystem::path& file, const toml::table& root) {
  Study study;
  study.file = file;
  study.name = std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
  if (!is_utf8(study.name))
    throw InputError(
        fmt::format("{}: accepted is a folder with a name in UTF-8, because files contain the name", file.string()));
  Table table(file, root, "the study");
  table.take_integer("seed", study.seed, any);
  table.take_integer("rounds", study.rounds, most_samples);
  table.take("sample_seconds", study.sample_seconds);
  bool energy = false;
  table.take("energy", energy);
  if (energy) study.sample_seconds = std::max(study.sample_seconds, energy_sample_seconds);
  table.take("timeout_seconds", study.timeout_seconds);
  table.take("budget_seconds", study.budget_seconds);
  table.take_integer("memory_limit_bytes", study.memory_limit_bytes, any);
  table.leave({"title", "citation", "question", "conclusion", "text", "paper", "report", "launcher", "matrix", "ceilings",
               "field", "series", "contender"});
  table.finish();
  study.launcher = read_launcher(file, root);
  study.matrix = read_blocks<MatrixBlock>(file, root, "matrix", read_matrix);
  study.ceilings = read_blocks<CeilingsBlock>(file, root, "ceilings", read_ceilings);
  study.fields = read_blocks<FieldBlock>(file, root, "field", read_field);
  study.series = read_blocks<SeriesBlock>(file, root, "series", read_series);
  study.contenders = read_blocks<ContenderBlock>(file, root, "contender", read_contender);
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

Study read_study(const std::filesystem::path& file) { return parse_study(file, read_whole(file)); }

Study parse_study(const std::filesystem::path& file, std::string_view text) { return study_of(file, parse_toml(file, text)); }

void take_part(Study& study, const std::vector<std::string>& rungs, const std::vector<std::string>& cases,
               const std::vector<std::string>& placements) {
  /// Decides by the globs, and notes the names that were there.
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
  study.only_rungs = rungs;  // of the matrix, whose blocks name globs
  Choice of_cases{cases}, of_placements{placements};
  const auto restrict_cases = [&](auto& blocks) {
    for (auto& block : blocks)
      std::erase_if(block.cases, [&](const std::string& name) { return of_cases.leaves_out(name); });
    std::erase_if(blocks, [](const auto& block) { return block.cases.empty(); });
  };
  restrict_cases(study.matrix);
  restrict_cases(study.contenders);
  restrict_cases(study.series);
  std::erase_if(study.fields, [&](const FieldBlock& block) { return of_cases.leaves_out(block.case_name); });
  for (MatrixBlock& block : study.matrix)
    std::erase_if(block.placements, [&](const std::string& text) { return !text.empty() && of_placements.leaves_out(text); });
  std::erase_if(study.matrix, [](const MatrixBlock& block) { return block.placements.empty(); });
  const auto is_of_another = [&](const auto& block) { return !matches_any(rungs, block.rung); };
  std::erase_if(study.fields, is_of_another);
  std::erase_if(study.series, is_of_another);
  std::erase_if(study.contenders, [&](const ContenderBlock& block) { return !matches_any(rungs, block.id()); });
  of_cases.require_all(study.name, "case");
  of_placements.require_all(study.name, "placement");
}

std::filesystem::path find_study(const std::filesystem::path& experiments, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;  // a name may be too long for a file's
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
  throw InputError(fmt::format("no study '{}'{}; accepted: a study.toml, or one of: {}", name, suggestion(name, names),
                               fmt::join(names, ", ")));
}

}  // namespace ladder
