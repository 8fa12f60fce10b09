// Results are generated from stored rows (docs/reports.md, "Findings"), not typed. allowed_results.txt lists the exceptions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <vector>

#include "base/file.hpp"

namespace ladder {
namespace {

const std::filesystem::path root = LADDER_SOURCE;

/// A page without code, comments and generated blocks: spaces of the same length replace them.
std::string prose(std::string page) {
  bool in_fence = false, in_block = false, in_code = false;
  for (std::size_t from = 0; from < page.size();) {
    const std::size_t end = std::min(page.find('\n', from), page.size());
    const std::string line = page.substr(from, end - from);
    const bool is_fence = line.find("```") == std::min(line.find_first_not_of(' '), line.size());
    const bool is_comment = line.starts_with("<!--");
    if (is_fence) in_fence = !in_fence;
    if (is_comment) in_block = line.find(": ") != std::string::npos;  // <!-- findings: STUDY -->, <!-- end -->
    if (line.empty()) in_code = false;
    for (std::size_t i = from; i < end; ++i) {
      const bool is_quote = page[i] == '`' && !in_fence && !is_fence;
      if (is_quote) in_code = !in_code;
      if (in_fence || is_fence || in_block || is_comment || in_code || is_quote) page[i] = ' ';
    }
    from = end + 1;
  }
  return page;
}

/// The sentences of a study.toml; spaces replace the rest. A `statement` is left out: it quotes what `stated` compares.
std::string sentences(const std::string& study) {
  static const std::regex key("\\b(title|question|text|otherwise|why|cause) *= *\"");
  std::string out = study;
  std::ranges::replace_if(
      out, [](char c) { return c != '\n'; }, ' ');
  for (std::sregex_iterator it(study.begin(), study.end(), key), none; it != none; ++it) {
    const auto from = static_cast<std::size_t>(it->position() + it->length());
    std::size_t to = from;
    while (to < study.size() && study[to] != '"')
      to += study[to] == '\\' ? 2 : 1;
    out.replace(from, to - from, study, from, to - from);
  }
  return out;
}

struct Exception {
  std::string file, phrase;
  bool is_used = false;
};

std::vector<Exception> exceptions() {
  std::vector<Exception> all;
  std::istringstream lines(read_whole(root / "tests/unit/store/allowed_results.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    const std::size_t first = line.find(" | "), last = line.rfind(" | ");
    EXPECT_TRUE(first < last && last != std::string::npos) << "not 'file | phrase | reason': " << line;
    if (first < last) all.push_back({line.substr(0, first), line.substr(first + 3, last - first - 3)});
  }
  return all;
}

/// Whether the phrase occurs around these characters of the text.
bool covers(const std::string& phrase, const std::string& text, std::size_t from, std::size_t to) {
  const std::size_t at = text.rfind(phrase, from);
  return at != std::string::npos && at + phrase.size() >= to;
}

void expect_no_results(const std::string& file, std::string text, std::vector<Exception>& allowed) {
  // A number with the unit of a result (no side of a grid follows a factor's ×), or the head of a table's column of results.
  static const std::regex result(
      "[0-9]( ?×(?! ?[0-9])| times (as (fast|long|slow)|faster|slower)| ?%| (M?F?LUPS|[GT](B|FLOP)/s|µs|[mn]?s|[mn]?J|W)"
      "(?![A-Za-z^]))|[|] ([^|\n]*, )?(M?F?LUPS|[GT](B|FLOP)/s|µs|ms|J)(?![A-Za-z])[^|\n]*[|](?=[^\n]*\n[|]-)");
  const std::string original = text;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '\n' && text[i + 1] != '|') text[i] = ' ';
  for (std::sregex_iterator it(text.begin(), text.end(), result), none; it != none; ++it) {
    const std::size_t from = text.find_last_not_of("0123456789.,", static_cast<std::size_t>(it->position())) + 1;
    const auto to = static_cast<std::size_t>(it->position() + it->length());
    bool is_allowed = false;
    for (Exception& one : allowed)
      if (one.file == file && covers(one.phrase, text, from, to)) is_allowed = one.is_used = true;
    if (is_allowed) continue;
    ADD_FAILURE() << fmt::format("{}:{}: '{}' is typed; generate it, or list it in allowed_results.txt", file,
                                 1 + std::count(original.begin(), original.begin() + it->position(), '\n'),
                                 text.substr(from, to - from));
  }
}

TEST(Results, AreGeneratedOrListedAsExceptions) {
  std::vector<Exception> allowed = exceptions();
  expect_no_results("README.md", prose(read_whole(root / "README.md")), allowed);
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md")
      expect_no_results("docs/" + entry.path().filename().string(), prose(read_whole(entry.path())), allowed);
  for (const auto& entry : std::filesystem::directory_iterator(root / "experiments")) {
    const std::string file = "experiments/" + entry.path().filename().string() + "/study.toml";
    if (std::filesystem::exists(root / file)) expect_no_results(file, sentences(read_whole(root / file)), allowed);
  }
  for (const Exception& one : allowed)
    EXPECT_TRUE(one.is_used) << "allowed_results.txt: no longer needed: " << one.file << " | " << one.phrase;
}

}  // namespace
}  // namespace ladder
