#include "harness/study/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace ladder {
namespace {

/// Maximum number of parts in a key `a.b.c`. The library limits how deeply values are nested, but not the length of keys.
constexpr std::size_t most_parts = 16;

/// Length of the string at the start of `text`, including quotes. An unclosed string ends at the end of the line or the text.
std::size_t length_of_string(std::string_view text) {
  const std::string quotes(text.substr(0, text.starts_with(R"(""")") || text.starts_with("'''") ? 3 : 1));
  for (std::size_t at = quotes.size(); at < text.size(); ++at) {
    if (text.compare(at, quotes.size(), quotes) == 0) {
      at += quotes.size();
      // The three closing quotes may follow up to two other quotes.
      for (int more = 0; quotes.size() == 3 && more < 2 && at < text.size() && text[at] == quotes.front(); ++more)
        ++at;
      return at;
    }
    if (quotes.size() == 1 && text[at] == '\n') return at;
    if (quotes.front() == '"' && text[at] == '\\') ++at;
  }
  return text.size();
}

void require_short_keys(const std::filesystem::path& path, std::string_view text) {
  std::size_t line = 1;
  std::size_t parts = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const std::size_t length = length_of_string(text.substr(at));
      line += static_cast<std::size_t>(std::ranges::count(text.substr(at, length), '\n'));
      at += length - 1;
    } else if (c == '.') {
      if (++parts > most_parts)
        throw FileError(path, line,
                        fmt::format("a key of more than {0} parts; accepted: at most {0}, as in a.b.c", most_parts));
    } else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) {
      parts = 1;
      if (c == '\n') ++line;
    }
  }
}

}  // namespace

toml::table parse_toml(const std::filesystem::path& path, std::string_view text) {
  require_short_keys(path, text);
  try {
    return toml::parse(text, path.string());
  } catch (const toml::parse_error& e) {
    throw FileError(path, e.source().begin.line, fmt::format("is not TOML: {}", e.description()));
  }
}

}  // namespace ladder
