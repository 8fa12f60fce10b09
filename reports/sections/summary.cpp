#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/format.hpp"
#include "base/key_values.hpp"
#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

std::string caches_text(const std::vector<CacheLevel>& caches) {
  std::vector<std::string> levels;
  for (const CacheLevel& c : caches)
    levels.push_back(fmt::format("{} {} × {}", c.name(), c.count, binary_bytes(c.bytes)));
  return joined(levels);
}

/// The latest device name of each backend.
std::string devices_text(const std::vector<Provenance>& sessions) {
  std::map<std::string, std::string> devices;
  for (const Provenance& session : sessions)
    for (const auto& [backend, device] : session.devices)
      devices[backend] = device;
  std::vector<std::string> texts;
  for (const auto& [backend, device] : devices)
    texts.push_back(backend + ": " + device);
  return joined(texts);
}

std::string compilers_text(const std::vector<RungDescription>& rungs) {
  std::set<std::string> compilers;
  for (const RungDescription& r : rungs)
    if (!r.compiler.empty()) compilers.insert(r.compiler);
  return joined({compilers.begin(), compilers.end()});
}

std::string processor_text(const MachineFacts& machine) {
  if (machine.cores == 0) return machine.cpu;
  return fmt::format("{}, {}", machine.cpu, counted(static_cast<std::size_t>(machine.cores), "core"));
}

std::string system_text(const MachineFacts& machine) {
  return machine.os + (machine.kernel.empty() ? "" : ", Linux " + machine.kernel);
}

/// The processors of all sessions: a GPU may have been measured on several hosts.
std::string processors_text(const std::vector<Provenance>& sessions) {
  std::vector<std::string> texts;
  for (const Provenance& session : sessions)
    add_once(texts, processor_text(session.machine));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// An empty table of values from a session's file.
Table values_table(const std::string& id, const std::string& title, const Provenance& session) {
  return {id,
          title,
          {{"What", "what", false}, {"Value", "value", false}},
          false,
          fmt::format("From {}.", session.path.filename().string())};
}

void add_value(Table& table, const std::string& what, const std::string& value) {
  if (!value.empty()) table.rows.push_back({what, value});
}

Table machine_table(const Results& results) {
  const Provenance& session = results.data().sessions.back();
  Table table = values_table("machine", "Machine", session);
  const auto row = std::bind_front(add_value, std::ref(table));
  row("Name", session.machine.name);
  row("CPU", processors_text(results.data().sessions));
  row("Caches", caches_text(results.caches()));
  row("Memory visible at the session's start",
      session.machine.memory_bytes > 0 ? binary_bytes(session.machine.memory_bytes) : "");
  row("System", system_text(session.machine));
  row("Devices", devices_text(results.data().sessions));
  row("Compilers", compilers_text(results.rungs()));
  return table;
}

Table sessions_table(const MachineData& data) {
  Table table{"sessions",
              "Sessions",
              {{"Session", "session", false},
               {"Started (UTC)", "utc", false},
               {"Source commit", "commit", false},
               {"Changed since", "dirty", false},
               {"Checks", "checks"},
               {"Rounds", "rounds"},
               {"Ended", "ended", false},
               {"Samples", "samples"},
               {"Ceilings", "ceilings"},
               {"Not ok", "not_ok"}},
              false,
              fmt::format("From {0}.csv and {0}.*.json.", data.name)};
  std::vector<std::string> names;
  for (const Row& row : data.file.rows)
    add_once(names, row.session);
  for (const std::string& name : names) {
    const auto count = [&](auto predicate) {
      return std::to_string(
          std::ranges::count_if(data.file.rows, [&](const Row& r) { return r.session == name && predicate(r); }));
    };
    const auto session = std::ranges::find(data.sessions, name, &Provenance::session);
    const bool is_known = session != data.sessions.end();
    TableCell dirty = !is_known ? "—" : session->source.dirty ? "yes" : "no";
    dirty.flagged = is_known && session->source.dirty;
    table.rows.push_back(
        {name, is_known ? session->utc : "—", is_known ? session->source.commit.substr(0, 12) : "—", dirty,
         count([](const Row& r) { return r.kind == "check"; }),
         is_known && session->stopped && session->stopped->rounds > 0 ? std::to_string(session->stopped->rounds) : "—",
         is_known && session->stopped ? session->stopped->reason : "—", count([](const Row& r) { return r.kind == "sample"; }),
         count([](const Row& r) { return r.kind == "ceiling"; }), count([](const Row& r) { return !r.ok(); })});
  }
  return table;
}

/// Everything stored about where and how one session was measured.
Table session_table(const Provenance& session) {
  Table table = values_table("session-" + session.session, "Session " + session.session, session);
  table.is_folded = true;
  table.session = session.session;
  const auto row = std::bind_front(add_value, std::ref(table));
  row("Started (UTC)", session.utc);
  row("Command", fmt::format("{}", fmt::join(session.command, " ")));
  row("Seed", session.seed ? std::to_string(*session.seed) : "");
  row("Machine", session.machine.name);
  row("CPU", processor_text(session.machine));
  row("System", system_text(session.machine));
  row("Source commit",
      session.source.commit.empty() ? "" : session.source.commit + (session.source.dirty ? ", with changes" : ""));
  row("Pinning", session.pinning);
  row("Ended",
      session.stopped ? fmt::format("{}, after {} rounds", session.stopped->reason, session.stopped->rounds) : "interrupted");
  for (const auto& [backend, device] : session.devices) {
    const auto driver = session.drivers.find(backend);
    row("Device, " + backend, device + (driver == session.drivers.end() ? "" : "; driver " + driver->second));
  }
  const auto built = [&](const std::string& name, const RungDescription& r) {
    row(name, fmt::format("{} {}; executable {}, sources {}", r.compiler, r.flags, r.executable.empty() ? "—" : r.executable,
                          r.sources.empty() ? "—" : r.sources));
  };
  for (const auto& [name, r] : session.rungs)
    built(r.build == "default" ? r.id : fmt::format("{} [{}]", r.id, r.build), r);
  for (const auto& [name, r] : session.ceilings)
    built("Ceilings, " + r.backend, r);
  return table;
}

/// The noise floors of rungs that were measured against themselves.
Table noise_table(const Results& results) {
  Table table{"noise",
              "Noise floor: a rung against itself",
              {{"Session", "session", false},
               {"Backend", "backend", false},
               {"Rung", "rung", false},
               {"Case", "case", false},
               {"Precision", "precision", false},
               {"Rounds", "rounds"},
               {"Ratio", "ratio"},
               {"Floor", "floor"}},
              false,
              fmt::format("Rows of {}.csv with kind=sample and kind=twin that share key, session and round. No verdict on the "
                          "backend in that session is finer than the floor.",
                          results.data().name)};
  for (const Noise& n : results.noise()) {
    table.sources.insert(table.sources.end(), n.rows.begin(), n.rows.end());
    table.rows.push_back({n.row->session, n.row->backend, n.row->rung, n.row->case_name, n.row->precision,
                          std::to_string(n.ratio.pairs), ratio_cell(n.ratio), percent_cell(n.floor)});
  }
  return table;
}

/// The samples whose conditions were observed, and those among them that are suspicious.
struct Suspicion {
  std::size_t observed = 0, suspicious = 0;
  std::map<std::string, std::size_t> reasons;
};

Suspicion suspicion_of(const std::vector<Row>& rows) {
  Suspicion all;
  for (const Row& row : rows) {
    if (row.kind == "check" || !row.ok() || row.affinity.empty()) continue;
    ++all.observed;
    if (row.suspicious.empty()) continue;
    ++all.suspicious;
    for (const std::string_view reason : split(row.suspicious, ';'))
      ++all.reasons[std::string(reason)];
  }
  return all;
}

std::string suspicious_text(const std::vector<Row>& rows) {
  const auto [observed, suspicious, reasons] = suspicion_of(rows);
  if (observed == 0) return "";
  std::vector<std::string> parts;
  for (const auto& [reason, count] : reasons)
    parts.push_back(fmt::format("{} {}", reason, count));
  return fmt::format("Of {} whose conditions were observed, {} suspicious{}{}.", counted(observed, "sample"),
                     suspicious == 1 ? "1 is" : fmt::format("{} are", suspicious), parts.empty() ? "" : ": ",
                     joined(parts, parts.size()));
}

Table rungs_table(const Results& results) {
  Table table{"rungs",
              "Rungs",
              {{"Rung", "rung", false},
               {"Idea", "idea", false},
               {"Traffic", "traffic", false},
               {"Should be limited by", "bound", false},
               {"Source", "source", false}},
              true,
              "Descriptions are from the latest session."};
  for (const RungDescription& r : results.rungs())
    if (r.build == "default") table.rows.push_back({r.id, r.idea, r.traffic, r.bound, r.source});
  return table;
}

Table failures_table(const Results& results) {
  Table table{"not-run",
              "What did not run",
              {{"Kind", "kind", false},
               {"Rung", "rung", false},
               {"Build", "build", false},
               {"Case", "case", false},
               {"Precision", "precision", false},
               {"Tuning", "tuning", false},
               {"Outcome", "outcome", false},
               {"Rows", "rows"},
               {"Ok since", "ok_since", false},
               {"Reason", "reason", false}}};
  for (const Failure& f : results.failures()) {
    const Row& r = *f.row;
    table.sources.insert(table.sources.end(), f.rows.begin(), f.rows.end());
    table.rows.push_back({r.kind, r.rung, r.build, r.case_name, r.precision, joined(f.tunings, 6), r.outcome,
                          std::to_string(f.count), f.ok_since ? "yes" : "no", r.reason});
  }
  for (const Withheld& w : results.withheld()) {
    const Row& r = *w.cell.row;
    table.sources.insert(table.sources.end(), w.cell.rows.begin(), w.cell.rows.end());
    table.rows.push_back({r.kind, r.rung, r.build, r.case_name, r.precision, r.tuning, "withheld",
                          std::to_string(w.cell.updates_per_second.size()), "no", w.why});
  }
  table.is_folded = table.rows.size() > 12;
  table.caption = fmt::format("Rows of {}.csv whose outcome is not ok, and samples that are not shown because of their check.",
                              results.data().name);
  return table;
}

}  // namespace

Section summary(const Context& context) {
  const Results& results = context.results;
  const MachineData& data = results.data();
  Section section{"summary", fmt::format("Machine and sessions: {}", data.label()), {}};
  section.is_appendix = true;
  if (data.file.rows.empty() && !data.profiles.rows.empty()) {
    section.say("Nothing was timed: there are only hardware counters.");
    return section;
  }
  const auto samples = static_cast<std::size_t>(
      std::ranges::count_if(data.file.rows, [](const Row& r) { return r.kind == "sample" && r.ok(); }));
  const auto failed = static_cast<std::size_t>(std::ranges::count_if(data.file.rows, [](const Row& r) { return !r.ok(); }));
  std::string text =
      fmt::format("{} stored; {} of {}; {} not ok", counted(data.file.rows.size(), "row"), counted(samples, "ok sample"),
                  counted(results.cells().size() + results.withheld().size(), "combination"), counted(failed, "row"));
  if (results.superseded() > 0)
    text += fmt::format("; {} from older executables, other checks or other numbers of steps left out",
                        counted(results.superseded(), "sample"));
  section.say(text + ".");
  if (const std::string suspicious = suspicious_text(data.file.rows); !suspicious.empty()) section.say(suspicious);
  if (!data.sessions.empty()) section.parts.emplace_back(machine_table(results));
  section.parts.emplace_back(sessions_table(data));
  for (const Provenance& session : data.sessions)
    section.parts.emplace_back(session_table(session));
  if (!results.noise().empty()) section.parts.emplace_back(noise_table(results));
  if (!results.rungs().empty()) section.parts.emplace_back(rungs_table(results));
  if (results.failures().empty() && results.withheld().empty()) {
    section.say("Everything ran and passed its check.");
  } else {
    section.parts.emplace_back(failures_table(results));
  }
  return section;
}

std::string disturbance(const Context& context) {
  const Suspicion all = suspicion_of(context.results.data().file.rows);
  std::vector<std::string> found;
  if (static_cast<double>(all.suspicious) > 0.05 * static_cast<double>(all.observed))
    found.push_back(fmt::format("{} of {} are suspicious", all.suspicious, counted(all.observed, "sample")));
  const auto& noise = context.results.noise();
  const auto worst = std::ranges::max_element(noise, {}, &Noise::floor);
  if (worst != noise.end() && worst->floor > 0.1)
    found.push_back(
        fmt::format("{} differs from itself by {} on {}", worst->row->rung, percent(worst->floor), worst->row->case_name));
  return found.empty() ? "" : fmt::format("These measurements are noisy: {}. The appendix has the details.", joined(found));
}

}  // namespace ladder::reports
