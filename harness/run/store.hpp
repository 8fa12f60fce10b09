#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/append_file.hpp"
#include "harness/record/csv.hpp"
#include "harness/record/flows.hpp"
#include "harness/record/profiles.hpp"
#include "harness/record/rows.hpp"
#include "harness/record/timelines.hpp"

namespace ladder {

/// The records of one study on one machine: a CSV file to which only complete records are appended. They are on disk when
/// append() returns. The file is locked, so only one program can use it at a time.
template <class Record>
class RecordStore {
 public:
  /// Opens or creates the file. Drops an incomplete last record without a line break and reports this on standard error.
  /// Missing columns are added to a store of an older version, as empty fields.
  /// @throws InputError if it cannot be written, is locked by another program, or is not a store of such records
  explicit RecordStore(std::filesystem::path file);

  [[nodiscard]] const std::vector<Record>& rows() const { return rows_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_.path(); }

  /// @throws InputError if the records cannot be written completely, or could not be read back; the file is then unchanged
  void append(const std::vector<Record>& records);

  /// Adds records, including those of earlier sessions, and sorts all of them by their first column, the session, whose name
  /// begins with the UTC time of its start. Records of one session keep their order. The old file is replaced by a complete new
  /// one.
  /// @throws InputError as append() does
  void merge(const std::vector<Record>& records);

 private:
  [[nodiscard]] std::string lines_of(const std::vector<Record>& records) const;
  void replace(std::vector<CsvRecord> records);

  AppendFile file_;
  std::vector<Record> rows_;
};

using Store = RecordStore<Row>;
using ProfileStore = RecordStore<Profile>;
using FlowStore = RecordStore<Flow>;
using TimelineStore = RecordStore<TimelineEvent>;

/// Returns the row if it can be read back once stored; otherwise a row of the same cell with the outcome `failed` and the
/// reason. Values in an executable's description may exceed the range of a column.
Row storable(const Row& row);

}  // namespace ladder
