#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ladder {

/// The whole file. @throws FileError if it cannot be read
std::string read_whole(const std::filesystem::path& path);

/// The whole file; empty if it cannot be read, or is a pipe or a device, which might never end.
std::string read_if_there(const std::filesystem::path& path);

/// Writes a file whole or not at all: into a temporary file in the same folder, which is then renamed. Creates missing folders.
/// A signal that ends the program takes effect before or after the call. Does not wait until the file is on disk, as
/// write_files() does.
/// @throws InputError if that fails; the message names the file and the reason.
void write_file(const std::filesystem::path& path, std::string_view content);

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

/// The file that a shell would start for the first word of a command; empty if there is none. `more`: folders to search after
/// those of PATH, separated by colons.
std::string found_on_path(const std::string& program, std::string_view more = "");

/// Hash of a text, 16 hexadecimal digits.
std::string hash_of(std::string_view text);

}  // namespace ladder
