#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace ladder {

/// The named values of one table in a study.toml, e.g. of a [[report]] block. Every read is checked and recorded, so that
/// finish() can reject values that were never read. The take() functions leave the variable unchanged if there is no value.
class Parameters {
 public:
  struct Value;
  using List = std::vector<Value>;

  /// `where`: how messages refer to the table, e.g. `[[matrix]]`.
  Parameters(std::filesystem::path file, std::size_t line, std::string where)
      : file_(std::move(file)), line_(line), where_(std::move(where)) {}

  void set(const std::string& name, Value value);
  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::vector<std::string> names() const;

  /// A string. @throws InputError if it is missing or not a string.
  [[nodiscard]] std::string text(const std::string& name) const;
  /// A string, or `absent` if it is missing.
  [[nodiscard]] std::string text(const std::string& name, std::string absent) const;
  /// A list of strings; a single string counts as a list of one. @throws InputError if it is missing or empty.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& name, std::vector<std::string> absent) const;
  /// A number, or `absent` if it is missing.
  [[nodiscard]] double number(const std::string& name, double absent) const;
  /// A boolean, or `absent` if it is missing.
  [[nodiscard]] bool flag(const std::string& name, bool absent) const;
  /// A list of tables. @throws InputError if it is missing or empty.
  [[nodiscard]] std::vector<Parameters> tables(const std::string& name) const;
  /// A list of tables, empty if it is missing.
  [[nodiscard]] std::vector<Parameters> tables_if_any(const std::string& name) const;
  /// A table. @throws InputError if it is missing.
  [[nodiscard]] Parameters table(const std::string& name) const;

  void take(const std::string& name, std::string& out) const;
  /// One of the accepted strings.
  void take(const std::string& name, std::string& out, const std::vector<std::string>& accepted) const;
  void take(const std::string& name, bool& out) const;
  /// A duration in seconds: above 0, at most most_seconds.
  void take(const std::string& name, double& out) const;
  /// A non-empty list of strings.
  void take(const std::string& name, std::vector<std::string>& out) const;
  /// A non-empty list of integers.
  void take(const std::string& name, std::vector<std::int64_t>& out, std::int64_t least, std::int64_t most) const;
  /// A table of such lists, with non-negative integers.
  void take(const std::string& name, std::map<std::string, std::vector<std::int64_t>>& out) const;
  /// A positive integer.
  template <std::integral Integer>
  void take_integer(const std::string& name, Integer& out, std::int64_t most) const {
    if (const Value* value = look(name)) out = static_cast<Integer>(integer(name, *value, 1, most));
  }

  /// @throws InputError if any of these values is missing
  void require(std::initializer_list<const char*> names) const;
  /// Exempts values that other code reads.
  void leave(std::initializer_list<const char*> names) const;
  /// Calls `check` and adds the line of this value to its exceptions.
  template <class Check>
  void accept(const std::string& name, Check check) const {
    try {
      check();
    } catch (const InputError& e) {
      refuse(name, e.what());
    }
  }

  /// @throws InputError if any value was not read
  void finish() const;

  /// Always throws. @throws InputError about the value of `name`: `file:line: 'name' problem`
  [[noreturn]] void fail(const std::string& name, const std::string& problem) const;
  /// The same: `file:line: name: what`
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const;

 private:
  [[nodiscard]] const Value* look(const std::string& name) const;
  [[nodiscard]] const Value& need(const std::string& name, const char* kind) const;
  [[nodiscard]] std::size_t line_of(const std::string& name) const;
  [[nodiscard]] std::int64_t integer(const std::string& name, const Value& value, std::int64_t least, std::int64_t most) const;
  template <class T>
  [[nodiscard]] const T& content(const std::string& name, const Value& value, const char* accepted) const;
  /// The elements of a non-empty list.
  [[nodiscard]] const List& list(const std::string& name, const Value& value) const;

  std::filesystem::path file_;
  std::size_t line_;
  std::string where_;
  std::map<std::string, Value> values_;
  mutable std::map<std::string, bool> read_;
};

/// A value and its line.
struct Parameters::Value {
  std::size_t line = 0;
  std::variant<std::string, std::int64_t, double, bool, List, Parameters> content;
};

/// Reads a complete study.toml. @throws InputError if the file cannot be read or is not TOML
Parameters read_parameters(const std::filesystem::path& file);
/// The same for text read from `file`.
Parameters parse_parameters(const std::filesystem::path& file, std::string_view text);

}  // namespace ladder
