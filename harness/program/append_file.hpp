#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ladder {

/// A text file of lines that is only ever appended to, whole lines at a time. What append() wrote is on disk when it returns.
/// One `ladder` at a time: the file is locked. What others append in the meantime stays.
class AppendFile {
 public:
  /// Opens or creates the file, and its folder.
  /// @throws InputError where it cannot be written, is held by another program, or is a device or a pipe
  explicit AppendFile(std::filesystem::path file);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  /// All that the file holds, a half-written last line included. @throws InputError if it cannot be read to its end
  [[nodiscard]] std::string read() const;

  /// Cuts the file off after its first `whole` bytes.
  void keep(std::size_t whole);

  /// Makes `text` the content. The new file takes the old one's place when it is whole.
  void replace(std::string_view text);

  /// Appends the lines; a line break before them if the file's last line has none.
  /// @throws InputError where the lines cannot be written whole; the file is then as it was
  void append(std::string_view lines);

 private:
  void take();
  void take_once();
  [[nodiscard]] bool is_there() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace ladder
