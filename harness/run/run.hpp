#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/launch.hpp"
#include "harness/run/plan.hpp"
#include "harness/study/study.hpp"

namespace ladder {

struct RunOptions {
  std::filesystem::path root;  ///< source tree, for provenance
  std::string machine;         ///< empty: derived from the processor
  int rounds = 0;              ///< at most; 0: the study's
  double budget_seconds = 0;   ///< time limit for measuring; 0: the study's
  /// No check, sample or picture starts after this moment. Unlike the budget, it also covers checks and pictures.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  bool again = false;  ///< measure everything again, in a new session
  /// If the last session was interrupted and none of its samples failed, check all its cells again and continue it.
  bool resume = false;
  std::vector<std::string> command;  ///< the command line, for provenance
};

struct RunSummary {
  std::filesystem::path rows;
  std::size_t cells = 0;
  std::vector<std::string> keys;  ///< of all cells, in the order of expand()
  std::string session;            ///< session of this call's rows; empty if nothing was left to do
  std::vector<Row> measured;      ///< rows of this call; with RunOptions::resume, also the session's earlier measurements
  std::string stopped;            ///< why the rounds ended: resolved, noise, rounds or budget
  int rounds = 0;                 ///< completed rounds
  std::size_t unresolved = 0;     ///< pairs without a verdict
  std::size_t failed = 0;         ///< cells that are wrong, crashed, failed or timed out
  std::size_t skipped = 0;        ///< cells that cannot run here
  std::size_t not_run = 0;        ///< checks, samples and pictures that ended with NotRun; the same call would retry them
  double seconds = 0;             ///< wall time of this call
  double working_seconds = 0;     ///< part of `seconds` spent in checks and measurements
  double check_seconds = 0;       ///< part of `working_seconds` spent on checks
};

/// Thrown if a cell's program was not run because of the harness or its surroundings, e.g. a full TMPDIR or a launcher that
/// fails. Nothing is known about the program, so nothing is stored.
class NotRun : public InputError {
 public:
  using InputError::InputError;
};

/// @throws NotRun if a file has changed since its hash became part of the cell's key
void require_unchanged(const Cell& cell);

/// @throws NotRun if a rung that did not answer was not started because of the launcher
void require_answer(const Launch& launch, const ProcessResult& result);

/// @throws NotRun if several processes were requested, but a successful answer does not report how many took part
void require_counts(const Launch& launch, const ProcessResult& result);

/// @throws NotRun if the row's program did not succeed, and may have lacked room on a disk
void require_room(const Row& row, const ProcessResult& result);

/// Compares a cell with the reference, unless it cannot run here, and stores the outcome in `row`. Returns the seconds that its
/// process took. @throws NotRun
double check_cell(const Cell& cell, Catalogue& catalogue, Residents& residents, Row& row);

/// Runs a study, or continues an earlier call of the same study that was stopped. It first checks every cell, then measures in
/// rounds. In each round every correct cell runs once, in an order shuffled with the study's seed. Rows are appended one by
/// one.
/// @throws InputError for a bad study; Interrupted
RunSummary run_study(const Study& study, Catalogue& catalogue, const RunOptions& options);

/// A cell in the plan of a study.
struct PlannedCell {
  Cell cell;
  std::string state;        ///< `stored`, `measure`, `build` (and then measure), or its outcome: `skipped`, `failed`, …
  std::string reason = {};  ///< why it has this outcome
  std::size_t checks = 0;
  std::size_t samples = 0;    ///< upper limit, because rounds may end early; including twins
  double check_seconds = 0;   ///< of all its checks
  double sample_seconds = 0;  ///< of all its samples
};

/// What run_study() would do.
struct StudyPlan {
  std::string machine;
  std::string session = {};  ///< the one that would continue; empty: a new one, or none
  int rounds = 0;            ///< at most
  std::vector<PlannedCell> cells = {};
  std::size_t pictures = 0;    ///< including series; those of rungs that are not built count as missing
  std::size_t known_rows = 0;  ///< stored rows from which the times are estimated; 0: they are guesses
};

/// Reads what is stored and changes nothing. Executables need not be built; see expand() on drafts. @throws InputError for a
/// bad study
StudyPlan plan_study(const Study& study, Catalogue& catalogue, const RunOptions& options);

/// Work left for run_study().
struct WorkLeft {
  std::size_t checks = 0;
  std::size_t samples = 0;   ///< upper limit, because rounds may end early
  std::size_t pictures = 0;  ///< including series
  double seconds = 0;        ///< for checks and samples, estimated from the study's stored sessions; NaN if unknown
};

/// Changes nothing. @throws InputError for a bad study
WorkLeft work_left(const Study& study, Catalogue& catalogue, const RunOptions& options);

}  // namespace ladder
