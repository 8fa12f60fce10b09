#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ladder {

/// One stored row; the columns are those of docs/architecture.md, in this order. A negative number is an empty field.
struct Row {
  std::string session;
  int round = 0;
  int order = 0;
  std::string utc;
  std::string kind;
  std::string rung;
  std::string build;
  std::string backend;
  std::string case_name;
  std::string grid;
  std::int64_t cells = -1;
  std::string precision;
  std::string tuning;
  int threads = 0;
  std::string outcome;
  std::string reason;
  std::int64_t check_steps = -1;
  double population_error = -1;
  double tolerance = -1;
  double history_error = -1;
  std::int64_t steps = -1;
  double seconds = -1;
  double updates_per_second = -1;
  double bytes_per_update_model = -1;
  double bytes_per_update_minimum = -1;
  double flops_per_update = -1;
  double footprint_bytes = -1;
  std::string device;
  std::string key;
};

/// The first line of every store.
std::string csv_header();

/// The row as one line of CSV (RFC 4180), without the line break. Line breaks within a field become blanks.
std::string csv_line(const Row& row);

}  // namespace ladder
