#include "harness/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/console.hpp"
#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "harness/archive/archive.hpp"
#include "harness/record/energy_limit.hpp"
#include "harness/record/outcome.hpp"
#include "harness/run/build_identity.hpp"
#include "harness/run/device_hint.hpp"
#include "harness/run/flow_files.hpp"
#include "harness/run/gpu_names.hpp"
#include "harness/run/noise_flags.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/session.hpp"
#include "harness/run/stop_rule.hpp"
#include "harness/run/store.hpp"
#include "harness/run/stored_seconds.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Whether the cell cannot run here. If so, sets the row's outcome and reason.
bool is_unavailable(const Cell& cell, Row& row) {
  if (cell.unavailable.empty()) return false;
  row.outcome = cell.is_broken ? "failed" : "skipped";
  row.reason = excerpt(cell.unavailable);
  return true;
}

/// @throws NotRun if the result says nothing about the cell's program
void require_run(const Cell& cell, const ProcessResult& result) {
  using End = ProcessResult::End;
  if (!cell.row.is_foreign()) {
    require_answer(cell.launch, result);
    // Executables built from older commits do not report these counts in a measurement.
    if (cell.executable->root.empty()) require_counts(cell.launch, result);
    return;
  }
  if (is_launcher_failure(cell.launch, result)) throw NotRun(excerpt(result.err));
  // The program of a format answers whatever a contender does: any other end is its own failure.
  const std::string name = cell.executable->path.filename().string();
  if (result.end == End::signalled)
    throw NotRun(fmt::format("{}, which runs the program, was ended by signal {}, perhaps by the program", name, result.code));
  if (result.end == End::exited && result.code != exit_ok && result.code != exit_unavailable)
    throw NotRun(result.err.empty() ? fmt::format("{}, which runs the program, ended with exit code {}", name, result.code)
                                    : excerpt(result.err));
}

/// Checks each launcher once, because its failures would otherwise be attributed to the contender that it starts.
/// @throws NotRun
void require_launcher_runs(const Launch& launch) {
  static std::set<std::string> good;
  if (good.contains(launch.text())) return;
  if (const std::string fault = launcher_fault(launch, Lines::may_change); !fault.empty()) throw NotRun(fault);
  good.insert(launch.text());
}

/// After a failure, tests the contender's launcher again. The program is to blame only if the launcher still works and,
/// provided an MPI rung runs here, can start MPI. @throws NotRun
void require_own_failure(const Cell& cell, const Row& row, Catalogue& catalogue) {
  if (row.ok() || !row.is_foreign() || cell.launch.prefix.empty()) return;
  if (const std::string fault = launcher_fault(cell.launch, Lines::may_change); !fault.empty()) throw NotRun(fault);
  if (row.outcome == "wrong") return;
  const auto rung = std::ranges::find_if(
      catalogue.rungs(), [&](const auto& r) { return r.is_described() && r.backend == "mpi" && catalogue.probe(r).available; });
  if (rung == catalogue.rungs().end()) return;
  constexpr double timeout_seconds = 60;
  const ProcessResult result =
      run_launched(cell.launch, rung->path, {"serve"}, timeout_seconds);  // exits at once: it gets no request
  if (!succeeded(result)) throw NotRun(outcome_of(result, timeout_seconds).reason);
}

/// Runs a command of a cell's executable. @throws NotRun
ProcessResult ask(const Cell& cell, std::vector<std::string> arguments, Catalogue& catalogue, Residents& residents) {
  arguments.insert(arguments.begin() + 1, cell.arguments.begin(), cell.arguments.end());
  const auto memory = static_cast<double>(cell.memory_limit_bytes);
  const auto& path = cell.executable->path;
  Launch launch = cell.launch;
  if (cell.row.is_foreign()) {  // the program of the format starts the contender's processes
    require_launcher_runs(launch);
    launch.prefix.clear();
  }
  require_unchanged(cell);
  const ProcessResult result = catalogue.probe(*cell.executable).resident
                                   ? request_launched(residents, launch, path, arguments, cell.timeout_seconds, memory)
                                   : run_launched(launch, path, arguments, cell.timeout_seconds, memory);
  require_unchanged(cell);
  require_run(cell, result);
  return result;
}

class Runner {
 public:
  /// `is_draft`: only plan() is called.
  Runner(const Study& study, Catalogue& catalogue, const RunOptions& options, bool is_draft = false)
      : study_(study),
        catalogue_(catalogue),
        options_(options),
        machine_(machine_name(options.machine)),
        results_(fs::absolute(study.file).parent_path() / "results"),
        cells_(expand(study, catalogue, is_draft)),
        facts_(own_facts()) {
    const fs::path file = results_ / (machine_ + ".csv");
    if (!is_draft)
      store_.emplace(file);
    else if (is_stored(file))
      read_ = parse_rows(file, read_stored(file)).rows;
    else if (std::error_code none; fs::exists(fs::symlink_status(file, none)))
      throw InputError(fmt::format("{}: is not a regular file; accepted: a file of rows", file.string()));
    for (auto& cell : cells_)
      if (options_.rounds > 0) cell.rounds = options_.rounds;
    for (const auto& session : Session::all(results_, machine_))
      stopped_[session.id()] = session.provenance().stopped.value_or(Stopped{});
    require_readable_sessions();
    if (options_.again) return;  // earlier outcomes do not count
    for (const auto& row : rows())
      if (row.kind == "check" || row.kind == "ceiling" || row.outcome != "ok") checked_[row.key] = row.outcome;
  }

  RunSummary run() {
    const auto begin = std::chrono::steady_clock::now();
    summary_.rows = store_->file();
    summary_.cells = cells_.size();
    for (const auto& cell : cells_)
      summary_.keys.push_back(cell.row.key);
    choose_session();
    const MadeFlowFiles made = make_flow_files(study_, catalogue_, results_, machine_, [&] { return !is_late(); });
    summary_.not_run += made.not_run;
    summary_.working_seconds += made.seconds;
    if (!session_.id().empty()) {
      for (const auto& row : rows())
        if (row.session == session_.id()) {
          ++rows_in_[row.round];
          if (options_.resume && row.kind != "check") summary_.measured.push_back(row);
        }
      if (check_cells())
        measure_rounds();
      else
        summary_.stopped = "budget";
      summary_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      record_end();
    }
    for (const auto& cell : cells_) {
      const std::string outcome = checked_[cell.row.key];
      if (outcome == "skipped") ++summary_.skipped;
      if (outcome != "ok" && outcome != "skipped" && !outcome.empty()) ++summary_.failed;
    }
    return summary_;
  }

  WorkLeft left() {
    if (!continues_last()) keys_ = stale_keys();
    WorkLeft left{.checks = to_check().size(),
                  .samples = turns_left(twins(), places(session_.id())),
                  .pictures = missing_flow_files(study_, catalogue_, results_, machine_),
                  .seconds = std::numeric_limits<double>::quiet_NaN()};
    double seconds = 0, count = 0;
    for (const auto& session : Session::all(results_, machine_)) {
      const auto& timing = session.provenance().timing;
      if (!timing) continue;
      seconds += timing->wall_seconds;
      count += static_cast<double>(std::ranges::count_if(rows(), [&](const Row& row) { return row.session == session.id(); }));
    }
    const std::size_t pieces = left.checks + left.samples;
    if (count > 0 && pieces > 0) left.seconds = seconds / count * static_cast<double>(pieces);
    return left;
  }

  StudyPlan plan() {
    StudyPlan plan{.machine = machine_};
    if (continues_last())
      plan.session = session_.id();
    else
      keys_ = stale_keys();
    plan.rounds = last_round();
    const StoredSeconds took(rows(), study_.timeout_seconds);
    plan.known_rows = took.rows();
    Counts stored = counts(places(session_.id()));
    const auto set_of = [](const std::vector<const Cell*>& all) { return std::set<const Cell*>(all.begin(), all.end()); };
    const std::set<const Cell*> unchecked = set_of(to_check()), all_twins = set_of(twins());
    for (const Cell& cell : cells_) {
      PlannedCell& planned = plan.cells.emplace_back(PlannedCell{.cell = cell, .state = "stored"});
      const bool is_refused_now = is_refused(cell) && !options_.again;
      if (!cell.unavailable.empty()) {
        planned.state = cell.is_broken ? "failed" : "skipped";
        planned.reason = cell.unavailable;
      } else if (is_refused_now) {
        for (const Row& row : rows())
          if (row.key == cell.row.key && !row.ok()) std::tie(planned.state, planned.reason) = std::tie(row.outcome, row.reason);
      }
      if (!cell.unavailable.empty() || is_refused_now || !keys_.contains(cell.row.key)) continue;
      planned.state = cell.executable->is_built ? "measure" : "build";
      planned.checks = unchecked.count(&cell);
      planned.samples = samples_left(cell, cell.row.kind, stored);
      if (all_twins.contains(&cell)) planned.samples += samples_left(cell, "twin", stored);
      planned.check_seconds = static_cast<double>(planned.checks) * took.of("check", cell.row, check_seconds);
      planned.sample_seconds =
          static_cast<double>(planned.samples) * took.of(cell.row.kind, cell.row, guessed_sample_seconds());
    }
    return plan;
  }

 private:
  /// Validates the provenance of stored rows before measuring; otherwise, the report would fail afterwards. @throws FileError
  void require_readable_sessions() const {
    std::set<std::string> unread;
    for (const auto& row : rows())
      if (!stopped_.contains(row.session)) unread.insert(row.session);
    for (const std::string& session : unread)
      if (const fs::path file = results_ / fmt::format("{}.{}.json", machine_, session); is_stored(file))
        (void)parse_provenance(file, read_stored(file));
  }

  using Place = std::tuple<std::string, int, std::string>;  // kind, round and key

  [[nodiscard]] const std::vector<Row>& rows() const { return store_ ? store_->rows() : read_; }

  // Guesses for the time left, until the first piece of each phase is done.
  static constexpr double check_seconds = 2;
  static constexpr double start_seconds = 0.2;

  static bool heard_enough(const Stopped& end) { return end.reason == "resolved" || end.reason == "noise"; }

  /// Continues this plan's most recent session on this processor if it is incomplete, unless later sessions have completed all
  /// cells of the plan.
  bool continues_last() {
    const auto last = options_.again && !options_.resume ? std::nullopt : last_session();
    if (!last || (rows().back().session != last->id() && (options_.again || stale_keys().empty()))) return false;
    const auto& keys = last->provenance().cells;
    keys_.insert(keys.begin(), keys.end());
    if (options_.again ? last->provenance().stopped.has_value() || has_failed_sample(*last) : finished(*last)) return false;
    session_ = *last;
    return true;
  }

  /// Whether a sample failed after its check passed, perhaps because of the machine. Resuming would not measure it again.
  [[nodiscard]] bool has_failed_sample(const Session& session) const {
    return std::ranges::any_of(rows(), [&](const Row& row) {
      return row.session == session.id() && (row.kind == "sample" || row.kind == "twin") && !row.ok();
    });
  }

  void warn_of_lost_rows() const {
    std::set<std::string> there;
    for (const Row& row : rows())
      there.insert(row.session);
    for (const Session& session : Session::all(results_, machine_))
      if (const auto& own = session.provenance().rows; own && own->count > 0 && !there.contains(session.id()))
        print_err("warning: {} has none of the {} of session {}; if you removed them on purpose, also remove its JSON file\n",
                  store_->file().string(), counted(own->count, "row"), session.id());
  }

  /// Requires that the session's rows were not edited. Missing rows are allowed, because they are measured again. @throws
  /// FileError
  void require_unedited_session() {
    const CsvFile stored = CsvFile::read(store_->file());
    const Provenance& own = session_.provenance();
    if (own.rows && digest_of_rows(stored, own.session, own.rows->count).count == own.rows->count)
      require_own_rows(stored, own);
  }

  /// Continues the last session, or starts one for the cells that lack a complete set of rows, the cells they are compared
  /// with, and the ceilings. Does neither if nothing is left to do.
  void choose_session() {
    print_err("{}", opencl_warning(devices(), gpu_names(Nvml())));
    warn_of_lost_rows();
    if (continues_last()) {
      require_unedited_session();
      print_err("continuing session {}\n", session_.id());
      return;
    }
    keys_ = stale_keys();
    if (keys_.empty()) return;
    session_ = Session::start(results_, machine_, provenance());
  }

  /// The session with this plan, on this processor, that stored the most recent row. Rows are only appended, whereas clocks may
  /// be set and session files may be added.
  [[nodiscard]] std::optional<Session> last_session() const {
    const std::string plan = plan_hash();
    std::map<std::string, Session> alike;
    for (const auto& session : Session::all(results_, machine_))
      if (session.provenance().plan == plan && may_be_same_processor(session.provenance().machine, facts_))
        alike.emplace(session.id(), session);
    for (auto row = rows().rbegin(); row != rows().rend(); ++row)
      if (const auto found = alike.find(row->session); found != alike.end()) return found->second;
    return std::nullopt;
  }

  [[nodiscard]] std::set<Place> places(const std::string& session) const {
    std::set<Place> there;
    for (const auto& row : rows())
      if (row.session == session && row.kind != "check") there.emplace(row.kind, row.round, row.key);
    return there;
  }

  /// A cell has nothing to measure if its check, or an earlier sample, failed or was skipped.
  [[nodiscard]] bool is_refused(const Cell& cell) const {
    const auto found = checked_.find(cell.row.key);
    return !cell.is_ceiling() && found != checked_.end() && found->second != "ok";
  }

  /// Whether all rows of the session are stored, up to the round in which it ended.
  [[nodiscard]] bool finished(const Session& session) const {
    for (const auto& cell : cells_)
      if (keys_.contains(cell.row.key) && !cell.is_ceiling() && !checked_.contains(cell.row.key)) return false;
    // A session that was interrupted, or ran out of time, still has all its rounds to do.
    const Stopped end = session.provenance().stopped.value_or(Stopped{});
    const bool is_final = heard_enough(end) || end.reason == "rounds";
    const auto there = places(session.id());
    const auto twin_cells = twins();
    const int last = last_round();
    for (int round = 1; round <= (is_final ? std::min(end.rounds, last) : last); ++round) {
      heed_interrupts();
      if (!turns_of(round, twin_cells, there).empty()) return false;
    }
    return true;
  }

  [[nodiscard]] int last_round() const {
    int last = 0;
    for (const auto& cell : cells_)
      if (keys_.contains(cell.row.key)) last = std::max(last, cell.rounds);
    return last;
  }

  /// Number of rounds that complete a cell's rows in one session: fewer than the study's if the session ended early.
  [[nodiscard]] int rounds_needed(const Cell& cell, const std::string& session) const {
    const auto end = stopped_.find(session);
    return end != stopped_.end() && heard_enough(end->second) && options_.rounds == 0
               ? std::min(cell.rounds, end->second.rounds)
               : cell.rounds;
  }

  [[nodiscard]] std::set<std::string> stale_keys() const {
    std::map<std::string, std::map<std::string, int>> rounds;  // key, session
    for (const auto& row : rows())
      if (row.kind != "check" && row.kind != "twin") ++rounds[row.key][row.session];
    std::set<std::string> stale;
    for (const auto& cell : cells_) {
      const auto found = rounds.find(cell.row.key);
      const bool complete =
          is_refused(cell) ||
          (found != rounds.end() && std::any_of(found->second.begin(), found->second.end(),
                                                [&](const auto& r) { return r.second >= rounds_needed(cell, r.first); }));
      if (!complete || options_.again) stale.insert(cell.row.key);
    }
    if (stale.empty()) return stale;
    // Compared cells are measured together: a cell, the one it is compared with, and those compared with it.
    const std::set<std::string> own = stale;
    for (const auto& cell : cells_) {
      if (cell.is_ceiling() || own.contains(cell.over)) stale.insert(cell.row.key);
      if (own.contains(cell.row.key) && !cell.over.empty()) stale.insert(cell.over);
    }
    return stale;
  }

  [[nodiscard]] std::string plan_hash() const {
    // Stored sessions hold this hash, so the wording must not change.
    std::uint64_t hash = fnv1a(fmt::format("{} twin a backend and case", study_.seed));
    for (const auto& cell : cells_)
      hash = fnv1a(fmt::format("{} {}", cell.row.key, cell.rounds), hash);
    return fmt::format("{:016x}", hash);
  }

  /// Facts about this machine. @throws InputError if the results belong to another machine
  [[nodiscard]] MachineFacts own_facts() const {
    MachineFacts facts = machine_facts(machine_);
    for (const auto& cell : cells_)
      add_gpu(facts, catalogue_.probe(*cell.executable));
    for (const Executable* rung : flow_rungs())
      add_gpu(facts, catalogue_.probe(*rung));
    Provenance measured;
    measured.machine = facts;
    measured.devices = devices();
    require_same_machine(results_, Measured(measured));
    return facts;
  }

  /// The measured devices by backend; each contender may have its own.
  [[nodiscard]] std::map<std::string, std::string> devices() const {
    std::map<std::string, std::string> all;
    for (const auto& cell : cells_)
      if (cell.unavailable.empty())
        all[cell.row.is_foreign() ? cell.row.rung : cell.row.backend] =
            cell.row.is_foreign() ? cell.row.device : catalogue_.probe(*cell.executable).device;
    for (const Executable* rung : flow_rungs())
      if (const Availability& here = catalogue_.probe(*rung); here.available) all[rung->backend] = here.device;
    return all;
  }

  /// The rungs that make pictures and series.
  [[nodiscard]] std::vector<const Executable*> flow_rungs() const {
    std::vector<const Executable*> rungs;
    for (const FieldBlock& block : study_.fields)
      rungs.push_back(&catalogue_.rung(block.rung));
    for (const SeriesBlock& block : study_.series)
      rungs.push_back(&catalogue_.rung(block.rung));
    return rungs;
  }

  Provenance provenance() {
    Provenance out;
    out.utc = utc_now();
    out.command = options_.command;
    out.study = study_.name;
    out.seed = study_.seed;
    out.plan = plan_hash();
    out.machine = facts_;
    out.pinning = launch_of({}).text();
    if (const double quota = control_groups().processors; std::isfinite(quota)) out.quota = quota;
    out.source = source_facts(options_.root);
    out.cells.assign(keys_.begin(), keys_.end());
    out.devices = devices();
    for (const auto& cell : cells_) {
      const Availability& here = catalogue_.probe(*cell.executable);
      if (!cell.row.placement.empty() && cell.unavailable.empty()) out.placements[cell.row.placement] = cell.launch.text();
      if (here.cache_bytes > 0) out.device_caches[cell.row.device] = {{.level = 2, .bytes = here.cache_bytes, .count = 1}};
      if (!here.driver.empty()) out.drivers[cell.row.backend] = here.driver;
      if (!keys_.contains(cell.row.key)) continue;
      const std::string name = cell.is_ceiling()             ? cell.row.backend
                               : cell.row.build == "default" ? cell.row.rung
                                                             : cell.row.rung + " [" + cell.row.build + "]";
      Descriptions& all = cell.is_ceiling() ? out.ceilings : out.rungs;
      if (std::none_of(all.begin(), all.end(), [&](const auto& d) { return d.first == name; }))
        all.emplace_back(name, description_of(*cell.executable, cell.executable_hash, options_.root));
    }
    return out;
  }

  Row new_row(const Cell& cell, int round) {
    Row row = cell.row;
    row.session = session_.id();
    row.round = round;
    row.order = rows_in_[round] + 1;
    row.utc = utc_now();
    return row;
  }

  void save(const Row& row, const std::string& name, Progress& progress) {
    store_->append({row});
    ++rows_in_[row.round];
    summary_.measured.push_back(row);
    if (row.outcome == "ok" || (row.outcome == "skipped" && !said_.insert(row.reason).second)) return;
    progress.message(fmt::format("{}: {}: {}", name, row.outcome, row.reason));
  }

  /// Calls `run`. Returns false, after a message, if it ended with NotRun.
  template <class Run>
  bool tried(const Cell& cell, Progress& progress, Run&& run) try {
    run();
    return true;
  } catch (const NotRun& e) {
    ++summary_.not_run;
    progress.message(fmt::format("{}: not run, and nothing is stored: {}", cell.name(), e.what()));
    return false;
  }

  [[nodiscard]] bool is_late() const { return options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline; }

  /// The session's cells that have no check yet; ceilings verify their own results.
  [[nodiscard]] std::vector<const Cell*> to_check() const {
    std::vector<const Cell*> all;
    for (const auto& cell : cells_)
      if (!cell.is_ceiling() && keys_.contains(cell.row.key) && (options_.again || !checked_.contains(cell.row.key)))
        all.push_back(&cell);
    return all;
  }

  /// Compares every cell that has no check yet with the reference. Returns false if the deadline passed before the last one.
  bool check_cells() {
    const std::vector<const Cell*> todo = to_check();
    // Measuring follows, about which no more is known yet.
    const std::size_t turns = turns_left(twins(), places(session_.id()));
    Progress progress({.what = "check", .pieces = todo.size(), .piece_seconds = check_seconds}, {measuring(turns)});
    for (const Cell* cell : todo) {
      heed_interrupts();
      if (is_late()) return false;
      progress.begin(cell->name());
      Row row = new_row(*cell, 0);
      row.kind = "check";
      const bool is_run = tried(*cell, progress, [&] {
        const double seconds = check_cell(*cell, catalogue_, residents_, row);
        if (row.outcome == "wrong" && row.relative_error <= row.relative_tolerance)
          row.reason += fmt::format("; right by the coursework's criterion: the error is {:.2g} %; accepted is {:g} %",
                                    100 * row.relative_error, 100 * row.relative_tolerance);
        summary_.working_seconds += seconds;
        summary_.check_seconds += seconds;
      });
      if (is_run) {
        row = storable(row);
        save(row, cell->name(), progress);
        checked_[row.key] = row.outcome;
      }
      progress.done();
    }
    return true;
  }

  /// A cell to measure in a round, as a sample or as the twin of one.
  struct Turn {
    const Cell* cell = nullptr;
    std::string kind;
  };

  static NoiseSource noise_of(const Cell& cell) { return {cell.row.backend, cell.row.case_name}; }

  /// The cells to measure twice, one per backend and case: the last correct rung of its ladder or, if all cells are compared
  /// with one cell, that cell.
  [[nodiscard]] std::vector<const Cell*> twins() const {
    if (study_.against_first) return {&cells_.front()};
    std::map<NoiseSource, const Cell*> chosen;
    for (const auto& cell : cells_) {
      if (cell.is_ceiling() || !keys_.contains(cell.row.key) || is_refused(cell)) continue;
      const Cell*& twin = chosen[noise_of(cell)];
      const auto is_plain = [](const Cell& c) { return c.initial && c.row.placement.empty(); };
      if (twin == nullptr || (is_plain(cell) && !is_plain(*twin)) ||
          (is_plain(cell) == is_plain(*twin) && cell.row.precision == twin->row.precision && cell.row.rung > twin->row.rung))
        twin = &cell;
    }
    std::vector<const Cell*> all;
    for (const auto& [source, cell] : chosen)
      all.push_back(cell);
    return all;
  }

  /// Groups the turns of each resident process and shuffles the groups, because starting a program on a GPU can take longer
  /// than a sample. Twins form separate groups: they show how much a repetition at another time differs.
  void group_by_process(std::vector<Turn>& turns, std::mt19937_64& random) const {
    std::map<std::tuple<bool, const Executable*, std::string>, std::size_t> numbers;
    std::vector<std::vector<Turn>> groups;
    for (const Turn& turn : turns) {
      std::size_t group = groups.size();
      if (catalogue_.probe(*turn.cell->executable).resident)
        group =
            numbers.try_emplace({turn.kind == "twin", turn.cell->executable, turn.cell->launch.text()}, group).first->second;
      if (group == groups.size()) groups.emplace_back();
      groups[group].push_back(turn);
    }
    std::shuffle(groups.begin(), groups.end(), random);
    turns.clear();
    for (const auto& group : groups)
      turns.insert(turns.end(), group.begin(), group.end());
  }

  /// The turns of a round in the order of that round, without those that are already stored.
  [[nodiscard]] std::vector<Turn> turns_of(int round, const std::vector<const Cell*>& twins,
                                           const std::set<Place>& there) const {
    std::vector<Turn> all;
    for (const auto& cell : cells_)
      if (keys_.contains(cell.row.key) && cell.rounds >= round) all.push_back({&cell, cell.row.kind});
    for (const Cell* twin : twins)
      if (twin->rounds >= round) all.push_back({twin, "twin"});
    std::mt19937_64 random(study_.seed + static_cast<std::uint64_t>(round));
    std::shuffle(all.begin(), all.end(), random);
    group_by_process(all, random);
    std::erase_if(all, [&](const Turn& turn) {
      const auto checked = checked_.find(turn.cell->row.key);
      return there.contains({turn.kind, round, turn.cell->row.key}) ||
             (!turn.cell->is_ceiling() && (checked == checked_.end() || checked->second != "ok"));
    });
    return all;
  }

  /// Number of turns in all rounds that are not stored yet, provided that no cell is found wrong on the way.
  [[nodiscard]] std::size_t turns_left(const std::vector<const Cell*>& twins, const std::set<Place>& there) const {
    std::size_t all = 0;
    Counts stored = counts(there);
    for (const auto& cell : cells_)
      if (keys_.contains(cell.row.key) && !is_refused(cell)) all += samples_left(cell, cell.row.kind, stored);
    for (const Cell* twin : twins)
      all += samples_left(*twin, "twin", stored);
    return all;
  }

  using Counts = std::map<std::pair<std::string, std::string>, int>;  // by kind and key

  static Counts counts(const std::set<Place>& there) {
    Counts counts;
    for (const auto& [kind, round, key] : there)
      ++counts[{kind, key}];
    return counts;
  }

  static std::size_t samples_left(const Cell& cell, const std::string& kind, Counts& stored) {
    return static_cast<std::size_t>(std::max(0, cell.rounds - stored[{kind, cell.row.key}]));
  }

  [[nodiscard]] std::vector<Pair> pairs() const {
    std::map<std::string, int> rounds;
    for (const auto& cell : cells_)
      if (keys_.contains(cell.row.key)) rounds[cell.row.key] = cell.rounds;
    std::vector<Pair> all;
    for (const auto& cell : cells_)
      if (rounds.contains(cell.row.key) && rounds.contains(cell.over))
        all.push_back({cell.row.key, cell.over, noise_of(study_.against_first ? cells_.front() : cell),
                       std::min(cell.rounds, rounds.at(cell.over))});
    return all;
  }

  /// Time limit for measuring; 0: none.
  [[nodiscard]] double budget_seconds() const {
    return options_.budget_seconds > 0 ? options_.budget_seconds : study_.budget_seconds;
  }

  /// Runs of increasing length before a sample take half as long as the sample in total.
  [[nodiscard]] double guessed_sample_seconds() const { return 1.5 * study_.sample_seconds + start_seconds; }

  /// The phase that takes this many samples.
  [[nodiscard]] Phase measuring(std::size_t turns) const {
    return {.what = "measure", .pieces = turns, .piece_seconds = guessed_sample_seconds(), .most_seconds = budget_seconds()};
  }

  /// In each round, every correct cell runs once, in the order of that round, until the rounds are done, the time is up, or
  /// more rounds would not yield a new verdict.
  void measure_rounds() {
    const auto there = places(session_.id());
    const auto twin_cells = twins();
    StopRule stopping(pairs());
    int stored = 0;  // rounds before the last stored one have been judged already
    for (const auto& row : rows()) {
      if (row.session != session_.id() || (row.kind != "sample" && row.kind != "twin")) continue;
      stopping.add(row);
      stored = std::max(stored, row.round);
    }
    const int last = last_round();
    const double budget = budget_seconds();
    const auto begin = std::chrono::steady_clock::now();
    const auto is_spent = [&] {
      return is_late() ||
             (budget > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >= budget);
    };
    Progress progress(measuring(turns_left(twin_cells, there)));
    summary_.stopped = "rounds";
    const auto is_left = [&](int round) {
      return std::ranges::any_of(
          cells_, [&](const Cell& cell) { return keys_.contains(cell.row.key) && cell.rounds >= round && !is_refused(cell); });
    };
    for (int round = 1; round <= last; ++round) {
      if (!is_left(round)) {
        summary_.rounds = last;
        return;
      }
      heed_interrupts();
      for (const Turn& turn : turns_of(round, twin_cells, there)) {
        if (is_spent()) {
          summary_.stopped = "budget";
          summary_.unresolved = stopping.judge().unresolved;
          return;
        }
        heed_interrupts();
        progress.begin(fmt::format("round {} of {}, {}", round, last, turn.cell->name()));
        Row row = new_row(*turn.cell, round);
        row.kind = turn.kind;
        const ControlGroups before = control_groups();
        if (!tried(*turn.cell, progress, [&] { measure(*turn.cell, row); })) {
          progress.done();
          continue;
        }
        const std::string own = row.is_foreign() ? row.suspicious : "";  // rungs answer none
        row.suspicious = noise_flags_.of(row, catalogue_.probe(*turn.cell->executable).pins_threads,
                                         turn.cell->launch.threads(), throttled_fraction(before, control_groups()));
        if (!own.empty()) row.suspicious += (row.suspicious.empty() ? "" : ";") + own;
        row = storable(row);
        save(row, turn.cell->name(), progress);
        stopping.add(row);
        if (row.outcome != "ok" || turn.cell->is_ceiling()) checked_[row.key] = row.outcome;
        progress.done();
      }
      summary_.rounds = round;
      const auto judgement = stopping.judge();
      summary_.unresolved = judgement.unresolved;
      if (round == last || round < stored || !StopRule::looks_after(round) || judgement.reason == StopRule::Reason::none)
        continue;
      summary_.stopped = judgement.reason == StopRule::Reason::resolved ? "resolved" : "noise";
      return;
    }
  }

  void measure(const Cell& cell, Row& row) {
    if (is_unavailable(cell, row)) return;
    std::vector<std::string> arguments = {"measure", "--min-time", fmt::format("{}", study_.sample_seconds), "--samples", "1"};
    if (cell.steps > 0) arguments.insert(arguments.end(), {"--steps", std::to_string(cell.steps)});
    const std::int64_t cells = cell.is_ceiling() ? 0 : cell.row.cells;
    const ProcessResult result = ask(cell, std::move(arguments), catalogue_, residents_);
    summary_.working_seconds += result.seconds;
    set_sampled(row, result, cell.timeout_seconds, cells, cell.steps);
    require_room(row, result);
    require_own_failure(cell, row, catalogue_);
    if (row.ok() && !has_possible_energy(row)) {  // the time is still right
      row.joules = Row::unknown;
      row.energy_domain.clear();
    }
    // Store how many threads did work. They can be counted only if the backend has no other threads.
    if (row.ok() && row.working_threads < row.threads && catalogue_.probe(*cell.executable).pins_threads)
      row.threads = static_cast<int>(row.working_threads);
  }

  void record_end() {
    summary_.session = session_.id();
    Provenance& provenance = session_.provenance();
    provenance.stopped = Stopped{summary_.stopped, summary_.rounds, static_cast<int>(summary_.unresolved)};
    if (!provenance.timing) provenance.timing.emplace();
    provenance.timing->wall_seconds += summary_.seconds;
    provenance.timing->working_seconds += summary_.working_seconds;
    provenance.rows = digest_of_rows(CsvFile::read(store_->file()), session_.id());
    session_.save();
  }

  const Study& study_;
  Catalogue& catalogue_;
  const RunOptions& options_;
  const std::string machine_;
  const fs::path results_;
  std::vector<Cell> cells_;
  const MachineFacts facts_;
  std::optional<Store> store_;  // none for a draft
  std::vector<Row> read_;       // the rows, if this is a draft
  std::set<std::string> said_;  // reasons of skipped cells, each once: a whole backend has the same one
  Session session_;
  std::map<int, int> rows_in_;                  // rows of the session by round, 0 for checks
  std::set<std::string> keys_;                  // of the cells measured in this session
  std::map<std::string, std::string> checked_;  // key to outcome
  std::map<std::string, Stopped> stopped_;      // of earlier sessions
  NoiseFlags noise_flags_{processors()};
  Residents residents_;
  RunSummary summary_;
};

}  // namespace

void require_answer(const Launch& launch, const ProcessResult& result) {
  if (is_launcher_failure(launch, result)) throw NotRun(excerpt(result.err));
  if (result.end == ProcessResult::End::out_of_memory || has_answer(result)) return;
  if (const std::string fault = launcher_fault(launch, Lines::must_be_whole); !fault.empty()) throw NotRun(fault);
}

void require_unchanged(const Cell& cell) {
  for (const FileState& file : cell.files)
    if (state_of(file.path) != file)
      throw NotRun(fmt::format("{} was changed or removed after this command started", file.path.string()));
}

void require_counts(const Launch& launch, const ProcessResult& result) {
  if (lacks_counts(launch, result)) throw NotRun("the answer does not say how many processes and nodes took part");
}

void require_room(const Row& row, const ProcessResult& result) {
  if (row.ok()) return;
  if (const std::string reason = lack_of_room(row.backend, result.err + row.reason); !reason.empty()) throw NotRun(reason);
}

double check_cell(const Cell& cell, Catalogue& catalogue, Residents& residents, Row& row) {
  if (is_unavailable(cell, row)) return 0;
  std::vector<std::string> arguments = {"check"};
  arguments.insert(arguments.end(), cell.check_arguments.begin(), cell.check_arguments.end());
  const ProcessResult result = ask(cell, std::move(arguments), catalogue, residents);
  set_checked(row, result, cell.timeout_seconds);
  require_room(row, result);
  require_own_failure(cell, row, catalogue);
  return result.seconds;
}

RunSummary run_study(const Study& study, Catalogue& catalogue, const RunOptions& options) {
  return Runner(study, catalogue, options).run();
}

StudyPlan plan_study(const Study& study, Catalogue& catalogue, const RunOptions& options) {
  StudyPlan plan = Runner(study, catalogue, options, true).plan();
  const auto is_built = [&](const auto& block) { return catalogue.rung(block.rung).is_built; };
  if (std::ranges::all_of(study.fields, is_built) && std::ranges::all_of(study.series, is_built)) {
    plan.pictures = missing_flow_files(study, catalogue, fs::absolute(study.file).parent_path() / "results", plan.machine);
    return plan;
  }
  for (const FieldBlock& block : study.fields)
    plan.pictures += static_cast<std::size_t>(block.frames) + (block.points > 0 ? 1 : 0) + (block.layers ? 1 : 0);
  for (const SeriesBlock& block : study.series)
    plan.pictures += block.stability ? 1 : block.cases.size();
  return plan;
}

WorkLeft work_left(const Study& study, Catalogue& catalogue, const RunOptions& options) {
  const fs::path results = fs::absolute(study.file).parent_path() / "results";
  if (is_stored(results / (machine_name(options.machine) + ".csv"))) return Runner(study, catalogue, options).left();
  // A Runner would create the file.
  WorkLeft left{.pictures = missing_flow_files(study, catalogue, results, machine_name(options.machine)),
                .seconds = std::numeric_limits<double>::quiet_NaN()};
  for (const Cell& cell : expand(study, catalogue)) {
    if (!cell.is_ceiling()) ++left.checks;
    left.samples += static_cast<std::size_t>(options.rounds > 0 ? options.rounds : cell.rounds);
  }
  return left;
}

}  // namespace ladder
