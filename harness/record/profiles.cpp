#include "harness/record/profiles.hpp"

#include "base/key_values.hpp"
#include "harness/record/columns.hpp"

namespace ladder {

using column::Count;
using column::Derived;
using column::Quantity;
using column::Text;
using column::Zero;

template <class R, class Visit>
static void for_each_column(R& row, Visit&& visit) {
  visit(Text{"session", "", "id of the session; its provenance, next to the CSV, is `<machine>.profile.<session>.json`"},
        row.session);
  visit(Text{"utc", "ISO 8601", "time at which the row was created"}, row.utc);
  visit(Text{"kind", "", "`kernel`: all launches of one kernel; `step`: all launches of all kernels", {"kernel", "step"}},
        row.kind);
  visit(Text{"rung", "", "rung id"}, row.rung);
  visit(Text{"build", "", "build variant"}, row.build);
  visit(Text{"backend", "", "backend of the rung"}, row.backend);
  visit(Text{"case", "", "name of the case"}, row.case_name);
  visit(Text{"grid", "`128x128`", "dimensions of the lattice"}, row.grid);
  visit(Count{"cells", "sites", "number of lattice cells", Zero::is_refused}, row.cells);
  visit(Text{"precision", "`f32`", "number format used for storage"}, row.precision);
  visit(Text{"tuning", "`wx=32;wy=8`", "values of the tunables"}, row.tuning);
  visit(Text{"device", "", "device that was used"}, row.device);
  visit(Text{"executable", "", "hash of the executable's bytes"}, row.executable);
  visit(Text{"profiler", "`ncu 2025.3.1.0`", "program that read the counters; `perf_event_open` for those of processors"},
        row.profiler);
  visit(Text{"replay", "", "unit repeated until all counters were read: `kernel`, `application`; empty for processors"},
        row.replay);
  visit(Count{"steps", "steps", "number of profiled steps", Zero::is_refused}, row.steps);
  visit(Text{"kernel", "", "name of the kernel; empty for `step`"}, row.kernel);
  visit(Count{"launches", "", "number of launches in these steps; empty for processors"}, row.launches);
  visit(Quantity{"registers_per_thread", "", "registers of the kernel; for `step`, of the kernel that takes the most time"},
        row.registers_per_thread);
  visit(Quantity{"seconds", "s",
                 "total time of all launches under the profiler, not comparable with samples; for processors, of the steps"},
        row.seconds);
  visit(Quantity{"dram_bytes_read", "B",
                 "bytes moved from DRAM to the L2 cache in all launches; for processors, bytes read by the memory controllers "
                 "or, if these are not counted, 64 · `cache_misses`"},
        row.dram_bytes_read);
  visit(
      Quantity{
          "dram_bytes_written", "B",
          "bytes moved from the L2 cache to DRAM in all launches; for processors, bytes written by the memory controllers"},
      row.dram_bytes_written);
  visit(Quantity{"l2_bytes", "B", "bytes through the L2 cache in both directions"}, row.l2_bytes);
  visit(Quantity{"l1_bytes", "B", "bytes through the L1 cache in both directions, excluding shared memory"}, row.l1_bytes);
  visit(Quantity{"occupancy", "", "active warps divided by the maximum for a multiprocessor; mean over the time it is active"},
        row.occupancy);
  visit(Quantity{"instructions", "", "executed instructions, counted per thread; for processors, in user mode"},
        row.instructions);
  visit(Quantity{"fma_instructions", "", "multiply-adds among them, in any precision"}, row.fma_instructions);
  visit(Text{"stalls", "`wait=1.2`", "waiting warps per issued instruction, by reason; mean over time"}, row.stalls_text);
  visit(Derived{"dram_bytes_per_update", "B", "DRAM bytes read and written, divided by cells · steps"},
        row.dram_bytes_per_update());
  visit(Derived{"l2_bytes_per_update", "B", "the same for the L2 cache"}, row.per_update(row.l2_bytes));
  visit(Derived{"l1_bytes_per_update", "B", "the same for the L1 cache"}, row.per_update(row.l1_bytes));
  visit(Quantity{"bytes_per_update_model", "B", "declared traffic of the rung, reads plus writes"}, row.bytes_per_update_model);
  visit(Quantity{"bytes_per_update_minimum", "B", "traffic if every population is read once and written once"},
        row.bytes_per_update_minimum);
  visit(Quantity{"flops_per_update", "", "counted operations"}, row.flops_per_update);
  visit(Quantity{"footprint_bytes", "B", "size of the arrays that a step accesses"}, row.footprint_bytes);
  visit(Text{"bytes_per_update_levels", "`dram=36+36`", "as in stored rows"}, row.bytes_per_update_levels);
  for (std::size_t i = 0; i < detailed_counters.size(); ++i)
    visit(Quantity{detailed_counters[i].name, detailed_counters[i].unit, detailed_counters[i].meaning}, row.details[i]);
  visit(Quantity{"step_seconds", "s", "for `step`: time of a step without a profiler, by the rung's clock (`--slowdown`)"},
        row.step_seconds);
  visit(Quantity{"step_seconds_recorded", "s", "the same while CUPTI records kernels, copies and calls, as for a timeline"},
        row.step_seconds_recorded);
  visit(Quantity{"step_seconds_one_counter", "s", "the same while Nsight Compute reads one counter, in a single pass"},
        row.step_seconds_one_counter);
  visit(Quantity{"step_seconds_profiled", "s", "the same while it reads all counters of the session, replaying each kernel"},
        row.step_seconds_profiled);
  visit(Quantity{"cycles", "", "for processors: cycles of all threads in user mode"}, row.cycles);
  visit(Quantity{"cache_misses", "", "for processors: misses of the last-level cache, by all threads in user mode"},
        row.cache_misses);
  visit(Quantity{"running_share", "",
                 "for processors: smallest fraction of the time that an event was counted; below 1, the counts are scaled"},
        row.running_share);
  visit(Quantity{"occupancy_limit", "",
                 "for GPUs: the largest `occupancy` that the kernel's registers, shared memory and block size allow"},
        row.occupancy_limit);
}

static std::vector<std::string_view> last_columns(const Profile&) { return {"footprint_bytes", "bytes_per_update_levels"}; }

static void finish(const CsvFile& file, Profile& row) {
  column::require_origin(file, row.line, row.session, row.utc);
  column::require_number_format(file, row.line, row.precision);
  column::require_cells(file, row.line, row.cells, column::sides_of(row.grid));
  if (row.launches == 0 && !row.is_of_processor())
    throw FileError(file.path(), row.line, "column 'launches' is '0'; accepted: an integer from 1");
  if (row.running_share > 1)
    throw FileError(file.path(), row.line,
                    fmt::format("column 'running_share' is '{}'; accepted: at most 1", row.running_share));
  for (const auto& [name, value] : {std::pair("occupancy", row.occupancy), std::pair("occupancy_limit", row.occupancy_limit)})
    if (value > 1) throw FileError(file.path(), row.line, fmt::format("column '{}' is '{}'; accepted: at most 1", name, value));
  if (row.stalls().size() != split(row.stalls_text, ';').size())
    throw FileError(file.path(), row.line,
                    fmt::format("column 'stalls' is '{}'; accepted: e.g. wait=1.2;barrier=0.3", row.stalls_text));
}

/// The same cell may be profiled several times in one session.
static std::string identity(const Profile&) { return ""; }

std::vector<std::pair<std::string, double>> Profile::stalls() const {
  std::vector<std::pair<std::string, double>> all;
  for (const std::string_view part : split(stalls_text, ';')) {
    const auto stall = key_value(part);
    double value = 0;
    if (stall && read_number(stall->value, value) && value >= 0 && value <= 1e30) all.emplace_back(stall->key, value);
  }
  return all;
}

LADDER_RECORD(Profile);

}  // namespace ladder
