#include <fmt/format.h>

#include <algorithm>
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

/// A property of a machine or session. Those without a value are not shown.
using Fact = std::pair<std::string, std::string>;

/// A table of facts from a session's file.
Table facts_table(const std::string& id, const std::string& title, const Provenance& session, std::vector<Fact> facts) {
  std::erase_if(facts, [](const Fact& fact) { return fact.second.empty(); });
  Table table = tabulate(id, title, {{"What", "what", &Fact::first}, {"Value", "value", &Fact::second}}, facts);
  table.caption = fmt::format("From {}.", session.path.filename().string());
  return table;
}

Table machine_table(const Results& results) {
  const Provenance& session = results.data().sessions.back();
  const double memory = session.machine.memory_bytes;
  return facts_table("machine", "Machine", session,
                     {{"Name", session.machine.name},
                      {"CPU", processors_text(results.data().sessions)},
                      {"Caches", caches_text(results.caches())},
                      {"Memory visible at the session's start", memory > 0 ? binary_bytes(memory) : ""},
                      {"System", system_text(session.machine)},
                      {"Devices", devices_text(results.data().sessions)},
                      {"Compilers", compilers_text(results.rungs())}});
}

Table sessions_table(const MachineData& data) {
  std::vector<std::string> names;
  for (const Row& row : data.file.rows)
    add_once(names, row.session);
  const auto count = [&](auto predicate) {
    return [&data, predicate](const std::string& name) {
      return std::ranges::count_if(data.file.rows, [&](const Row& r) { return r.session == name && predicate(r); });
    };
  };
  const auto of_kind = [&](const char* kind) { return count([kind](const Row& r) { return r.kind == kind; }); };
  const auto known = [&](auto text) {
    return [&data, text](const std::string& name) {
      const auto session = std::ranges::find(data.sessions, name, &Provenance::session);
      return session == data.sessions.end() ? "—" : TextCell(text(*session));
    };
  };
  const auto dirty = [](const Provenance& session) {
    if (!session.source.dirty) return TextCell("—");
    TextCell cell = to_cell(*session.source.dirty);
    cell.flagged = *session.source.dirty;
    return cell;
  };
  const auto rounds = [](const Provenance& session) {
    return session.stopped && session.stopped->rounds > 0 ? std::to_string(session.stopped->rounds) : "—";
  };
  Table table = tabulate("sessions", "Sessions",
                         {{"Session", "session", std::identity()},
                          {"Started (UTC)", "utc", known([](const Provenance& s) { return s.utc; })},
                          {"Source commit", "commit", known([](const Provenance& s) { return s.source.commit.substr(0, 12); })},
                          {"Changed since", "dirty", known(dirty)},
                          {"Checks", "checks", of_kind("check")},
                          {"Rounds", "rounds", known(rounds), [](const TextCell& cell) -> TableCell { return cell; }},
                          {"Ended", "ended", known([](const Provenance& s) { return s.stopped ? s.stopped->reason : "—"; })},
                          {"Samples", "samples", of_kind("sample")},
                          {"Ceilings", "ceilings", of_kind("ceiling")},
                          {"Not ok", "not_ok", count([](const Row& r) { return !r.ok(); })}},
                         names);
  table.caption = fmt::format("From {0}.csv and {0}.*.json.", data.name);
  return table;
}

/// Everything stored about where and how one session was measured.
Table session_table(const Provenance& session) {
  const SourceFacts& source = session.source;
  std::vector<Fact> facts = {
      {"Started (UTC)", session.utc},
      {"Command", fmt::format("{}", fmt::join(session.command, " "))},
      {"Seed", session.seed ? std::to_string(*session.seed) : ""},
      {"Machine", session.machine.name},
      {"CPU", processor_text(session.machine)},
      {"System", system_text(session.machine)},
      {"Version", source.version},
      {"Source commit", !source.commit.empty()   ? source.commit + (source.dirty.value_or(false) ? ", with changes" : "")
                        : source.unknown.empty() ? ""
                                                 : "unknown: " + source.unknown},
      {"Pinning", session.pinning},
      {"Quota", session.quota ? fmt::format("{:.3g} processors (cpu.max)", *session.quota) : ""},
      {"Ended",
       session.stopped ? fmt::format("{}, after {} rounds", session.stopped->reason, session.stopped->rounds) : "interrupted"}};
  for (const auto& [backend, device] : session.devices) {
    const auto driver = session.drivers.find(backend);
    facts.emplace_back("Device, " + backend, device + (driver == session.drivers.end() ? "" : "; driver " + driver->second));
  }
  const auto built = [&](const std::string& name, const RungDescription& r) {
    facts.emplace_back(name, fmt::format("{} {}; executable {}, sources {}", r.compiler, r.flags,
                                         r.executable.empty() ? "—" : r.executable, r.sources.empty() ? "—" : r.sources));
  };
  for (const auto& [name, r] : session.rungs)
    built(r.build == "default" ? r.id : fmt::format("{} [{}]", r.id, r.build), r);
  for (const auto& [name, r] : session.ceilings)
    built("Ceilings, " + r.backend, r);
  Table table = facts_table("session-" + session.session, "Session " + session.session, session, std::move(facts));
  table.is_folded = true;
  table.session = session.session;
  return table;
}

/// The noise floors of rungs that were measured against themselves.
Table noise_table(const Results& results) {
  Table table = tabulate("noise", "Noise floor: a rung against itself",
                         {{"Session", "session", &Noise::row, &Row::session},
                          {"Backend", "backend", &Noise::row, &Row::backend},
                          {"Rung", "rung", &Noise::row, &Row::rung},
                          {"Case", "case", &Noise::row, &Row::case_name},
                          {"Precision", "precision", &Noise::row, &Row::precision},
                          {"Rounds", "rounds", &Noise::ratio, &Ratio::pairs},
                          {"Ratio", "ratio", &Noise::ratio, ratio_cell},
                          {"Floor", "floor", &Noise::floor, share_cell}},
                         results.noise());
  table.caption = fmt::format(
      "Rows of {}.csv with kind=sample and kind=twin that share key, session and round. No verdict on the backend in that "
      "session is finer than the floor.",
      results.data().name);
  for (const Noise& n : results.noise())
    table.sources.insert(table.sources.end(), n.rows.begin(), n.rows.end());
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
  std::vector<RungDescription> rungs = results.rungs();
  std::erase_if(rungs, [](const RungDescription& r) { return r.build != "default"; });
  Table table = tabulate("rungs", "Rungs",
                         {{"Rung", "rung", &RungDescription::id},
                          {"Idea", "idea", &RungDescription::idea},
                          {"Traffic", "traffic", &RungDescription::traffic},
                          {"Should be limited by", "bound", &RungDescription::bound},
                          {"Source", "source", &RungDescription::source}},
                         rungs);
  table.is_folded = true;
  table.caption = "Descriptions are from the latest session.";
  return table;
}

Table failures_table(const Results& results) {
  /// A failure, or withheld samples.
  struct NotRun {
    const Row* row;
    std::string tuning, outcome;
    std::size_t rows;
    bool ok_since;
    std::string why;
  };
  std::vector<NotRun> all;
  std::vector<const Row*> sources;
  for (const Failure& f : results.failures()) {
    sources.insert(sources.end(), f.rows.begin(), f.rows.end());
    all.push_back({f.row, joined(f.tunings, 6), f.row->outcome, f.count, f.ok_since, f.row->reason});
  }
  for (const auto& [cell, why] : results.withheld()) {
    sources.insert(sources.end(), cell.rows.begin(), cell.rows.end());
    all.push_back({cell.row, cell.row->tuning, "withheld", cell.updates_per_second.size(), false, why});
  }
  Table table = tabulate("not-run", "What did not run",
                         {{"Kind", "kind", &NotRun::row, &Row::kind},
                          {"Rung", "rung", &NotRun::row, &Row::rung},
                          {"Build", "build", &NotRun::row, &Row::build},
                          {"Case", "case", &NotRun::row, &Row::case_name},
                          {"Precision", "precision", &NotRun::row, &Row::precision},
                          {"Tuning", "tuning", &NotRun::tuning},
                          {"Outcome", "outcome", &NotRun::outcome},
                          {"Rows", "rows", &NotRun::rows},
                          {"Ok since", "ok_since", &NotRun::ok_since},
                          {"Reason", "reason", &NotRun::why}},
                         all);
  table.sources = std::move(sources);
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
  return found.empty() ? ""
                       : fmt::format("These measurements are noisy: {}. The appendix has the details.", fmt::join(found, "; "));
}

}  // namespace ladder::reports
