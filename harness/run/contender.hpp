#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/record/outcome.hpp"
#include "harness/record/rows.hpp"
#include "harness/run/catalogue.hpp"
#include "harness/run/uob_files.hpp"
#include "harness/study/study.hpp"

/// Contenders: programs that are not rungs of this project. They run unmodified, each time in a new folder, and are not
/// trusted.
namespace ladder {

/// A contender whose files were found.
struct Contender {
  ContenderBlock block;
  std::filesystem::path program;
  std::vector<std::filesystem::path> needs;

  /// `contender/<name>`.
  [[nodiscard]] std::string id() const { return block.id(); }
  /// Everything that determines what runs and how its output is read, including hashes of the files; part of every key.
  [[nodiscard]] std::string content() const;
  /// The executable's catalogue entry, with a description derived from a rung of the same model.
  [[nodiscard]] Executable executable(const Description& peer) const;
};

/// Finds the program and the files it needs, relative to `folder`. @throws InputError if one is missing
Contender find_contender(const ContenderBlock& block, const std::filesystem::path& folder);

/// The last number in a line of `text` that matches a pattern with one group; nothing if there is none.
std::optional<double> find_number_in(const std::string& text, const std::string& pattern);

/// Times of one run of a contender.
struct ContenderTimes {
  std::string source;  ///< as in rows: `program`, `rate` or `wall`
  double seconds = 0;  ///< according to that source
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< of all its processes and threads
};

/// Why the time printed by a program is impossible; empty if it is possible. A time is impossible if it exceeds the lifetime of
/// the process, or is much shorter than its wall and processor time minus those of `start`, a run of a few steps.
std::string why_impossible(const ContenderTimes& times, const std::optional<ContenderTimes>& start, int cores);

/// Checks and samples contenders.
class ContenderRunner {
 public:
  /// `uob_hpc`: the program that handles the format.
  ContenderRunner(std::filesystem::path uob_hpc, double timeout_seconds, double memory_bytes)
      : uob_hpc_(std::move(uob_hpc)), timeout_seconds_(timeout_seconds), memory_bytes_(memory_bytes) {}

  /// Compares the contender's results with the reference. `row` holds the facts about the cell and receives outcome, errors and
  /// times.
  void check(const Contender& contender, const Environment& environment, Row& row);

  /// Times it. `check`: the row of its check; `steps`: 0 to let a sample last about `sample_seconds`.
  void sample(const Contender& contender, const Environment& environment, const Row* check, double sample_seconds, Row& row);

  /// Time spent in processes so far.
  [[nodiscard]] double working_seconds() const { return working_seconds_; }

 private:
  struct Run {
    Outcome outcome;
    ContenderTimes times;
    std::optional<UobResults> results;
  };
  struct Inputs {
    std::string params, obstacles;
  };
  using Place = std::pair<std::string, std::int64_t>;  // case and steps

  Run run(const Contender& contender, const Environment& environment, const Row& cell, std::int64_t steps);
  void read_results(const Contender& contender, const std::filesystem::path& folder, const UobRun& size, Run& run) const;
  /// A run of a few steps, made once per cell.
  struct Start {
    Outcome outcome;
    std::optional<ContenderTimes> times;  ///< if the run is ok
  };
  const Start& start_of(const Contender& contender, const Environment& environment, const Row& cell);
  const Inputs& inputs(const Place& place);
  const UobResults& reference(const Place& place, const UobRun& size);
  void ask_format(const char* command, const Place& place, const std::filesystem::path& folder);

  std::filesystem::path uob_hpc_;
  double timeout_seconds_;
  double memory_bytes_;
  double working_seconds_ = 0;
  std::map<Place, Inputs> inputs_;
  std::map<Place, UobResults> references_;
  std::map<std::string, Start> starts_;  // by cell key
};

}  // namespace ladder
