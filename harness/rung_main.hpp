#pragma once

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "backends/as_team.hpp"
#include "backends/command_line.hpp"
#include "backends/probe.hpp"
#include "backends/serve.hpp"
#include "backends/standard_streams.hpp"
#include "backends/team.hpp"
#include "harness/check.hpp"
#include "harness/describe.hpp"
#include "harness/error.hpp"
#include "harness/measure.hpp"
#include "harness/output.hpp"
#include "harness/rung.hpp"
#include "harness/settings.hpp"
#include "harness/solve_options.hpp"
#include "roofline/counting.hpp"

/// The command line of a rung's executable (docs/architecture.md, "A rung is an executable").
namespace ladder {

/// The answer to `describe`.
template <class Model>
nlohmann::ordered_json describe(const Rung<Model>& rung, const RungInfo& info) {
  const KernelHeader header = parse_kernel_header(info.kernel);
  nlohmann::ordered_json out = {{"id", info.id},
                                {"model", Model::name},
                                {"backend", info.backend},
                                {"build", info.build},
                                {"follows", rung.follows},
                                {"idea", header.idea},
                                {"layout", header.layout},
                                {"traffic", header.traffic},
                                {"source", header.source},
                                {"bound", header.bound},
                                {"compiler", info.compiler},
                                {"flags", info.flags},
                                {"lattices", rung.lattices},
                                {"collision", rung.collision},
                                {"observable", Model::observable},
                                {"q", Model::q},
                                {"reach", Model::Lattice::reach}};
  // Traffic may depend on the case; here it is that of the first named case, in the initial tuning.
  const auto nominal = Model::make_case(Model::case_names().front());
  for (const Number& number : rung.make.numbers) {
    const Traffic traffic = rung.traffic(number, nominal, parse_tuning(rung.tunables, {})).front();
    out["numbers"].push_back(number.name);
    out["bytes_per_update"][number.name] = {{"read", traffic.read}, {"write", traffic.write}};
    out["level"] = traffic.level;
    out["bytes_per_update_minimum"][number.name] = 2 * Model::q * number.bytes;
  }
  for (const Operations& o : Model::operations())
    out["operations"].push_back(
        {{"form", o.form}, {"add", o.add}, {"mul", o.mul}, {"div", o.div}, {"sqrt", o.sqrt}, {"total", o.total()}});
  out["tunables"] = nlohmann::ordered_json::array();
  for (const Tunable& t : rung.tunables)
    out["tunables"].push_back({{"name", t.name}, {"meaning", t.meaning}, {"values", t.values}, {"initial", t.initial}});
  out["constraints"] = nlohmann::ordered_json::array();
  for (const Constraint& c : rung.constraints)
    out["constraints"].push_back(c.text);
  out["cases"] = Model::case_names();
  out["case_files"] = nlohmann::ordered_json::array();
  for (const auto& [name, meaning] : Model::case_files)
    out["case_files"].push_back({{"name", name}, {"meaning", meaning}});
  return out;
}

/// The answer to `tunings`: every tuning that the rung's constraints and this machine's device accept.
template <class Model>
nlohmann::ordered_json tunings(const Rung<Model>& rung) {
  std::vector<Constraint> constraints = rung.constraints;
  if (rung.device_constraints != nullptr)
    for (auto& c : rung.device_constraints())
      constraints.push_back(std::move(c));
  const LegalTunings legal = legal_tunings(rung.tunables, constraints);
  nlohmann::ordered_json out = {{"names", nlohmann::ordered_json::array()},
                                {"combinations", legal.combinations},
                                {"constraints", nlohmann::ordered_json::array()},
                                {"tunings", legal.values}};
  for (const Tunable& t : rung.tunables)
    out["names"].push_back(t.name);
  for (std::size_t i = 0; i < constraints.size(); ++i)
    out["constraints"].push_back({{"text", constraints[i].text}, {"refused", legal.refused[i]}});
  return out;
}

namespace detail {

/// Options for case, precision and tuning.
struct CellOptions : CellWords {
  /// The requested number format. @throws InputError if there is none of this name or the rung does not accept it
  template <class Model>
  [[nodiscard]] const Number& number(const Rung<Model>& rung) const {
    if (precision.empty()) return find_number(rung.make.numbers.front().name);
    const Number& found = find_number(precision);
    rung.make.require(found);
    return found;
  }

  /// The named case, in the requested number format and tuning. @throws InputError for a number or tuning that the rung does
  /// not accept
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

/// Bytes of a whole state in double.
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

/// @throws InputError if several processes run `command`
inline void require_one_process(std::string_view command) {
  if (team().size() > 1)
    throw InputError(fmt::format("{} runs in one process; there are {} (accepted: check and measure)", command, team().size()));
}

template <class Model>
int run_check(const Rung<Model>& rung, const CellOptions& cell, const std::vector<std::int64_t>& steps, CheckStart start,
              const Triple& boxes, const Streams& to) {
  const auto [c, number, tuning] = cell.work(rung);
  if (boxes != Triple{1, 1, 1}) require_one_process("check --boxes");
  const CheckResult result = of_all(check<Model>(rung, c, number, tuning, steps, start, boxes));
  nlohmann::ordered_json out = {{"outcome", result.ok ? "ok" : "wrong"},
                                {"reason", result.reason},
                                {"check_steps", result.steps},
                                {"population_error", result.population_error},
                                {"tolerance", result.tolerance}};
  if (Model::records) out["history_error"] = result.history_error;
  to.out << out.dump() << '\n';
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
  // An even number: a rung that swaps two lattices is then back in its first one.
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
  to.out << nlohmann::ordered_json{{"cells", c.cells()}, {"steps", steps}, {"footprint_bytes", bytes}}.dump() << '\n';
  return exit_ok;
}

/// The header of a series, and its row of a state of Model::series_box() after `step` steps.
template <class Model>
std::string series_header() {
  return fmt::format("step,{}\n", fmt::join(Model::series_columns, ","));
}
template <class Model>
std::string series_row(const typename Model::Case& c, const Populations& state, std::int64_t step) {
  return fmt::format("{},{:.12g}\n", step, fmt::join(Model::series(c, state, step), ","));
}

/// `every`: steps between two rows of the model's series, in the file series.csv; 0: none.
template <class Model>
int run_solve(const Rung<Model>& rung, const CellOptions& cell, std::int64_t steps, std::int64_t every, const std::string& out,
              const Streams& to) {
  const Number& number = cell.number(rung);
  const Tuning tuning = parse_tuning(rung.tunables, cell.settings, rung.constraints);
  std::vector<std::filesystem::path> files(cell.case_files.begin(), cell.case_files.end());
  auto c = cell.case_name.empty() ? Model::read_case(files) : Model::make_case(cell.case_name);
  if (steps > 0) c.steps = steps;
  const double history_bytes = Model::records ? sizeof(double) * static_cast<double>(c.steps) : 0;
  require_memory(footprint<Model>(rung, c, number) + state_bytes<Model>(c) + history_bytes,
                 fmt::format("{}, {} steps", c.name, c.steps));
  std::vector<std::string> names(Model::result_files.begin(), Model::result_files.end());
  if (every > 0) names.emplace_back("series.csv");
  const OutputFolder folder(out, names);
  const auto solver = rung.make(c, number, tuning);
  std::string series = series_header<Model>();
  Populations sample;
  for (std::int64_t done = 0; done < c.steps;) {
    const std::int64_t next = every > 0 ? std::min(every, c.steps - done) : c.steps;
    solver->advance(next);
    solver->wait();
    done += next;
    if (every == 0) break;
    sample.reset(Model::q, Model::series_box(c));
    solver->store(sample);
    series += series_row<Model>(c, sample, done);
  }
  std::string wrong = not_finite<Model>(*solver);
  const Populations state = whole_state<Model>(*solver, c);
  if (wrong.empty() && !std::isfinite(state.total())) wrong = "the state is not finite";
  if (!wrong.empty())
    throw InputError(
        fmt::format("{}: {}; the flow is unstable, nothing is written (accepted: {})", c.name, wrong, Model::stabler));
  Model::write_results(c, state, solver->history(), out);
  if (every > 0) write_files(out, {{"series.csv", series}});
  to.out << Model::summary(c, state, solver->history());
  return exit_ok;
}

/// Runs a case to its end and calls visit(case, state, step) at `points` + 1 moments, including the first and the last, with
/// the state of a box.
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
  std::int64_t done = 0;
  for (std::int64_t point = 0; point <= points; ++point) {
    const auto step =
        static_cast<std::int64_t>(static_cast<double>(c.steps) * static_cast<double>(point) / static_cast<double>(points));
    if (point > 0 && step == done) continue;
    if (step > done) solver->advance(step - done);
    solver->wait();
    done = step;
    state.reset(Model::q, box);
    solver->store(state);
    visit(c, state, step);
  }
}

/// Writes a CSV file with `step` and the model's columns for `points` + 1 moments of a run.
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

/// Writes a CSV file with `step`, `y` and the model's means over the cells of a row, for `points` + 1 moments of a run; rows
/// are thinned out to at most 512. @throws InputError if the model has no such means
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

/// Runs a case and writes the fields of its picture plane after each of the given steps, which ascend, to the file of the same
/// number.
template <class Model>
int run_picture(const Rung<Model>& rung, const CellOptions& cell, const std::vector<std::int64_t>& steps,
                const std::vector<std::string>& files) {
  if (steps.size() != files.size() || std::adjacent_find(steps.begin(), steps.end(), std::greater_equal()) != steps.end())
    throw InputError(fmt::format("picture: --steps {} with {} of --out; accepted are ascending steps with a file each",
                                 fmt::join(steps, " "), files.size()));
  const auto [c, number, tuning] = cell.work(rung);
  require_memory(footprint<Model>(rung, c, number) + state_bytes<Model>(c) / static_cast<double>(c.grid()[2]), c.name);
  const auto solver = rung.make(c, number, tuning);
  Populations plane(Model::q, {{0, 0, Model::picture_plane(c)}, {c.grid()[0], c.grid()[1], 1}});
  std::int64_t done = 0;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    solver->advance(steps[n] - done);
    solver->wait();
    done = steps[n];
    solver->store(plane);
    const auto out = std::filesystem::absolute(files[n]);
    write_files(out.parent_path(), {{out.filename().string(), Model::picture(c, plane)}});
  }
  return exit_ok;
}

}  // namespace detail

/// Runs one command and returns its exit code.
template <class Model>
int run_command(const Rung<Model>& rung, const RungInfo& info, std::vector<std::string> words, const Streams& to) {
  CLI::App app{std::string(info.id), std::string(info.id)};
  app.require_subcommand(1);
  app.add_subcommand("serve", "run commands read from standard input, one after another");
  app.add_subcommand("describe", "describe this rung, as JSON");
  app.add_subcommand("probe", "say whether it can run here, as JSON");
  app.add_subcommand("tunings", "list every tuning that its constraints and this machine's device accept, as JSON");

  detail::CellOptions cell;
  auto* check = app.add_subcommand("check", "compare with the reference");
  cell.add_to(*check);
  std::vector<std::int64_t> check_steps;
  check->add_option("--steps", check_steps, "step counts to compare")->check(count(most_steps));
  std::string start = "seeded";
  Triple boxes = {1, 1, 1};
  check->add_option("--boxes", boxes, "numbers of boxes along x, y and z that the case is cut into, each with its own solver")
      ->check(count(most_boxes));
  check->add_option("--start", start, "initial state: seeded (every population differs), own (the case's)")
      ->check(CLI::IsMember({"seeded", "own"}));

  MeasureOptions options;
  auto* measure = app.add_subcommand("measure", "time it and write Google Benchmark's JSON");
  cell.add_to(*measure);
  measure->add_option("--min-time", options.min_seconds, "minimum seconds of a sample")->check(seconds());
  measure->add_option("--samples", options.samples, "samples")->check(count(most_samples));
  measure->add_option("--steps", options.steps, "steps of a sample")->check(count(most_steps));

  auto* profile = app.add_subcommand("profile", "run steps for a profiler to record");
  cell.add_to(*profile);
  profile->add_option("--steps", options.steps, "steps to record")->required()->check(count(most_steps));

  auto* solve = app.add_subcommand("solve", "run one case and write its results");
  SolveOptions solving;
  auto* by_name = solving.add_to(*solve, cell);
  cell.case_files.resize(Model::case_files.size());
  for (std::size_t i = 0; i < Model::case_files.size(); ++i) {
    const auto& [name, meaning] = Model::case_files[i];
    by_name->excludes(solve->add_option("--" + std::string(name), cell.case_files[i], std::string(meaning)));
  }

  auto* facts = app.add_subcommand("case", "give size and nominal steps of a case, as JSON");
  facts->add_option("--case", cell.case_name, "generated case")->required();

  auto* picture = app.add_subcommand("picture", "run a case and write its fields as CSV");
  std::string file;
  picture->add_option("--case", cell.case_name, "generated case")->required();
  std::vector<std::int64_t> picture_steps;
  std::vector<std::string> picture_files;
  picture->add_option("--steps", picture_steps, "numbers of steps, ascending")->required()->check(count(most_steps));
  picture->add_option("--out", picture_files, "a file to write for each of them")->required();

  auto* series = app.add_subcommand("series", "run a case and write a series of its state, as CSV");
  cell.add_to(*series);
  std::int64_t points = 64;
  series->add_option("--points", points, "number of moments after the first")->check(count(most_points));
  series->add_option("--out", file, "file to write")->required();
  bool layers = false;
  series->add_flag("--layers", layers, "write the means of each row instead");

  // Programs read the code, people the message.
  const auto refuse = [&](Reason reason, const std::string& message, int code) {
    if (!solve->parsed()) to.out << nlohmann::ordered_json{{"code", to_string(reason)}}.dump() << '\n';
    to.err << message << '\n';
    return code;
  };
  try {
    std::reverse(words.begin(), words.end());  // the order that the parser expects
    app.parse(std::move(words));
    for (const CLI::App* command : {profile, solve, series, picture})
      if (command->parsed()) detail::require_one_process(command->get_name());
    if (check->parsed())
      return detail::run_check<Model>(rung, cell, check_steps, start == "own" ? CheckStart::own : CheckStart::seeded, boxes,
                                      to);
    if (measure->parsed()) {
      options.gpu = info.status().gpu;
      options.on_processor = info.backend == "serial" || info.backend == "openmp";
      return detail::run_measure<Model>(rung, info.id, cell, options, to);
    }
    if (profile->parsed()) return detail::run_profile<Model>(rung, info.status(), cell, options.steps, to);
    if (solve->parsed()) {
      for (std::size_t i = 0; cell.case_name.empty() && i < cell.case_files.size(); ++i)
        if (cell.case_files[i].empty() && i < Model::required_case_files)
          throw InputError("--" + std::string(Model::case_files[i].first) +
                           " is missing (or name a generated case with --case)");
      return detail::run_solve<Model>(rung, cell, solving.steps, solving.every, solving.out, to);
    }
    if (series->parsed())
      return layers ? detail::run_layers<Model>(rung, cell, points, std::filesystem::absolute(file))
                    : detail::run_series<Model>(rung, cell, points, std::filesystem::absolute(file));
    if (picture->parsed()) return detail::run_picture<Model>(rung, cell, picture_steps, picture_files);
    if (facts->parsed()) {
      const auto c = [&] {
        try {
          return Model::make_case(cell.case_name);
        } catch (const TooLarge& e) {
          throw Unavailable(e.what(), e.reason());
        }
      }();
      const auto [nx, ny, nz] = c.grid();
      const std::string grid = nz == 1 ? fmt::format("{}x{}", nx, ny) : fmt::format("{}x{}x{}", nx, ny, nz);
      to.out << nlohmann::ordered_json{{"case", c.name},
                                       {"grid", grid},
                                       {"sides", c.grid()},
                                       {"cells", c.cells()},
                                       {"fluid_cells", c.fluid_cells()},
                                       {"q", Model::q},
                                       {"reach", Model::reach(c)},
                                       {"steps", c.steps},
                                       {"content", c.content()}}
                    .dump()
             << '\n';
      return exit_ok;
    }
    if (app.got_subcommand("describe")) {
      to.out << describe<Model>(rung, info).dump() << '\n';
      return exit_ok;
    }
    if (app.got_subcommand("tunings")) {
      to.out << tunings<Model>(rung).dump() << '\n';
      return exit_ok;
    }
    if (app.got_subcommand("serve")) throw InputError("serve must be the executable's only argument");
    to.out << probe_answer(info.status()).dump() << '\n';
    return exit_ok;
  } catch (const CLI::ParseError& e) {
    return app.exit(e, to.out, to.err) == 0 ? exit_ok : exit_bad_input;
  } catch (const Refused& e) {
    return refuse(e.reason(), e.what(), exit_bad_input);
  } catch (const InputError& e) {
    to.err << e.what() << '\n';
    return exit_bad_input;
  } catch (const Unavailable& e) {
    return refuse(e.reason(), e.what(), exit_unavailable);
  } catch (const std::bad_alloc&) {
    return refuse(Reason::no_memory, "not enough memory for this case", exit_bad_input);
  } catch (const std::runtime_error& e) {
    to.err << e.what() << '\n';
    return exit_broken;
  }
}

/// The `main` of every rung of a model.
template <class Model>
int rung_main(const Rung<Model>& rung, const RungInfo& info, int argc, char** argv) {
  return command_main(
      [&](const std::vector<std::string>& words, const Streams& to) {
        return as_team(words, to, [&](const Streams& own) { return run_command<Model>(rung, info, words, own); });
      },
      argc, argv);
}

}  // namespace ladder
