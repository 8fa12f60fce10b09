#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace ladder {

/// A text file that is only appended to, in whole lines. When append() returns, its lines are on disk. The file is locked: only
/// one program can use it at a time.
class AppendFile {
 public:
  /// Opens or creates the file, and its folder.
  /// @throws InputError if it cannot be written or is held by another program
  explicit AppendFile(std::filesystem::path file);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  /// The content of the file, including a half-written last line. @throws InputError if it cannot be read to the end
  [[nodiscard]] std::string read() const;

  /// Truncates the file to `whole` bytes, the end of its last whole line. Later lines are appended there.
  void keep(std::size_t whole);

  /// Makes `text` the content. A complete new file replaces the old one.
  void replace(std::string_view text);

  /// @throws InputError if the lines cannot be written whole; the file is then as it was
  void append(std::string_view lines);

 private:
  void take();
  void take_once();
  [[nodiscard]] bool is_there() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// Reads a table that is appended to. Drops a half-written last line, with a message on standard error, passes the whole lines
/// to `look`, and writes `header` if there are none yet. Returns the whole lines found.
/// @throws InputError if there is no whole line and the text does not begin like `header`; exceptions of `look`
std::string open_table(AppendFile& file, const std::string& header, const std::function<void(const std::string&)>& look);

}  // namespace ladder
