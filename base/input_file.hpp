#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Reads the files that define a case. Every error names the file, the line, the value and the accepted values.
namespace ladder {

/// The text of a file, without the UTF-8 byte order mark that some editors add.
/// @throws InputError if the file cannot be read, is UTF-16 or exceeds `most_bytes`; `what` describes the expected file
std::string read_input(const std::filesystem::path& path, std::string_view what, std::size_t most_bytes = 1 << 20);

/// `text` for use in a message: bytes other than printable ASCII become `\x00` escapes; long texts are cut.
std::string shown(std::string_view text);

/// The whitespace-separated words of a text read from `path`. As for `fscanf`, line breaks do not matter.
class InputWords {
 public:
  InputWords(const std::filesystem::path& path, std::string_view text) : path_(path), rest_(text) {}

  /// Reads the next word; false if there is none.
  bool next();
  [[nodiscard]] std::string_view word() const { return word_; }

  /// The word as a number, in any form that C's `strtod` accepts. @throws InputError if it is not a finite number
  [[nodiscard]] double number(std::string_view name, std::string_view accepted) const;
  /// The word as an integer, in any decimal form that C's `strtoll` accepts. @throws InputError if it is not a 64-bit integer
  [[nodiscard]] std::int64_t integer(std::string_view name, std::string_view accepted) const;

  /// @throws InputError with the file and line of the word
  [[noreturn]] void fail(std::string_view what) const;

 private:
  [[noreturn]] void refuse(std::string_view name, std::string_view accepted) const;

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::string_view word_;
  std::int64_t line_ = 1;
};

/// A number expected in a file, and its accepted values.
struct InputNumber {
  std::string_view name, accepted;
  bool is_integer;
  bool (*accepts)(double);
};

/// The numbers in `text`, read from `path` and separated by blanks or line breaks. There must be exactly as many as in
/// `expected`. Integers are returned as doubles, up to 2^53. @throws InputError
std::vector<double> read_numbers(const std::filesystem::path& path, std::string_view text,
                                 const std::vector<InputNumber>& expected);

}  // namespace ladder
