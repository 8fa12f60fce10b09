#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder {

/// A folder that only this process writes results to. A second process is refused, except on a file system without locks.
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
/// @throws InputError under the same conditions as OutputFolder
void require_writable(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Writes each (file name, text) into `folder`, creating it if needed. All files are written completely under temporary names
/// of their own before the first is renamed. A failure therefore leaves no incomplete file, and if several processes write a
/// file at once, the file of one of them remains.
/// @throws InputError if the folder cannot be made or written.
void write_files(const std::filesystem::path& folder, const std::vector<std::pair<std::string, std::string>>& files);

/// Writes all of `text`. Returns false, with errno, if that fails; a part may be written then, for example to a disk that
/// fills up.
bool write_all(int descriptor, std::string_view text);

}  // namespace ladder
