#include "harness/record/flows.hpp"

#include "harness/record/columns.hpp"

namespace ladder {

using column::Count;
using column::Text;

template <class R, class Visit>
static void for_each_column(R& row, Visit&& visit) {
  visit(Text{"utc", "ISO 8601", "time at which the file was created"}, row.utc);
  visit(Text{"kind",
             "",
             "`field`: a picture of the flow; `series`: evolution of its state; `layers`: evolution of its row means; "
             "`stability`: which of several cases stay bounded",
             {"field", "series", "layers", "stability"}},
        row.kind);
  visit(Text{"rung", "", "rung id"}, row.rung);
  visit(Text{"case", "", "name of the case"}, row.case_name);
  visit(Text{"precision", "`f32`", "number format used for storage"}, row.precision);
  visit(Count{"steps", "steps", "for a picture, steps from the start of the case"}, row.steps);
  visit(Text{"device", "", "device that was used"}, row.device);
  visit(Text{"executable", "", "hash of the executable's bytes"}, row.executable);
  visit(Text{"key", "", "hash of executable, device, driver and the values in the study's block"}, row.key);
  visit(Text{"file", "", "name of the file, in the same folder"}, row.file);
}

static std::vector<std::string_view> last_columns(const Flow&) { return {}; }

static void finish(const CsvFile& file, Flow& row) {
  column::require_utc(file, row.line, row.utc);
  column::require_number_format(file, row.line, row.precision);
  if (row.file.empty() || row.file.find('/') != std::string::npos)
    throw FileError(file.path(), row.line, fmt::format("column 'file' is '{}'; accepted: the name of a file", row.file));
}

/// A flow may be listed twice; the last entry counts.
static std::string identity(const Flow&) { return ""; }

LADDER_RECORD(Flow);

}  // namespace ladder
