#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/conditions.hpp"
#include "harness/record/foreign.hpp"
#include "harness/record/outcome.hpp"

/// Runs of programs that are not rungs of this project. They run unmodified, each time in a new folder, and are not trusted.
namespace ladder {

/// Thrown if the output of a program is missing, truncated, malformed or impossible.
class BadResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// If other processes keep more processors busy than this, a timeout or a long wall time may be due to them.
constexpr double most_other_load = 0.25;

/// Times of one run.
struct ForeignTimes {
  std::string source;  ///< as in rows: `program`, `rate` or `wall`
  double seconds = 0;  ///< according to that source
  double wall_seconds = 0;
  double cpu_seconds = 0;    ///< of all its processes and threads; NaN if another process starts them
  bool is_launched = false;  ///< started by a launcher, whose processor time is included
  /// Initialization, computation and collation, if the program prints all three times in its format; otherwise NaN.
  double total_seconds = std::numeric_limits<double>::quiet_NaN();
};

/// What a run left behind. The times are complete if the outcome is `ok`; else only wall and processor time are known.
struct ForeignRun {
  Outcome outcome;
  ForeignTimes times;
  Conditions conditions = {};  ///< of the machine during the run
};

/// The last number in a line of `text` that matches a pattern with one group; nothing if there is none.
/// @throws BadResult if the search takes too long
std::optional<double> find_number_in(const std::string& text, const std::string& pattern);

/// Reads the time at the start of `text` in seconds: `512 ms`, `149ms(s)`, `1m30.5s`, `0,31 (s)`, `1:02.5`. `unit`: the
/// number's unit, whatever the text says; empty: the unit in the text, or seconds.
std::optional<double> parse_printed_time(std::string_view text, std::string_view unit);

/// Which of several printed values counts.
enum class Which { last, largest };

/// The time in `text` that begins where the pattern's group matches. @throws BadResult like find_number_in()
std::optional<double> find_time_in(const std::string& text, const std::string& pattern, std::string_view unit,
                                   Which which = Which::last);

/// A pattern for lines such as `Elapsed Compute time: 0.3`; `what`: a regular expression for the words before `time`.
std::string elapsed_pattern(std::string_view what);

/// Runs a program for `steps` steps in `folder`, into which the files that it needs are copied. `files`: values of placeholders
/// that stand for input files; `time`: the pattern of its time if the program names none.
/// @throws Interrupted
ForeignRun run_foreign(const ForeignProgram& program, std::int64_t steps, const std::filesystem::path& folder,
                       const std::map<std::string, std::string>& files, const std::string& time);

/// Why the time printed by a program is impossible; empty if it is possible. A time is impossible if it exceeds the lifetime of
/// the process, or is much shorter than its wall and processor time minus those of `start`, a run of a few steps; and if that
/// run took longer than the whole one.
std::string why_impossible(const ForeignTimes& times, const std::optional<ForeignTimes>& start, int cores);

/// Whether a run of a few steps took so much longer than one of more steps that it cannot serve as a measure of startup.
bool is_longer(const ForeignTimes& start, const ForeignTimes& times);

/// Why a machine with `cores` cores, and with GPUs if `has_gpu`, cannot update so many populations in the time of a run, even
/// if they never leave its registers; empty if it can.
std::string why_too_fast(const ForeignTimes& times, double populations, int cores, bool has_gpu);

/// Whether programs may use a GPU here.
bool has_gpu();

}  // namespace ladder
