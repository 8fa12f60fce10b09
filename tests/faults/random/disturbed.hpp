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

/// The rows of a store: how often each is there, told by kind, rung, case, precision, tuning, round and outcome.
struct StoredRows {
  std::map<std::string, int> counts;
  std::size_t sessions = 0;

  /// In which rows of `wanted` these are not `wanted`.
  struct Difference {
    int lost = 0;     ///< rows that are missing
    int doubled = 0;  ///< rows that are there once more
    int other = 0;    ///< rows that are not among those wanted at all
  };
  [[nodiscard]] Difference from(const StoredRows& wanted) const;
};

/// A study that is run, disturbed and run again.
class DisturbedStudy {
 public:
  DisturbedStudy(const Installation& on, const std::string& name, unsigned seed);

  /// Starts over, without results.
  void forget() const;

  /// Starts a run; what it says on standard error goes to a file of that name.
  [[nodiscard]] pid_t start(const std::string& err = "stderr") const { return on_.start(words_, "/dev/null", on_.path(err)); }

  /// How a run ended.
  struct End {
    int code = -1;           ///< exit code; -1 if a signal ended it
    int signal = 0;          ///< that ended it
    bool by_itself = false;  ///< before it was sent a signal
    bool hangs = false;      ///< the signal did not end it within half a minute
  };
  /// Waits for the end of a run; after so many seconds, sends it a signal. `whole_group`: as a terminal does, to what it has
  /// started, too.
  [[nodiscard]] End end_of(pid_t run, double seconds = 60, int signal = SIGKILL, bool whole_group = false) const;

  /// @throws InputError where the store cannot be read
  [[nodiscard]] StoredRows rows() const;

  /// Appends a part of the last row, as a write does that was cut off. Nothing where there is no row.
  void append_half_a_row();
  /// Cuts the last row off, somewhere, from within it to its line break alone.
  void cut_last_row();
  /// Takes a comma from one of the rows but the last. False where there is none.
  bool corrupt_a_row();

  [[nodiscard]] std::string store() const { return on_.work().read(store_); }
  void set_store(const std::string& text) const { on_.work().write(store_, text); }

  [[nodiscard]] std::string results() const { return on_.path(folder_); }
  [[nodiscard]] double uniform(double least, double most) { return std::uniform_real_distribution<>(least, most)(random_); }
  /// An integer of least … most.
  [[nodiscard]] std::size_t choose(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }

 private:
  /// Bytes of the store, and of its last row with the line break; none where it ends with no whole row.
  [[nodiscard]] std::pair<std::string, std::size_t> last_row() const;

  const Installation& on_;
  const std::string folder_, store_;
  const std::vector<std::string> words_;
  std::mt19937_64 random_;
};

}  // namespace ladder::test
