#include "harness/store/text.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace ladder {
namespace {

/// Whether a text begins with one of the control characters U+0080 to U+009F, in UTF-8.
bool is_c1_control(std::string_view text) {
  if (text.size() < 2 || text[0] != '\xc2') return false;
  const auto second = static_cast<unsigned char>(text[1]);
  return second >= 0x80 && second <= 0x9f;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    bool blank = (c >= 0 && c <= ' ') || c == 0x7f;
    if (is_c1_control(text.substr(i))) {
      blank = true;
      ++i;
    }
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out;
}

std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      out += c;
    else if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-')
    out.pop_back();
  return out;
}

bool matches(const std::string& glob, const std::string& text) { return fnmatch(glob.c_str(), text.c_str(), 0) == 0; }

bool matches_any(const std::vector<std::string>& globs, const std::string& text) {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) { return matches(glob, text); });
}

}  // namespace ladder
