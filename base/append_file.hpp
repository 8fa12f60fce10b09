#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ladder {

/// A text file that is only appended to, in whole lines. When append() returns, its lines are on disk. The file is locked: only
/// one `ladder` can use it at a time. Lines that other programs append in the meantime are kept.
class AppendFile {
 public:
  /// Opens or creates the file, and its folder.
  /// @throws InputError if it cannot be written, is held by another program, or is a device or a pipe
  explicit AppendFile(std::filesystem::path file);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  /// The content of the file, including a half-written last line. @throws InputError if it cannot be read to the end
  [[nodiscard]] std::string read() const;

  /// Truncates the file to its first `whole` bytes.
  void keep(std::size_t whole);

  /// Makes `text` the content. A complete new file replaces the old one.
  void replace(std::string_view text);

  /// Appends the lines, after a line break if the file's last line has none.
  /// @throws InputError if the lines cannot be written whole; the file is then as it was
  void append(std::string_view lines);

 private:
  void take();
  void take_once();
  [[nodiscard]] bool is_there() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace ladder
