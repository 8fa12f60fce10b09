#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

/// Lists such as `wx=32;wy=8`, the text form of rows, settings and placements.
namespace ladder {

/// Whether the whole of `text` is a number of type T.
template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

/// The parts of `text` between separators. An empty text has no parts; a trailing separator is followed by an empty part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0, end = 0; !text.empty() && end != text.npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

struct KeyValue {
  std::string_view key, value;
};

/// Parses `key=value`; nothing if the key or the `=` is missing.
inline std::optional<KeyValue> key_value(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) return std::nullopt;
  return KeyValue{text.substr(0, equals), text.substr(equals + 1)};
}

/// Parses `key=value;key=value`; nothing if one of the parts is not `key=value`.
inline std::optional<std::vector<KeyValue>> key_values(std::string_view text) {
  std::vector<KeyValue> all;
  for (const std::string_view part : split(text, ';')) {
    const auto one = key_value(part);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

}  // namespace ladder
