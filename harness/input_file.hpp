#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/error.hpp"

/// Reading the files that define a case. Every error names the file, the line, the value and the accepted values.
namespace ladder {

/// The text of a file. @throws InputError if it cannot be read; `what` describes the expected file
std::string read_input(const std::filesystem::path& path, std::string_view what);

/// Takes the next line off the front of `text`; false if there is none.
bool take_line(std::string_view& text, std::string_view& line);

/// The blank-separated words of a line.
std::vector<std::string_view> words_of(std::string_view line);

/// A line of a file.
struct InputLine {
  const std::filesystem::path& path;
  int line;

  [[noreturn]] void fail(std::string_view what) const { throw InputError(fmt::format("{}:{}: {}", path.string(), line, what)); }

  /// `word` as a finite number. @throws InputError
  template <class T>
  T number(std::string_view word, std::string_view name, std::string_view accepted) const {
    T value{};
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(static_cast<double>(value)))
      fail(fmt::format("{} is '{}'; accepted: {}", name, word, accepted));
    return value;
  }
};

/// One number of a file that has one number per line, and the values that it may have.
struct InputNumber {
  std::string_view name, accepted;
  bool is_integer;
  bool (*accepts)(double);
};

/// The numbers of `text`, which came from `path`: as many as `expected`, one per line; blank lines are ignored. Integers are
/// returned as numbers of up to 2^53. @throws InputError
std::vector<double> read_numbers(const std::filesystem::path& path, std::string_view text,
                                 const std::vector<InputNumber>& expected);

}  // namespace ladder
