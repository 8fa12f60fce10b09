#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder {

/// A folder that only this process writes results to; a second process is refused. A file system without locks refuses none.
class OutputFolder {
 public:
  /// Makes the folder and checks whether write_files() could write these files, so that a long computation is refused before it
  /// starts. Removes half-written files that a killed process left.
  /// @throws InputError as write_files() would, or if another process holds the folder
  OutputFolder(const std::filesystem::path& folder, const std::vector<std::string>& names);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  /// Removes the folders that it has made, if they are empty.
  ~OutputFolder();

 private:
  explicit OutputFolder(std::vector<std::filesystem::path> made) : made_(std::move(made)) {}

  std::vector<std::filesystem::path> made_;  ///< deepest first
  int descriptor_ = -1;
};

/// Checks whether write_files() could write these files, without changing anything.
/// @throws InputError as OutputFolder
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Writes each (file name, text) into `folder`, creating it if needed. All files are written completely under temporary names
/// of their own before the first is renamed: a failure leaves no incomplete file, and if several processes write a file at
/// once, one wins.
/// @throws InputError if the folder cannot be made or written.
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

/// Writes all of `text`; false, with errno, where that fails: a disk that fills up takes a part of it first.
bool write_whole(int descriptor, std::string_view text);

}  // namespace ladder
