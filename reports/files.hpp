#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ladder::reports {

/// Writes a file whole or not at all: into a temporary file in the same folder, which is then renamed. Creates missing folders.
/// A signal that ends the program takes effect before or after the call.
/// @throws InputError if that fails; the message names the file and the reason.
void write_whole(const std::filesystem::path& path, std::string_view content);

/// A new empty folder for temporary files, removed with its content when this object is destroyed.
class TemporaryFolder {
 public:
  /// @throws InputError if no folder can be made, e.g. because TMPDIR does not name a folder
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ladder::reports
