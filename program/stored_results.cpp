#include "program/stored_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "program/commit_build.hpp"
#include "reports/limits.hpp"

namespace ladder {
namespace {

std::string name_of(const reports::Ceiling& c) {
  return fmt::format("{} ({}{}, {})", c.name, c.backend, c.store.empty() ? "" : ", store=" + c.store, binary_bytes(c.bytes));
}

/// The later of two results, judged by their last rows.
bool is_later(const reports::Cell& a, const reports::Cell& b) { return a.row->utc > b.row->utc; }

/// The cell with the rung's own tuning or, if that is not stored, the fastest one; null if there is none.
const reports::Cell* cell_of(const reports::Results& results, const std::string& rung, const std::string& case_name,
                             const std::string& precision, const std::string& own_tuning = "") {
  reports::CellQuery query{.rung = rung, .case_name = case_name, .precision = precision};
  if (!own_tuning.empty()) query.tuning = own_tuning;
  if (const reports::Cell* own = results.choose(query)) return own;
  query.tuning = "best";
  return results.choose(query);
}

/// The folder in which `ladder compare` stores its rows, without a study.toml.
constexpr const char* compared = "compare";

/// Identifies a cell among those of a case: `d2q9/serial/04_fused@0123456789ab, wx=32`.
std::string name_in_comparison(const Row& row) {
  const std::string commit = commit_of(row.build);
  const std::string build = !commit.empty() ? "@" + commit : row.build == "default" ? "" : " [" + row.build + "]";
  return row.rung + build + (row.tuning.empty() ? "" : ", " + row.tuning);
}

/// The comparisons of a cell with others in the same rounds, except with the cell `shown`. Two tunings of a rung are compared
/// once, from the faster one.
std::vector<Gain> comparisons(const reports::Results& results, const reports::Cell& own, const reports::Cell* shown) {
  std::vector<Gain> found;
  const Row& row = *own.row;
  for (const reports::Cell& other : results.cells()) {
    const Row& with = *other.row;
    if (&other == &own || &other == shown || with.case_name != row.case_name || with.precision != row.precision ||
        with.placement != row.placement)
      continue;
    if (with.rung == row.rung && with.build == row.build && other.median >= own.median) continue;
    if (!share_session(own, other)) continue;
    Gain& gain = found.emplace_back(Gain{.over = Gain::Over::other,
                                         .other = name_in_comparison(with),
                                         .study = {},
                                         .case_name = row.case_name,
                                         .precision = row.precision,
                                         .tuning = row.tuning,
                                         .cells = row.cells,
                                         .updates_per_second = own.median,
                                         .ratio = paired_ratio(own.updates_per_second, other.updates_per_second)});
    gain.verdict = verdict(gain.ratio, results.noise_floor(own, other));
  }
  return found;
}

/// The steps in one [[report]] block of kind `steps` that name the rung.
void add_steps(const reports::Study& study, const Parameters& block, const std::string& rung, std::vector<PaperStep>& steps) {
  std::string before;                                       // the publication's label of the preceding row
  std::vector<std::pair<std::string, std::string>> labels;  // of a row: our label, the publication's label
  for (const Parameters& row : block.tables_if_any("rows")) {
    const std::string label = row.text("label", "");
    const auto named = row.texts("paper", {});
    const std::string paper = named.empty() ? "" : named.front();
    std::string over = before;
    if (row.has("over")) {
      const auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& l) { return l.first == row.text("over"); });
      over = found == labels.end() ? "" : found->second;
    }
    labels.emplace_back(label, paper);
    before = paper;
    if (row.text("rung", "") != rung || paper.empty()) continue;
    for (const std::string& case_name : block.texts("cases")) {
      PaperStep step{study.name,
                     study.citation,
                     paper,
                     over,
                     case_name,
                     study.paper.value(paper, case_name, "seconds"),
                     over.empty() ? std::numeric_limits<double>::quiet_NaN() : study.paper.value(over, case_name, "seconds"),
                     study.paper.value(paper, case_name, "speedup")};
      const bool is_known = std::any_of(steps.begin(), steps.end(), [&](const PaperStep& s) {
        return s.label == step.label && s.over == step.over && s.case_name == step.case_name && s.seconds == step.seconds;
      });
      if (!is_known && !std::isnan(step.seconds)) steps.push_back(std::move(step));
    }
  }
}

/// Adds the machine that measured the last sample of the rung in `data`. Returns its number; 0 if it is unknown.
std::size_t add(const reports::MachineData& data, const std::string& rung, Machines& machines) {
  for (auto row = data.file.rows.rbegin(); row != data.file.rows.rend(); ++row) {
    if (row->kind != "sample" || !row->ok() || row->rung != rung) continue;
    const auto session = std::ranges::find(data.sessions, row->session, &Provenance::session);
    if (session != data.sessions.end()) return machines.add(session->machine, row->device);
  }
  return 0;
}

/// The number of the machine that measured the last sample of the rung in `data`, among `all`; 0 if it is unknown or the only
/// one.
std::size_t number_of(const reports::MachineData& data, const std::string& rung, Machines all) {
  return all.are_several() ? add(data, rung, all) : 0;
}

/// How much is known about a machine.
auto known_facts(const Measured& measured) {
  const MachineFacts& m = measured.machine;
  const bool known[] = {!m.cpu.empty(), m.cores > 0, !m.caches.empty(), m.identity.has_value(), !m.gpus.empty()};
  return std::ranges::count(known, true);
}

}  // namespace

std::size_t Machines::add(const MachineFacts& machine, const std::string& device) {
  // Samples on a GPU belong to the GPU, whatever else their session measured.
  const Measured one(machine, device.find(machine.cpu) != std::string::npos);
  const auto found = std::ranges::find_if(all_, [&](const std::vector<Measured>& others) {
    return std::ranges::all_of(others, [&](const Measured& other) { return may_be_same_machine(one, other); });
  });
  const auto index = static_cast<std::size_t>(found - all_.begin());
  if (found == all_.end()) all_.emplace_back();
  all_[index].push_back(one);
  return index + 1;
}

std::vector<std::string> Machines::identities() const {
  std::vector<std::string> identities;
  if (are_several())
    for (const std::vector<Measured>& one : all_)
      identities.push_back(identity_text(std::ranges::max_element(one, {}, known_facts)->machine));
  return identities;
}

std::vector<std::string> Machines::lines() const {
  std::vector<std::string> lines = identities();
  for (std::size_t i = 0; i < lines.size(); ++i)
    lines[i] = fmt::format("machine {}: {}", i + 1, lines[i]);
  return lines;
}

std::string machine_mark(std::size_t number) { return number == 0 ? "" : fmt::format(" (machine {})", number); }

StoredResults::StoredResults(const std::filesystem::path& experiments, const std::string& machine,
                             const std::vector<std::filesystem::path>& more) {
  const auto add = [&](auto read) {
    try {
      studies_.push_back(read());
    } catch (const InputError& e) {
      warnings_.push_back(fmt::format("{} (the study is left out)", e.what()));
    }
  };
  for (const std::string& name : reports::study_names(experiments))
    add([&] { return reports::read_study(experiments / name, machine); });
  add([&] {
    reports::Study study;
    study.name = study.title = compared;
    study.folder = experiments / compared;
    study.machines = reports::read_results(study.folder, machine);
    return study;
  });
  for (const std::filesystem::path& folder : more) {
    std::error_code none;
    const auto is_known = [&](const reports::Study& study) { return std::filesystem::equivalent(study.folder, folder, none); };
    if (std::ranges::none_of(studies_, is_known)) studies_.push_back(reports::read_study(folder, machine));
  }
}

std::vector<std::string> StoredResults::machines_with(const std::filesystem::path& experiments, const std::string& rung) {
  std::set<std::string> found;
  std::vector<std::string> studies = reports::study_names(experiments);
  studies.emplace_back(compared);
  for (const std::string& study : studies)
    for (const std::string& machine : reports::machine_names(experiments / study))
      try {
        if (found.contains(machine)) continue;
        for (const reports::MachineData& data : reports::read_results(experiments / study, machine))
          if (std::any_of(data.file.rows.begin(), data.file.rows.end(),
                          [&](const Row& row) { return row.kind == "sample" && row.ok() && row.rung == rung; }))
            found.insert(machine);
      } catch (const InputError&) {
        continue;  // reported when that machine is requested
      }
  return {found.begin(), found.end()};
}

Machines StoredResults::machines(const std::string& rung) const {
  Machines all;
  for (const reports::Study& study : studies_)
    for (const reports::MachineData& data : study.machines)
      add(data, rung, all);
  return all;
}

std::vector<Gain> StoredResults::gains(const std::string& rung, const std::string& parent,
                                       const std::string& own_tuning) const {
  std::vector<Gain> gains;
  const Machines all_machines = machines(rung);
  for (const reports::Study& study : studies_)
    for (const reports::MachineData& data : study.machines) {
      const reports::Results results(data);
      const std::size_t machine = number_of(data, rung, all_machines);
      std::set<std::pair<std::string, std::string>> seen;
      for (const reports::Cell* any : results.all({.rung = rung})) {
        const std::string& case_name = any->row->case_name;
        const std::string& precision = any->row->precision;
        const auto add = [&](const reports::Cell& cell, Gain::Over over, const reports::Cell* base) {
          Gain gain{.over = over,
                    .other = {},
                    .study = study.name,
                    .machine = machine,
                    .case_name = case_name,
                    .precision = precision,
                    .tuning = cell.row->tuning,
                    .cells = cell.row->cells,
                    .updates_per_second = cell.median,
                    .ratio = {}};
          if (base != nullptr) {
            gain.ratio = paired_ratio(cell.updates_per_second, base->updates_per_second);
            gain.verdict = verdict(gain.ratio, results.noise_floor(cell, *base));
          }
          gains.push_back(std::move(gain));
        };
        const reports::Cell* own = cell_of(results, rung, case_name, precision, own_tuning);
        const reports::Cell* before = parent.empty() ? nullptr : cell_of(results, parent, case_name, precision);
        if (study.name == compared)
          for (Gain& gain : comparisons(results, *any, any == own ? before : nullptr)) {
            gain.study = study.name;
            gain.machine = machine;
            gains.push_back(std::move(gain));
          }
        if (!seen.emplace(case_name, precision).second || own == nullptr) continue;
        add(*own, Gain::Over::parent, before);
        const reports::Cell* best =
            results.choose({.rung = rung, .case_name = case_name, .precision = precision, .tuning = "best"});
        if (study.name != compared && best != nullptr && best->median > own->median) add(*best, Gain::Over::initial, own);
      }
    }
  std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) {
    return std::tie(a.study, a.machine, a.precision, a.cells, a.case_name, a.over) <
           std::tie(b.study, b.machine, b.precision, b.cells, b.case_name, b.over);
  });
  return gains;
}

std::vector<RowSource> StoredResults::sources(const std::string& rung) const {
  std::vector<RowSource> found;
  const Machines all_machines = machines(rung);
  for (const reports::Study& study : studies_)
    for (const reports::MachineData& data : study.machines) {
      RowSource source{study.name, number_of(data, rung, all_machines), "ladder run", data.folder / (data.name + ".csv"), ""};
      if (study.name.starts_with("tune-")) source.command = "ladder tune";
      if (study.name == compared) source.command = "ladder compare";
      for (const Row& row : data.file.rows)
        if (row.kind == "sample" && row.ok() && row.rung == rung) source.utc = std::max(source.utc, row.utc);
      if (!source.utc.empty()) found.push_back(std::move(source));
    }
  return found;
}

std::vector<StoredLimits> StoredResults::limits(const std::string& rung, const std::string& own_tuning) const {
  std::vector<StoredLimits> found;
  const Machines all_machines = machines(rung);
  for (const reports::Study& study : studies_)
    for (const reports::MachineData& data : study.machines) {
      const reports::Results results(data);
      const reports::Ceilings ceilings(results);
      const reports::Context context{study, results, ceilings};
      std::map<std::string, const reports::Cell*> largest;  // by precision
      for (const reports::Cell* any : results.all({.rung = rung})) {
        const reports::Cell* own = cell_of(results, rung, any->row->case_name, any->row->precision, own_tuning);
        if (own == nullptr) continue;
        const reports::Cell*& cell = largest[own->row->precision];
        if (cell == nullptr || cell->row->cells < own->row->cells) cell = own;
      }
      for (const auto& [precision, cell] : largest) {
        const std::vector<reports::Limit> limits = reports::limits_of(*cell, context);
        const reports::Limit* least = reports::lowest(limits);
        if (least == nullptr) continue;
        StoredLimits& entry = found.emplace_back(StoredLimits{study.name,
                                                              number_of(data, rung, all_machines),
                                                              cell->row->case_name,
                                                              precision,
                                                              cell->median,
                                                              cell->median / least->rate,
                                                              {},
                                                              reports::advice(*cell, limits)});
        for (const reports::Limit& limit : limits)
          if (limit.cell != nullptr) entry.limits.push_back(reports::limit_text(limit));
      }
    }
  return found;
}

std::vector<PaperStep> StoredResults::paper(const std::string& rung) const {
  std::vector<PaperStep> steps;
  for (const reports::Study& study : studies_)
    for (const Parameters& block : study.blocks)
      if (!study.paper.values().empty() && block.text("kind", "") == "steps") add_steps(study, block, rung, steps);
  return steps;
}

std::optional<Roofs> StoredResults::roofs(const std::string& backend, const std::string& stand_in, const std::string& precision,
                                          int q) const {
  std::optional<Roofs> best;
  std::optional<reports::Cell> latest;
  for (const std::string& wanted : {backend, stand_in, std::string()}) {
    for (const reports::Study& study : studies_)
      for (const reports::MachineData& data : study.machines) {
        const reports::Results results(data);
        const reports::Ceilings ceilings(results);
        const auto peak = ceilings.dram({"fma", precision, wanted}, nullptr);
        auto bandwidth = ceilings.dram({fmt::format("copy-{}", q), precision, wanted}, nullptr);
        if (!bandwidth) bandwidth = ceilings.dram({"triad", precision, wanted}, nullptr);
        if (!peak || !bandwidth || !(peak->flops() > 0) || !(bandwidth->bandwidth() > 0)) continue;
        if (latest && !is_later(*bandwidth->cell, *latest)) continue;
        latest = *bandwidth->cell;
        best =
            Roofs{study.name, name_of(*bandwidth), name_of(*peak), wanted == backend, {peak->flops(), bandwidth->bandwidth()}};
      }
    if (best) return best;
  }
  return std::nullopt;
}

}  // namespace ladder
