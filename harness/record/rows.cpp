#include "harness/record/rows.hpp"

#include <fmt/format.h>

#include <charconv>
#include <tuple>

#include "base/key_values.hpp"
#include "harness/record/columns.hpp"
#include "harness/record/energy_limit.hpp"
#include "harness/record/row_columns.hpp"

namespace ladder {

static constexpr std::string_view shared_by = ", shared by ";

static std::vector<std::string_view> last_columns(const Row&) {
  return {"key", "suspicious", "reason_code", "phases", "energy_domain", "relative_error", "queue_seconds", "total_seconds"};
}

/// Derives columns that older versions lack from other columns. No other code does this.
static void complete(Row& row) {
  if (row.kind == "ceiling") return;
  const double populations = row.bytes_per_update_minimum / (2 * static_cast<double>(find_number(row.precision).bytes));
  if (row.q == 0 && populations >= 1 && populations < 1000) row.q = static_cast<int>(std::lround(populations));
  if (row.nx == 0) std::tie(row.nx, row.ny, row.nz) = std::tuple_cat(column::sides_of(row.grid));
}

/// Checks conditions that involve several columns.
static void finish(const CsvFile& file, Row& row) {
  const auto accept = [&](bool ok, const char* column, const auto& value, const std::string& accepted) {
    if (!ok) throw FileError(file.path(), row.line, fmt::format("column '{}' is '{}'{}", column, value, accepted));
  };
  column::require_origin(file, row.line, row.session, row.utc);
  column::require_number_format(file, row.line, row.precision);
  complete(row);
  if (row.kind != "ceiling") column::require_cells(file, row.line, row.cells, {row.nx, row.ny, row.nz});
  accept(row.phases.empty() || !parse_phases(row.phases).empty(), "phases", row.phases,
         "; accepted: e.g. stream=0.001;collide=0.003");
  accept(row.bytes_per_update_levels.empty() || !parse_levels(row.bytes_per_update_levels).empty(), "bytes_per_update_levels",
         row.bytes_per_update_levels, "; accepted: e.g. dram=36+36");
  if (!row.ok()) return;
  accept(!(row.population_error > row.tolerance), "population_error", row.population_error,
         fmt::format("; accepted in an ok row: at most its tolerance, {}", row.tolerance));
  if (row.kind == "check") return;
  accept(row.updates_per_second > 0, "updates_per_second", row.updates_per_second, "; accepted in an ok row: a number above 0");
  accept(row.cells > 0, "cells", row.cells, "; accepted in an ok row: an integer from 1");
  accept(has_possible_energy(row), "joules", row.joules,
         fmt::format("; accepted: at most {} W for {} s on each device", most_watts, row.seconds));
  if (row.kind == "ceiling") return;
  const double updates = static_cast<double>(row.cells) * static_cast<double>(row.steps);
  accept(std::abs(row.updates_per_second * row.seconds / updates - 1) <= 1e-6, "updates_per_second", row.updates_per_second,
         fmt::format(", but {} cells, {} steps and {} s give {}", row.cells, row.steps, row.seconds, updates / row.seconds));
}

/// Identifies what was measured; a round measures each item only once. Empty for checks.
static std::string identity(const Row& row) {
  if (row.kind == "check") return "";
  std::string what = row.kind;
  for (const auto& part : {row.rung, row.build, row.case_name, row.precision, row.tuning, row.placement, row.key})
    what += part.empty() ? "" : " " + part;
  return fmt::format("{} in round {} of session {}", what, row.round, row.session);
}

std::string shared_device(std::string_view device, int users, std::string_view kind) {
  return fmt::format("{}{}{} {}", device, shared_by, users, kind);
}

bool is_shared_device(std::string_view device) { return device.find(shared_by) != std::string_view::npos; }

/// Processes times devices of a placement; either counts as 1 if it is missing.
static std::int64_t parts_of(std::string_view placement) {
  std::int64_t count = 1;
  for (const auto& [name, value] : key_values(placement).value_or(std::vector<KeyValue>{})) {
    std::int64_t parts = 1;
    if ((name == "processes" || name == "devices") && read_number(value, parts)) count *= std::max<std::int64_t>(1, parts);
  }
  return count;
}

std::int64_t Row::workers() const { return std::max<std::int64_t>(1, threads) * parts_of(placement); }

std::int64_t Row::devices() const {
  const bool has_devices = backend.find("cuda") != std::string::npos || backend.find("opencl") != std::string::npos;
  return has_devices && !is_shared_device(device) ? parts_of(placement) : 1;
}

double Row::joules_per_update() const { return joules / (static_cast<double>(cells) * static_cast<double>(steps)); }

double Row::dram_bytes_per_update() const { return dram_bytes(bytes_per_update_levels, bytes_per_update_model); }

std::vector<LevelTraffic> parse_levels(std::string_view text) {
  std::vector<LevelTraffic> levels;
  for (const auto& [level, bytes] : key_values(text).value_or(std::vector<KeyValue>{})) {
    LevelTraffic& found = levels.emplace_back();
    found.level = level;
    const char* const end = bytes.data() + bytes.size();
    const auto [plus, bad] = std::from_chars(bytes.data(), end, found.read);
    if (bad != std::errc() || plus == end || *plus != '+') return {};
    if (!read_number({plus + 1, end}, found.write)) return {};
    if (!(found.read >= 0 && found.write >= 0 && found.read + found.write <= 1e30)) return {};
  }
  return levels;
}

double dram_bytes(std::string_view levels, double model) {
  const auto all = parse_levels(levels);
  if (all.empty()) return model;
  const auto dram = std::ranges::find(all, "dram", &LevelTraffic::level);
  return dram == all.end() ? Row::unknown : dram->read + dram->write;
}

std::vector<PhaseTime> parse_phases(std::string_view text) {
  std::vector<PhaseTime> phases;
  for (const auto& [name, seconds] : key_values(text).value_or(std::vector<KeyValue>{})) {
    PhaseTime& phase = phases.emplace_back();
    phase.name = name;
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != name.npos) return {};
    if (!read_number(seconds, phase.seconds) || !(phase.seconds >= 0 && phase.seconds <= 1e30)) return {};
  }
  return phases;
}

std::vector<ColumnText> sample_columns() {
  column::Describer describe;
  const Row none;
  for_each_column(none, [&](const auto& one, const auto& value) {
    if (one.source != column::Source::harness && one.source != column::Source::check) describe(one, value);
  });
  return std::move(describe.all);
}

LADDER_RECORD(Row);

}  // namespace ladder
