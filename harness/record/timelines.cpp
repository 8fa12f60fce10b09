#include "harness/record/timelines.hpp"

#include "harness/record/columns.hpp"
#include "harness/record/field.hpp"

namespace ladder {

using column::Count;
using column::Quantity;
using column::Text;
using column::Zero;

static void for_each_column(Is<Activity> auto& row, auto&& visit) {
  visit(Text{"kind",
             "",
             "`kernel`, `copy`, `set`: work of a queue; `call`: a CUDA function that the host called",
             {"kernel", "copy", "set", "call"}},
        row.kind);
  visit(Text{"name", "", "name of the kernel or function, or direction of the copy"}, row.name);
  visit(Text{"queue", "", "number of the stream; `host` for a call"}, row.queue);
  visit(Count{"device", "", "number of the device", Zero::counts}, row.device);
  visit(Count{"begin_ns", "ns", "begin, on a clock that all processes of a machine share", Zero::is_refused}, row.begin_ns);
  visit(Count{"end_ns", "ns", "end", Zero::is_refused}, row.end_ns);
  visit(Count{"bytes", "B", "bytes copied or set", Zero::counts}, row.bytes);
}

static void for_each_column(Is<TimelineEvent> auto& row, auto&& visit) {
  visit(
      Text{"session", "",
           "id of the session, which is one timeline; its provenance, next to the CSV, is `<machine>.timeline.<session>.json`"},
      row.session);
  visit(Text{"utc", "ISO 8601", "time at which the row was created"}, row.utc);
  visit(Text{"rung", "", "rung id"}, row.rung);
  visit(Text{"build", "", "build variant"}, row.build);
  visit(Text{"backend", "", "backend of the rung"}, row.backend);
  visit(Text{"case", "", "name of the case"}, row.case_name);
  visit(Text{"grid", "`128x128`", "dimensions of the lattice"}, row.grid);
  visit(Text{"precision", "`f32`", "number format used for storage"}, row.precision);
  visit(Text{"tuning", "`wx=32;wy=8`", "values of the tunables"}, row.tuning);
  visit(Text{"placement", "`processes=2`", "processes and threads; empty: the default"}, row.placement);
  visit(Text{"device", "", "device that was used"}, row.device);
  visit(Text{"executable", "", "hash of the executable's bytes"}, row.executable);
  visit(Count{"steps", "steps", "number of recorded steps", Zero::is_refused}, row.steps);
  visit(Count{"process", "", "number of the process, from 0", Zero::counts}, row.process);
  visit(Text{"kind",
             "",
             "`kernel`, `copy`, `set`: work of a queue; `call`: a CUDA function that the host called; `wait`: a call that "
             "waits "
             "for the GPU",
             {"kernel", "copy", "set", "call", "wait"}},
        row.kind);
  visit(Text{"name", "", "name of the kernel or function, or direction of the copy"}, row.name);
  visit(Text{"queue", "", "number of the stream; `host` for a call"}, row.queue);
  visit(Count{"gpu", "", "number of the device within its process", Zero::counts}, row.gpu);
  visit(Quantity{"begin", "µs", "begin, counted from the first event of all processes"}, row.begin);
  visit(Quantity{"end", "µs", "end, counted from the same time"}, row.end);
  visit(Count{"bytes", "B", "bytes copied or set"}, row.bytes);
}

static std::vector<std::string_view> last_columns(const Activity&) { return {}; }
static std::vector<std::string_view> last_columns(const TimelineEvent&) { return {}; }

template <class Time>
static void require_order(const CsvFile& file, std::size_t line, std::string_view column, Time begin, Time end) {
  if (!(begin <= end))
    throw FileError(file.path(), line, fmt::format("column '{}' is '{}'; accepted: {} or later", column, end, begin));
}

static void finish(const CsvFile& file, Activity& row) { require_order(file, row.line, "end_ns", row.begin_ns, row.end_ns); }
static void finish(const CsvFile& file, TimelineEvent& row) {
  column::require_origin(file, row.line, row.session, row.utc);
  column::require_number_format(file, row.line, row.precision);
  require_order(file, row.line, "end", row.begin, row.end);
}

/// Events need not be unique.
static std::string identity(const Activity&) { return ""; }
static std::string identity(const TimelineEvent&) { return ""; }

LADDER_RECORD(Activity);
LADDER_RECORD(TimelineEvent);

}  // namespace ladder
