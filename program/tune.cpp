#include "program/tune.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/limits.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/answers.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/gpu_power.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/run/session.hpp"
#include "program/json.hpp"
#include "reports/document.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int search_rounds = 3;
constexpr int final_rounds = 10;
constexpr std::size_t finalists = 5;

/// The correct samples of one tuning.
struct Samples {
  Series speeds;             ///< updates per second
  Series joules_per_update;  ///< of the samples with energy
  Series gpu_mhz;            ///< clock of the GPU, of the samples where it was read

  void add(const Row& row) {
    speeds.push_back({row.session, row.round, row.updates_per_second});
    if (row.joules > 0) joules_per_update.push_back({row.session, row.round, row.joules_per_update()});
    if (row.gpu_mhz > 0) gpu_mhz.push_back({row.session, row.round, row.gpu_mhz});
  }

  /// The quantity to maximize: updates per second or per joule.
  [[nodiscard]] Series merits(Goal goal) const {
    if (goal == Goal::speed) return speeds;
    Series all = joules_per_update;
    for (Observation& o : all)
      o.value = 1 / o.value;
    return all;
  }

  /// The samples of one session; all samples if `session` is empty.
  [[nodiscard]] Samples of_session(const std::string& session) const {
    Samples some = *this;
    for (Series* series : {&some.speeds, &some.joules_per_update, &some.gpu_mhz})
      std::erase_if(*series, [&](const Observation& o) { return !session.empty() && o.session != session; });
    return some;
  }
};

/// The stored rows of one tuning.
struct Attempt {
  Samples samples;
  Samples twins;        ///< the second samples of its rounds
  std::string outcome;  ///< outcome of its last row
};

/// A tuning that was re-measured together with the others. Ratios are of merits.
struct Finalist {
  Point point;
  Samples samples;
  double merit = 0;
  Ratio over_initial, over_best;

  [[nodiscard]] double speed() const { return median(samples.speeds); }
  [[nodiscard]] double joules_per_update() const { return median(samples.joules_per_update); }
  /// NaN if unknown.
  [[nodiscard]] double gpu_mhz() const { return median(samples.gpu_mhz); }
};

/// The ratio of energies, from the ratio of updates per joule.
Ratio inverted(Ratio ratio) {
  ratio.value = 1 / ratio.value;
  ratio.interval = {1 / ratio.interval.high, 1 / ratio.interval.low};
  return ratio;
}

InputError no_energy(const std::string& device) {
  return InputError(fmt::format(
      "--for energy: no energy counter of '{}' can be read; docs/measuring.md lists the counters and who may read them",
      device));
}

/// @throws InputError if the rung's executable refuses the case; Unavailable if it cannot run here; std::runtime_error if it
/// gives an invalid answer
Space space_of(const Executable& rung, const std::string& case_name) {
  constexpr double timeout = 60;
  const auto require_ok = [&](const ProcessResult& result) {
    const Outcome outcome = outcome_of(result, timeout);
    if (outcome.name == "ok") return;
    if (outcome.name != "skipped") throw std::runtime_error(fmt::format("{}: {}: {}", rung.id, outcome.name, outcome.reason));
    if (result.code == exit_unavailable) throw Unavailable(outcome.reason);
    throw InputError(fmt::format("{}: {}", rung.id, outcome.reason));
  };
  require_ok(run_process(rung.path, {"case", "--case", case_name}, timeout));
  const ProcessResult answer = run_launched(launch_of({}), rung.path, {"tunings"}, timeout);
  require_ok(answer);
  auto space = parse_space(answer.out);
  if (!space) throw std::runtime_error(fmt::format("{}: its answer to 'tunings' is invalid", rung.id));
  return *space;
}

class Tuner {
 public:
  Tuner(const Context& context, const TuneOptions& options, Catalogue& catalogue, const Executable& rung, Space space)
      : context_(context),
        options_(options),
        catalogue_(catalogue),
        rung_(rung),
        space_(std::move(space)),
        budget_(options.budget_seconds),
        folder_(context.experiments / tune_name(options)) {
    for (const auto& name : space_.names)
      for (const Tunable& tunable : rung.description.tunables)
        if (tunable.name == name) initial_.push_back(tunable.initial);
    if (initial_.size() != space_.names.size())
      throw std::runtime_error(fmt::format("{}: 'tunings' names other tunables than 'describe'", rung.id));
  }

  /// Measures the initial tuning once, without storing the sample. Does nothing if it cannot be measured: samples of other
  /// tunings then show whether there is a counter.
  /// @throws InputError if the sample has no energy
  void require_energy() const {
    const Cell cell = expand(study({initial_}, 1), catalogue_).front();
    if (!cell.unavailable.empty()) return;
    // A sample that turns out shorter than a second has no energy, whether or not there is a counter.
    for (const int times : {1, 2, 4}) {
      std::vector<std::string> arguments = {"measure", "--min-time", fmt::format("{}", times * options_.sample_seconds),
                                            "--samples", "1"};
      arguments.insert(arguments.end(), cell.arguments.begin(), cell.arguments.end());
      const ProcessResult result = run_launched(cell.launch, rung_.path, arguments, cell.timeout_seconds);
      Row row;
      if (outcome_of(result, cell.timeout_seconds).name != "ok" || !read_sample(result.out, row) || !std::isnan(row.joules))
        return;
      if (row.seconds >= least_energy_seconds) break;
    }
    throw no_energy(catalogue_.probe(rung_).device);
  }

  int run() {
    if (is_for_energy()) require_energy();
    write_files(folder_, {{"study.toml", tune_study(options_, space_, initial_)}});
    const SearchOptions how = {
        .initial = initial_,
        .seed = options_.seed,
        .has_time = [&] { return elapsed() < budget_; },
        .affords = [&](std::size_t points) { return elapsed() + seconds_per_point() * static_cast<double>(points) < budget_; }};
    result_ = search(space_, how, [&](const std::vector<Point>& points) { return measure(points); });
    const auto best = measure_again();
    if (best.empty() && lacks_energy_) throw no_energy(catalogue_.probe(rung_).device);
    if (options_.json)
      print_json(to_json(best));
    else
      print(best);
    if (failed_ > 0) return exit_check_failed;
    return best.empty() ? exit_unavailable : exit_ok;
  }

 private:
  [[nodiscard]] bool is_for_energy() const { return options_.goal == Goal::energy; }
  [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  [[nodiscard]] Study study(const std::vector<Point>& points, int rounds) const {
    Study study;
    study.file = folder_ / "study.toml";
    study.name = folder_.filename().string();
    study.seed = options_.seed;
    study.rounds = rounds;
    study.sample_seconds = options_.sample_seconds;
    study.launcher = options_.launcher;
    for (const Point& point : points) {
      MatrixBlock block{.rungs = {rung_.id},
                        .cases = {options_.case_name},
                        .precisions = {options_.precision},
                        .placements = {options_.placement}};
      for (std::size_t t = 0; t < point.size(); ++t)
        block.set[space_.names[t]] = {point[t]};
      study.matrix.push_back(std::move(block));
    }
    return study;
  }

  /// Checks and measures the points that have no rows yet; all points if `again`.
  void run_rounds(const std::vector<Point>& points, int rounds, bool again) {
    const RunSummary summary =
        run_study(study(points, rounds), catalogue_,
                  {.root = context_.root, .machine = options_.machine, .again = again, .command = context_.command});
    if (summary.not_run > 0) throw NotRun("not all checks and samples could be run; the same command continues with them");
    rows_ = summary.rows;
    failed_ += summary.failed;
    if (!summary.measured.empty()) session_ = summary.measured.back().session;
    const auto fresh =
        std::count_if(summary.measured.begin(), summary.measured.end(), [](const Row& row) { return row.kind == "check"; });
    if (fresh > 0) {
      fresh_points_ += static_cast<double>(fresh);
      fresh_seconds_ += summary.seconds;
    }
  }

  /// The stored rows of the points.
  std::vector<Attempt> stored(const std::vector<Point>& points) {
    std::map<std::string, std::size_t> of_key;
    for (const Cell& cell : expand(study(points, search_rounds), catalogue_))
      for (std::size_t i = 0; i < points.size(); ++i)
        if (cell.row.tuning == space_.name(points[i])) of_key[cell.row.key] = i;
    std::vector<Attempt> measured(points.size());
    for (const Row& row : read_rows(rows_).rows) {
      const auto found = of_key.find(row.key);
      if (found == of_key.end()) continue;
      Attempt& of = measured[found->second];
      of.outcome = row.outcome;
      if (row.kind == "sample" && row.ok()) of.samples.add(row);
      if (row.kind == "twin" && row.ok()) of.twins.add(row);
      if (!row.energy_domain.empty()) energy_domain_ = row.energy_domain;
    }
    return measured;
  }

  std::vector<double> measure(const std::vector<Point>& points) {
    run_rounds(points, search_rounds, false);
    std::vector<double> merits;
    for (const Attempt& m : stored(points)) {
      const Series series = m.samples.of_session(first_session(m.samples.speeds)).merits(options_.goal);
      merits.push_back(m.outcome == "ok" && !series.empty() ? median(series) : 0);
      if (m.outcome == "ok" && series.empty() && !m.samples.speeds.empty()) lacks_energy_ = true;
    }
    return merits;
  }

  /// The session whose samples the search used first, so that the same command takes the same path; empty if none has enough
  /// rounds.
  static std::string first_session(const Series& all) {
    std::map<std::string, int> rounds;
    for (const Observation& o : all)
      if (++rounds[o.session] == search_rounds) return o.session;
    return "";
  }

  /// Time to check and measure one tuning, taken from this call or else from the last session.
  [[nodiscard]] double seconds_per_point() const {
    if (fresh_points_ > 0) return fresh_seconds_ / fresh_points_;
    const auto sessions = Session::all(rows_.parent_path(), rows_.stem().string());
    if (sessions.empty()) return 0;
    const Session& last = sessions.back();
    const Timing timing = last.provenance().timing.value_or(Timing{});
    return timing.working_seconds / std::max(1.0, static_cast<double>(last.provenance().cells.size()));
  }

  /// The best few and the initial tuning, measured in the same rounds, best first.
  std::vector<Finalist> measure_again() {
    std::vector<Point> points = result_.fastest(finalists);
    if (points.empty()) return {};
    const auto initial_speed = result_.speeds.find(initial_);
    const bool has_initial = initial_speed != result_.speeds.end() && initial_speed->second > 0;
    if (has_initial && std::find(points.begin(), points.end(), initial_) == points.end()) points.push_back(initial_);
    auto measured = stored(points);
    std::string session = common_session(measured);
    if (session.empty()) {
      // Tunings that already had final rounds with others are measured again, so that all are measured in the same rounds.
      const bool again = std::any_of(measured.begin(), measured.end(),
                                     [](const Attempt& m) { return std::ssize(m.samples.speeds) >= final_rounds; });
      run_rounds(points, final_rounds, again);
      measured = stored(points);
      session = session_;
    }
    std::vector<Finalist> all;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (measured[i].outcome != "ok") continue;
      Finalist f;
      f.point = points[i];
      f.samples = measured[i].samples.of_session(session);
      const Series series = merits(f);
      const double floor = noise_floor(paired_ratio(series, measured[i].twins.of_session(session).merits(options_.goal)));
      if (!(floor <= floor_)) floor_ = floor;
      f.merit = median(series);
      if (!series.empty()) all.push_back(std::move(f));
    }
    std::stable_sort(all.begin(), all.end(), [](const Finalist& a, const Finalist& b) { return a.merit > b.merit; });
    const auto initial = std::find_if(all.begin(), all.end(), [&](const Finalist& f) { return f.point == initial_; });
    for (Finalist& f : all) {
      if (initial != all.end()) f.over_initial = paired_ratio(merits(f), merits(*initial));
      f.over_best = paired_ratio(merits(f), merits(all.front()));
    }
    return all;
  }

  [[nodiscard]] Series merits(const Finalist& f) const { return f.samples.merits(options_.goal); }

  /// A session with final rounds of every correct tuning; empty if there is none.
  static std::string common_session(const std::vector<Attempt>& measured) {
    std::map<std::string, std::size_t> whole;
    std::size_t right = 0;
    for (const Attempt& m : measured) {
      if (m.outcome != "ok") continue;
      ++right;
      std::map<std::string, int> rounds;
      for (const Observation& o : m.samples.speeds)
        if (++rounds[o.session] == final_rounds) ++whole[o.session];
    }
    const auto found = std::find_if(whole.begin(), whole.end(), [&](const auto& of) { return of.second == right; });
    return found == whole.end() ? "" : found->first;
  }

  [[nodiscard]] std::string end_text() const {
    using End = SearchResult::End;
    if (result_.end == End::whole) return "all were measured";
    if (result_.end == End::no_better_neighbour)
      return is_for_energy() ? "no neighbour of the best needs less energy; --seed changes the start"
                             : "no neighbour of the fastest is faster; --seed changes the start";
    return fmt::format(
        "the search budget of {} is spent; checks, builds and re-measuring took another {}; a larger --budget continues the "
        "search",
        duration_text(budget_), duration_text(std::max(0.0, elapsed() - budget_)));
  }

  /// Whether the rounds cannot distinguish a finalist from the best.
  [[nodiscard]] bool is_tie(const Finalist& f) const { return verdict(f.over_best, floor_) != Verdict::slower; }

  /// The ratio to show: of speeds or of energies.
  [[nodiscard]] Ratio shown(const Ratio& merits) const { return is_for_energy() ? inverted(merits) : merits; }

  [[nodiscard]] Json to_json(const Ratio& merits) const {
    const Ratio ratio = shown(merits);
    return {
        {"ratio", ratio.value}, {"low", ratio.interval.low}, {"high", ratio.interval.high}, {"verdict", verdict_word(merits)}};
  }

  [[nodiscard]] Json to_json(const std::vector<Finalist>& best) const {
    Json out = {{"rung", rung_.id},
                {"case", options_.case_name},
                {"precision", options_.precision},
                {"placement", options_.placement},
                {"combinations", space_.combinations},
                {"legal", space_.legal.size()},
                {"constraints", Json::array()},
                {"measured", result_.speeds.size()},
                {"end", end_text()},
                {"failed", failed_},
                {"for", is_for_energy() ? "energy" : "speed"},
                {"initial", space_.name(initial_)},
                {"best", Json::array()},
                {"study", (folder_ / "study.toml").string()},
                {"rows", rows_.string()}};
    for (const auto& [text, refused] : space_.constraints)
      out["constraints"].push_back({{"text", text}, {"refused", refused}});
    if (is_for_energy()) {
      out["energy_domain"] = energy_domain_;
      out["power_limit_watts"] = json_number(power_limit());
    }
    const std::string of = is_for_energy() ? "energy_" : "";
    for (const Finalist& f : best) {
      Json entry = {{"tuning", space_.name(f.point)}, {"updates_per_second", f.speed()}, {"samples", f.samples.speeds.size()}};
      if (is_for_energy()) {
        entry["joules_per_update"] = f.joules_per_update();
        entry["gpu_mhz"] = json_number(f.gpu_mhz());
      }
      if (f.over_initial.is_known()) entry[of + "over_initial"] = to_json(f.over_initial);
      entry[of + "over_best"] = to_json(f.over_best);
      entry["tie"] = is_tie(f);
      out["best"].push_back(std::move(entry));
    }
    return out;
  }

  void print(const std::vector<Finalist>& best) const {
    print_out("{} on {}, {}: {} of {} tunings are legal, {} measured; {}\n", rung_.id, options_.case_name, options_.precision,
              space_.legal.size(), space_.combinations, result_.speeds.size(), end_text());
    for (const auto& [text, refused] : space_.constraints)
      if (refused > 0) print_out("  {} refused by {}\n", refused, text);
    if (failed_ > 0) print_out("{} failed; the rows say why\n", failed_);
    if (best.empty()) {
      print_out("no tuning has {}; the rows say why: {}\n", is_for_energy() ? "a known energy" : "a speed", rows_.string());
      return;
    }
    const auto over_initial = [&](const Finalist& f) {
      const Ratio ratio = shown(f.over_initial);
      return f.point == initial_ ? "initial" : times(ratio.value) + interval_text(ratio.interval);
    };
    const auto against_best = [&](const Finalist& f) {
      if (&f != &best.front()) return fmt::format("{}{}", is_tie(f) ? "tie: " : "", verdict_text(f.over_best));
      const bool ties_initial = f.point != initial_ && std::any_of(best.begin(), best.end(), [&](const Finalist& other) {
                                  return other.point == initial_ && is_tie(other);
                                });
      return std::string(ties_initial ? "best (tie with initial)" : "best");
    };
    std::vector<reports::Column<Finalist>> columns = {
        {"tuning", "", [&](const Finalist& f) { return space_.name(f.point); }},
        {"MLUPS", "", [](const Finalist& f) { return reports::number_cell(f.speed() * 1e-6, 4); }}};
    if (is_for_energy()) {
      columns.push_back({"W", "", [](const Finalist& f) { return reports::number_cell(f.speed() * f.joules_per_update()); }});
      columns.push_back(
          {"J per 10⁹ updates", "", [](const Finalist& f) { return reports::number_cell(1e9 * f.joules_per_update(), 4); }});
      columns.push_back({"GPU, MHz", "", [](const Finalist& f) { return reports::number_cell(f.gpu_mhz(), 4); }});
    }
    columns.push_back({is_for_energy() ? "energy over the initial" : "over the initial", "", over_initial});
    columns.push_back(
        {"verdict", "", [&](const Finalist& f) { return f.point == initial_ ? "" : verdict_text(f.over_initial); }});
    columns.push_back({"compared with the best", "", against_best});
    print_out("\n{}", to_text(reports::tabulate("tunings", "", columns, best)));
    const auto ties = std::count_if(best.begin() + 1, best.end(), [&](const Finalist& f) { return is_tie(f); });
    print_out("\n{} rounds each, interleaved; ratios are medians of paired rounds with 95 % intervals\n",
              best.front().samples.speeds.size());
    if (is_for_energy())
      print_out("energy of {}{}\n", energy_domain_ == "gpu" ? "the whole GPU" : "all processor packages", power_limit_text());
    if (ties > 0) print_out("{} cannot be distinguished from the best: choose any of them\n", counted(ties, "tuning"));
    print_out("rows: {}\n{}: ./ladder report {}\n", rows_.string(), is_for_energy() ? "speeds" : "heat map and table",
              folder_.filename().string());
  }

  /// Empty if the power limit of this device cannot be read.
  [[nodiscard]] std::string power_limit_text() const {
    const double watts = power_limit();
    return std::isnan(watts) ? "" : fmt::format(", whose power limit is {:.0f} W", watts);
  }

  [[nodiscard]] double power_limit() const { return gpu_power_limit(catalogue_.probe(rung_).device); }

  [[nodiscard]] std::string verdict_word(const Ratio& merits) const {
    const Verdict found = verdict(merits, floor_);
    if (is_for_energy() && found == Verdict::faster) return "less";
    if (is_for_energy() && found == Verdict::slower) return "more";
    return to_string(found);
  }

  [[nodiscard]] std::string verdict_text(const Ratio& merits) const { return merits.is_known() ? verdict_word(merits) : ""; }

  const Context& context_;
  const TuneOptions& options_;
  Catalogue& catalogue_;
  const Executable& rung_;
  const Space space_;
  const double budget_;  ///< seconds
  const fs::path folder_;
  const Clock::time_point begin_ = Clock::now();
  Point initial_;
  SearchResult result_;
  double floor_ = std::numeric_limits<double>::quiet_NaN();  ///< noise floor of the final rounds
  fs::path rows_;
  std::string session_;        ///< the last session that measured something
  std::string energy_domain_;  ///< of the last sample with energy
  bool lacks_energy_ = false;  ///< whether a correct tuning has samples, but none with energy
  std::size_t failed_ = 0;
  double fresh_points_ = 0, fresh_seconds_ = 0;  ///< tunings checked by this call, and the time they took
};

}  // namespace

std::string tune_name(const TuneOptions& options) {
  const std::string placement = options.placement.empty() ? "" : "-" + slug(options.placement);
  return fmt::format("tune-{}-{}-{}{}{}", slug(options.rung), slug(options.case_name), options.precision, placement,
                     options.goal == Goal::energy ? "-energy" : "");
}

std::string tune_study(const TuneOptions& options, const Space& space, const Point& initial) {
  const bool is_placed = !options.placement.empty();
  const std::string what = fmt::format("{} on {}, {}{}", options.rung, options.case_name, options.precision,
                                       is_placed ? ", " + options.placement : "");
  const std::string placements = is_placed ? fmt::format("placements = [\"{}\"]\n", options.placement) : "";
  std::string text = fmt::format(
      "# Written by `ladder tune {} --case {} --precision {}{}{}`, which overwrites it.\n"
      "title  = \"The tunables of {}\"\nseed   = {}\nrounds = {}\nsample_seconds = {}\n",
      options.rung, options.case_name, options.precision, is_placed ? " --placement '" + options.placement + "'" : "",
      options.goal == Goal::energy ? " --for energy" : "", what, options.seed, search_rounds, options.sample_seconds);
  for (const auto& product : products(space.legal)) {
    std::vector<std::string> lists;
    for (std::size_t t = 0; t < product.size(); ++t)
      lists.push_back(fmt::format("{} = [{}]", space.names[t], fmt::join(product[t], ", ")));
    text += fmt::format("\n[[matrix]]\nrungs = [\"{}\"]\ncases = [\"{}\"]\nprecisions = [\"{}\"]\n{}set = {{ {} }}\n",
                        options.rung, options.case_name, options.precision, placements, fmt::join(lists, ", "));
  }
  if (space.names.size() == 1) {
    std::vector<int> values;
    for (const Point& point : space.legal)
      if (point != initial) values.push_back(point[0]);
    const std::string first = fmt::format("{}={}", space.names[0], initial[0]);
    text += fmt::format(
        "\n[[report]]\nkind = \"steps\"\ntitle = \"{}: speed-ups over {}\"\ncases = [\"{}\"]\nprecision = \"{}\"\nrows = [\n"
        "  {{ label = \"{}\", rung = \"{}\", tuning = \"{}\" }},\n",
        what, first, options.case_name, options.precision, first, options.rung, first);
    for (const int value : values)
      text += fmt::format("  {{ label = \"{0}={1}\", rung = \"{2}\", tuning = \"{0}={1}\", over = \"{3}\" }},\n",
                          space.names[0], value, options.rung, first);
    return text + "]\n";
  }
  for (std::size_t t = 0; t < space.names.size(); t += 2) {
    const bool is_last = t + 1 == space.names.size();
    const std::string& x = space.names[is_last ? 0 : t];
    const std::string& y = space.names[is_last ? t : t + 1];
    text += fmt::format(
        "\n[[report]]\nkind = \"heatmap\"\ntitle = \"{}: {} and {}\"\nrung = \"{}\"\ncases = [\"{}\"]\nprecision = \"{}\"\nx = "
        "\"{}\"\ny = \"{}\"\n",
        what, x, y, options.rung, options.case_name, options.precision, x, y);
  }
  return text;
}

int tune(const Context& context, const TuneOptions& options) {
  Catalogue catalogue(context.bin);
  const Executable& rung = catalogue.built_rung(options.rung);
  machine_name(options.machine);
  parse_placement(options.placement);
  if (rung.description.tunables.empty()) {
    std::vector<std::string> others;
    for (const auto& other : catalogue.rungs())
      if (!other.description.tunables.empty() && (others.empty() || others.back() != other.id)) others.push_back(other.id);
    throw InputError(fmt::format("{} has no tunables; {}", rung.id,
                                 others.empty() ? "no rung that is built here has any"
                                                : fmt::format("rungs built here that have some: {}", fmt::join(others, ", "))));
  }
  const Availability& here = catalogue.probe(rung);
  if (!here.available) throw Unavailable(here.reason);
  TuneOptions chosen = options;
  chosen.precision = number_for(rung.description, options.precision);
  const Placement placement = placements_for({options.placement}, rung, here).front();
  chosen.placement = to_string(placement);
  if (options.goal == Goal::energy) {
    if (placement.nodes * placement.processes * placement.devices > 1)
      throw InputError(
          fmt::format("--for energy, --placement '{}': accepted: one process with one device; the energy of others is unknown",
                      options.placement));
    if (options.sample_seconds > most_energy_seconds)
      throw InputError(fmt::format("--for energy, --sample-seconds {}: accepted: at most {}, as longer samples have no energy",
                                   options.sample_seconds, most_energy_seconds));
    chosen.sample_seconds = std::max(options.sample_seconds, energy_sample_seconds);
  }
  return Tuner(context, chosen, catalogue, rung, space_of(rung, options.case_name)).run();
}

}  // namespace ladder
