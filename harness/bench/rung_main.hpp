#pragma once

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "backends/team.hpp"
#include "base/error.hpp"
#include "base/output.hpp"
#include "harness/bench/as_team.hpp"
#include "harness/bench/check.hpp"
#include "harness/bench/divergence.hpp"
#include "harness/bench/measure.hpp"
#include "harness/bench/rung.hpp"
#include "harness/bench/rung_command.hpp"
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
  to.out << answer_text(ProfileFacts{c.cells(), steps, bytes}) << '\n';
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
  const OutputFolder folder(out, names);
  auto solver = rung.make(c, number, tuning);
  FlowWatch<Model> watch(*solver, c, number, "", [&]() -> Solver<Model>& {
    solver.reset();  // frees its memory first
    solver = rung.make(c, number, tuning);
    return *solver;
  });
  const std::int64_t between_looks = (c.steps + 31) / 32 * 2;  // about 16 looks, each after an even number of steps
  std::string series = series_header<Model>();
  Populations sample;
  watch.look(0);
  for (std::int64_t done = 0; done < c.steps;) {
    const std::int64_t to_look = between_looks - done % between_looks, to_row = every > 0 ? every - done % every : to_look;
    const std::int64_t next = std::min({to_look, to_row, c.steps - done});
    solver->advance(next);
    solver->wait();
    done += next;
    if (next == to_look || done == c.steps) watch.look(done);
    if (every == 0 || (next != to_row && done < c.steps)) continue;
    sample.reset(Model::q, Model::series_box(c));
    solver->store(sample);
    series += series_row<Model>(c, sample, done);
  }
  const Populations state = whole_state<Model>(*solver, c);
  Model::write_results(c, state, solver->history(), out);
  if (every > 0) write_files(out, {{"series.csv", series}});
  to.out << Model::summary(c, state, solver->history());
  return exit_ok;
}

/// Runs a case to the end and calls visit(case, state, step) at `points` + 1 times, including the first and the last, with the
/// state of a box. @throws Diverged
template <class Model, class Visit>
void follow(const Rung<Model>& rung, const CellOptions& cell, std::int64_t points, Box (*box_of)(const typename Model::Case&),
            Visit visit) {
  const auto [c, number, tuning] = cell.work(rung);
  Populations state;
  const Box box = box_of(c);
  require_memory(
      footprint<Model>(rung, c, number) + sizeof(double) * static_cast<double>(Model::q) * static_cast<double>(box.cells()),
      c.name);
  const auto solver = rung.make(c, number, tuning);
  FlowWatch<Model> watch(*solver, c, number);
  std::int64_t done = 0;
  for (std::int64_t point = 0; point <= points; ++point) {
    const auto step =
        static_cast<std::int64_t>(static_cast<double>(c.steps) * static_cast<double>(point) / static_cast<double>(points));
    if (point > 0 && step == done) continue;
    if (step > done) solver->advance(step - done);
    solver->wait();
    done = step;
    watch.look(step);
    state.reset(Model::q, box);
    solver->store(state);
    visit(c, state, step);
  }
}

/// Writes a CSV file with the columns `step` and those of the model, at `points` + 1 times of a run.
template <class Model>
int run_series(const Rung<Model>& rung, const CellOptions& cell, std::int64_t points, const std::filesystem::path& out) {
  std::string text = series_header<Model>();
  follow<Model>(rung, cell, points, Model::series_box,
                [&](const typename Model::Case& c, const Populations& state, std::int64_t step) {
                  text += series_row<Model>(c, state, step);
                });
  write_files(out.parent_path(), {{out.filename().string(), text}});
  return exit_ok;
}

/// Writes a CSV file with the columns `step`, `y` and the model's row means, at `points` + 1 times of a run. If there are more
/// than 512 rows, only some are written. @throws InputError if the model has no such means
template <class Model>
int run_layers(const Rung<Model>& rung, const CellOptions& cell, std::int64_t points, const std::filesystem::path& out) {
  if constexpr (requires { Model::layer_columns; }) {
    std::string text = fmt::format("step,y,{}\n", fmt::join(Model::layer_columns, ","));
    const auto whole = [](const typename Model::Case& c) { return Box{{}, c.grid()}; };
    follow<Model>(rung, cell, points, whole, [&](const typename Model::Case& c, const Populations& state, std::int64_t step) {
      for (std::int64_t y = 0; y < c.grid()[1]; y += (c.grid()[1] + 511) / 512)
        text += fmt::format("{},{},{:.12g}\n", step, y, fmt::join(Model::layer(c, state, y), ","));
    });
    write_files(out.parent_path(), {{out.filename().string(), text}});
    return exit_ok;
  } else {
    throw InputError(fmt::format("series --layers: the model {} has no means of rows", Model::name));
  }
}

/// Runs a case and writes the fields in its picture plane after each of the given steps, which must ascend, to the file with
/// the same index. @throws Diverged; files of earlier steps remain
template <class Model>
int run_picture(const Rung<Model>& rung, const CellOptions& cell, const std::vector<std::int64_t>& steps,
                const std::vector<std::string>& files) {
  if (steps.size() != files.size() || std::adjacent_find(steps.begin(), steps.end(), std::greater_equal()) != steps.end())
    throw InputError(fmt::format("picture: --steps {} with {} of --out; accepted are ascending steps with a file each",
                                 fmt::join(steps, " "), files.size()));
  const auto [c, number, tuning] = cell.work(rung);
  require_memory(footprint<Model>(rung, c, number) + state_bytes<Model>(c) / static_cast<double>(c.grid()[2]), c.name);
  const auto solver = rung.make(c, number, tuning);
  FlowWatch<Model> watch(*solver, c, number, " of this step and later ones");
  Populations plane(Model::q, {{0, 0, Model::picture_plane(c)}, {c.grid()[0], c.grid()[1], 1}});
  std::int64_t done = 0;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    solver->advance(steps[n] - done);
    solver->wait();
    done = steps[n];
    watch.look(done);
    solver->store(plane);
    const auto out = std::filesystem::absolute(files[n]);
    write_files(out.parent_path(), {{out.filename().string(), Model::picture(c, plane)}});
  }
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
  if (name == "picture") return detail::run_picture<Model>(rung, cell, command.picture_steps, command.picture_files);
  const std::filesystem::path file = std::filesystem::absolute(command.series_file);
  return command.layers ? detail::run_layers<Model>(rung, cell, command.points, file)
                        : detail::run_series<Model>(rung, cell, command.points, file);
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
