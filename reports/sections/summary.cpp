#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/sections/common.hpp"
#include "reports/text.hpp"

namespace ladder::reports {
namespace {

std::string caches_text(const std::vector<Cache>& caches) {
  std::vector<std::string> levels;
  for (const Cache& c : caches)
    levels.push_back(fmt::format("{} {} × {}", c.name(), c.count, binary_bytes(c.bytes)));
  return joined(levels);
}

/// The latest name of each backend's device.
std::string devices_text(const std::vector<Provenance>& sessions) {
  std::map<std::string, std::string> devices;
  for (const Provenance& session : sessions) {
    for (const auto& [backend, device] : session.devices)
      devices[backend] = device;
  }
  std::vector<std::string> texts;
  for (const auto& [backend, device] : devices)
    texts.push_back(backend + ": " + device);
  return joined(texts);
}

std::string compilers_text(const std::vector<RungDescription>& rungs) {
  std::set<std::string> compilers;
  for (const RungDescription& r : rungs) {
    if (!r.compiler.empty()) compilers.insert(r.compiler);
  }
  return joined({compilers.begin(), compilers.end()});
}

Table machine_table(const Results& results) {
  const Provenance& session = results.data().sessions.back();
  Table table{"machine",
              "Machine",
              fmt::format("From {}.", session.path.filename().string()),
              {{"What", "what", false}, {"Value", "value", false}},
              {}};
  const auto row = [&](const char* what, const std::string& value) {
    if (!value.empty()) table.rows.push_back({what, value});
  };
  row("Name", session.machine);
  row("CPU", session.cores > 0 ? fmt::format("{}, {}", session.cpu, counted(static_cast<std::size_t>(session.cores), "core"))
                               : session.cpu);
  row("Caches", caches_text(session.caches));
  row("Memory", session.memory_bytes > 0 ? binary_bytes(session.memory_bytes) : "");
  row("System", session.os + (session.kernel.empty() ? "" : ", Linux " + session.kernel));
  row("Devices", devices_text(results.data().sessions));
  row("Compilers", compilers_text(results.rungs()));
  return table;
}

Table sessions_table(const MachineData& data) {
  Table table{"sessions",
              "Sessions",
              fmt::format("From {0}.csv and {0}.*.json.", data.name),
              {{"Session", "session", false},
               {"Started (UTC)", "utc", false},
               {"Source commit", "commit", false},
               {"Changed since", "dirty", false},
               {"Checks", "checks"},
               {"Samples", "samples"},
               {"Ceilings", "ceilings"},
               {"Not ok", "not_ok"}},
              {}};
  std::vector<std::string> names;
  for (const Row& row : data.file.rows) {
    if (std::ranges::find(names, row.session) == names.end()) names.push_back(row.session);
  }
  for (const std::string& name : names) {
    const auto count = [&](auto predicate) {
      return std::to_string(
          std::ranges::count_if(data.file.rows, [&](const Row& r) { return r.session == name && predicate(r); }));
    };
    const auto session = std::ranges::find(data.sessions, name, &Provenance::session);
    const bool is_known = session != data.sessions.end();
    TableCell dirty = !is_known ? "—" : session->dirty ? "yes" : "no";
    dirty.flagged = is_known && session->dirty;
    table.rows.push_back(
        {name, is_known ? session->utc : "—", is_known ? session->commit.substr(0, 12) : "—", dirty,
         count([](const Row& r) { return r.kind == "check"; }), count([](const Row& r) { return r.kind == "sample"; }),
         count([](const Row& r) { return r.kind == "ceiling"; }), count([](const Row& r) { return !r.ok(); })});
  }
  return table;
}

Table rungs_table(const Results& results) {
  Table table{"rungs",
              "Rungs",
              "As each rung describes itself in the latest session.",
              {{"Rung", "rung", false},
               {"Idea", "idea", false},
               {"Traffic", "traffic", false},
               {"Should be limited by", "bound", false},
               {"Source", "source", false}},
              {},
              true};
  for (const RungDescription& r : results.rungs()) {
    if (r.build == "default") table.rows.push_back({r.id, r.idea, r.traffic, r.bound, r.source});
  }
  return table;
}

Table failures_table(const Results& results) {
  Table table{"not-run",
              "What did not run",
              "",
              {{"Kind", "kind", false},
               {"Rung", "rung", false},
               {"Build", "build", false},
               {"Case", "case", false},
               {"Precision", "precision", false},
               {"Tuning", "tuning", false},
               {"Outcome", "outcome", false},
               {"Rows", "rows"},
               {"Ok since", "ok_since", false},
               {"Reason", "reason", false}},
              {}};
  for (const Failure& f : results.failures()) {
    const Row& r = *f.row;
    table.rows.push_back({r.kind, r.rung, r.build, r.case_name, r.precision, joined(f.tunings, 6), r.outcome,
                          std::to_string(f.count), f.ok_since ? "yes" : "no", r.reason});
  }
  for (const Withheld& w : results.withheld()) {
    const Row& r = *w.cell.row;
    table.rows.push_back({r.kind, r.rung, r.build, r.case_name, r.precision, r.tuning, "withheld",
                          std::to_string(w.cell.updates_per_second.size()), "no", w.why});
  }
  table.is_folded = table.rows.size() > 12;
  table.caption = fmt::format("Rows of {}.csv whose outcome is not ok, and samples that are withheld because of their check.",
                              results.data().name);
  return table;
}

}  // namespace

Section summary(const Context& context) {
  const Results& results = context.results;
  const MachineData& data = results.data();
  Section section{"summary", fmt::format("Machine and sessions: {}", data.name), {}};
  const auto samples = static_cast<std::size_t>(
      std::ranges::count_if(data.file.rows, [](const Row& r) { return r.kind == "sample" && r.ok(); }));
  const auto failed = static_cast<std::size_t>(std::ranges::count_if(data.file.rows, [](const Row& r) { return !r.ok(); }));
  std::string text =
      fmt::format("{} stored; {} of {}; {} not ok", counted(data.file.rows.size(), "row"), counted(samples, "ok sample"),
                  counted(results.cells().size() + results.withheld().size(), "combination"), counted(failed, "row"));
  if (results.superseded() > 0)
    text += fmt::format("; {} of older executables or other checks left out", counted(results.superseded(), "sample"));
  section.say(text + ".");
  if (!data.sessions.empty()) section.parts.emplace_back(machine_table(results));
  section.parts.emplace_back(sessions_table(data));
  if (!results.rungs().empty()) section.parts.emplace_back(rungs_table(results));
  if (results.failures().empty() && results.withheld().empty()) {
    section.say("Everything ran and passed its check.");
  } else {
    section.parts.emplace_back(failures_table(results));
  }
  return section;
}

}  // namespace ladder::reports
