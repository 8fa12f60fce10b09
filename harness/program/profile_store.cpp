#include "harness/program/profile_store.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "harness/error.hpp"
#include "harness/program/text.hpp"
#include "reports/csv.hpp"

namespace ladder {
namespace {

/// Calls visit(name, value) for each column, in order.
template <class Visit>
void for_each_column(const ProfileRow& row, Visit visit) {
  visit("session", row.session);
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
  visit("device", row.device);
  visit("executable", row.executable);
  visit("profiler", row.profiler);
  visit("replay", row.replay);
  visit("steps", row.steps);
  const KernelProfile& c = row.counters;
  visit("kernel", c.kernel);
  visit("launches", c.launches);
  visit("registers_per_thread", c.registers_per_thread);
  visit("seconds", c.seconds);
  visit("dram_bytes_read", c.dram_bytes_read);
  visit("dram_bytes_written", c.dram_bytes_written);
  visit("l2_bytes", c.l2_bytes);
  visit("l1_bytes", c.l1_bytes);
  visit("occupancy", c.occupancy);
  visit("instructions", c.instructions);
  visit("fma_instructions", c.fma_instructions);
  visit("stalls", stalls_text(c.stalls));
  visit("dram_bytes_per_update", row.per_update(c.dram_bytes()));
  visit("l2_bytes_per_update", row.per_update(c.l2_bytes));
  visit("l1_bytes_per_update", row.per_update(c.l1_bytes));
  visit("bytes_per_update_model", row.bytes_per_update_model);
  visit("bytes_per_update_minimum", row.bytes_per_update_minimum);
  visit("flops_per_update", row.flops_per_update);
  visit("footprint_bytes", row.footprint_bytes);
}

std::string field(const std::string& text) { return reports::csv_field(one_line(text)); }
std::string field(std::int64_t value) { return std::to_string(value); }
std::string field(double value) { return std::isfinite(value) && value >= 0 ? fmt::format("{}", value) : ""; }

}  // namespace

std::string profile_header() {
  std::string line;
  for_each_column(ProfileRow{}, [&](const char* name, const auto&) { line += (line.empty() ? "" : ",") + std::string(name); });
  return line;
}

std::string profile_line(const ProfileRow& row) {
  std::string line;
  bool first = true;
  for_each_column(row, [&](const char*, const auto& value) {
    line += (first ? "" : ",") + field(value);
    first = false;
  });
  return line;
}

ProfileStore::ProfileStore(std::filesystem::path file) : file_(std::move(file)) {
  open_table(file_, profile_header(), [&](const std::string& text) {
    const std::string header = text.substr(0, text.find('\n'));
    if (header != profile_header())
      throw InputError(fmt::format("{}:1: not a store of profiles: the header is '{}'; accepted: {}", file_.path().string(),
                                   header.substr(0, 80), profile_header()));
  });
}

void ProfileStore::append(const std::vector<ProfileRow>& rows) {
  std::string lines;
  for (const ProfileRow& row : rows)
    lines += profile_line(row) + "\n";
  file_.append(lines);
}

}  // namespace ladder
