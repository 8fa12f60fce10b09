// What Nsight Compute writes. Input that has no header gets one.
#include "harness/program/ncu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/program/profile_store.hpp"
#include "reports/profiles.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

/// `"ID","Kernel Name","<metric>",…` and a row of units.
static std::string head() {
  std::string units = "\"\",\"\"";
  for (const std::string& metric : ladder::ncu_metrics())
    units += metric.starts_with("gpu__time") ? ",\"ns\"" : metric.find("bytes") != std::string::npos ? ",\"Kbyte\"" : ",\"\"";
  return fmt::format("\"ID\",\"Kernel Name\",\"{}\"\n{}\n", fmt::join(ladder::ncu_metrics(), "\",\""), units);
}

LADDER_FUZZ(input) {
  static const std::string header = head();
  ladder::ncu_version(input);
  ladder::unknown_metrics(input, ladder::ncu_metrics());
  const bool has_header = input.find("\"ID\"") != std::string_view::npos;
  std::vector<ladder::KernelLaunch> launches;
  if (!accepts([&] { launches = ladder::parse_ncu(has_header ? std::string(input) : header + std::string(input)); })) return;
  require(!launches.empty(), "an accepted table has a launch");
  std::int64_t count = 0;
  std::string text = ladder::profile_header() + "\n";
  ladder::ProfileRow row;
  row.kind = "kernel";
  row.precision = "f32";
  row.cells = row.steps = 1;
  for (const ladder::KernelProfile& kernel : ladder::by_kernel(launches)) {
    count += kernel.launches;
    row.counters = kernel;
    text += ladder::profile_line(row) + "\n";
  }
  row.kind = "step";
  row.counters = ladder::together(launches);
  text += ladder::profile_line(row) + "\n";
  require(count == static_cast<std::int64_t>(launches.size()), "each launch belongs to one kernel");
  require(row.counters.launches == count, "all launches are together");
  const auto back = ladder::reports::parse_profiles("p.csv", text);
  require(!back.truncated && !back.rows.empty() && back.rows.back().launches == count, "reports accept what is stored");
}
