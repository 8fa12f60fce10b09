#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ladder {

/// A text file that only grows, by whole lines. When append() returns, its lines are on disk. The file is locked, so only one
/// `ladder` can use it at a time. Lines that other programs append in the meantime are kept.
class AppendFile {
 public:
  /// Opens or creates the file and its folder.
  /// @throws InputError if the file cannot be written, is locked by another program, or is a device or a pipe
  explicit AppendFile(std::filesystem::path file);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  /// The content of the file, including an incomplete last line. @throws InputError if reading fails before the end of the file
  [[nodiscard]] std::string read() const;

  /// Truncates the file to its first `whole` bytes.
  void keep(std::size_t whole);

  /// Replaces the whole content with `text`. A complete new file takes the place of the old one.
  void replace(std::string_view text);

  /// Appends the lines, after a line break if the file does not end in one.
  /// @throws InputError if the lines cannot be written completely; the file is then left unchanged
  void append(std::string_view lines);

 private:
  void take();
  void take_once();
  [[nodiscard]] bool is_there() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace ladder
