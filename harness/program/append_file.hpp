#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace ladder {

/// A text file of lines that is only ever appended to, whole lines at a time. What append() wrote is on disk when it returns.
/// One program at a time: the file is locked.
class AppendFile {
 public:
  /// Opens or creates the file, and its folder.
  /// @throws InputError where it cannot be written or is held by another program
  explicit AppendFile(std::filesystem::path file);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }

  /// All that the file holds, a half-written last line included. @throws InputError if it cannot be read to its end
  [[nodiscard]] std::string read() const;

  /// Cuts the file off after its last whole line, of `whole` bytes with what stands before it; what follows is appended there.
  void keep(std::size_t whole);

  /// Makes `text` the content. The new file takes the old one's place when it is whole.
  void replace(std::string_view text);

  /// @throws InputError where the lines cannot be written whole; the file is then as it was
  void append(std::string_view lines);

 private:
  void take();
  void take_once();
  [[nodiscard]] bool is_there() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// Reads a table that is appended to: drops a half-written last line, saying so on standard error, lets `look` see the whole
/// lines, and writes `header` where there are none yet. Returns the whole lines that were there.
/// @throws InputError where there is no whole line and what there is begins no `header`; what `look` throws
std::string open_table(AppendFile& file, const std::string& header, const std::function<void(const std::string&)>& look);

}  // namespace ladder
