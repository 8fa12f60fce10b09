#include "reports/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "base/format.hpp"
#include "base/key_values.hpp"
#include "harness/record/identity.hpp"

namespace ladder::reports {
namespace {

std::string key_of(std::initializer_list<std::string> parts) { return fmt::format("{}", fmt::join(parts, "\x1f")); }

/// The combination that a check applies to.
std::string check_key(const Row& r) { return key_of({r.rung, r.build, r.case_name, r.precision, r.tuning, r.placement}); }

std::string cell_key(const Row& r) { return key_of({r.kind, check_key(r), std::to_string(r.threads)}); }

/// Samples of one cell with one key, which identifies the executable and the way it was checked.
struct KeyGroup {
  std::size_t session = 0;  ///< index of the latest row's session
  std::string sources;      ///< hash of the sources that the executable was built from; empty if unknown
  Cell cell;
};

/// Hash of the sources of a rung's executable, from its session's provenance; empty if unknown.
std::string sources_of(const Row& row, const std::vector<Provenance>& sessions) {
  const auto session = std::ranges::find(sessions, row.session, &Provenance::session);
  if (session == sessions.end()) return "";
  const auto is_of_row = [&](const auto& entry) { return entry.second.id == row.rung && entry.second.build == row.build; };
  const auto found = std::ranges::find_if(session->rungs, is_of_row);
  return found == session->rungs.end() ? "" : found->second.sources;
}

/// Orders the keys of a cell; the last one is shown, unless prefer_enough() chooses another. It is the key from the latest
/// session, and within that session the one with the most samples. Therefore, a changed executable replaces an older one, but
/// one round with a longer check does not replace five rounds with a shorter one.
void sort_keys(std::vector<KeyGroup>& groups) {
  std::ranges::sort(groups, {}, [](const KeyGroup& g) {
    return std::tuple(g.session, g.cell.updates_per_second.size(), g.cell.row == nullptr ? 0 : g.cell.row->line);
  });
}

/// The keys of one cell that have samples; the last one is shown.
using Keys = std::vector<KeyGroup>;

/// The outcomes that decide whether the samples of a key are shown.
class Outcomes {
 public:
  explicit Outcomes(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      if (row.kind != "check") {
        if (row.outcome == "wrong") wrong_keys_.insert(row.key);
        continue;
      }
      latest_checks_[check_key(row)] = &row;
      checks_of_keys_[{check_key(row), row.key}] = &row;
    }
  }

  /// Why the samples of this row's key are withheld; empty if they are not.
  [[nodiscard]] std::string why_withheld(const Row& row) const {
    const auto latest = latest_checks_.find(check_key(row));
    const auto own = checks_of_keys_.find({check_key(row), row.key});
    if (latest == latest_checks_.end()) return "no check is stored for it";
    if (!latest->second->ok()) return "its latest check says " + latest->second->outcome;
    if (own != checks_of_keys_.end() && !own->second->ok()) return "its own check says " + own->second->outcome;
    return wrong_keys_.contains(row.key) ? "a timed run was wrong" : "";
  }

 private:
  std::map<std::string, const Row*> latest_checks_;
  std::map<std::pair<std::string, std::string>, const Row*> checks_of_keys_;
  std::set<std::string> wrong_keys_;  // of samples whose own run gave a wrong result
};

/// If the last key of a cell has fewer than `enough` samples, moves to the end the last one that has enough samples and the
/// same sources and is not withheld. Leaves a cell alone if it would otherwise lose the only session that it shares with
/// another cell of the same case and precision.
void prefer_enough(std::vector<Keys>& cells, std::size_t enough, const Outcomes& outcomes) {
  constexpr std::size_t none = -1;
  std::vector<std::size_t> preferred(cells.size(), none);
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> peers;  // by case and precision
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const KeyGroup& last = cells[i].back();
    if (last.cell.row == nullptr) continue;
    peers[{last.cell.row->case_name, last.cell.row->precision}].push_back(i);
    if (last.sources.empty() || last.cell.updates_per_second.size() >= enough) continue;
    for (std::size_t k = 0; k + 1 < cells[i].size(); ++k) {
      const auto& [session, sources, cell] = cells[i][k];
      if (sources == last.sources && cell.updates_per_second.size() >= enough && outcomes.why_withheld(*cell.row).empty())
        preferred[i] = k;
    }
  }
  const auto shown = [&](std::size_t i) -> const Cell& {
    return preferred[i] == none ? cells[i].back().cell : cells[i][preferred[i]].cell;
  };
  for (bool is_changed = true; std::exchange(is_changed, false);)
    for (const auto& [place, members] : peers)
      for (const std::size_t i : members) {
        if (preferred[i] == none) continue;
        const bool loses_one = std::ranges::any_of(members, [&](std::size_t other) {
          return share_session(cells[i].back().cell, cells[other].back().cell) && !share_session(shown(i), shown(other));
        });
        if (loses_one) preferred[i] = none;
        is_changed = is_changed || loses_one;
      }
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (preferred[i] != none)
      std::rotate(cells[i].begin() + static_cast<std::ptrdiff_t>(preferred[i]),
                  cells[i].begin() + static_cast<std::ptrdiff_t>(preferred[i]) + 1, cells[i].end());
}

/// Computes the derived fields of a cell from its samples.
void finish(Cell& cell) {
  cell.median = median(cell.updates_per_second);
  std::vector<double> rates(cell.updates_per_second.size());
  std::ranges::transform(cell.updates_per_second, rates.begin(), &Observation::value);
  cell.spread = spread_of_few(rates);
  cell.groups = two_groups(std::move(rates));
  cell.disagreement = disagreement(cell.updates_per_second);
}

/// Cells of the sample (or ceiling) rows, in order of first appearance. Samples with other keys go to `earlier`, for each cell
/// in the order of the keys' sessions.
std::vector<Cell> make_cells(const MachineData& data, const std::string& kind, const Outcomes& outcomes,
                             std::vector<Cell>& earlier) {
  std::map<std::string, std::size_t> sessions;
  std::map<std::string, std::map<std::string, KeyGroup>> cells;
  std::vector<std::string> order;
  for (const Row& row : data.file.rows) {
    const std::size_t session = sessions.try_emplace(row.session, sessions.size()).first->second;
    if (row.kind != kind) continue;
    const auto [found, is_new] = cells.try_emplace(cell_key(row));
    if (is_new) order.push_back(cell_key(row));
    KeyGroup& group = found->second[row.key];
    group.session = session;
    if (!row.ok()) continue;
    group.cell.row = &row;
    group.cell.updates_per_second.push_back({row.session, row.round, row.updates_per_second});
    group.cell.rows.push_back(&row);
    if (row.queue_seconds > 0) group.cell.queue_seconds.push_back(row.queue_seconds);
    if (row.joules > 0) group.cell.joules_per_update.push_back({row.session, row.round, row.joules_per_update()});
  }
  std::vector<Keys> all;
  for (const std::string& name : order) {
    Keys& groups = all.emplace_back();
    for (auto& [key, group] : cells.at(name)) {
      if (cells.at(name).size() > 1 && group.cell.row != nullptr) group.sources = sources_of(*group.cell.row, data.sessions);
      groups.push_back(std::move(group));
    }
    sort_keys(groups);
  }
  // Earlier ceilings are kept where they are needed.
  if (kind != "ceiling") prefer_enough(all, std::min(data.rounds, verdict_rounds), outcomes);
  std::vector<Cell> result;
  for (Keys& groups : all)
    for (KeyGroup& group : groups) {
      if (group.cell.row == nullptr) continue;
      finish(group.cell);
      (&group == &groups.back() ? result : earlier).push_back(std::move(group.cell));
    }
  return result;
}

bool has_tuning(const Cell& cell, const std::map<std::string, std::string>& wanted) {
  const auto have = parse_tuning(cell.row->tuning);
  return std::ranges::all_of(wanted, [&](const auto& w) {
    const auto found = have.find(w.first);
    return found != have.end() && found->second == w.second;
  });
}

const Cell* fastest(const std::vector<const Cell*>& cells) {
  const auto found = std::ranges::max_element(cells, {}, [](const Cell* c) { return c->median; });
  return found == cells.end() ? nullptr : *found;
}

}  // namespace

std::vector<Cache> model_of(const std::vector<CacheLevel>& caches) {
  std::vector<Cache> all;
  for (const CacheLevel& c : caches)
    all.push_back({c.level, static_cast<std::int64_t>(std::clamp(c.bytes, 0., 1e18)), c.count});
  return all;
}

std::string residency(double bytes, const std::vector<CacheLevel>& caches) {
  if (caches.empty()) return "unknown";
  const int level = ladder::residency(bytes, model_of(caches));
  return level == main_memory ? "DRAM" : residency_name(level);
}

std::map<std::string, std::string> parse_tuning(const std::string& tuning) {
  std::map<std::string, std::string> result;
  for (const std::string_view part : split(tuning, ';')) {
    const KeyValue given = key_value(part).value_or(KeyValue{part, ""});
    result[std::string(given.key)] = given.value;
  }
  return result;
}

std::string Cell::describe() const {
  std::string text = fmt::format("{}, {}, {}", row->rung, row->case_name, row->precision);
  if (row->build != "default" && !row->build.empty()) text += ", build " + row->build;
  if (!row->tuning.empty()) text += ", " + row->tuning;
  if (!row->placement.empty()) text += ", " + row->placement;
  if (row->is_foreign()) text += ", " + foreign_note();
  return text;
}

std::string Cell::foreign_note() const {
  if (!row->is_foreign()) return "";
  const std::string source = row->time_source == "program" ? "own time" : row->time_source == "rate" ? "own rate" : "wall time";
  return "foreign, " + source + (row->is_checked() ? "" : ", not checked");
}

bool Cell::is_of_session(const std::string& session) const {
  return std::ranges::find(updates_per_second, session, &Observation::session) != updates_per_second.end();
}

std::string Cell::mark() const { return disagreement ? " §" : groups ? " ◊" : spread ? " ≀" : ""; }

std::string Cell::why_marked() const {
  const char* const unit = row->kind == "ceiling" ? "million elements/s" : "MLUPS";
  if (disagreement) {
    return fmt::format("{} {} in session {}, {} in {}", significant(disagreement->slow_median / 1e6), unit, disagreement->slow,
                       significant(disagreement->fast_median / 1e6), disagreement->fast);
  }
  if (!groups && spread) {
    return fmt::format("{} from {} to {} {}", counted(updates_per_second.size(), "sample"), significant(spread->low / 1e6),
                       significant(spread->high / 1e6), unit);
  }
  if (!groups) return "";
  return fmt::format("{} of {} {}, {} of {}", counted(groups->in_low, "sample"), significant(groups->low / 1e6), unit,
                     groups->in_high, significant(groups->high / 1e6));
}

bool share_session(const Cell& a, const Cell& b) {
  return std::ranges::any_of(a.updates_per_second, [&](const Observation& o) { return b.is_of_session(o.session); });
}

bool are_same_combination(const Cell& a, const Cell& b) {
  const auto combination = [](const Row& r) {
    return std::tie(r.kind, r.rung, r.build, r.case_name, r.precision, r.tuning, r.threads, r.placement);
  };
  return combination(*a.row) == combination(*b.row);
}

Results::Results(const MachineData& data) : data_(&data) {
  for (const Provenance& session : data.sessions) {
    for (const auto& entry : session.rungs) {
      const RungDescription& rung = entry.second;
      std::erase_if(rungs_, [&](const RungDescription& r) { return r.id == rung.id && r.build == rung.build; });
      rungs_.push_back(rung);
    }
  }
  std::ranges::sort(rungs_, {}, [](const RungDescription& r) { return std::pair(r.id, r.build); });
  collect();
  collect_failures();
  collect_noise();
}

void Results::collect() {
  const Outcomes outcomes(data_->file.rows);
  std::vector<Cell> left_out;
  ceilings_ = make_cells(*data_, "ceiling", outcomes, earlier_ceilings_);
  for (Cell& cell : make_cells(*data_, "sample", outcomes, left_out)) {
    const std::string why = outcomes.why_withheld(*cell.row);
    if (why.empty())
      cells_.push_back(std::move(cell));
    else
      withheld_.push_back({std::move(cell), "measured, but " + why});
  }
  const auto is_needed = [&](const Cell& earlier) {
    const auto latest = std::ranges::find_if(ceilings_, [&](const Cell& c) { return are_same_combination(c, earlier); });
    return latest != ceilings_.end() && std::ranges::any_of(cells_, [&](const Cell& cell) {
             return cell.row->precision == earlier.row->precision && share_memory(*cell.row, *earlier.row) &&
                    share_session(cell, earlier) && !share_session(cell, *latest);
           });
  };
  const auto unneeded = std::stable_partition(earlier_ceilings_.begin(), earlier_ceilings_.end(), is_needed);
  std::move(unneeded, earlier_ceilings_.end(), std::back_inserter(left_out));
  earlier_ceilings_.erase(unneeded, earlier_ceilings_.end());
  for (const Cell& cell : left_out)
    superseded_ += cell.updates_per_second.size();
}

void Results::collect_failures() {
  std::map<std::string, const Row*> latest;  // by cell
  for (const Row& row : data_->file.rows)
    latest[cell_key(row)] = &row;
  std::map<std::string, std::size_t> index;
  for (const Row& row : data_->file.rows) {
    if (row.ok()) continue;
    const std::string key = key_of({row.kind, row.rung, row.build, row.case_name, row.precision, row.outcome, row.reason});
    const auto [found, is_new] = index.emplace(key, failures_.size());
    if (is_new) failures_.push_back({.row = nullptr, .count = 0, .tunings = {}, .rows = {}, .ok_since = true});
    Failure& failure = failures_[found->second];
    failure.row = &row;
    ++failure.count;
    failure.rows.push_back(&row);
    failure.ok_since = failure.ok_since && latest.at(cell_key(row))->ok();
    if (!row.tuning.empty() && std::ranges::find(failure.tunings, row.tuning) == failure.tunings.end()) {
      failure.tunings.push_back(row.tuning);
    }
  }
}

void Results::collect_noise() {
  struct Pair {
    Series samples, twins;
    const Row* row = nullptr;
    std::vector<const Row*> rows;
  };
  using Place = std::pair<std::string, std::string>;  // session and key
  std::map<Place, Pair> pairs;
  std::vector<Place> order;
  for (const Row& row : data_->file.rows) {
    if (!row.ok() || (row.kind != "sample" && row.kind != "twin")) continue;
    Pair& pair = pairs[{row.session, row.key}];
    pair.rows.push_back(&row);
    const Observation observation{row.session, row.round, row.updates_per_second};
    if (row.kind == "sample") {
      pair.samples.push_back(observation);
      continue;
    }
    if (pair.row == nullptr) order.emplace_back(row.session, row.key);
    pair.row = &row;
    pair.twins.push_back(observation);
  }
  for (const Place& place : order) {
    const Pair& pair = pairs.at(place);
    const Ratio ratio = paired_ratio(pair.samples, pair.twins);
    noise_.push_back({pair.row, ratio, ladder::noise_floor(ratio), pair.rows});
  }
}

double Results::noise_floor(const Cell& a, const Cell& b) const {
  const auto largest = [&](const Cell& of, bool on_its_case) {
    double floor = std::numeric_limits<double>::quiet_NaN();
    for (const Noise& noise : noise_) {
      const Row& row = *noise.row;
      if (row.backend != of.row->backend || (on_its_case && row.case_name != of.row->case_name)) continue;
      if (a.is_of_session(row.session) && b.is_of_session(row.session)) floor = std::fmax(floor, noise.floor);
    }
    return floor;
  };
  const auto floor_of = [&](const Cell& cell) {
    const double of_case = largest(cell, true);
    return std::isnan(of_case) ? largest(cell, false) : of_case;
  };
  return std::fmax(floor_of(a), floor_of(b));
}

const std::vector<CacheLevel>& Results::caches() const {
  static const std::vector<CacheLevel> none;
  const auto& sessions = data_->sessions;
  // Sessions of a GPU may be those of other hosts.
  const auto last = std::find_if(sessions.rbegin(), sessions.rend(), measured_processor);
  if (last != sessions.rend()) return last->machine.caches;
  return sessions.empty() ? none : sessions.back().machine.caches;
}

const std::vector<CacheLevel>& Results::caches(const Row& row) const {
  for (auto session = data_->sessions.rbegin(); session != data_->sessions.rend(); ++session) {
    if (const auto own = session->device_caches.find(row.device); own != session->device_caches.end()) return own->second;
  }
  return caches();
}

bool Results::share_memory(const Row& a, const Row& b) const { return a.device == b.device || &caches(a) == &caches(b); }

const RungDescription* Results::rung(const std::string& id, const std::string& build) const {
  const RungDescription* any_build = nullptr;
  for (const RungDescription& r : rungs_) {
    if (r.id != id) continue;
    if (r.build == build) return &r;
    any_build = &r;
  }
  return any_build;
}

std::vector<const Cell*> Results::all(const CellQuery& query) const {
  const auto accepts = [](const std::string& pattern, const std::string& text) {
    return pattern.empty() || pattern == text || matches(pattern, text);
  };
  std::vector<const Cell*> found;
  for (const Cell& cell : cells_) {
    if (accepts(query.rung, cell.row->rung) && accepts(query.build, cell.row->build) &&
        accepts(query.case_name, cell.row->case_name) && accepts(query.precision, cell.row->precision) &&
        (!query.workers || *query.workers == cell.row->workers())) {
      found.push_back(&cell);
    }
  }
  return found;
}

const Cell* Results::choose(const CellQuery& query) const {
  std::vector<const Cell*> candidates = all(query);
  if (candidates.empty()) return nullptr;
  const auto workers = [](const Cell* c) { return c->row->workers(); };
  const std::int64_t most = workers(std::ranges::max(candidates, {}, workers));
  std::erase_if(candidates, [&](const Cell* c) { return workers(c) != most; });
  if (query.tuning == "best") return fastest(candidates);

  const auto wanted = [&](const Cell& cell) {
    if (query.tuning != "initial") return parse_tuning(query.tuning);
    std::map<std::string, std::string> values;
    if (const RungDescription* description = rung(cell.row->rung, cell.row->build); !cell.row->tuning.empty() && description)
      for (const Tunable& tunable : description->tunables)
        values[tunable.name] = std::to_string(tunable.initial);
    return values;
  };
  std::vector<const Cell*> tuned;
  std::ranges::copy_if(candidates, std::back_inserter(tuned), [&](const Cell* c) { return has_tuning(*c, wanted(*c)); });
  return fastest(tuned);
}

std::vector<const Profile*> Results::profiles() const {
  std::vector<const Profile*> latest;
  std::map<std::string, std::size_t> index;
  for (const Profile& p : data_->profiles.rows) {
    if (p.kind != "step") continue;
    const auto [found, is_new] = index.emplace(key_of({p.rung, p.build, p.case_name, p.precision, p.tuning}), latest.size());
    if (is_new) latest.push_back(nullptr);
    latest[found->second] = &p;
  }
  return latest;
}

const Profile* Results::profile(const Cell& cell) const {
  const Row& r = *cell.row;
  return latest_profile([&](const Profile& p) {
    return p.kind == "step" && p.rung == r.rung && p.build == r.build && p.case_name == r.case_name &&
           p.precision == r.precision && p.tuning == r.tuning;
  });
}

bool Results::is_outdated(const Profile& profile) const {
  const RungDescription* description = rung(profile.rung, profile.build);
  return description != nullptr && !description->executable.empty() && description->executable != profile.executable;
}

std::vector<std::string> Results::known_rungs(const std::vector<std::string>& patterns) const {
  std::set<std::string> known;
  for (const RungDescription& rung : rungs_)
    known.insert(rung.id);
  for (const Row& row : data_->file.rows)
    if (row.kind != "ceiling") known.insert(row.rung);
  for (const Profile& p : data_->profiles.rows)
    known.insert(p.rung);
  std::vector<std::string> found;
  for (const std::string& pattern : patterns)
    for (const std::string& rung : known)
      if (matches(pattern, rung) && std::ranges::find(found, rung) == found.end()) found.push_back(rung);
  return found;
}

std::vector<std::string> Results::matching_rungs(const std::vector<std::string>& patterns) const {
  std::set<std::string> found;
  for (const Cell& cell : cells_)
    if (matches_any(patterns, cell.row->rung)) found.insert(cell.row->rung);
  return {found.begin(), found.end()};
}

}  // namespace ladder::reports
