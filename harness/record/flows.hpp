#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/file.hpp"
#include "harness/record/records.hpp"

namespace ladder {

/// A stored file about a flow: a picture, or the evolution of its state or of its rows during a run. docs/architecture.md
/// ("Flow files") explains each column. If a case has files with several keys, those with the key listed last are used.
struct Flow {
  std::size_t line = 0;  ///< line in the source file
  std::string utc = {};
  std::string kind = {};
  std::string rung = {};
  std::string case_name = {};
  std::string precision = {};
  std::int64_t steps = 0;
  std::string device = {};
  std::string executable = {};
  std::string key = {};
  std::string file = {};
};

using FlowFile = RecordFile<Flow>;

/// @throws FileError with file and line if a column is missing or a value is invalid
inline FlowFile parse_flows(const std::filesystem::path& path, std::string_view text) {
  return parse_records<Flow>(path, text);
}
inline FlowFile read_flows(const std::filesystem::path& path) { return parse_flows(path, read_whole(path)); }

}  // namespace ladder
