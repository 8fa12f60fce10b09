// Output of Nsight Compute. Input without a header gets one.
#include "harness/run/ncu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/record/profiles.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

/// `"ID","Kernel Name","<metric>",…` and a row of units.
static std::string head() {
  std::string units = "\"\",\"\"";
  for (const std::string& metric : ladder::ncu_metrics(true))
    units += metric.starts_with("gpu__time")                  ? ",\"ns\""
             : metric.find("bytes") != std::string::npos      ? ",\"Kbyte\""
             : metric.find("per_second") != std::string::npos ? ",\"cycle/nsecond\""
                                                              : ",\"\"";
  return fmt::format("\"ID\",\"Kernel Name\",\"{}\"\n{}\n", fmt::join(ladder::ncu_metrics(true), "\",\""), units);
}

LADDER_FUZZ(input) {
  static const std::string header = head();
  ladder::ncu_version(input);
  ladder::unknown_metrics(input, ladder::ncu_metrics(true));
  const bool has_header = input.find("\"ID\"") != std::string_view::npos;
  std::vector<ladder::KernelLaunch> launches;
  if (!accepts([&] { launches = ladder::parse_ncu(has_header ? std::string(input) : header + std::string(input)); })) return;
  require(!launches.empty(), "an accepted table has a launch");
  std::int64_t count = 0;
  std::string text = ladder::csv_header<ladder::Profile>() + "\n";
  ladder::Profile row;
  row.session = "s";
  row.utc = "2026-01-01T12:00:00Z";
  row.kind = "kernel";
  row.precision = "f32";
  row.cells = row.steps = 1;
  for (const ladder::KernelProfile& kernel : ladder::by_kernel(launches)) {
    count += kernel.launches;
    ladder::set_counters(row, kernel);
    text += ladder::csv_line(row) + "\n";
  }
  row.kind = "step";
  ladder::set_counters(row, ladder::together(launches));
  text += ladder::csv_line(row) + "\n";
  require(count == static_cast<std::int64_t>(launches.size()), "each launch belongs to one kernel");
  require(row.launches == count, "all launches are together");
  const auto back = ladder::parse_profiles("p.csv", text);
  require(!back.csv.is_truncated() && !back.rows.empty() && back.rows.back().launches == count,
          "reports accept what is stored");
}
