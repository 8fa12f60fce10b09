#pragma once

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "harness/bench/as_team.hpp"
#include "harness/bench/check.hpp"
#include "harness/bench/divergence.hpp"
#include "harness/bench/gathered.hpp"
#include "harness/bench/measure.hpp"
#include "harness/bench/rung.hpp"
#include "harness/bench/rung_command.hpp"
#include "harness/bench/solve_progress.hpp"
#include "harness/bench/solve_results.hpp"
#include "harness/record/tuning.hpp"
#include "roofline/model/counting.hpp"

/// The command line of a rung's executable (docs/architecture.md, "A rung is an executable").
namespace ladder {

/// A rung's description of itself and its model.
template <class Model>
Description facts_of(const Rung<Model>& rung) {
  Description facts;
  facts.model = Model::name;
  facts.follows = rung.follows;
  facts.q = Model::q;
  facts.reach = Model::Lattice::reach;
  facts.lattices = rung.lattices;
  facts.cases = Model::case_names();
  // Traffic may depend on the case, so use the first named case and the initial tuning.
  const auto nominal = Model::make_case(facts.cases.front());
  for (const Number& number : rung.make.numbers) {
    const std::string name(number.name);
    const Traffic traffic = rung.traffic(number, nominal, parse_tuning(rung.tunables, {})).front();
    facts.numbers.push_back(name);
    facts.bytes_per_update[name] = {traffic.read, traffic.write};
    facts.level = traffic.level;
    facts.bytes_per_update_minimum[name] = 2 * static_cast<double>(Model::q * number.bytes);
  }
  facts.collision = rung.collision;
  const auto count = [](std::int64_t operations) { return static_cast<double>(operations); };
  for (const Operations& o : Model::operations())
    facts.operations.push_back({o.form,
                                {{"add", count(o.add)}, {"mul", count(o.mul)}, {"div", count(o.div)}, {"sqrt", count(o.sqrt)}},
                                count(o.total())});
  facts.tunables = rung.tunables;
  for (const Constraint& c : rung.constraints)
    facts.constraints.push_back(c.text);
  facts.observable = Model::observable;
  for (const auto& [name, meaning] : Model::case_files)
    facts.case_files.push_back({std::string(name), std::string(meaning)});
  return facts;
}

/// @throws Unavailable if there is no such case on this machine
template <class Model>
CaseFacts facts_of_case(const std::string& name) {
  try {
    const auto c = Model::make_case(name);
    const auto [nx, ny, nz] = c.grid();
    return {.name = c.name,
            .grid = nz == 1 ? fmt::format("{}x{}", nx, ny) : fmt::format("{}x{}x{}", nx, ny, nz),
            .sides = {static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz)},
            .cells = c.cells(),
            .fluid_cells = c.fluid_cells(),
            .q = Model::q,
            .reach = Model::reach(c),
            .steps = c.steps,
            .content = c.content()};
  } catch (const TooLarge& e) {
    throw Unavailable(e.what(), e.reason());
  }
}

/// The constraints of the rung and of this machine's device.
template <class Model>
std::vector<Constraint> all_constraints(const Rung<Model>& rung) {
  std::vector<Constraint> all = rung.constraints;
  if (rung.device_constraints != nullptr)
    for (auto& c : rung.device_constraints())
      all.push_back(std::move(c));
  return all;
}

namespace detail {

/// Options for case, precision and tuning.
struct CellOptions : CellWords {
  /// The requested number format. @throws InputError if its name is unknown or the rung does not accept it
  template <class Model>
  [[nodiscard]] const Number& number(const Rung<Model>& rung) const {
    if (precision.empty()) return find_number(rung.make.numbers.front().name);
    const Number& found = find_number(precision);
    rung.make.require(found);
    return found;
  }

  /// The named case in the requested number format and tuning. @throws InputError if the rung does not accept the format or the
  /// tuning
  template <class Model>
  [[nodiscard]] Work<Model> work(const Rung<Model>& rung) const {
    const Number& accepted = number(rung);
    Tuning tuning = parse_tuning(rung.tunables, settings, rung.constraints);
    return {Model::make_case(case_name), accepted, std::move(tuning)};
  }
};

template <class Model>
double footprint(const Rung<Model>& rung, const typename Model::Case& c, const Number& number) {
  return static_cast<double>(c.cells()) * (rung.lattices * Model::q * static_cast<double>(number.bytes) + Model::flag_bytes);
}

/// Bytes of a whole state in double precision.
template <class Model>
double state_bytes(const typename Model::Case& c) {
  return sizeof(double) * static_cast<double>(Model::q) * static_cast<double>(c.cells());
}

/// The populations of all cells.
template <class Model>
Populations whole_state(Solver<Model>& solver, const typename Model::Case& c) {
  Populations state(Model::q, {{}, c.grid()});
  solver.store(state);
  return state;
}

template <class Model>
int run_check(const Rung<Model>& rung, const CellOptions& cell, const std::vector<std::int64_t>& steps, CheckStart start,
              const Triple& boxes, const Streams& to) {
  const auto [c, number, tuning] = cell.work(rung);
  const CheckResult result = of_all(check<Model>(rung, c, number, tuning, steps, start, boxes));
  to.out << check_answer(result, Model::records) << '\n';
  return result.ok ? exit_ok : exit_check_failed;
}

template <class Model>
int run_measure(const Rung<Model>& rung, std::string_view id, const CellOptions& cell, const MeasureOptions& options,
                const Streams& to) {
  const Work<Model> work = cell.work(rung);
  const double bytes = footprint<Model>(rung, work.c, work.number);
  require_memory(bytes, work.c.name);
  const auto solver = rung.make(work.c, work.number, work.tuning);
  const auto traffic = rung.traffic(work.number, work.c, work.tuning);
  const std::string wrong = measure<Model>(*solver, work, traffic, bytes, std::string(id), options, to);
  if (wrong.empty()) return exit_ok;
  to.err << wrong << '\n';
  return exit_check_failed;
}

/// Runs a few warm-up steps, then `steps` steps inside a profiler range.
template <class Model>
int run_profile(const Rung<Model>& rung, const BackendStatus& backend, const CellOptions& cell, std::int64_t steps,
                const Streams& to) {
  if (backend.profile == nullptr) throw InputError("profile: " + backend.no_profiler);
  if (!backend.available) throw Unavailable(backend.reason);
  const auto [c, number, tuning] = cell.work(rung);
  const double bytes = footprint<Model>(rung, c, number);
  require_memory(bytes, c.name);
  const auto solver = rung.make(c, number, tuning);
  const double before = solver->conserved();
  // Even, so that a rung that swaps two lattices is back in the first one.
  constexpr std::int64_t warm_up = 2;
  solver->advance(warm_up);
  solver->wait();
  backend.profile(true);
  solver->advance(steps);
  solver->wait();
  backend.profile(false);
  if (const std::string wrong = implausible<Model>(*solver, c, before, number, warm_up + steps); !wrong.empty()) {
    to.err << wrong << '\n';
    return exit_check_failed;
  }
  to.out << profile_answer({c.cells(), steps, bytes}) << '\n';
  return exit_ok;
}

/// The header of a series, and its row for a state of Model::series_box() after `step` steps.
template <class Model>
std::string series_header() {
  return fmt::format("step,{}\n", fmt::join(Model::series_columns, ","));
}
template <class Model>
std::string series_row(const typename Model::Case& c, const Populations& state, std::int64_t step) {
  return fmt::format("{},{:.12g}\n", step, fmt::join(Model::series(c, state, step), ","));
}

/// An even number of steps that take about a quarter of a second, so that progress can be shown. `done` steps took `seconds`.
inline std::int64_t unhurried(std::int64_t done, double seconds) {
  if (done == 0) return 2;
  return 2 * std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(0.125 * static_cast<double>(done) / seconds, 1e15)));
}

/// `every`: steps between two rows of the model's series in the file series.csv; 0: no series.
/// @throws Diverged if the flow diverges; nothing is written then
template <class Model>
int run_solve(const Rung<Model>& rung, const CellOptions& cell, std::int64_t steps, std::int64_t every, const std::string& out,
              const Streams& to) {
  const Number& number = cell.number(rung);
  const Tuning tuning = parse_tuning(rung.tunables, cell.settings, rung.constraints);
  auto c = cell.case_name.empty() ? Model::read_case(cell.case_files) : Model::make_case(cell.case_name);
  if (steps > 0) c.steps = steps;
  const double history_bytes = Model::records ? sizeof(double) * static_cast<double>(c.steps) : 0;
  require_memory(footprint<Model>(rung, c, number) + state_bytes<Model>(c) + history_bytes,
                 fmt::format("{}, {} steps", c.name, c.steps));
  std::vector<std::string> names(Model::result_files.begin(), Model::result_files.end());
  if (every > 0) names.emplace_back("series.csv");
  const bool writes = team().rank() == 0;
  const auto folder = writes ? std::make_unique<const OutputFolder>(out, names) : nullptr;
  const auto make = [&]() -> std::unique_ptr<Solver<Model>> {
    auto made = rung.make(c, number, tuning);
    if (team().size() > 1) return std::make_unique<Gathered<Model>>(std::move(made));
    return made;
  };
  auto solver = make();
  FlowWatch<Model> watch(*solver, c, number, "", [&]() -> Solver<Model>& {
    solver.reset();  // frees its memory first
    solver = make();
    return *solver;
  });
  const std::int64_t between_looks = (c.steps + 31) / 32 * 2;  // about 16 looks, each after an even number of steps
  SolvedRun run{.cell = cell, .number = number, .history = {}, .late = {}};
  const std::int64_t late = c.steps - c.steps / 4, between_late = std::max<std::int64_t>(1, c.steps / 64);
  const bool follows = SolveResults<Model>::follows(c);
  std::string series = series_header<Model>();
  Populations sample;
  // The errors of several processes are shown when all have ended.
  std::ostream silent(nullptr);
  SolveProgress progress(c.steps, c.cells(), !writes ? silent : team().size() > 1 ? std::cerr : to.err);
  double seconds = 0;  // of all steps so far, without checks and output
  watch.look(0);
  for (std::int64_t done = 0; done < c.steps;) {
    const std::int64_t to_look = between_looks - done % between_looks, to_row = every > 0 ? every - done % every : to_look;
    const std::int64_t to_late = !follows ? to_look : done < late ? late - done : between_late - (done - late) % between_late;
    const std::int64_t next = std::min({to_look, to_row, to_late, unhurried(done, seconds), c.steps - done});
    const auto begin = std::chrono::steady_clock::now();
    solver->advance(next);
    solver->wait();
    // All processes must take the same steps next.
    seconds += team().of_first(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    done += next;
    if (next == to_look || done == c.steps) watch.look(done);
    const bool is_last = done == c.steps, is_row = every > 0 && (next == to_row || is_last);
    const bool is_late = follows && done >= late && (next == to_late || is_last);
    if (is_row || is_late) {
      sample.reset(Model::q, Model::series_box(c));
      solver->store(sample);
    }
    if (is_row) series += series_row<Model>(c, sample, done);
    if (is_late) run.late.push_back(Model::series(c, sample, done));
    progress.show(done, seconds);
  }
  progress.end();
  const Populations state = whole_state<Model>(*solver, c);
  run.history = solver->history();
  if (!writes) return exit_ok;
  SolveResults<Model>::write(c, state, run, out);
  if (every > 0) write_files(out, {{"series.csv", series}});
  to.out << SolveResults<Model>::summary(c, state, run) << solve_report(c.cells(), c.steps, seconds, out, names);
  return exit_ok;
}

/// Ascending step counts that divide a run of `steps` steps into at most `points` parts, from 0 to `steps`.
inline std::vector<std::int64_t> moments_of(std::int64_t steps, std::int64_t points) {
  std::vector<std::int64_t> moments = {0};
  for (std::int64_t point = 1; point <= points; ++point) {
    const auto step =
        static_cast<std::int64_t>(static_cast<double>(steps) * static_cast<double>(point) / static_cast<double>(points));
    if (step > moments.back()) moments.push_back(step);
  }
  return moments;
}

/// A run of a case that pauses at given steps.
template <class Model>
class Run {
 public:
  /// `box`: the largest box that is stored. `lost`: as FlowWatch describes it.
  Run(const Rung<Model>& rung, const typename Model::Case& c, const Number& number, const Tuning& tuning, const Box& box,
      std::string_view lost = "") {
    require_memory(
        footprint<Model>(rung, c, number) + sizeof(double) * static_cast<double>(Model::q) * static_cast<double>(box.cells()),
        c.name);
    solver_ = rung.make(c, number, tuning);
    watch_.emplace(*solver_, c, number, lost);
  }

  /// Advances to this step, which is not before the current one. @throws Diverged
  void advance_to(std::int64_t step) {
    const auto begin = std::chrono::steady_clock::now();
    if (step > step_) solver_->advance(step - step_);
    solver_->wait();
    step_ = step;
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    watch_->look(step);
  }

  /// The state of a box. The box that was stored last at this step is not stored again.
  const Populations& state(const Box& box) {
    if (stored_at_ != step_ || state_.box != box) {
      state_.reset(Model::q, box);
      solver_->store(state_);
      stored_at_ = step_;
    }
    return state_;
  }

  /// Time spent in the steps so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  std::unique_ptr<Solver<Model>> solver_;
  std::optional<FlowWatch<Model>> watch_;
  std::int64_t step_ = 0, stored_at_ = -1;
  double seconds_ = 0;
  Populations state_;
};

template <class Model>
Box whole_box(const typename Model::Case& c) {
  return {{}, c.grid()};
}

inline void write_text(const std::string& file, const std::string& text) {
  const auto out = std::filesystem::absolute(file);
  write_files(out.parent_path(), {{out.filename().string(), text}});
}

/// Writes a CSV file with the columns `step` and those of the model, at `points` + 1 times of a run.
template <class Model>
int run_series(const Rung<Model>& rung, const CellOptions& cell, std::int64_t points, const std::string& out) {
  const auto [c, number, tuning] = cell.work(rung);
  const Box box = Model::series_box(c);
  Run<Model> run(rung, c, number, tuning, box);
  std::string text = series_header<Model>();
  for (const std::int64_t step : moments_of(c.steps, points)) {
    run.advance_to(step);
    text += series_row<Model>(c, run.state(box), step);
  }
  write_text(out, text);
  return exit_ok;
}

/// The header of a file of row means. @throws InputError if the model has no such means
template <class Model>
std::string layers_header() {
  if constexpr (requires { Model::layer_columns; })
    return fmt::format("step,y,{}\n", fmt::join(Model::layer_columns, ","));
  else
    throw InputError(fmt::format("layers: the model {} has no row means", Model::name));
}

/// The model's means of each row for a whole state after `step` steps; of some rows if there are more than 512.
template <class Model>
std::string layers_rows(const typename Model::Case& c, const Populations& state, std::int64_t step) {
  std::string text;
  if constexpr (requires { Model::layer_columns; })
    for (std::int64_t y = 0; y < c.grid()[1]; y += (c.grid()[1] + 511) / 512)
      text += fmt::format("{},{},{:.12g}\n", step, y, fmt::join(Model::layer(c, state, y), ","));
  return text;
}

/// Writes a CSV file with the columns `step`, `y` and the model's row means, at `points` + 1 times of a run.
template <class Model>
int run_layers(const Rung<Model>& rung, const CellOptions& cell, std::int64_t points, const std::string& out) {
  std::string text = layers_header<Model>();
  const auto [c, number, tuning] = cell.work(rung);
  Run<Model> run(rung, c, number, tuning, whole_box<Model>(c));
  for (const std::int64_t step : moments_of(c.steps, points)) {
    run.advance_to(step);
    text += layers_rows<Model>(c, run.state(whole_box<Model>(c)), step);
  }
  write_text(out, text);
  return exit_ok;
}

/// Runs a case and writes the fields in its picture plane after each of the given steps, which must ascend, to the file with
/// the same index. Also writes a series, with the seconds spent in the steps, and the row means, if files are named for them.
/// @throws Diverged; files of earlier steps remain
template <class Model>
int run_picture(const Rung<Model>& rung, const CellOptions& cell, const RungCommand& command) {
  const std::vector<std::int64_t>& steps = command.picture_steps;
  const std::vector<std::string>& files = command.picture_files;
  if (steps.size() != files.size() || std::adjacent_find(steps.begin(), steps.end(), std::greater_equal()) != steps.end())
    throw InputError(fmt::format("picture: --steps {} with {} of --out; accepted are ascending steps with a file each",
                                 fmt::join(steps, " "), files.size()));
  const bool has_series = !command.series_file.empty(), has_layers = !command.layers_file.empty();
  std::string series, layers;
  if (has_series) series = fmt::format("step,{},seconds\n", fmt::join(Model::series_columns, ","));
  if (has_layers) layers = layers_header<Model>();
  const auto [c, number, tuning] = cell.work(rung);
  const Box plane = {{0, 0, Model::picture_plane(c)}, {c.grid()[0], c.grid()[1], 1}}, whole = whole_box<Model>(c);
  const Box followed = has_layers ? whole : has_series ? Model::series_box(c) : plane;
  Run<Model> run(rung, c, number, tuning, followed.cells() > plane.cells() ? followed : plane, " of this step and later ones");
  std::set<std::int64_t> moments;
  if (has_series || has_layers)
    for (const std::int64_t step : moments_of(steps.back(), command.points))
      moments.insert(step);
  std::set<std::int64_t> stops = moments;
  stops.insert(steps.begin(), steps.end());
  for (const std::int64_t step : stops) {
    run.advance_to(step);
    if (has_series && moments.contains(step)) {
      std::string row = series_row<Model>(c, run.state(Model::series_box(c)), step);
      row.insert(row.size() - 1, fmt::format(",{:.6g}", run.seconds()));
      series += row;
    }
    if (has_layers && moments.contains(step)) layers += layers_rows<Model>(c, run.state(whole), step);
    const auto picture = std::find(steps.begin(), steps.end(), step);
    if (picture != steps.end())
      write_text(files[static_cast<std::size_t>(picture - steps.begin())], Model::picture(c, run.state(plane)));
  }
  if (has_series) write_text(command.series_file, series);
  if (has_layers) write_text(command.layers_file, layers);
  return exit_ok;
}

}  // namespace detail

/// Runs one command and returns its exit code.
template <class Model>
int run_command(const Rung<Model>& rung, const RungInfo& info, const RungCommand& command, const Streams& to) try {
  const std::string& name = command.name;
  const detail::CellOptions cell{command.cell};
  if (name == "describe") {
    to.out << describe_answer(info, facts_of(rung)) << '\n';
    return exit_ok;
  }
  if (name == "tunings") {
    to.out << tunings_answer(rung.tunables, all_constraints(rung)) << '\n';
    return exit_ok;
  }
  if (name == "case") {
    to.out << answer_text(facts_of_case<Model>(cell.case_name)) << '\n';
    return exit_ok;
  }
  if (name == "check")
    return detail::run_check<Model>(rung, cell, command.check_steps,
                                    command.start == "own" ? CheckStart::own : CheckStart::seeded, command.boxes, to);
  if (name == "measure") {
    MeasureOptions options = command.measuring;
    options.gpu = info.status().gpu;
    options.on_processor = info.backend == "serial" || info.backend == "openmp";
    return detail::run_measure<Model>(rung, info.id, cell, options, to);
  }
  if (name == "profile") return detail::run_profile<Model>(rung, info.status(), cell, command.measuring.steps, to);
  if (name == "solve")
    return detail::run_solve<Model>(rung, cell, command.solving.steps, command.solving.every, command.solving.out, to);
  if (name == "picture") return detail::run_picture<Model>(rung, cell, command);
  return command.layers ? detail::run_layers<Model>(rung, cell, command.points, command.series_file)
                        : detail::run_series<Model>(rung, cell, command.points, command.series_file);
} catch (const Diverged& e) {
  to.err << e.what() << '\n';
  return exit_check_failed;
}

/// The `main` of every rung of the model.
template <class Model>
int rung_main(const Rung<Model>& rung, const RungInfo& info, int argc, char** argv) {
  return command_main(
      [&](const std::vector<std::string>& words, const Streams& to) {
        return as_team(words, to, [&](const Streams& own) {
          return run_command(info, Model::case_files, Model::required_case_files, words, own,
                             [&](const RungCommand& command) { return run_command<Model>(rung, info, command, own); });
        });
      },
      argc, argv);
}

}  // namespace ladder
