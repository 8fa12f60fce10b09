// The provenance file of a session, as reports read it and as a session is carried on from it.
#include "harness/store/provenance.hpp"

#include <nlohmann/json.hpp>

#include "harness/program/session.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace ladder::fuzz;
namespace reports = ladder::reports;

LADDER_FUZZ(input) {
  ladder::Provenance p;
  if (accepts([&] { p = ladder::parse_provenance("m.s.json", input); }))
    for (const double bytes : {1.0, 1e9})
      require(!reports::residency(bytes, p.caches).empty(), "there is a level of memory for every size");

  nlohmann::ordered_json session = ladder::parse_provenance(input);
  if (session.is_null()) return;
  // What carrying on looks at and changes.
  (void)session.value("plan", "");
  (void)session.value("cells", std::vector<std::string>());
  auto& timing = session["timing"];
  if (timing.is_null()) timing = nlohmann::ordered_json::object();
  for (const char* name : {"wall_seconds", "working_seconds"})
    timing[name] = timing.value(name, 0.0) + 1;
  const std::string written = session.dump(1);
  require(ladder::parse_provenance(written).dump(1) == written, "what is written again parses to the same");
}
