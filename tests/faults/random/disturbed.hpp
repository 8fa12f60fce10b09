#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/installation.hpp"

namespace ladder::test {

/// The rows of a store, with the number of times each occurs. Rows are identified by kind, rung, case, precision, tuning, round
/// and outcome.
struct StoredRows {
  std::map<std::string, int> counts;
  std::size_t sessions = 0;

  /// Number of rows that differ from the expected ones.
  struct Difference {
    int lost = 0;     ///< rows that are missing
    int doubled = 0;  ///< rows that occur more often than expected
    int other = 0;    ///< unexpected rows
  };
  [[nodiscard]] Difference from(const StoredRows& wanted) const;
};

/// A study that can be run, disturbed and run again.
class DisturbedStudy {
 public:
  DisturbedStudy(const Installation& on, const std::string& name, unsigned seed);

  /// Removes all results, so that the study starts from scratch.
  void forget() const;

  /// Starts a run. Its stderr goes to the file `err`.
  [[nodiscard]] pid_t start(const std::string& err = "stderr") const { return on_.start(words_, "/dev/null", on_.path(err)); }

  /// How a run ended.
  struct End {
    int code = -1;           ///< exit code; -1 if it was killed by a signal
    int signal = 0;          ///< signal that killed it; 0 if none did
    bool by_itself = false;  ///< it exited before a signal was sent
    bool hangs = false;      ///< it survived the signal for half a minute
  };
  /// Waits for the end of a run, and sends `signal` to it after `seconds`. With `whole_group`, its child processes receive the
  /// signal as well, as they would from a terminal.
  [[nodiscard]] End end_of(pid_t run, double seconds = 60, int signal = SIGKILL, bool whole_group = false) const;

  /// @throws InputError if the store cannot be read
  [[nodiscard]] StoredRows rows() const;

  /// Appends a part of the last row, as an interrupted write would. Does nothing if there is no row.
  void append_half_a_row();
  /// Truncates the last row at a random position, which removes at least its line break.
  void cut_last_row();
  /// Removes a comma from any row but the last. Returns false if there is no such row.
  bool corrupt_a_row();

  [[nodiscard]] std::string store() const { return on_.work().read(store_); }
  void set_store(const std::string& text) const { on_.work().write(store_, text); }

  [[nodiscard]] std::string results() const { return on_.path(folder_); }
  [[nodiscard]] double uniform(double least, double most) { return std::uniform_real_distribution<>(least, most)(random_); }
  /// A random integer from `least` to `most`.
  [[nodiscard]] std::size_t choose(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }

 private:
  /// The text of the store, and the size of its last row including the line break; empty if the last row is incomplete.
  [[nodiscard]] std::pair<std::string, std::size_t> last_row() const;

  const Installation& on_;
  const std::string folder_, store_;
  const std::vector<std::string> words_;
  std::mt19937_64 random_;
};

}  // namespace ladder::test
