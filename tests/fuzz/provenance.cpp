// The provenance file of a session, as read by reports and when a session is continued.
#include "harness/record/provenance.hpp"

#include "reports/results.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  ladder::Provenance p;
  if (!accepts([&] { p = ladder::parse_provenance("m.s.json", input); })) return;
  for (const double bytes : {1.0, 1e9})
    require(!ladder::reports::residency(bytes, p.machine.caches).empty(), "there is a level of memory for every size");
  const std::string written = ladder::provenance_text(p);
  require(ladder::provenance_text(ladder::parse_provenance("m.s.json", written)) == written,
          "what is written again parses to the same");
}
