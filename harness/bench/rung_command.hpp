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

/// The parts of a rung's command line that do not depend on the model, so that they are compiled only once.
namespace ladder {

/// A command and the values of its options.
struct RungCommand {
  std::string name;
  CellWords cell;
  std::vector<std::int64_t> check_steps;
  std::string start = "seeded";
  Triple boxes = {1, 1, 1};
  MeasureOptions measuring;  ///< `steps` also applies to `profile`
  SolveOptions solving;
  std::vector<std::int64_t> picture_steps;
  std::vector<std::string> picture_files;
  std::string series_file;
  std::string layers_file;  ///< for `picture`
  std::int64_t points = 64;
  bool layers = false;  ///< for `series`
};

/// Names and meanings of a model's case files.
using CaseFiles = std::span<const std::pair<std::string_view, std::string_view>>;

/// Parses `words` and passes the command to `run`, except for `probe` and `serve`, which need no model. Exceptions become
/// messages on `to.err` and the exit codes of base/error.hpp. `required`: number of case files that `solve` requires.
int run_command(const RungInfo& info, CaseFiles case_files, std::size_t required, std::vector<std::string> words,
                const Streams& to, const std::function<int(const RungCommand&)>& run);

/// Answers to commands, as JSON on one line (docs/architecture.md, "A rung is an executable").
/// `facts`: the description without the facts from the build and the kernel's header.
std::string describe_answer(const RungInfo& info, Description facts);
/// All tunings that satisfy all constraints.
std::string tunings_answer(const std::vector<Tunable>& tunables, const std::vector<Constraint>& constraints);
/// `records`: whether the model has an observable.
std::string check_answer(const CheckResult& result, bool records);
std::string profile_answer(const ProfileFacts& facts);

}  // namespace ladder
