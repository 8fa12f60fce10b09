// The rows of a results file, as the harness carries on from them and as reports read them. Input that does not start with a
// header gets one.
#include "reports/results.hpp"

#include "harness/program/store.hpp"
#include "reports/rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

LADDER_FUZZ(input) {
  const bool has_header = input.starts_with("session,");
  const std::string text = has_header ? std::string(input) : ladder::csv_header() + "\n" + std::string(input);
  // A store drops a last line that is not whole.
  if (const std::size_t last = text.rfind('\n'); last != std::string::npos)
    accepts([&] { ladder::parse_rows("m.csv", text.substr(0, last + 1)); });

  reports::MachineData data{"m", "", {}, {}};
  if (!accepts([&] { data.file = reports::parse_rows("m.csv", text); })) return;
  const reports::Results results(data);
  for (const auto* cells : {&results.cells(), &results.ceilings(), &results.earlier_ceilings()})
    for (const reports::Cell& cell : *cells) {
      require(cell.median > 0, "what is shown has a speed");
      require(results.choose({.rung = cell.row->rung, .tuning = "best"}) != nullptr || cells != &results.cells() ||
                  cell.row->build != "default",
              "what is shown is found");
    }
}
