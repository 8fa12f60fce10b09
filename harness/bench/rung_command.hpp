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
#include "harness/record/answers.hpp"
#include "harness/record/description.hpp"
#include "harness/record/solve_options.hpp"

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

/// Answers of commands, JSON in one line (docs/architecture.md, "A rung is an executable").
/// `facts`: the description without the build's facts and the kernel's header.
std::string describe_answer(const RungInfo& info, Description facts);
/// Every tuning that all constraints accept.
std::string tunings_answer(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints);
/// `records`: whether the model has an observable.
std::string check_answer(const CheckResult& result, bool records);

}  // namespace ladder
