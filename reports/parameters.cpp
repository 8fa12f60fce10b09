#include "reports/parameters.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "harness/study/toml.hpp"

namespace ladder::reports {
namespace {

std::size_t line_of(const toml::node& node) { return node.source().begin.line; }

Parameters convert(const std::filesystem::path& file, const toml::table& table);

Parameters::Value convert(const std::filesystem::path& file, const toml::node& node) {
  const std::size_t line = line_of(node);
  if (const auto* table = node.as_table()) return {line, convert(file, *table)};
  if (const auto* array = node.as_array()) {
    Parameters::List list;
    for (const toml::node& item : *array)
      list.push_back(convert(file, item));
    return {line, std::move(list)};
  }
  if (const auto* text = node.as_string()) return {line, text->get()};
  if (const auto* flag = node.as_boolean()) return {line, flag->get()};
  if (const auto* number = node.as_floating_point()) return {line, number->get()};
  if (const auto* number = node.as_integer()) return {line, static_cast<double>(number->get())};
  throw FileError(file, line, "is a date or time; accepted: text, number, true or false, list, table");
}

Parameters convert(const std::filesystem::path& file, const toml::table& table) {
  Parameters result(file, line_of(table));
  for (const auto& [name, node] : table)
    result.set(std::string(name.str()), convert(file, node));
  return result;
}

}  // namespace

void Parameters::set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }

const Parameters::Value* Parameters::look(const std::string& name) const {
  read_[name] = true;
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

const Parameters::Value& Parameters::need(const std::string& name, const char* kind) const {
  if (const Value* value = look(name)) return *value;
  throw FileError(file_, line_, fmt::format("lacks '{}'; accepted: {}", name, kind));
}

void Parameters::fail(const std::string& name, const std::string& problem) const {
  const auto found = values_.find(name);
  throw FileError(file_, found == values_.end() ? line_ : found->second.line, fmt::format("'{}' {}", name, problem));
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
  if (result.empty()) fail(name, "is not a list of tables; accepted: one or more tables");
  return result;
}

std::vector<Parameters> Parameters::tables_if_any(const std::string& name) const {
  return look(name) == nullptr ? std::vector<Parameters>{} : tables(name);
}

Parameters Parameters::table(const std::string& name) const {
  if (const auto* table = std::get_if<Parameters>(&need(name, "a table").content)) return *table;
  fail(name, "is not a table; accepted: a table");
}

void Parameters::finish() const {
  for (const auto& [name, value] : values_) {
    if (read_.contains(name)) continue;
    std::vector<std::string> accepted;
    for (const auto& [known, unused] : read_)
      accepted.push_back(known);
    throw FileError(file_, value.line,
                    fmt::format("'{}' is unknown here; accepted: {}", name, joined(accepted, accepted.size())));
  }
}

StudyFile read_study_file(const std::filesystem::path& path) { return parse_study_file(path, read_whole(path)); }

StudyFile parse_study_file(const std::filesystem::path& path, std::string_view text) {
  const toml::table table = parse_toml(path, text);
  StudyFile file{Parameters(path, 0), {}};
  for (const auto& [name, node] : table) {
    if (!node.is_table() && !node.is_array()) file.top.set(std::string(name.str()), convert(path, node));
  }
  const toml::node* report = table.get("report");
  if (report == nullptr) return file;
  if (!report->is_array_of_tables()) {
    throw FileError(path, line_of(*report), "'report' is not a list of tables; accepted: [[report]] blocks");
  }
  for (const toml::node& node : *report->as_array())
    file.blocks.push_back(convert(path, *node.as_table()));
  return file;
}

}  // namespace ladder::reports
