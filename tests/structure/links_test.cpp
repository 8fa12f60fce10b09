// Every link between the project's Markdown files leads to an existing file, and to an existing heading if it names one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The lines of a page, without its code blocks.
std::vector<std::string> prose_of(const fs::path& page) {
  std::vector<std::string> lines;
  std::ifstream file(page);
  bool is_code = false;
  for (std::string line; std::getline(file, line);) {
    const bool is_fence = line.starts_with("```");
    if (is_fence) is_code = !is_code;
    if (!is_code && !is_fence) lines.push_back(line);
  }
  return lines;
}

/// The anchors of a page's headings: `## Two commands` has `two-commands`.
std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  for (const std::string& line : prose_of(page)) {
    if (!line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      if (c == ' ') anchor += '-';
      if (c == '-' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0)
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    anchors.insert(anchor);
  }
  return anchors;
}

/// Targets of the links on a page that are relative paths or anchors.
std::vector<std::string> links_of(const fs::path& page) {
  std::string text;
  for (const std::string& line : prose_of(page))
    text += line + "\n";
  text = std::regex_replace(text, std::regex("`[^`\n]*`"), "");
  std::vector<std::string> targets;
  const std::regex link(R"(\]\(([^)\s]+)\))");
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i)
    if (const std::string target = (*i)[1]; target.find("://") == std::string::npos) targets.push_back(target);
  return targets;
}

/// What is wrong with a link; empty if it leads somewhere.
std::string broken(const fs::path& page, const std::string& target) {
  const std::size_t hash = std::min(target.find('#'), target.size());
  const fs::path to = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
  if (!fs::exists(to)) return fmt::format("{}: there is no {}", page.string(), target);
  if (hash < target.size() && !anchors_of(to).contains(target.substr(hash + 1)))
    return fmt::format("{}: there is no heading {}", page.string(), target);
  return "";
}

TEST(Links, LeadToFilesAndHeadings) {
  const fs::path root = LADDER_SOURCES;
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::size_t links = 0;
  for (const fs::path& page : pages)
    for (const std::string& target : links_of(page)) {
      EXPECT_EQ(broken(page, target), "");
      ++links;
    }
  EXPECT_GT(links, 100U);
}

TEST(Links, ToNothingAreRefused) {
  const fs::path page = LADDER_SOURCES "/README.md";
  EXPECT_EQ(broken(page, "docs/reports.md#reading-a-report"), "");
  EXPECT_NE(broken(page, "docs/reports.md#no-such-heading"), "");
  EXPECT_NE(broken(page, "docs/no-such-page.md"), "");
}

}  // namespace
