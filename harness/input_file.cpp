#include "harness/input_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

namespace ladder {

namespace fs = std::filesystem;

std::string read_input(const fs::path& path, std::string_view what) {
  std::error_code error;
  if (!fs::exists(path, error)) throw InputError(fmt::format("{}: no such file; expected {}", path.string(), what));
  if (fs::is_directory(path, error)) throw InputError(fmt::format("{}: is a folder; expected {}", path.string(), what));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read; expected {}", path.string(), what));
  std::string text;
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()), file.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw InputError(fmt::format("{}: cannot be read to the end", path.string()));
  return text;
}

bool take_line(std::string_view& text, std::string_view& line) {
  if (text.empty()) return false;
  line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return true;
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blank = " \t\r\v\f";
  std::vector<std::string_view> found;
  for (auto begin = line.find_first_not_of(blank); begin != std::string_view::npos;) {
    const auto end = std::min(line.find_first_of(blank, begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blank, end);
  }
  return found;
}

std::vector<double> read_numbers(const fs::path& path, std::string_view text, const std::vector<InputNumber>& expected) {
  std::vector<double> numbers;
  int line_number = 0;
  for (std::string_view line; take_line(text, line);) {
    const InputLine place{path, ++line_number};
    const auto values = words_of(line);
    if (values.empty()) continue;
    if (numbers.size() == expected.size())
      place.fail(fmt::format("'{}' is one value too many; accepted: {} values, one per line", values[0], expected.size()));
    const auto& [name, accepted, is_integer, accepts] = expected[numbers.size()];
    if (values.size() != 1) place.fail(fmt::format("'{}' is more than one value; accepted: {}, {}", line, name, accepted));
    const double value = is_integer ? static_cast<double>(place.number<std::int64_t>(values[0], name, accepted))
                                    : place.number<double>(values[0], name, accepted);
    if (!accepts(value)) place.fail(fmt::format("{} is {}; accepted: {}", name, values[0], accepted));
    numbers.push_back(value);
  }
  if (numbers.size() < expected.size())
    InputLine{path, line_number + 1}.fail(fmt::format("the file ends after {} values; '{}' is missing ({})", numbers.size(),
                                                      expected[numbers.size()].name, expected[numbers.size()].accepted));
  return numbers;
}

}  // namespace ladder
