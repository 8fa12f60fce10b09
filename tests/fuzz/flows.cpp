// The list of a machine's pictures and series, and the sections that show them. The input is such a list, or only its rows
// without the header.
#include "harness/record/flows.hpp"

#include "reports/sections/sections.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/study.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

static const std::string_view blocks = R"(
[[report]]
kind = "field"
cases = ["box-4"]
[[report]]
kind = "series"
cases = ["box-4"]
value = "speed"
[[report]]
kind = "layers"
cases = ["box-4"]
value = "speed"
[[report]]
kind = "stability"
)";

LADDER_FUZZ(input) {
  static const reports::Study study = study_of({}, ladder::parse_parameters("study.toml", blocks).tables_if_any("report"));
  const bool has_header = input.starts_with("utc,");
  const std::string text = has_header ? std::string(input) : ladder::csv_header<ladder::Flow>() + "\n" + std::string(input);
  reports::MachineData data{"m", "none", {}, {}};
  if (!accepts([&] { data.flows = ladder::parse_flows("m.flow.csv", text); })) return;
  for (const ladder::Flow& flow : data.flows.rows)
    require(!flow.file.empty() && flow.file.find('/') == std::string::npos, "files are in the folder of the list");
  const reports::Results results(data);
  const reports::Ceilings ceilings(results);
  const reports::Context context{study, results, ceilings};
  for (const ladder::Parameters& block : study.blocks)
    accepts([&] { require(make_section(block, context).parts.size() == 1, "a case without files gives one sentence"); });
}
