#include "harness/record/rows.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <tuple>

#include "base/key_values.hpp"
#include "harness/record/columns.hpp"

namespace ladder {

using column::Count;
using column::Quantity;
using column::Text;
using column::Zero;

static constexpr std::string_view shared_by = ", shared by ";

template <class R, class Visit>
static void for_each_column(R& row, Visit&& visit) {
  visit(Text{"session", "", "id of the session; names the provenance file `<machine>.<session>.json` beside the CSV"},
        row.session);
  visit(Count{"round", "", "round of the session, from 1; 0 for checks", Zero::counts}, row.round);
  visit(Count{"order", "", "place within the round", Zero::counts}, row.order);
  visit(Text{"utc", "ISO 8601", "when the row was made"}, row.utc);
  visit(Text{"kind",
             "",
             "`check`, `sample`, `ceiling`; `twin`: a second sample of a cell in the same round",
             {"check", "sample", "twin", "ceiling"}},
        row.kind);
  visit(Text{"rung", "", "rung id, or `ceiling/<backend>/<name>`; of contenders `contender/<name>`"}, row.rung);
  visit(Text{"build", "", "build variant: `default`, or a tag of the flags axis such as `gcc-O2`"}, row.build);
  visit(Text{"backend", "", "e.g. `serial`, `openmp`, `opencl`, `cuda`; of contenders `foreign`"}, row.backend);
  visit(Text{"case", "", "name of the case; of a ceiling `ws-` and the bytes of its working set"}, row.case_name);
  visit(Text{"grid", "`128x128`", "sides of the lattice"}, row.grid);
  visit(Count{"cells", "sites", "size of the lattice; of a ceiling its elements"}, row.cells);
  visit(Text{"precision", "`f32`", "format in which numbers are stored"}, row.precision);
  visit(Text{"tuning", "`wx=32;wy=8`", "values of the tunables; empty if there are none"}, row.tuning);
  visit(Count{"threads", "", "OpenMP threads of each process; 1 for serial code, 0 if the device decides", Zero::counts},
        row.threads);
  visit(Text{"outcome",
             "",
             "`ok`, `wrong`, `skipped`, `failed`, `crashed`, `timeout`",
             {"ok", "wrong", "skipped", "failed", "crashed", "timeout"}},
        row.outcome);
  visit(Text{"reason", "", "why the outcome is not `ok`, for people"}, row.reason);
  visit(Count{"check_steps", "steps", "largest step count compared"}, row.check_steps);
  visit(Quantity{"population_error", "", "largest absolute error over the largest population", false}, row.population_error);
  visit(Quantity{"tolerance", "", "accepted `population_error`", false}, row.tolerance);
  visit(Quantity{"history_error", "", "largest relative error of the observable of a step", false}, row.history_error);
  visit(Count{"steps", "steps", "length of the sample"}, row.steps);
  visit(Quantity{"seconds", "s", "wall time of the sample; of contenders see `time_source`"}, row.seconds);
  visit(Quantity{"updates_per_second", "1/s", "cells · steps / seconds; of a ceiling elements per second"},
        row.updates_per_second);
  visit(Quantity{"bytes_per_update_model", "B", "traffic that the rung declares, read and written"},
        row.bytes_per_update_model);
  visit(Quantity{"bytes_per_update_minimum", "B", "every population read once and written once"}, row.bytes_per_update_minimum);
  visit(Quantity{"flops_per_update", "", "counted operations (`docs/measuring.md`)"}, row.flops_per_update);
  visit(Quantity{"footprint_bytes", "B", "bytes of the arrays that a step touches"}, row.footprint_bytes);
  visit(Text{"device", "", "device that ran it"}, row.device);
  visit(Text{"key", "",
             "hash of executable, case, precision, tuning, placement, threads, device, driver, and of how it is checked and "
             "sampled"},
        row.key);
  visit(Text{"affinity", "`0;1`", "processors that the threads may run on"}, row.affinity);
  visit(Text{"pages", "`N0=1200`", "pages on each NUMA node"}, row.pages);
  visit(Quantity{"other_load", "processors", "kept busy by other processes, mean"}, row.other_load);
  visit(Quantity{"steal", "processors", "taken by the hypervisor, mean"}, row.steal);
  visit(Quantity{"involuntary_switches", "", "times that a thread lost its processor"}, row.involuntary_switches);
  visit(Quantity{"cpu_mhz", "MHz", "clock of the processor"}, row.cpu_mhz);
  visit(Quantity{"gpu_mhz", "MHz", "clock of the GPU's multiprocessors"}, row.gpu_mhz);
  visit(Quantity{"gpu_celsius", "°C", "temperature of the GPU"}, row.gpu_celsius);
  visit(Quantity{"gpu_watts", "W", "power of the GPU"}, row.gpu_watts);
  visit(Text{"gpu_throttle", "`sw_power_cap`", "reasons why the GPU lowered its clock"}, row.gpu_throttle);
  visit(Text{"suspicious", "`load;steal`", "reasons to doubt the sample (`docs/measuring.md`); empty if there are none"},
        row.suspicious);
  visit(Count{"q", "", "populations of a cell"}, row.q);
  visit(Count{"reach", "cells", "distance that a population moves in one step"}, row.reach);
  visit(Count{"fluid_cells", "sites", "cells that are not solid"}, row.fluid_cells);
  visit(Count{"nx", "cells", "side of the lattice along x"}, row.nx);
  visit(Count{"ny", "cells", "side of the lattice along y"}, row.ny);
  visit(Count{"nz", "cells", "side of the lattice along z, 1 in two dimensions"}, row.nz);
  visit(Text{"placement", "`processes=4;threads=2`",
             "nodes, processes, threads and devices; empty: one process with the backend's own threads"},
        row.placement);
  visit(Text{"bytes_per_update_levels", "`dram=36+36`",
             "bytes that the rung declares to read and write at each memory level, `;` between levels, the first level being "
             "that of `bytes_per_update_model`; empty: `dram`"},
        row.bytes_per_update_levels);
  visit(Text{"reason_code", "",
             "the reason for programs: `no-device`, `no-memory`, `too-large`, `device-limit`, `constraint`, `no-such-case`; "
             "empty: another"},
        row.reason_code);
  visit(Text{"phases", "`stream=0.00125;collide=0.0031`",
             "seconds of each phase of a step, measured by itself before the sample; empty: the rung has no phases"},
        row.phases);
  visit(Quantity{"joules", "J", "energy that `energy_domain` consumed in the sample"}, row.joules);
  visit(Text{"energy_domain", "`package`",
             "what `joules` are of: `gpu`: the whole card; `package`: all packages of the processors, without DRAM"},
        row.energy_domain);
  visit(Text{"time_source",
             "",
             "of a contender: what `seconds` is: the time that the `program` prints, the time that follows from the "
             "`rate` that it prints, or the `wall` time of its process; empty: measured by the harness",
             {"", "program", "rate", "wall"}},
        row.time_source);
  visit(Quantity{"wall_seconds", "s", "of a contender: wall time of its process, start and files included"}, row.wall_seconds);
  visit(Quantity{"cpu_seconds", "s", "of a contender: processor time of all its processes and threads"}, row.cpu_seconds);
  visit(Text{"validation",
             "",
             "of a contender: its result `files` are compared with the reference, or `none`: not checked; empty: as rungs are",
             {"", "files", "none"}},
        row.validation);
  visit(Quantity{"relative_error", "",
                 "of a contender's check: largest relative difference of a value, as the UoB-HPC check script computes it",
                 false},
        row.relative_error);
  visit(Quantity{"queue_seconds", "s",
                 "time in which the host queues a step: `advance` without `wait`, before the sample; empty: no NVIDIA GPU"},
        row.queue_seconds);
}

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

LADDER_RECORD(Row);

}  // namespace ladder
