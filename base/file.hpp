#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ladder {

/// The whole file. @throws FileError if it cannot be read
std::string read_whole(const std::filesystem::path& path);

/// The whole file; empty if it cannot be read, or is a pipe or device, which might never end.
std::string read_if_there(const std::filesystem::path& path);

/// Writes the complete file or nothing: writes a temporary file in the same folder, then renames it. Creates missing folders. A
/// signal that terminates the program takes effect before or after the call. Unlike write_files(), does not wait until the file
/// is on disk.
/// @throws InputError if writing fails; the message names the file and the reason
void write_file(const std::filesystem::path& path, std::string_view content);

/// A new, empty temporary folder with an absolute path. The destructor removes it with its content; if the program is killed
/// before, a later program removes it.
class TemporaryFolder {
 public:
  /// @throws InputError if the folder cannot be created, e.g. because TMPDIR does not name a folder
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;  // locked
};

/// The file that a shell would run for `program`; empty if there is none. `more`: colon-separated folders to search after those
/// in PATH.
std::string found_on_path(const std::string& program, std::string_view more = "");

/// A hash of the text as 16 hexadecimal digits.
std::string hash_of(std::string_view text);
/// The same for everything that is left in a stream.
std::string hash_of(std::istream& bytes);

}  // namespace ladder
