#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder {

/// A folder to which only this process writes results. A second process is rejected, unless the file system has no locks.
class OutputFolder {
 public:
  /// Creates the folder and checks that write_files() can write these files, so that a long computation is rejected before it
  /// starts. Removes incomplete files left by a killed process.
  /// @throws InputError as write_files() would, or if another process has locked the folder
  OutputFolder(const std::filesystem::path& folder, const std::vector<std::string>& names);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  /// Removes the folders that the constructor created, if they are empty.
  ~OutputFolder();

 private:
  explicit OutputFolder(std::vector<std::filesystem::path> made) : made_(std::move(made)) {}

  std::vector<std::filesystem::path> made_;  ///< deepest first
  int descriptor_ = -1;
};

/// Checks that write_files() can write these files, without changing anything.
/// @throws InputError under the same conditions as OutputFolder
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Writes each (file name, text) pair into `folder`, which is created if needed. All files are completely written under unique
/// temporary names before the first is renamed. A failure therefore leaves no incomplete file, and if several processes write
/// the same file at once, one complete version remains.
/// @throws InputError if the folder cannot be created or written
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

/// Writes all of `text`. Returns false and sets errno on failure, in which case part of the text may have been written, e.g. to
/// a full disk.
bool write_all(int descriptor, std::string_view text);

}  // namespace ladder
