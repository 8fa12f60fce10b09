#include "harness/program/row.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/program/text.hpp"

namespace ladder {
namespace {

/// Calls visit(name, value) for each column, in order.
template <class Visit>
void for_each_column(const Row& row, Visit visit) {
  visit("session", row.session);
  visit("round", row.round);
  visit("order", row.order);
  visit("utc", row.utc);
  visit("kind", row.kind);
  visit("rung", row.rung);
  visit("build", row.build);
  visit("backend", row.backend);
  visit("case", row.case_name);
  visit("grid", row.grid);
  visit("cells", row.cells);
  visit("precision", row.precision);
  visit("tuning", row.tuning);
  visit("threads", row.threads);
  visit("outcome", row.outcome);
  visit("reason", row.reason);
  visit("check_steps", row.check_steps);
  visit("population_error", row.population_error);
  visit("tolerance", row.tolerance);
  visit("history_error", row.history_error);
  visit("steps", row.steps);
  visit("seconds", row.seconds);
  visit("updates_per_second", row.updates_per_second);
  visit("bytes_per_update_model", row.bytes_per_update_model);
  visit("bytes_per_update_minimum", row.bytes_per_update_minimum);
  visit("flops_per_update", row.flops_per_update);
  visit("footprint_bytes", row.footprint_bytes);
  visit("device", row.device);
  visit("key", row.key);
  visit("affinity", row.affinity);
  visit("pages", row.pages);
  visit("other_load", row.other_load);
  visit("steal", row.steal);
  visit("involuntary_switches", row.involuntary_switches);
  visit("cpu_mhz", row.cpu_mhz);
  visit("gpu_mhz", row.gpu_mhz);
  visit("gpu_celsius", row.gpu_celsius);
  visit("gpu_watts", row.gpu_watts);
  visit("gpu_throttle", row.gpu_throttle);
  visit("suspicious", row.suspicious);
  visit("placement", row.placement);
}

std::string field(const std::string& text) {
  const std::string line = one_line(text);
  if (line.find_first_of(",\"") == std::string::npos) return line;
  std::string quoted = "\"";
  for (const char c : line)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <class Number>
std::string field(Number value) {
  return value < 0 ? "" : fmt::format("{}", value);
}

}  // namespace

std::string csv_header() {
  std::string line;
  for_each_column(Row{}, [&](const char* name, const auto&) { line += (line.empty() ? "" : ",") + std::string(name); });
  return line;
}

bool is_older_header(std::string_view line) {
  const std::string header = csv_header();
  const bool is_of_a_version = line.ends_with(",device,key") || line.ends_with(",gpu_throttle,suspicious");
  return is_of_a_version && header.starts_with(line) && header[line.size()] == ',';
}

std::string csv_line(const Row& row) {
  std::string line;
  bool first = true;
  for_each_column(row, [&](const char*, const auto& value) {
    line += (first ? "" : ",") + field(value);
    first = false;
  });
  return line;
}

}  // namespace ladder
