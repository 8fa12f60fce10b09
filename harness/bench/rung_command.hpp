#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/bench/check.hpp"
#include "harness/bench/domain.hpp"
#include "harness/bench/measure_options.hpp"
#include "harness/bench/rung.hpp"
#include "harness/bench/rung_info.hpp"
#include "harness/bench/serve.hpp"
#include "harness/record/solve_options.hpp"
#include "roofline/model/counting.hpp"
#include "roofline/model/number.hpp"
#include "roofline/model/traffic.hpp"

/// The parts of the command line of a rung's executable that are the same for all models: they are compiled once.
namespace ladder {

/// A command with the values of its options.
struct RungCommand {
  std::string name;
  CellWords cell;
  std::vector<std::int64_t> check_steps;
  std::string start = "seeded";
  Triple boxes = {1, 1, 1};
  MeasureOptions measuring;  ///< `steps` are those of `profile`, too
  SolveOptions solving;
  std::vector<std::int64_t> picture_steps;
  std::vector<std::string> picture_files;
  std::string series_file;
  std::int64_t points = 64;
  bool layers = false;
};

/// Names of a model's case files with their meanings.
using CaseFiles = std::span<const std::pair<std::string_view, std::string_view>>;

/// Parses `words` and calls `run` with the command, unless it needs no model: `probe` and `serve`. Exceptions become messages
/// on `to.err` and the exit codes of base/error.hpp. `required`: number of case files that `solve` cannot do without.
int run_command(const RungInfo& info, CaseFiles case_files, std::size_t required, std::vector<std::string> words,
                const Streams& to, const std::function<int(const RungCommand&)>& run);

/// The `main` of a rung's executable. `run`: (words, streams) -> exit code
int rung_main(const std::function<int(const std::vector<std::string>&, const Streams&)>& run, int argc, char** argv);

/// What `describe` says besides the build's facts and the kernel's header.
struct RungFacts {
  std::string_view model, observable, follows, collision;
  int q = 0, reach = 0;
  double lattices = 0;
  std::vector<std::pair<Number, Traffic>> traffic;  ///< of one update, for each number that the rung stores
  std::vector<Operations> operations;
  std::span<const Tunable> tunables;
  std::span<const Constraint> constraints;
  std::vector<std::string> cases;
  CaseFiles case_files;
};

/// What `case` says.
struct CaseFacts {
  std::string name;
  Triple sides = {};
  std::int64_t cells = 0, fluid_cells = 0;
  int q = 0, reach = 0;
  std::int64_t steps = 0;
  std::string content;
};

/// Answers of commands, JSON in one line (docs/architecture.md, "A rung is an executable").
std::string describe_answer(const RungInfo& info, const RungFacts& facts);
std::string case_answer(const CaseFacts& facts);
/// Every tuning that all constraints accept.
std::string tunings_answer(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints);
/// `records`: whether the model has an observable.
std::string check_answer(const CheckResult& result, bool records);
std::string profile_answer(std::int64_t cells, std::int64_t steps, double footprint);

}  // namespace ladder
