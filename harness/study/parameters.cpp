#include "harness/study/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "harness/study/toml.hpp"

namespace ladder {
namespace {

std::size_t line_of(const toml::node& node) { return node.source().begin.line; }

/// Rejects NUL characters: no name can contain one, and it would cut a message short.
std::string without_nul(const std::filesystem::path& file, std::size_t line, std::string text) {
  if (text.find('\0') == std::string::npos) return text;
  const std::string shown = replace_all(text, std::string(1, '\0'), "\\u0000");
  throw FileError(file, line, fmt::format("'{}'; accepted: text without NUL characters", shown));
}

Parameters convert(const std::filesystem::path& file, const toml::table& table, const std::string& where);

/// `where`: how messages refer to the value, if it is a table.
Parameters::Value convert(const std::filesystem::path& file, const toml::node& node, const std::string& where) {
  const std::size_t line = line_of(node);
  if (const auto* table = node.as_table()) return {line, convert(file, *table, where)};
  if (const auto* array = node.as_array()) {
    Parameters::List list;
    for (const toml::node& item : *array)
      list.push_back(convert(file, item, "[" + where + "]"));
    return {line, std::move(list)};
  }
  if (const auto* text = node.as_string()) return {line, without_nul(file, line, text->get())};
  if (const auto* flag = node.as_boolean()) return {line, flag->get()};
  if (const auto* number = node.as_floating_point()) return {line, number->get()};
  if (const auto* number = node.as_integer()) return {line, number->get()};
  throw FileError(file, line, "is a date or time; accepted: text, number, true or false, list, table");
}

Parameters convert(const std::filesystem::path& file, const toml::table& table, const std::string& where) {
  Parameters result(file, line_of(table), where);
  for (const auto& [name, node] : table)
    result.set(without_nul(file, line_of(node), std::string(name.str())), convert(file, node, fmt::format("[{}]", name.str())));
  return result;
}

/// A value as shown in a message.
std::string shown(const Parameters::Value& value) {
  return std::visit(
      []<class T>(const T& content) {
        if constexpr (std::is_same_v<T, Parameters::List>)
          return std::string(content.empty() ? "[]" : "a list");
        else if constexpr (std::is_same_v<T, Parameters>)
          return std::string("a table");
        else if constexpr (std::is_same_v<T, std::string>)
          return fmt::format("'{}'", content);
        else
          return fmt::format("{}", content);
      },
      value.content);
}

}  // namespace

void Parameters::set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_)
    names.push_back(name);
  return names;
}

const Parameters::Value* Parameters::look(const std::string& name) const {
  read_[name] = true;
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

const Parameters::Value& Parameters::need(const std::string& name, const char* kind) const {
  if (const Value* value = look(name)) return *value;
  throw FileError(file_, line_, fmt::format("lacks '{}'; accepted: {}", name, kind));
}

std::size_t Parameters::line_of(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? line_ : found->second.line;
}

void Parameters::fail(const std::string& name, const std::string& problem) const {
  throw FileError(file_, line_of(name), fmt::format("'{}' {}", name, problem));
}

void Parameters::refuse(const std::string& name, const std::string& what) const {
  throw FileError(file_, line_of(name), fmt::format("{}: {}", name, what));
}

std::string Parameters::text(const std::string& name) const {
  if (const auto* text = std::get_if<std::string>(&need(name, "text").content)) return *text;
  fail(name, "is not text; accepted: text in quotes");
}

std::string Parameters::text(const std::string& name, std::string absent) const {
  return look(name) == nullptr ? std::move(absent) : text(name);
}

std::vector<std::string> Parameters::texts(const std::string& name) const {
  const Value& value = need(name, "a list of texts");
  if (const auto* text = std::get_if<std::string>(&value.content)) return {*text};
  std::vector<std::string> result;
  if (const auto* list = std::get_if<List>(&value.content)) {
    for (const Value& item : *list) {
      const auto* text = std::get_if<std::string>(&item.content);
      if (text == nullptr) fail(name, "holds something other than text; accepted: a list of texts");
      result.push_back(*text);
    }
  }
  if (result.empty()) fail(name, "is not a list of texts; accepted: one or more texts in quotes");
  return result;
}

std::vector<std::string> Parameters::texts(const std::string& name, std::vector<std::string> absent) const {
  return look(name) == nullptr ? std::move(absent) : texts(name);
}

double Parameters::number(const std::string& name, double absent) const {
  const Value* value = look(name);
  if (value == nullptr) return absent;
  if (const auto* number = std::get_if<double>(&value->content)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value->content)) return static_cast<double>(*number);
  fail(name, "is not a number; accepted: a number");
}

bool Parameters::flag(const std::string& name, bool absent) const {
  const Value* value = look(name);
  if (value == nullptr) return absent;
  if (const auto* flag = std::get_if<bool>(&value->content)) return *flag;
  fail(name, "is not a boolean; accepted: true or false");
}

std::vector<Parameters> Parameters::tables(const std::string& name) const {
  std::vector<Parameters> result;
  if (const auto* list = std::get_if<List>(&need(name, "a list of tables").content)) {
    for (const Value& item : *list) {
      const auto* table = std::get_if<Parameters>(&item.content);
      if (table == nullptr) fail(name, "holds something other than tables; accepted: a list of tables");
      result.push_back(*table);
    }
  }
  if (result.empty())
    fail(name, fmt::format("is not a list of tables; accepted: one or more tables, e.g. blocks [[{}]]", name));
  return result;
}

std::vector<Parameters> Parameters::tables_if_any(const std::string& name) const {
  return look(name) == nullptr ? std::vector<Parameters>{} : tables(name);
}

Parameters Parameters::table(const std::string& name) const {
  if (const auto* table = std::get_if<Parameters>(&need(name, "a table").content)) return *table;
  fail(name, "is not a table; accepted: a table");
}

template <class T>
const T& Parameters::content(const std::string& name, const Value& value, const char* accepted) const {
  if (const auto* found = std::get_if<T>(&value.content)) return *found;
  refuse(name, fmt::format("{}; accepted is {}", shown(value), accepted));
}

void Parameters::take(const std::string& name, std::string& out) const {
  if (const Value* value = look(name)) out = content<std::string>(name, *value, "text in quotes");
}

void Parameters::take(const std::string& name, std::string& out, const std::vector<std::string>& accepted) const {
  take(name, out);
  if (has(name) && std::ranges::find(accepted, out) == accepted.end())
    refuse(name, fmt::format("'{}'; accepted: {}", out, fmt::join(accepted, ", ")));
}

void Parameters::take(const std::string& name, bool& out) const {
  if (const Value* value = look(name)) out = content<bool>(name, *value, "true or false");
}

void Parameters::take(const std::string& name, double& out) const {
  const Value* value = look(name);
  if (value == nullptr) return;
  double found = std::numeric_limits<double>::quiet_NaN();
  if (const auto* number = std::get_if<double>(&value->content)) found = *number;
  if (const auto* number = std::get_if<std::int64_t>(&value->content)) found = static_cast<double>(*number);
  if (!(found > 0 && found <= most_seconds))
    refuse(name, fmt::format("{}; accepted is a number above 0, at most {}", shown(*value), most_seconds));
  out = found;
}

const Parameters::List& Parameters::list(const std::string& name, const Value& value) const {
  const auto* found = std::get_if<List>(&value.content);
  if (found == nullptr || found->empty())
    refuse(name, fmt::format("{}; accepted is a list [ … ] that is not empty", shown(value)));
  return *found;
}

void Parameters::take(const std::string& name, std::vector<std::string>& out) const {
  const Value* value = look(name);
  if (value == nullptr) return;
  out.clear();
  for (const Value& item : list(name, *value)) {
    const auto* text = std::get_if<std::string>(&item.content);
    if (text == nullptr)
      throw FileError(file_, item.line, fmt::format("{}: {}; accepted is text in quotes", name, shown(item)));
    out.push_back(*text);
  }
}

std::int64_t Parameters::integer(const std::string& name, const Value& value, std::int64_t least, std::int64_t most) const {
  const auto* found = std::get_if<std::int64_t>(&value.content);
  const std::string range = most == std::numeric_limits<std::int64_t>::max() ? "" : fmt::format(" to {}", most);
  if (found == nullptr || *found < least || *found > most)
    throw FileError(file_, value.line,
                    fmt::format("{}: {}; accepted is an integer from {}{}", name, shown(value), least, range));
  return *found;
}

void Parameters::take(const std::string& name, std::vector<std::int64_t>& out, std::int64_t least, std::int64_t most) const {
  const Value* value = look(name);
  if (value == nullptr) return;
  out.clear();
  for (const Value& item : list(name, *value))
    out.push_back(integer(name, item, least, most));
}

void Parameters::take(const std::string& name, std::map<std::string, std::vector<std::int64_t>>& out) const {
  const Value* value = look(name);
  if (value == nullptr) return;
  const auto& table = content<Parameters>(name, *value, "a table such as { wx = [8, 16] }");
  for (const auto& [key, values] : table.values_)
    table.take(key, out[key], 0, std::numeric_limits<std::int64_t>::max());
}

void Parameters::require(std::initializer_list<const char*> names) const {
  for (const char* name : names)
    if (!has(name)) throw FileError(file_, line_, fmt::format("{} has no '{}'", where_, name));
}

void Parameters::leave(std::initializer_list<const char*> names) const {
  for (const char* name : names)
    read_[name] = true;
}

void Parameters::finish() const {
  std::vector<std::string> accepted;
  for (const auto& [known, unused] : read_)
    accepted.push_back(known);
  for (const auto& [name, value] : values_)
    if (!read_.contains(name))
      throw FileError(file_, value.line,
                      fmt::format("unknown key '{}' in {}{}; accepted: {}", name, where_, suggestion(name, accepted),
                                  fmt::join(accepted, ", ")));
}

Parameters read_parameters(const std::filesystem::path& file) { return parse_parameters(file, read_whole(file)); }

Parameters parse_parameters(const std::filesystem::path& file, std::string_view text) {
  return convert(file, parse_toml(file, text), "the study");
}

}  // namespace ladder
