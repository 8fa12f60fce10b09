#include "harness/run/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "harness/record/provenance.hpp"
#include "roofline/model/number.hpp"

namespace ladder {
namespace {

using SortedJson = nlohmann::json;

/// Whole numbers that a double holds exactly.
constexpr double most_whole = 9007199254740992.0;

const SortedJson* find(const SortedJson& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A finite number from 0, or NaN.
double number(const SortedJson* value) {
  if (value == nullptr || !value->is_number()) return unknown;
  const double v = value->get<double>();
  return std::isfinite(v) && v >= 0 ? v : unknown;
}
double number(const SortedJson& object, const char* name) { return number(find(object, name)); }

/// More than any machine can do.
constexpr double most_updates_per_second = 1e18;

/// As number(), for measured values: 0, or from 1e-30 to 1e30, the range that a report accepts.
double quantity(const SortedJson& object, const char* name) {
  const double v = number(object, name);
  return v == 0 || (v >= 1e-30 && v <= 1e30) ? v : unknown;
}

/// A whole number from `least`, or nothing.
std::optional<std::int64_t> whole(const SortedJson* value, double least) {
  const double v = number(value);
  if (!(v >= least) || v > most_whole || v != std::floor(v)) return std::nullopt;
  return static_cast<std::int64_t>(v);
}
std::optional<std::int64_t> whole(const SortedJson& object, const char* name, double least) {
  return whole(find(object, name), least);
}

std::string text(const SortedJson& object, const char* name) {
  const SortedJson* value = find(object, name);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// Reads optional members of an object. A member that is present must have its type and be in range.
class Members {
 public:
  explicit Members(const SortedJson& object) : object_(object), are_good_(object.is_object()) {}

  void take(const char* name, bool& value) {
    take(name, [&](const SortedJson& member) { return member.is_boolean() && (value = member.get<bool>(), true); });
  }
  void take(const char* name, std::string& value) {
    take(name, [&](const SortedJson& member) { return member.is_string() && (value = member.get<std::string>(), true); });
  }
  void take(const char* name, double& value) {
    take(name, [&](const SortedJson& member) { return !std::isnan(value = number(&member)); });
  }
  template <std::integral Integer>
  void take(const char* name, Integer& value) {
    take(name, [&](const SortedJson& member) { return is_integer(member, value); });
  }
  void take(const char* name, std::array<int, 3>& values) {
    take(name, [&](const SortedJson& member) {
      bool are_integers = member.is_array() && member.size() == values.size();
      for (std::size_t i = 0; are_integers && i < values.size(); ++i)
        are_integers = is_integer(member[i], values[i]);
      return are_integers;
    });
  }

  /// Whether it is an object with these members, and all members that were read are valid.
  [[nodiscard]] bool are_good(std::initializer_list<const char*> needed) const {
    return are_good_ && std::all_of(needed.begin(), needed.end(), [&](const char* name) { return object_.contains(name); });
  }

 private:
  template <std::predicate<const SortedJson&> Read>
  void take(const char* name, Read read) {
    const SortedJson* member = are_good_ ? find(object_, name) : nullptr;
    if (member != nullptr) are_good_ = read(*member);
  }

  template <class Integer>
  static bool is_integer(const SortedJson& member, Integer& value) {
    const auto whole_number = whole(&member, 0);
    const bool fits = whole_number && std::in_range<Integer>(*whole_number);
    if (fits) value = static_cast<Integer>(*whole_number);
    return fits;
  }

  const SortedJson& object_;
  bool are_good_;
};

/// @throws std::exception if a member of these names is missing or of another type
template <class T>
void require(const nlohmann::ordered_json& object, std::initializer_list<const char*> names) {
  for (const char* name : names)
    (void)object.at(name).get<T>();
}

/// The value of `name` in a text such as `affinity=0;1 pages=N0=12`.
std::string part(const std::string& label, const std::string& name) {
  const std::string begin = name + "=";
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t end = std::min(label.find(' ', at), label.size());
    if (label.compare(at, begin.size(), begin) == 0) return label.substr(at + begin.size(), end - at - begin.size());
    at = end + 1;
  }
  return {};
}

}  // namespace

std::vector<std::string> numbers_of(const nlohmann::ordered_json& description) {
  if (description.contains("numbers")) return description.at("numbers").get<std::vector<std::string>>();
  std::vector<std::string> names;
  if (const auto bytes = description.find("bytes_per_update"); bytes != description.end())
    for (const auto& [name, of_number] : bytes->items())
      names.push_back(name);
  return names;
}

std::string number_for(const nlohmann::ordered_json& description, const std::string& asked) {
  const std::vector<std::string> accepted = numbers_of(description);
  const std::string wanted(asked.empty() ? default_number.name : find_number(asked).name);
  if (accepted.empty() || std::find(accepted.begin(), accepted.end(), wanted) != accepted.end()) return wanted;
  if (asked.empty()) return accepted.front();
  throw InputError(
      fmt::format("{}: precision '{}'; accepted: {}", description.value("id", ""), asked, fmt::join(accepted, ", ")));
}

std::optional<Availability> parse_probe(std::string_view answer) {
  const SortedJson json = SortedJson::parse(answer, nullptr, false);
  Availability here;
  Members members(json);
  members.take("available", here.available);
  members.take("reason", here.reason);
  members.take("device", here.device);
  members.take("driver", here.driver);
  members.take("threads", here.threads);
  members.take("cache_bytes", here.cache_bytes);
  members.take("compute_capability", here.compute_capability);
  members.take("memory_bytes", here.memory_bytes);
  members.take("resident", here.resident);
  members.take("pins_threads", here.pins_threads);
  members.take("processes", here.processes);
  members.take("devices", here.devices);
  members.take("device_count", here.device_count);
  members.take("ceilings", here.ceilings);
  members.take("profiler", here.profiler);
  members.take("no_profiler", here.no_profiler);
  return members.are_good({"available"}) ? std::optional(here) : std::nullopt;
}

std::optional<CaseAnswer> parse_case(std::string_view answer) {
  const SortedJson json = SortedJson::parse(answer, nullptr, false);
  CaseAnswer facts;
  Members members(json);
  members.take("grid", facts.grid);
  members.take("cells", facts.cells);
  members.take("fluid_cells", facts.fluid_cells);
  members.take("sides", facts.sides);
  members.take("q", facts.q);
  members.take("reach", facts.reach);
  members.take("content", facts.content);
  return members.are_good({"grid", "cells", "content"}) ? std::optional(facts) : std::nullopt;
}

std::optional<CheckAnswer> parse_check(std::string_view answer) {
  const SortedJson json = SortedJson::parse(answer, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const std::string outcome = text(json, "outcome");
  const auto steps = whole(json, "check_steps", 0);
  if ((outcome != "ok" && outcome != "wrong") || !steps) return std::nullopt;
  return CheckAnswer{.ok = outcome == "ok",
                     .reason = text(json, "reason"),
                     .steps = *steps,
                     .population_error = number(json, "population_error"),
                     .tolerance = number(json, "tolerance"),
                     .history_error = number(json, "history_error")};
}

std::optional<SampleAnswer> parse_sample(std::string_view answer) {
  const SortedJson json = SortedJson::parse(answer, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const SortedJson* benchmarks = find(json, "benchmarks");
  if (benchmarks == nullptr || !benchmarks->is_array()) return std::nullopt;
  for (const SortedJson& sample : *benchmarks) {
    if (!sample.is_object() || text(sample, "run_type") != "iteration") continue;
    const auto cells = whole(sample, "cells", 1);
    const auto steps = whole(sample, "steps", 1);
    const double seconds = quantity(sample, "real_time");
    if (!cells || !steps || !(seconds > 0) || text(sample, "time_unit") != "s") return std::nullopt;
    if (static_cast<double>(*cells) * static_cast<double>(*steps) / seconds > most_updates_per_second) return std::nullopt;
    const std::string label = text(sample, "label");
    const double joules = quantity(sample, "joules");
    return SampleAnswer{.cells = *cells,
                        .steps = *steps,
                        .seconds = seconds,
                        .footprint_bytes = quantity(sample, "footprint_bytes"),
                        .bytes_per_update = quantity(sample, "bytes_per_update_model"),
                        .flops_per_update = quantity(sample, "flops_per_update"),
                        .other_load = quantity(sample, "other_load"),
                        .steal = quantity(sample, "steal"),
                        .involuntary_switches = quantity(sample, "involuntary_switches"),
                        .cpu_mhz = quantity(sample, "cpu_mhz"),
                        .working_threads = quantity(sample, "working_threads"),
                        .gpu_mhz = quantity(sample, "gpu_mhz"),
                        .gpu_celsius = quantity(sample, "gpu_celsius"),
                        .gpu_watts = quantity(sample, "gpu_watts"),
                        .queue_seconds = quantity(sample, "queue_seconds"),
                        .joules = joules > 0 ? joules : unknown,
                        .energy_domain = joules > 0 ? part(label, "energy") : "",
                        .affinity = part(label, "affinity"),
                        .pages = part(label, "pages"),
                        .gpu_throttle = part(label, "gpu_throttle"),
                        .traffic = part(label, "traffic"),
                        .phases = part(label, "phases")};
  }
  return std::nullopt;
}

std::string fault_of(const nlohmann::ordered_json& description) try {
  if (!description.is_object()) throw InputError("it is not an object");
  for (const auto& [name, value] : description.items())
    if (value.is_null()) throw InputError(fmt::format("'{}' is null", name));
  const RungDescription facts = parse_description(description);
  if (description.contains("ceilings")) {
    for (const auto& ceiling : description.at("ceilings")) {
      require<std::string>(ceiling, {"name"});
      require<std::vector<std::string>>(ceiling, {"stores"});
    }
    return "";
  }
  require<std::string>(description, {"model", "collision"});
  require<std::vector<std::string>>(description, {"constraints", "cases"});
  if (description.at("cases").empty()) throw InputError("it names no case");
  for (const std::string& name : numbers_of(description)) {
    find_number(name);
    (void)facts.bytes_per_update.at(name);
    (void)facts.bytes_per_update_minimum.at(name);
  }
  for (const auto& form : description.at("operations")) {
    require<std::string>(form, {"form"});
    require<double>(form, {"total"});
  }
  for (const auto& tunable : description.at("tunables")) {
    require<std::string>(tunable, {"name", "meaning"});
    require<std::vector<int>>(tunable, {"values"});
    require<int>(tunable, {"initial"});
  }
  return "";
} catch (const std::exception& e) {
  return fmt::format("its description is invalid: {}", e.what());
}

}  // namespace ladder
