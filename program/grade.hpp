#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/rows.hpp"
#include "program/commands.hpp"

namespace ladder {

struct GradeOptions {
  static constexpr const char* skeleton = "d2q9/serial/01_skeleton";  ///< the rung that programs are compared with

  std::filesystem::path folder;  ///< folder of the programs
  std::vector<std::string> cases = {"box-128", "box-256", "box-1024"};
  std::string precision = "f32";
  std::string time, time_unit;    ///< as in ContenderBlock
  std::vector<std::string> copy;  ///< see files_beside()
  std::int64_t steps = 0;
  int rounds = 3;
  double budget_seconds = 0;
  double timeout_seconds = 120;
  std::string machine;
  std::vector<std::string> placements = {""};  ///< of the programs, see parse_placements()
  std::vector<std::string> launcher;           ///< for several processes; empty: chosen by launch_of()
  std::filesystem::path out;                   ///< folder for the tables; empty: do not write them
};

/// One program to grade.
struct Submission {
  std::string name;  ///< name of the executable, or of the folder that contains `d2q9-bgk`
  std::filesystem::path program;
  std::vector<std::filesystem::path> needs;  ///< see files_beside()
};

/// The files next to a program that are copied into the folder in which it runs: OpenCL kernels (`*.cl`), and those whose names
/// match one of the globs, except input and result files of the format.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& program, const std::vector<std::string>& globs);

/// @throws InputError if a glob matches none of the files
void require_matches(const std::vector<std::string>& globs, const std::vector<std::filesystem::path>& files);

/// The programs in a folder, by name: each executable file in it, and `d2q9-bgk` in each of its folders. Names of other entries
/// go to `left_out`. `globs`: files that they need. @throws InputError if there is no program, or no such folder
std::vector<Submission> find_submissions(const std::filesystem::path& folder, std::vector<std::string>& left_out,
                                         const std::vector<std::string>& globs = {});

/// Measured values that determine the hint; NaN if unknown.
struct GradeFacts {
  double busy_cores = 0;         ///< processor time over wall time
  int cores = 0;                 ///< of the machine
  double of_copy = 0;            ///< fraction of the copy-9 rate at the size of the case
  double over_skeleton = 0;      ///< speed relative to the skeleton
  std::string disturbance = {};  ///< as disturbance_of()
};

/// What slowed most samples down, apart from the program: other processes, the hypervisor, or a limit to fewer than the
/// machine's `processors` by affinity or by the `quota` of a control group (infinite: none). Empty if nothing did.
std::string disturbance_of(const std::vector<Row>& samples, int processors, double quota);

/// What the author of a correct program should look at next.
std::string next_step(const GradeFacts& facts);

/// `ladder grade`: checks and measures every program of a folder in the same rounds, and writes a table of all programs, a
/// ranking for each case, and a summary of the class.
int grade(const Context& context, GradeOptions options);

}  // namespace ladder
