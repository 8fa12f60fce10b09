#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ladder {

/// Folders used by the program, and its command line.
struct Context {
  std::filesystem::path bin;          ///< folder of the program, which contains manifest.txt
  std::filesystem::path root;         ///< source tree (LADDER_ROOT), or the working folder
  std::filesystem::path experiments;  ///< studies and results
  std::vector<std::string> command;   ///< the command line
};

struct ListOptions {
  std::string glob;     ///< rungs to show; empty: a line for each ladder
  bool all = false;     ///< show all rungs
  bool builds = false;  ///< also show the builds of the flags axis
  bool json = false;
};

struct CheckOptions {
  std::string glob = "*";
  std::filesystem::path program;        ///< a contender to check instead of rungs; empty: none
  std::string time, time_unit;          ///< how to find the time in its output; see ContenderBlock
  std::vector<std::string> copy;        ///< globs of files next to it that it needs
  std::vector<std::string> cases;       ///< empty: the model's first case
  std::vector<std::string> precisions;  ///< empty: all that the rung accepts
  std::vector<std::string> settings;
  std::vector<std::int64_t> steps;
  std::vector<std::string> placements = {""};  ///< see parse_placements()
  std::vector<std::string> launcher;           ///< command that starts several processes; empty: chosen by launch_of()
  bool json = false;
};

struct RunCommandOptions {
  std::string study = "quick";
  std::filesystem::path campaign;  ///< parts of several studies to run instead; empty: none
  std::string machine;
  int rounds = 0;
  double budget_seconds = 0;  ///< for measuring; with a campaign, for everything
  bool again = false;
  bool energy = false;  ///< take samples long enough to measure energy
  bool report = true;
  bool dry_run = false;                               ///< print the plan instead of running
  bool json = false;                                  ///< the plan as JSON
  std::vector<std::string> rungs, cases, placements;  ///< globs selecting what to measure; empty means everything
  std::vector<std::string> launcher;                  ///< instead of the study's
  std::filesystem::path job;                          ///< job script to write instead of running; empty: run
  std::filesystem::path out;
};

struct ReportCommandOptions {
  std::vector<std::string> studies;
  std::string machine;
  std::filesystem::path out;
  bool check = false;   ///< list the findings that do not hold, lack values or are older than their rungs
  bool docs = false;    ///< rewrite the generated blocks of README.md and docs/
  bool verify = false;  ///< compare the report in `out` with the rows instead of writing it
};

struct CeilingsOptions {
  std::string machine;
  int rounds = 0;
  bool json = false;
};

/// @throws InputError if no executable file has this path
void require_program(const std::filesystem::path& program);

/// The commands of `ladder`; each returns the exit code. @throws InputError for bad input.
int list(const Context& context, const ListOptions& options);
int check(const Context& context, const CheckOptions& options);
int run(const Context& context, const RunCommandOptions& options);
int report(const Context& context, const ReportCommandOptions& options);
int ceilings(const Context& context, const CeilingsOptions& options);
/// Creates the rung `id`, a copy of `parent` that follows it, and prints the next commands.
int new_rung(const Context& context, const std::string& id, const std::string& parent);
/// Passes `arguments` to the rung's own `solve`, which inherits the standard streams. An empty placement starts one process
/// with as many threads as it wants.
int solve(const Context& context, const std::string& rung, const std::string& placement,
          const std::vector<std::string>& launcher, const std::vector<std::string>& arguments);

}  // namespace ladder
