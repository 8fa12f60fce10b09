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
#include "base/output.hpp"
#include "base/text.hpp"
#include "harness/record/outcome.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/plan.hpp"
#include "harness/run/run.hpp"
#include "harness/run/session.hpp"
#include "reports/document.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int search_rounds = 3;
constexpr int final_rounds = 10;
constexpr std::size_t finalists = 5;

/// The stored rows of one tuning.
struct Attempt {
  Series series;        ///< updates per second
  Series twins;         ///< the same for the second samples of its rounds
  std::string outcome;  ///< outcome of its last row
};

/// A tuning that was re-measured together with the others.
struct Finalist {
  Point point;
  Series series;
  double median = 0;
  Ratio over_initial, over_best;
};

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

  int run() {
    write_files(folder_, {{"study.toml", tune_study(options_, space_, initial_)}});
    const SearchOptions how = {
        .initial = initial_,
        .seed = options_.seed,
        .has_time = [&] { return elapsed() < budget_; },
        .affords = [&](std::size_t points) { return elapsed() + seconds_per_point() * static_cast<double>(points) < budget_; }};
    result_ = search(space_, how, [&](const std::vector<Point>& points) { return measure(points); });
    const auto best = measure_again();
    if (options_.json)
      print_json(to_json(best));
    else
      print(best);
    if (failed_ > 0) return exit_check_failed;
    return best.empty() ? exit_unavailable : exit_ok;
  }

 private:
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
      if (row.kind == "sample" && row.ok()) of.series.push_back({row.session, row.round, row.updates_per_second});
      if (row.kind == "twin" && row.ok()) of.twins.push_back({row.session, row.round, row.updates_per_second});
    }
    return measured;
  }

  std::vector<double> measure(const std::vector<Point>& points) {
    run_rounds(points, search_rounds, false);
    std::vector<double> speeds;
    for (const Attempt& m : stored(points))
      speeds.push_back(m.outcome == "ok" && !m.series.empty() ? median(first_session(m.series)) : 0);
    return speeds;
  }

  /// The samples that the search used first, so that the same command takes the same path; all samples if no session has enough
  /// rounds.
  static Series first_session(const Series& all) {
    std::map<std::string, int> rounds;
    for (const Observation& o : all)
      if (++rounds[o.session] == search_rounds) {
        Series first = all;
        std::erase_if(first, [&](const Observation& other) { return other.session != o.session; });
        return first;
      }
    return all;
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

  /// The best few and the initial tuning, measured in the same rounds, fastest first.
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
      const bool again =
          std::any_of(measured.begin(), measured.end(), [](const Attempt& m) { return std::ssize(m.series) >= final_rounds; });
      run_rounds(points, final_rounds, again);
      measured = stored(points);
      session = session_;
    }
    std::vector<Finalist> all;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (measured[i].outcome != "ok") continue;
      const auto of_session = [&](Series series) {
        std::erase_if(series, [&](const Observation& o) { return o.session != session; });
        return series;
      };
      const double floor = noise_floor(paired_ratio(of_session(measured[i].series), of_session(measured[i].twins)));
      if (!(floor <= floor_)) floor_ = floor;
      Finalist f;
      f.point = points[i];
      f.series = of_session(measured[i].series);
      f.median = median(f.series);
      if (!f.series.empty()) all.push_back(std::move(f));
    }
    std::stable_sort(all.begin(), all.end(), [](const Finalist& a, const Finalist& b) { return a.median > b.median; });
    const auto initial = std::find_if(all.begin(), all.end(), [&](const Finalist& f) { return f.point == initial_; });
    for (Finalist& f : all) {
      if (initial != all.end()) f.over_initial = paired_ratio(f.series, initial->series);
      f.over_best = paired_ratio(f.series, all.front().series);
    }
    return all;
  }

  /// A session with final rounds of every correct tuning; empty if there is none.
  static std::string common_session(const std::vector<Attempt>& measured) {
    std::map<std::string, std::size_t> whole;
    std::size_t right = 0;
    for (const Attempt& m : measured) {
      if (m.outcome != "ok") continue;
      ++right;
      std::map<std::string, int> rounds;
      for (const Observation& o : m.series)
        if (++rounds[o.session] == final_rounds) ++whole[o.session];
    }
    const auto found = std::find_if(whole.begin(), whole.end(), [&](const auto& of) { return of.second == right; });
    return found == whole.end() ? "" : found->first;
  }

  [[nodiscard]] std::string end_text() const {
    using End = SearchResult::End;
    if (result_.end == End::whole) return "all were measured";
    if (result_.end == End::no_better_neighbour) return "no neighbour of the fastest is faster; --seed changes the start";
    return fmt::format(
        "the search budget of {} is spent; checks, builds and re-measuring took another {}; a larger --budget continues the "
        "search",
        duration_text(budget_), duration_text(std::max(0.0, elapsed() - budget_)));
  }

  /// Whether the rounds cannot distinguish a finalist from the best.
  [[nodiscard]] bool is_tie(const Finalist& f) const { return verdict(f.over_best, floor_) != Verdict::slower; }

  [[nodiscard]] Json to_json(const Ratio& ratio) const {
    return {{"ratio", ratio.value},
            {"low", ratio.interval.low},
            {"high", ratio.interval.high},
            {"verdict", to_string(verdict(ratio, floor_))}};
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
                {"initial", space_.name(initial_)},
                {"best", Json::array()},
                {"study", (folder_ / "study.toml").string()},
                {"rows", rows_.string()}};
    for (const auto& [text, refused] : space_.constraints)
      out["constraints"].push_back({{"text", text}, {"refused", refused}});
    for (const Finalist& f : best) {
      Json entry = {{"tuning", space_.name(f.point)}, {"updates_per_second", f.median}, {"samples", f.series.size()}};
      if (f.over_initial.is_known()) entry["over_initial"] = to_json(f.over_initial);
      entry["over_best"] = to_json(f.over_best);
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
      print_out("no tuning has a speed; the rows say why: {}\n", rows_.string());
      return;
    }
    const auto over_initial = [&](const Finalist& f) {
      return f.point == initial_ ? "initial" : times(f.over_initial.value) + interval_text(f.over_initial.interval);
    };
    const auto against_best = [&](const Finalist& f) {
      if (&f != &best.front()) return fmt::format("{}{}", is_tie(f) ? "tie: " : "", verdict_text(f.over_best));
      const bool ties_initial = f.point != initial_ && std::any_of(best.begin(), best.end(), [&](const Finalist& other) {
                                  return other.point == initial_ && is_tie(other);
                                });
      return std::string(ties_initial ? "best (tie with initial)" : "best");
    };
    print_out("\n{}",
              to_text(reports::tabulate(
                  "tunings", "",
                  {{"tuning", "", [&](const Finalist& f) { return space_.name(f.point); }},
                   {"MLUPS", "", [](const Finalist& f) { return reports::number_cell(f.median * 1e-6, 4); }},
                   {"over the initial", "", over_initial},
                   {"verdict", "", [&](const Finalist& f) { return f.point == initial_ ? "" : verdict_text(f.over_initial); }},
                   {"beside the best", "", against_best}},
                  best)));
    const auto ties = std::count_if(best.begin() + 1, best.end(), [&](const Finalist& f) { return is_tie(f); });
    print_out("\n{} rounds each, interleaved; ratios are medians of paired rounds with 95 % intervals\n",
              best.front().series.size());
    if (ties > 0) print_out("{} cannot be distinguished from the best: choose any of them\n", counted(ties, "tuning"));
    print_out("rows: {}\nheat map and table: ./ladder report {}\n", rows_.string(), folder_.filename().string());
  }

  [[nodiscard]] std::string verdict_text(const Ratio& ratio) const {
    return ratio.is_known() ? to_string(verdict(ratio, floor_)) : "";
  }

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
  std::string session_;  ///< the last session that measured something
  std::size_t failed_ = 0;
  double fresh_points_ = 0, fresh_seconds_ = 0;  ///< tunings checked by this call, and the time they took
};

}  // namespace

std::string tune_name(const TuneOptions& options) {
  const std::string placement = options.placement.empty() ? "" : "-" + slug(options.placement);
  return fmt::format("tune-{}-{}-{}{}", slug(options.rung), slug(options.case_name), options.precision, placement);
}

std::string tune_study(const TuneOptions& options, const Space& space, const Point& initial) {
  const bool is_placed = !options.placement.empty();
  const std::string what = fmt::format("{} on {}, {}{}", options.rung, options.case_name, options.precision,
                                       is_placed ? ", " + options.placement : "");
  const std::string placements = is_placed ? fmt::format("placements = [\"{}\"]\n", options.placement) : "";
  std::string text = fmt::format(
      "# Written by `ladder tune {} --case {} --precision {}{}`, which overwrites it.\n"
      "title  = \"The tunables of {}\"\nseed   = {}\nrounds = {}\nsample_seconds = {}\n",
      options.rung, options.case_name, options.precision, is_placed ? " --placement '" + options.placement + "'" : "", what,
      options.seed, search_rounds, options.sample_seconds);
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
      if (!other.description.tunables.empty()) others.push_back(other.id);
    throw InputError(fmt::format("{} has no tunables; {}", rung.id,
                                 others.empty() ? "no rung that is built here has any"
                                                : fmt::format("rungs built here that have some: {}", fmt::join(others, ", "))));
  }
  const Availability& here = catalogue.probe(rung);
  if (!here.available) throw Unavailable(here.reason);
  TuneOptions chosen = options;
  chosen.precision = number_for(rung.description, options.precision);
  chosen.placement = to_string(placements_for({options.placement}, rung, here).front());
  return Tuner(context, chosen, catalogue, rung, space_of(rung, options.case_name)).run();
}

}  // namespace ladder
