#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ladder::reports {

/// The named values of one table of a study.toml, e.g. of a [[report]] block. Every read is checked and remembered, so that
/// finish() can reject values that were not read.
class Parameters {
 public:
  struct Value;
  using List = std::vector<Value>;

  Parameters(std::filesystem::path file, std::size_t line) : file_(std::move(file)), line_(line) {}

  void set(const std::string& name, Value value);
  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  [[nodiscard]] std::size_t line() const { return line_; }

  /// A string. @throws InputError if it is missing or not a string.
  [[nodiscard]] std::string text(const std::string& name) const;
  /// A string, or `absent` if it is missing.
  [[nodiscard]] std::string text(const std::string& name, std::string absent) const;
  /// A list of strings, or one string, which is a list of one. @throws InputError if it is missing or empty.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& name, std::vector<std::string> absent) const;
  /// A number, or `absent` if it is missing.
  [[nodiscard]] double number(const std::string& name, double absent) const;
  /// True or false, or `absent` if it is missing.
  [[nodiscard]] bool flag(const std::string& name, bool absent) const;
  /// A list of tables. @throws InputError if it is missing or empty.
  [[nodiscard]] std::vector<Parameters> tables(const std::string& name) const;
  /// A list of tables, empty if it is missing.
  [[nodiscard]] std::vector<Parameters> tables_if_any(const std::string& name) const;
  /// A table. @throws InputError if it is missing.
  [[nodiscard]] Parameters table(const std::string& name) const;

  /// @throws InputError if there is a value that was not read
  void finish() const;

  /// @throws InputError always, about the value of `name`
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;

 private:
  [[nodiscard]] const Value* look(const std::string& name) const;
  [[nodiscard]] const Value& need(const std::string& name, const char* kind) const;

  std::filesystem::path file_;
  std::size_t line_;
  std::map<std::string, Value> values_;
  mutable std::map<std::string, bool> read_;
};

/// One value with its line. Numbers of both kinds are doubles.
struct Parameters::Value {
  std::size_t line = 0;
  std::variant<std::string, double, bool, List, Parameters> content;
};

/// The parts of a study.toml that reports need: its top-level strings and its [[report]] blocks. The harness reads the other
/// tables.
struct StudyFile {
  Parameters top;
  std::vector<Parameters> blocks;
};

/// @throws InputError if the file is not TOML or `report` is not a list of tables
StudyFile read_study_file(const std::filesystem::path& path);
/// The same for a text that came from `path`.
StudyFile parse_study_file(const std::filesystem::path& path, std::string_view text);

}  // namespace ladder::reports
