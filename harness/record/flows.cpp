#include "harness/record/flows.hpp"

#include "harness/record/columns.hpp"

namespace ladder {

using column::Count;
using column::Text;

template <class R, class Visit>
static void for_each_column(R& row, Visit&& visit) {
  visit(Text{"utc", "ISO 8601", "when the file was made"}, row.utc);
  visit(Text{"kind",
             "",
             "`field`: a picture of the flow; `series`: how its state changes; `layers`: how the means of its rows change",
             {"field", "series", "layers"}},
        row.kind);
  visit(Text{"rung", "", "rung id"}, row.rung);
  visit(Text{"case", "", "name of the case"}, row.case_name);
  visit(Text{"precision", "`f32`", "format in which numbers are stored"}, row.precision);
  visit(Count{"steps", "steps", "of a picture: from the start of the case"}, row.steps);
  visit(Text{"device", "", "device that ran it"}, row.device);
  visit(Text{"executable", "", "hash of the executable's bytes"}, row.executable);
  visit(Text{"key", "", "hash of executable, device, driver and the values in the study's block"}, row.key);
  visit(Text{"file", "", "name of the file beside this one"}, row.file);
}

static std::vector<std::string_view> last_columns(const Flow&) { return {}; }

static void finish(const CsvFile& file, Flow& row) {
  column::require_number_format(file, row.line, row.precision);
  if (row.file.empty() || row.file.find('/') != std::string::npos)
    throw FileError(file.path(), row.line, fmt::format("column 'file' is '{}'; accepted: the name of a file", row.file));
}

/// The last entry counts, even if it is listed twice.
static std::string identity(const Flow&) { return ""; }

LADDER_RECORD(Flow);

}  // namespace ladder
