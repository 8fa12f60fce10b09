#include "harness/store/rows.hpp"

#include "harness/store/columns.hpp"

namespace ladder {

using column::Count;
using column::Number;
using column::Text;
using column::Zero;

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
  visit(Text{"rung", "", "rung id, or `ceiling/<backend>/<name>`"}, row.rung);
  visit(Text{"build", "", "build variant: `default`, or a tag of the flags axis such as `gcc-O2`"}, row.build);
  visit(Text{"backend", "", "e.g. `serial`, `openmp`, `opencl`, `cuda`"}, row.backend);
  visit(Text{"case", "", "name of the case; of a ceiling `ws-` and the bytes of its working set"}, row.case_name);
  visit(Text{"grid", "`128x128`", "sides of the lattice"}, row.grid);
  visit(Count{"cells", "sites", "size of the lattice; of a ceiling its elements"}, row.cells);
  visit(Text{"precision", "`f32`", "format in which numbers are stored"}, row.precision);
  visit(Text{"tuning", "`wx=32;wy=8`", "values of the tunables; empty if there are none"}, row.tuning);
  visit(Count{"threads", "", "OpenMP threads; 1 for serial code, 0 if the device decides", Zero::counts}, row.threads);
  visit(Text{"outcome",
             "",
             "`ok`, `wrong`, `skipped`, `failed`, `crashed`, `timeout`",
             {"ok", "wrong", "skipped", "failed", "crashed", "timeout"}},
        row.outcome);
  visit(Text{"reason", "", "why the outcome is not `ok`, for people"}, row.reason);
  visit(Count{"check_steps", "steps", "largest step count compared"}, row.check_steps);
  visit(Number{"population_error", "", "largest absolute error over the largest population", false}, row.population_error);
  visit(Number{"tolerance", "", "accepted `population_error`", false}, row.tolerance);
  visit(Number{"history_error", "", "largest relative error of the observable of a step", false}, row.history_error);
  visit(Count{"steps", "steps", "length of the sample"}, row.steps);
  visit(Number{"seconds", "s", "wall time of the sample"}, row.seconds);
  visit(Number{"updates_per_second", "1/s", "cells · steps / seconds; of a ceiling elements per second"},
        row.updates_per_second);
  visit(Number{"bytes_per_update_model", "B", "traffic that the rung declares, read and written"}, row.bytes_per_update_model);
  visit(Number{"bytes_per_update_minimum", "B", "every population read once and written once"}, row.bytes_per_update_minimum);
  visit(Number{"flops_per_update", "", "counted operations (`docs/measuring.md`)"}, row.flops_per_update);
  visit(Number{"footprint_bytes", "B", "bytes of the arrays that a step touches"}, row.footprint_bytes);
  visit(Text{"device", "", "device that ran it"}, row.device);
  visit(Text{"key", "",
             "hash of executable, case, precision, tuning, threads, device, driver, and of how it is checked and sampled"},
        row.key);
  visit(Text{"affinity", "`0;1`", "processors that the threads may run on"}, row.affinity);
  visit(Text{"pages", "`N0=1200`", "pages on each NUMA node"}, row.pages);
  visit(Number{"other_load", "processors", "kept busy by other processes, mean"}, row.other_load);
  visit(Number{"steal", "processors", "taken by the hypervisor, mean"}, row.steal);
  visit(Number{"involuntary_switches", "", "times that a thread lost its processor"}, row.involuntary_switches);
  visit(Number{"cpu_mhz", "MHz", "clock of the processor"}, row.cpu_mhz);
  visit(Number{"gpu_mhz", "MHz", "clock of the GPU's multiprocessors"}, row.gpu_mhz);
  visit(Number{"gpu_celsius", "°C", "temperature of the GPU"}, row.gpu_celsius);
  visit(Number{"gpu_watts", "W", "power of the GPU"}, row.gpu_watts);
  visit(Text{"gpu_throttle", "`sw_power_cap`", "reasons why the GPU lowered its clock"}, row.gpu_throttle);
  visit(Text{"suspicious", "`load;steal`", "reasons to doubt the sample (`docs/measuring.md`); empty if there are none"},
        row.suspicious);
}

static std::vector<std::string_view> last_columns(const Row&) { return {"key"}; }

/// Checks what the columns of one row must be together.
static void finish(const CsvFile& file, Row& row) {
  const auto accept = [&](bool ok, const char* column, const auto& value, const std::string& accepted) {
    if (!ok) throw FileError(file.path(), row.line, fmt::format("column '{}' is '{}'{}", column, value, accepted));
  };
  column::require_number_format(file, row.line, row.precision);
  if (row.kind == "check" || !row.ok()) return;
  accept(row.updates_per_second > 0, "updates_per_second", row.updates_per_second, "; accepted in an ok row: a number above 0");
  accept(row.cells > 0, "cells", row.cells, "; accepted in an ok row: an integer from 1");
  if (row.kind == "ceiling") return;
  const double updates = static_cast<double>(row.cells) * static_cast<double>(row.steps);
  accept(std::abs(row.updates_per_second * row.seconds / updates - 1) <= 1e-6, "updates_per_second", row.updates_per_second,
         fmt::format(", but {} cells, {} steps and {} s give {}", row.cells, row.steps, row.seconds, updates / row.seconds));
}

LADDER_RECORD(Row);

}  // namespace ladder
