#include "harness/run/ncu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/key_values.hpp"
#include "harness/record/csv.hpp"

namespace ladder {
namespace {

constexpr const char* duration = "gpu__time_duration.sum";
constexpr const char* dram_read = "dram__bytes_read.sum";
constexpr const char* dram_written = "dram__bytes_write.sum";
constexpr const char* l2 = "lts__t_bytes.sum";
constexpr const char* l1 = "l1tex__t_bytes.sum";
constexpr const char* occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* occupancy_limit = "sm__maximum_warps_per_active_cycle_pct";
constexpr const char* registers = "launch__registers_per_thread";
constexpr const char* instructions = "smsp__thread_inst_executed_pred_on.sum";
constexpr std::array fma = {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                            "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"};
constexpr std::array stall_reasons = {
    "barrier",         "branch_resolving",   "dispatch_stall",   "drain",        "imc_miss",     "lg_throttle",
    "long_scoreboard", "math_pipe_throttle", "membar",           "mio_throttle", "misc",         "no_instruction",
    "not_selected",    "selected",           "short_scoreboard", "sleeping",     "tex_throttle", "wait"};

std::string stall_metric(const char* reason) {
  return fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", reason);
}

/// Conversion factor for this unit, in upper or lower case; nothing if the unit is unknown.
std::optional<double> scale_of(std::string unit) {
  static const std::map<std::string, double> scales = {
      {"", 1},       {"%", 1},     {"inst", 1},    {"warp", 1},       {"register/thread", 1}, {"cycle", 1},      {"request", 1},
      {"sector", 1}, {"byte", 1},  {"kbyte", 1e3}, {"mbyte", 1e6},    {"gbyte", 1e9},         {"tbyte", 1e12},   {"ns", 1e-9},
      {"us", 1e-6},  {"ms", 1e-3}, {"s", 1},       {"nsecond", 1e-9}, {"usecond", 1e-6},      {"msecond", 1e-3}, {"second", 1},
      {"hz", 1},     {"khz", 1e3}, {"mhz", 1e6},   {"ghz", 1e9},      {"wavefront", 1}};
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // `cycle/nsecond` is a frequency.
  if (unit.starts_with("cycle/")) {
    const auto time = scales.find(unit.substr(std::string_view("cycle/").size()));
    return time == scales.end() ? std::nullopt : std::optional(1 / time->second);
  }
  auto found = scales.find(unit);
  if (found == scales.end() && unit.ends_with('s')) found = scales.find(unit.substr(0, unit.size() - 1));
  return found == scales.end() ? std::nullopt : std::optional(found->second);
}

/// Parses e.g. `1,234,567.5`; nothing if the text is not a finite number of at least 0, e.g. `n/a`.
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  return read_number(text, value) && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

/// Whether a counter can have this value; sums of such values stay within the range that reports accept.
bool is_possible(double value) { return value == 0 || (value >= 1e-20 && value <= 1e20); }

/// The table in Nsight Compute's output, from its header on, without messages.
std::string table_of(std::string_view text) {
  std::string table;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("==") || (table.empty() && !line.starts_with("\"ID\""))) continue;
    table += line + "\n";
  }
  return table;
}

/// Splits a line into words, which consist of letters, digits, `_` and, inside a word, `.`.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (const char c : line) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (is_inside && c == '.');
    if (is_letter && !is_inside) words.emplace_back();
    if (is_letter) words.back() += c;
    is_inside = is_letter;
  }
  for (std::string& word : words)
    word.erase(word.find_last_not_of('.') + 1);
  return words;
}

/// Sum over launches; unknown if any launch lacks the metric.
double sum(const std::vector<const KernelLaunch*>& launches, const std::string& metric) {
  double total = 0;
  for (const KernelLaunch* launch : launches) {
    const auto found = launch->metrics.find(metric);
    total += found == launch->metrics.end() ? KernelProfile::unknown : found->second;
  }
  return total;
}

/// Mean over launches, weighted by time; unknown if any launch lacks the metric.
double mean(const std::vector<const KernelLaunch*>& launches, const std::string& metric) {
  double total = 0;
  double seconds = 0;
  for (const KernelLaunch* launch : launches) {
    const double weight = sum({launch}, duration);
    total += weight * sum({launch}, metric);
    seconds += weight;
  }
  return total / seconds;
}

KernelProfile profile_of(const std::string& name, const std::vector<const KernelLaunch*>& launches) {
  KernelProfile p;
  p.kernel = name;
  p.launches = static_cast<std::int64_t>(launches.size());
  p.seconds = sum(launches, duration);
  p.dram_bytes_read = sum(launches, dram_read);
  p.dram_bytes_written = sum(launches, dram_written);
  p.l2_bytes = sum(launches, l2);
  p.l1_bytes = sum(launches, l1);
  p.occupancy = mean(launches, occupancy) / 100;
  p.occupancy_limit = mean(launches, occupancy_limit) / 100;
  p.instructions = sum(launches, instructions);
  p.fma_instructions = sum(launches, fma[0]) + sum(launches, fma[1]);
  for (const char* reason : stall_reasons)
    if (const double warps = mean(launches, stall_metric(reason)); std::isfinite(warps)) p.stalls[reason] = warps;
  for (std::size_t i = 0; i < detailed_counters.size(); ++i) {
    const DetailedCounter& counter = detailed_counters[i];
    const std::string metric(counter.metric);
    p.details[i] = counter.is_mean() ? mean(launches, metric) : sum(launches, metric);
    if (counter.is_percentage()) p.details[i] /= 100;
  }
  return p;
}

std::vector<std::string> names_of(const std::vector<KernelLaunch>& launches) {
  std::vector<std::string> names;
  for (const KernelLaunch& launch : launches)
    if (std::ranges::find(names, launch.kernel) == names.end()) names.push_back(launch.kernel);
  return names;
}

/// Registers of a kernel: the maximum over its launches.
double registers_of(const std::vector<const KernelLaunch*>& launches) {
  double most = KernelProfile::unknown;
  for (const KernelLaunch* launch : launches)
    most = std::fmax(most, sum({launch}, registers));
  return most;
}

}  // namespace

std::vector<std::string> ncu_metrics(bool with_details) {
  std::vector<std::string> all = {duration,        dram_read, dram_written, l2,     l1,    occupancy,
                                  occupancy_limit, registers, instructions, fma[0], fma[1]};
  for (const char* reason : stall_reasons)
    all.push_back(stall_metric(reason));
  if (with_details)
    for (const DetailedCounter& counter : detailed_counters)
      all.emplace_back(counter.metric);
  return all;
}

std::vector<KernelLaunch> parse_ncu(std::string_view text) {
  const std::string table = table_of(text);
  if (table.empty()) throw InputError("Nsight Compute profiled no kernel");
  const auto file = CsvFile::parse("Nsight Compute's table", table);
  const std::size_t id = file.column("ID");
  const std::size_t kernel = file.column("Kernel Name");
  std::map<std::string, std::size_t> columns;
  for (const std::string& metric : ncu_metrics(true))
    if (file.has(metric)) columns[metric] = file.column(metric);
  std::map<std::string, std::string> units;
  std::vector<KernelLaunch> launches;
  for (const CsvRecord& record : file.records()) {
    if (record.fields[id].empty()) {
      for (const auto& [metric, column] : columns)
        units[metric] = record.fields[column];
      continue;
    }
    if (units.empty()) throw InputError("Nsight Compute's table: no row of units before the first kernel");
    KernelLaunch& launch = launches.emplace_back();
    launch.kernel = record.fields[kernel];
    for (const auto& [metric, column] : columns) {
      const auto value = number_of(record.fields[column]);
      const auto scale = scale_of(units.at(metric));
      if (value && scale && is_possible(*value * *scale))
        launch.metrics[metric] = *value * *scale;
      else
        launch.unread[metric] = fmt::format("{} {}", record.fields[column], units.at(metric));
    }
  }
  if (launches.empty()) throw InputError("Nsight Compute profiled no kernel");
  return launches;
}

std::vector<KernelProfile> by_kernel(const std::vector<KernelLaunch>& launches) {
  std::vector<KernelProfile> all;
  for (const std::string& name : names_of(launches)) {
    std::vector<const KernelLaunch*> own;
    for (const KernelLaunch& launch : launches)
      if (launch.kernel == name) own.push_back(&launch);
    all.push_back(profile_of(name, own));
    all.back().registers_per_thread = registers_of(own);
  }
  return all;
}

KernelProfile together(const std::vector<KernelLaunch>& launches) {
  std::vector<const KernelLaunch*> all;
  for (const KernelLaunch& launch : launches)
    all.push_back(&launch);
  KernelProfile p = profile_of("", all);
  double longest = -1;
  for (const KernelProfile& kernel : by_kernel(launches))
    if (kernel.seconds > longest) {
      longest = kernel.seconds;
      p.registers_per_thread = kernel.registers_per_thread;
    }
  return p;
}

std::string stalls_text(const std::map<std::string, double>& stalls) {
  std::vector<std::pair<std::string, double>> longest(stalls.begin(), stalls.end());
  std::erase_if(longest, [](const auto& stall) { return !(stall.second >= 0.01); });
  std::stable_sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [reason, warps] : longest)
    text += fmt::format("{}{}={:.3g}", text.empty() ? "" : ";", reason, warps);
  return text;
}

void set_counters(Profile& row, const KernelProfile& counters) {
  static_cast<KernelCounters&>(row) = counters;
  row.stalls_text = stalls_text(counters.stalls);
}

bool is_permission_error(std::string_view text) { return text.find("ERR_NVGPUCTRPERM") != std::string_view::npos; }

std::vector<std::string> unknown_metrics(std::string_view text, const std::vector<std::string>& metrics) {
  std::vector<std::string> unknown;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("==ERROR==") && !line.starts_with("==WARNING==")) continue;
    const std::vector<std::string> words = words_of(line);
    for (const std::string& metric : metrics) {
      const bool is_named = std::ranges::find(words, metric) != words.end() ||
                            std::ranges::find(words, metric.substr(0, metric.find('.'))) != words.end();
      if (is_named && std::ranges::find(unknown, metric) == unknown.end()) unknown.push_back(metric);
    }
  }
  return unknown;
}

std::string ncu_version(std::string_view text) {
  constexpr std::string_view begin = "Version ";
  const auto at = text.find(begin);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = text.substr(at + begin.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

}  // namespace ladder
