#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/program/row.hpp"

namespace ladder {

/// What resuming needs to know of a row that is already stored.
struct StoredRow {
  std::string session, kind, outcome, key;
  int round;
};

/// The rows of one study on one machine: a CSV file that is only ever appended to, a whole row at a time. Each row is on disk
/// when append() returns. One program at a time: the file is locked.
class Store {
 public:
  /// Opens or creates the file; drops a half-written last row, saying so on standard error.
  /// @throws InputError where it cannot be written, is held by another program, or is not a store
  explicit Store(std::filesystem::path file);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  [[nodiscard]] const std::vector<StoredRow>& rows() const { return rows_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// @throws InputError where the row cannot be written whole; the file is then as it was
  void append(const Row& row);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::vector<StoredRow> rows_;
};

}  // namespace ladder
