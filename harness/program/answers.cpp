#include "harness/program/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/error.hpp"
#include "roofline/number.hpp"

namespace ladder {
namespace {

using Json = nlohmann::json;

/// Whole numbers that a double holds exactly.
constexpr double most_whole = 9007199254740992.0;

const Json* find(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A finite number from 0, or NaN.
double number(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr || !value->is_number()) return unknown;
  const double v = value->get<double>();
  return std::isfinite(v) && v >= 0 ? v : unknown;
}

/// As number(), for measured values: 0, or from 1e-30 to 1e30, the range that a report accepts.
double quantity(const Json& object, const char* name) {
  const double v = number(object, name);
  return v == 0 || (v >= 1e-30 && v <= 1e30) ? v : unknown;
}

/// A whole number from `least`, or nothing.
std::optional<std::int64_t> whole(const Json& object, const char* name, double least) {
  const double v = number(object, name);
  if (!(v >= least) || v > most_whole || v != std::floor(v)) return std::nullopt;
  return static_cast<std::int64_t>(v);
}

std::string text(const Json& object, const char* name) {
  const Json* value = find(object, name);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
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

std::optional<CheckAnswer> parse_check(std::string_view answer) {
  const Json json = Json::parse(answer, nullptr, false);
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
  const Json json = Json::parse(answer, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const Json* benchmarks = find(json, "benchmarks");
  if (benchmarks == nullptr || !benchmarks->is_array()) return std::nullopt;
  for (const Json& sample : *benchmarks) {
    if (!sample.is_object() || text(sample, "run_type") != "iteration") continue;
    const auto cells = whole(sample, "cells", 1);
    const auto steps = whole(sample, "steps", 1);
    const double seconds = quantity(sample, "real_time");
    if (!cells || !steps || !(seconds > 0) || text(sample, "time_unit") != "s") return std::nullopt;
    if (static_cast<double>(*cells) * static_cast<double>(*steps) / seconds > 1e30) return std::nullopt;
    const std::string label = text(sample, "label");
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
                        .gpu_mhz = quantity(sample, "gpu_mhz"),
                        .gpu_celsius = quantity(sample, "gpu_celsius"),
                        .gpu_watts = quantity(sample, "gpu_watts"),
                        .affinity = part(label, "affinity"),
                        .pages = part(label, "pages"),
                        .gpu_throttle = part(label, "gpu_throttle"),
                        .traffic = part(label, "traffic")};
  }
  return std::nullopt;
}

}  // namespace ladder
