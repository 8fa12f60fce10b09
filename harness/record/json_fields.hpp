#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "harness/record/description.hpp"
#include "harness/record/field.hpp"

/// Reads, writes and documents the fields of a type (field.hpp). To be included only in source files.
namespace ladder {

template <class T>
concept HasFields = requires(T& object) {
  for_each_field(object, [](const Field&, auto&) {});
};

using Descriptions = std::vector<std::pair<std::string, RungDescription>>;

/// Reads JSON into an object. In an answer, which comes from an untrusted program, all needed members must be present, none may
/// be null, and numbers must not be negative.
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonReader(bool is_answer) : is_answer_(is_answer) {}

  void read(const Json& json, const Field& field, std::string& value) const {
    if (!json.is_string()) refuse(field, json.type_name(), "a text");
    value = json.get<std::string>();
  }
  void read(const Json& json, const Field& field, bool& value) const {
    if (!json.is_boolean()) refuse(field, json.type_name(), "true or false");
    value = json.get<bool>();
  }
  void read(const Json& json, const Field& field, double& value) const {
    if (!json.is_number()) refuse(field, json.type_name(), "a number");
    value = json.get<double>();
    if (is_answer_ && !(value >= 0)) refuse(field, fmt::format("{}", value), "a number from 0");
  }

  /// JSON has no integer type, and get<int>() would truncate larger numbers.
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) void read(const Json& json, const Field& field, Integer& value) const {
    if (!json.is_number()) refuse(field, json.type_name(), "an integer");
    constexpr double most_exact = 9007199254740992.0;  // up to here, a double represents all integers exactly
    const double number = json.get<double>();
    const bool may_be_negative = field.has_any_sign() || std::same_as<Integer, std::int64_t>;
    bool is_good = number == std::floor(number) && (number >= 0 || (may_be_negative && !is_answer_) || field.has_any_sign());
    if (json.is_number_unsigned())
      is_good = is_good && std::in_range<Integer>(json.get<std::uint64_t>()) && (!is_answer_ || number <= most_exact);
    else
      is_good = is_good && std::abs(number) <= most_exact && std::in_range<Integer>(json.get<std::int64_t>());
    if (!is_good)
      refuse(field, fmt::format("{}", number), field.has_any_sign() || may_be_negative ? "an integer" : "an integer from 0");
    value = json.get<Integer>();
  }

  void read(const Json& json, const Field& field, OperationCounts& value) const {
    require_object(json, field);
    if (is_answer_) (void)json.at("form").get<std::string>(), (void)json.at("total").get<double>();
    for (const auto& [operation, count] : json.items()) {
      if (operation == "form") value.form = count.get<std::string>();
      if (!count.is_number()) continue;
      if (operation == "total")
        value.total = count.get<double>();
      else
        value.counts.emplace_back(operation, count.get<double>());
    }
  }

  template <class T>
  void read(const Json& json, const Field& field, std::optional<T>& value) const {
    read(json, field, value.emplace());
  }

  template <class T>
  void read(const Json& json, const Field& field, std::vector<T>& value) const {
    if (!json.is_array()) refuse(field, json.type_name(), "a list");
    for (const Json& element : json)
      read_element(element, field, value.emplace_back());
  }

  template <class T, std::size_t n>
  void read(const Json& json, const Field& field, std::array<T, n>& value) const {
    if (!json.is_array() || json.size() != n) refuse(field, json.type_name(), fmt::format("a list of {}", n));
    for (std::size_t i = 0; i < n; ++i)
      read(json[i], field, value[i]);
  }

  template <class T>
  void read(const Json& json, const Field& field, std::map<std::string, T>& value) const {
    require_object(json, field);
    for (const auto& [key, element] : json.items())
      read_element(element, field, value[key]);
  }

  void read(const Json& json, const Field& field, Descriptions& value) const {
    require_object(json, field);
    for (const auto& [key, element] : json.items())
      read_element(element, field, value.emplace_back(key, RungDescription{}).second);
  }

  template <HasFields T>
  void read(const Json& json, const Field& field, T& value) const {
    require_object(json, field);
    for_each_field(value, [&](const Field& inner, auto& member) {
      const auto found = json.find(inner.name);
      const bool is_there = found != json.end();
      if (is_there && (is_answer_ || !found->is_null())) read_known(*found, inner, member);
      if (!is_there && is_answer_ && inner.is_needed()) throw InputError(fmt::format("'{}' is missing", inner.name));
    });
  }

 private:
  [[noreturn]] static void refuse(const Field& field, const std::string& value, const std::string& accepted) {
    throw InputError(fmt::format("'{}' is {}; accepted: {}", field.name, value, accepted));
  }

  static void require_object(const Json& json, const Field& field) {
    if (!json.is_object()) refuse(field, json.type_name(), "an object");
  }

  template <class T>
  void read_known(const Json& json, const Field& field, T& value) const {
    if (json.is_null()) throw InputError(fmt::format("'{}' is null", field.name));
    read(json, field, value);
  }

  /// An element of a list or an object. In a file, null stands for an empty element, e.g. an empty argument of a command.
  template <class T>
  void read_element(const Json& json, const Field& field, T& value) const {
    if (is_answer_ || !json.is_null()) read(json, field, value);
  }

  bool is_answer_;
};

/// Converts an object to JSON. An answer has all members except unknown ones; a file leaves out empty texts, lists and objects.
class JsonWriter {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonWriter(bool is_answer) : is_answer_(is_answer) {}

  [[nodiscard]] Json json(const std::string& value) const { return value.empty() && !is_answer_ ? Json() : Json(value); }
  [[nodiscard]] Json json(bool value) const { return value; }
  [[nodiscard]] Json json(double value) const { return value; }
  [[nodiscard]] Json json(std::integral auto value) const { return value; }
  [[nodiscard]] Json json(const OperationCounts& value) const {
    Json all = {{"form", value.form}};
    for (const auto& [name, count] : value.counts)
      all[name] = count;
    all["total"] = value.total;
    return all;
  }

  template <class T>
  [[nodiscard]] Json json(const std::optional<T>& value) const {
    return value ? json(*value) : Json();
  }

  template <class T>
  [[nodiscard]] Json json(const std::vector<T>& value) const {
    Json all = is_answer_ ? Json::array() : Json();
    for (const T& element : value)
      all.push_back(json(element));
    return all;
  }

  template <class T, std::size_t n>
  [[nodiscard]] Json json(const std::array<T, n>& value) const {
    return value;
  }

  template <class T>
  [[nodiscard]] Json json(const std::map<std::string, T>& value) const {
    Json all = is_answer_ ? Json::object() : Json();
    for (const auto& [key, element] : value)
      all[key] = json(element);
    return all;
  }

  [[nodiscard]] Json json(const Descriptions& value) const {
    Json all;
    for (const auto& [name, description] : value)
      all[name] = json(description);
    return all;
  }

  [[nodiscard]] Json json(const HasFields auto& value) const {
    Json all;
    for_each_field(value, [&](const Field& field, const auto& member) {
      Json text = json(member);
      const bool is_known = !is_answer_ || field.rule != Field::if_known || text != json(std::decay_t<decltype(member)>{});
      if (is_known && !text.is_null()) all[field.name] = std::move(text);
    });
    return all;
  }

 private:
  bool is_answer_;
};

/// Lists the types of fields, including the fields of nested objects.
struct FieldDescriber {
  std::string prefix = {};
  std::vector<FieldText>* all;

  template <class T>
  void operator()(const Field& field, const T& member) const {
    all->push_back({prefix + field.name, type(member), field.unit, field.meaning});
    inside(prefix + field.name, member);
  }

 private:
  template <class T>
  static std::string type(const T& value) {
    const auto json = JsonWriter(true).json(value);
    if (json.is_string()) return "text";
    if (json.is_boolean()) return "true or false";
    if (json.is_number()) return json.is_number_float() ? "number" : "integer";
    return json.is_array() ? "list" : "object";
  }
  template <class T>
  static std::string type(const std::optional<T>&) {
    return type(T{});
  }

  template <class T>
  void inside(const std::string& name, const T& value) const {
    if constexpr (HasFields<const T>) for_each_field(value, FieldDescriber{name + ".", all});
  }
  template <class T>
  void inside(const std::string& name, const std::optional<T>&) const {
    inside(name, T{});
  }
  template <class T>
  void inside(const std::string& name, const std::vector<T>&) const {
    inside(name + "[]", T{});
  }
  template <class T>
  void inside(const std::string& name, const std::map<std::string, T>&) const {
    inside(name + ".*", T{});
  }
  void inside(const std::string& name, const Descriptions&) const {
    // The fields of a description are listed only once, with the rungs.
    if (name == "rungs") inside("rungs.*", RungDescription{});
  }
};

template <class T>
std::vector<FieldText> fields_of() {
  std::vector<FieldText> all;
  const T none;
  for_each_field(none, FieldDescriber{.all = &all});
  return all;
}

}  // namespace ladder
