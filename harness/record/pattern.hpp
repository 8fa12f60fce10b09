#pragma once

#include <regex>
#include <string>

namespace ladder {

/// A regular expression that finds a printed number. Its matcher takes time proportional to the text unless lookaheads are
/// nested, and therefore knows no back references. @throws std::regex_error
inline std::regex number_pattern(const std::string& pattern) {
  return std::regex(pattern, std::regex::ECMAScript | std::regex_constants::__polynomial);
}

}  // namespace ladder
