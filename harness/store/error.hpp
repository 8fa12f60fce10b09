#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "backends/error.hpp"

namespace ladder {

/// A file of experiments/ is wrong. what() is `file:line: problem`; the problem names the value and what is accepted.
class FileError : public InputError {
 public:
  /// `line` counts from 1; 0 if the whole file is meant.
  FileError(const std::filesystem::path& file, std::size_t line, const std::string& problem)
      : InputError(file.string() + (line > 0 ? ":" + std::to_string(line) : "") + ": " + problem) {}
};

}  // namespace ladder
