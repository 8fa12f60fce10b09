#include "harness/record/rows.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <tuple>

#include "harness/record/columns.hpp"
#include "harness/record/row_columns.hpp"

namespace ladder {

static constexpr std::string_view shared_by = ", shared by ";

static std::vector<std::string_view> last_columns(const Row&) {
  return {"key", "suspicious", "reason_code", "phases", "energy_domain", "relative_error"};
}

/// Derives columns that rows of older versions lack from other columns. No other code does this.
static void complete(Row& row) {
  if (row.kind == "ceiling") return;
  const double populations = row.bytes_per_update_minimum / (2 * static_cast<double>(find_number(row.precision).bytes));
  if (row.q == 0 && populations >= 1 && populations < 1000) row.q = static_cast<int>(std::lround(populations));
  int sides[3] = {0, 0, 1};
  if (row.nx == 0 && std::sscanf(row.grid.c_str(), "%9dx%9dx%9d", &sides[0], &sides[1], &sides[2]) >= 2)
    std::tie(row.nx, row.ny, row.nz) = std::tie(sides[0], sides[1], sides[2]);
}

/// Checks conditions on several columns of one row.
static void finish(const CsvFile& file, Row& row) {
  const auto accept = [&](bool ok, const char* column, const auto& value, const std::string& accepted) {
    if (!ok) throw FileError(file.path(), row.line, fmt::format("column '{}' is '{}'{}", column, value, accepted));
  };
  column::require_number_format(file, row.line, row.precision);
  complete(row);
  if (row.kind == "check" || !row.ok()) return;
  accept(row.updates_per_second > 0, "updates_per_second", row.updates_per_second, "; accepted in an ok row: a number above 0");
  accept(row.cells > 0, "cells", row.cells, "; accepted in an ok row: an integer from 1");
  if (row.kind == "ceiling") return;
  const double updates = static_cast<double>(row.cells) * static_cast<double>(row.steps);
  accept(std::abs(row.updates_per_second * row.seconds / updates - 1) <= 1e-6, "updates_per_second", row.updates_per_second,
         fmt::format(", but {} cells, {} steps and {} s give {}", row.cells, row.steps, row.seconds, updates / row.seconds));
}

/// The thing that was measured; a round measures it once. Empty for checks.
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

/// Processes times devices of a placement; 1 for those that it does not name.
static std::int64_t parts_of(std::string_view placement) {
  std::int64_t count = 1;
  for (const std::string_view name : {"processes=", "devices="}) {
    std::int64_t of_placement = 1;
    if (const auto at = placement.find(name); at != std::string_view::npos)
      std::from_chars(placement.data() + at + name.size(), placement.data() + placement.size(), of_placement);
    count *= std::max<std::int64_t>(1, of_placement);
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
  const char* const end = text.data() + text.size();
  while (!text.empty()) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return {};
    LevelTraffic& level = levels.emplace_back();
    level.level = text.substr(0, equals);
    const auto [plus, bad_read] = std::from_chars(text.data() + equals + 1, end, level.read);
    if (bad_read != std::errc() || plus == end || *plus != '+') return {};
    const auto [rest, bad_write] = std::from_chars(plus + 1, end, level.write);
    if (bad_write != std::errc() || (rest != end && *rest != ';')) return {};
    if (!(level.read >= 0 && level.write >= 0 && level.read + level.write <= 1e30)) return {};
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (!text.empty()) text.remove_prefix(1);
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
  const char* const end = text.data() + text.size();
  while (!text.empty()) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return {};
    PhaseTime& phase = phases.emplace_back();
    phase.name = text.substr(0, equals);
    if (phase.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) return {};
    const auto [rest, bad] = std::from_chars(text.data() + equals + 1, end, phase.seconds);
    if (bad != std::errc() || (rest != end && *rest != ';')) return {};
    if (!(phase.seconds >= 0 && phase.seconds <= 1e30)) return {};
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (!text.empty()) text.remove_prefix(1);
  }
  return phases;
}

std::vector<ColumnText> sample_columns() {
  column::Describer describe;
  const Row none;
  for_each_column(none, [&](const auto& one, const auto& value) {
    if (one.source == column::Source::sample || one.source == column::Source::ceiling) describe(one, value);
  });
  return std::move(describe.all);
}

LADDER_RECORD(Row);

}  // namespace ladder
