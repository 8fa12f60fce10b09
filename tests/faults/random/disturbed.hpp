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

/// The rows of a store: how often each occurs. Rows are identified by kind, rung, case, precision, tuning, round and outcome.
struct StoredRows {
  std::map<std::string, int> counts;
  std::size_t sessions = 0;

  /// Numbers of rows by which these rows differ from the wanted ones.
  struct Difference {
    int lost = 0;     ///< rows that are missing
    int doubled = 0;  ///< rows that occur more often than wanted
    int other = 0;    ///< rows that are not wanted at all
  };
  [[nodiscard]] Difference from(const StoredRows& wanted) const;
};

/// A study that can be run, disturbed and run again.
class DisturbedStudy {
 public:
  DisturbedStudy(const Installation& on, const std::string& name, unsigned seed);

  /// Removes all results, so that the study starts again.
  void forget() const;

  /// Starts a run. Its standard error goes to the file `err`.
  [[nodiscard]] pid_t start(const std::string& err = "stderr") const { return on_.start(words_, "/dev/null", on_.path(err)); }

  /// How a run ended.
  struct End {
    int code = -1;           ///< exit code; -1 if a signal ended it
    int signal = 0;          ///< the signal that ended it; 0 if none did
    bool by_itself = false;  ///< it ended before a signal was sent
    bool hangs = false;      ///< the signal did not end it within half a minute
  };
  /// Waits for the end of a run and sends it `signal` after `seconds`. `whole_group`: the processes that it has started get the
  /// signal, too, as from a terminal.
  [[nodiscard]] End end_of(pid_t run, double seconds = 60, int signal = SIGKILL, bool whole_group = false) const;

  /// @throws InputError if the store cannot be read
  [[nodiscard]] StoredRows rows() const;

  /// Appends a part of the last row, as an interrupted write does. Does nothing if there is no row.
  void append_half_a_row();
  /// Cuts off the end of the last row at a random place; at least its line break is removed.
  void cut_last_row();
  /// Removes a comma from one of the rows except the last. False if there is no such row.
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
  /// The text of the store, and the size of its last row with the line break; empty if the store does not end with a whole row.
  [[nodiscard]] std::pair<std::string, std::size_t> last_row() const;

  const Installation& on_;
  const std::string folder_, store_;
  const std::vector<std::string> words_;
  std::mt19937_64 random_;
};

}  // namespace ladder::test
