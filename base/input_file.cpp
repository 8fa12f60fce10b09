#include "base/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"

namespace ladder {

namespace fs = std::filesystem;

std::string read_input(const std::string& path, std::string_view what, std::size_t most_bytes) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(fmt::format("{}: no such file; expected {}", path, what));
  if (fs::is_directory(path, error)) throw InputError(fmt::format("{}: is a folder; expected {}", path, what));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read; expected {}", path, what));
  std::string text;
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()), file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
      throw InputError(fmt::format("{}: holds more than {} bytes; expected {}", path, most_bytes, what));
  }
  if (file.bad()) throw InputError(fmt::format("{}: cannot be read to the end", path));
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError(fmt::format("{}: is text in UTF-16; accepted: UTF-8; expected {}", path, what));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string out;
  for (const char c : text.substr(0, most)) {
    if (c >= ' ' && c <= '~')
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text.size() > most ? fmt::format("{}… ({} bytes)", out, text.size()) : out;
}

bool InputWords::next() {
  constexpr std::string_view blank = " \t\r\v\f\n";
  const auto begin = std::min(rest_.find_first_not_of(blank), rest_.size());
  line_ += std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  rest_.remove_prefix(begin);
  word_ = rest_.substr(0, rest_.find_first_of(blank));
  rest_.remove_prefix(word_.size());
  return !word_.empty();
}

void InputWords::fail(std::string_view what) const { throw InputError(fmt::format("{}:{}: {}", path_, line_, what)); }

void InputWords::refuse(std::string_view name, std::string_view accepted) const {
  fail(fmt::format("{} is '{}'; accepted: {}", name, shown(word_), accepted));
}

double InputWords::number(std::string_view name, std::string_view accepted) const {
  const std::string text(word_);
  char* stop = nullptr;
  const double value = std::strtod(text.c_str(), &stop);
  if (text.empty() || stop != text.data() + text.size() || !std::isfinite(value)) refuse(name, accepted);
  return value;
}

std::int64_t InputWords::integer(std::string_view name, std::string_view accepted) const {
  const std::string text(word_);
  char* stop = nullptr;
  errno = 0;
  const std::int64_t value = std::strtoll(text.c_str(), &stop, 10);
  if (text.empty() || stop != text.data() + text.size() || errno == ERANGE) refuse(name, accepted);
  return value;
}

std::vector<double> read_numbers(const std::string& path, std::string_view text, const std::vector<InputNumber>& expected) {
  std::vector<double> numbers;
  InputWords words(path, text);
  for (const auto& [name, accepted, is_integer, accepts] : expected) {
    if (!words.next())
      words.fail(fmt::format("the file ends after {} values; '{}' is missing ({})", numbers.size(), name, accepted));
    const double value = is_integer ? static_cast<double>(words.integer(name, accepted)) : words.number(name, accepted);
    if (!accepts(value)) words.fail(fmt::format("{} is {}; accepted: {}", name, shown(words.word()), accepted));
    numbers.push_back(value);
  }
  if (words.next())
    words.fail(fmt::format("'{}' is one value too many; accepted: {} values", shown(words.word()), expected.size()));
  return numbers;
}

}  // namespace ladder
