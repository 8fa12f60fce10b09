// The rows of a results file, as read by reports and by the harness when it continues a session. Input that does not start with
// a header gets one.
#include "reports/results.hpp"

#include "harness/record/rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

LADDER_FUZZ(input) {
  const bool has_header = input.starts_with("session,");
  const std::string text = has_header ? std::string(input) : ladder::csv_header<ladder::Row>() + "\n" + std::string(input);
  reports::MachineData data{"m", "", {}, {}};
  if (!accepts([&] { data.file = ladder::parse_rows("m.csv", text); })) return;
  const reports::Results results(data);
  for (const auto* cells : {&results.cells(), &results.ceilings(), &results.earlier_ceilings()})
    for (const reports::Cell& cell : *cells) {
      require(cell.median > 0, "what is shown has a speed");
      require(results.choose({.rung = cell.row->rung, .tuning = "best"}) != nullptr || cells != &results.cells() ||
                  cell.row->build != "default",
              "what is shown is found");
    }
}
