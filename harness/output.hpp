#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder {

/// A folder that this process alone writes results to: whoever else makes such an object of it, is refused. On a file system
/// without locks nobody is.
class OutputFolder {
 public:
  /// Makes the folder and tries whether write_files() could write these files, so that a long computation is refused before it
  /// starts. Removes what a killed process has left half-written of them.
  /// @throws InputError as write_files() would, or where another process holds the folder
  OutputFolder(const std::filesystem::path& folder, const std::vector<std::string>& names);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  /// Removes the folders that it has made, unless something is in them.
  ~OutputFolder();

 private:
  explicit OutputFolder(std::vector<std::filesystem::path> made) : made_(std::move(made)) {}

  std::vector<std::filesystem::path> made_;  ///< deepest first
  int descriptor_ = -1;
};

/// Tries whether write_files() could write these files, and leaves everything as it was.
/// @throws InputError as OutputFolder
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Writes each (file name, text) into `folder`, making it where needed. All files are on disk under names of their own before
/// the first takes its place: a failure leaves nothing half-written, and of several processes that write a file at once, one
/// wins.
/// @throws InputError where the folder cannot be made or written.
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

/// Writes all of `text`; false, with errno, where that fails: a disk that fills up takes a part of it first.
bool write_whole(int descriptor, std::string_view text);

}  // namespace ladder
