#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/program/append_file.hpp"
#include "harness/program/row.hpp"

namespace ladder {

/// What resuming needs to know of a row that is already stored.
struct StoredRow {
  std::string session, kind, outcome, key, backend, case_name;
  int round = 0;
  double updates_per_second = -1;  ///< negative: none
};

/// The rows of a store's text, header and whole lines, which came from `file`. @throws InputError where it is no store
std::vector<StoredRow> parse_rows(const std::filesystem::path& file, const std::string& text);

/// The rows of one study on one machine: a CSV file that is only ever appended to, a whole row at a time. Each row is on disk
/// when append() returns. One program at a time: the file is locked.
class Store {
 public:
  /// Opens or creates the file; drops a half-written last row, saying so on standard error. A store of an older version gets
  /// the columns that it lacks, empty.
  /// @throws InputError where it cannot be written, is held by another program, or is not a store
  explicit Store(std::filesystem::path file);

  [[nodiscard]] const std::vector<StoredRow>& rows() const { return rows_; }
  /// The rows of a session's samples and twins, as far as StoredRow tells.
  [[nodiscard]] std::vector<Row> samples(const std::string& session) const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

  /// @throws InputError where the row cannot be written whole; the file is then as it was
  void append(const Row& row);

 private:
  void upgrade(const std::string& text);

  AppendFile file_;
  std::vector<StoredRow> rows_;
};

}  // namespace ladder
