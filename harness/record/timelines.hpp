#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "harness/record/records.hpp"

namespace ladder {

/// One line of the file that a recorded process writes (harness/timeline/cupti.cpp).
struct Activity {
  std::size_t line = 0;  ///< line in the source file
  std::string kind, name, queue;
  std::int64_t device = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
  std::int64_t bytes = 0;
};

/// A stored row: an event of a GPU's queue, or of the host, during the recorded steps. docs/architecture.md ("Timelines")
/// explains each column. The rows of one session are one timeline.
struct TimelineEvent {
  std::size_t line = 0;  ///< line in the source file
  std::string session, utc;
  std::string rung, build, backend, case_name, grid, precision, tuning, placement, device, executable;
  std::int64_t steps = 0;
  std::int64_t process = 0;
  std::string kind, name, queue;
  std::int64_t gpu = 0;
  double begin = 0, end = 0;  ///< µs
  std::int64_t bytes = 0;

  [[nodiscard]] bool is_of_host() const { return kind == "call" || kind == "wait"; }
};

using ActivityFile = RecordFile<Activity>;
using TimelineFile = RecordFile<TimelineEvent>;

/// @throws FileError with file and line if a column is missing or a value is invalid
inline ActivityFile parse_activities(const std::filesystem::path& path, std::string_view text) {
  return parse_records<Activity>(path, text);
}
inline TimelineFile parse_timelines(const std::filesystem::path& path, std::string_view text) {
  return parse_records<TimelineEvent>(path, text);
}

}  // namespace ladder
