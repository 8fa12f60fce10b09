#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Reading the files that define a case. Every error names the file, the line, the value and the accepted values.
namespace ladder {

/// The text of a file, without the byte order mark that some editors put before UTF-8.
/// @throws InputError if it cannot be read, is UTF-16 or holds more than `most_bytes`; `what` describes the expected file
std::string read_input(const std::filesystem::path& path, std::string_view what, std::size_t most_bytes = 1 << 20);

/// `text` as a message shows it: `\x00` stands for a byte that is not a printable ASCII character; a long text is cut.
std::string shown(std::string_view text);

/// The blank-separated words of a text that came from `path`. As for `fscanf`, they may be on any number of lines.
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

  /// @throws InputError with the file and the line of the word
  [[noreturn]] void fail(std::string_view what) const;

 private:
  [[noreturn]] void refuse(std::string_view name, std::string_view accepted) const;

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::string_view word_;
  std::int64_t line_ = 1;
};

/// One number of a file of numbers, and the values that it may have.
struct InputNumber {
  std::string_view name, accepted;
  bool is_integer;
  bool (*accepts)(double);
};

/// The numbers of `text`, which came from `path`: as many as `expected`, between blanks or line breaks. Integers are
/// returned as numbers of up to 2^53. @throws InputError
std::vector<double> read_numbers(const std::filesystem::path& path, std::string_view text,
                                 const std::vector<InputNumber>& expected);

}  // namespace ladder
