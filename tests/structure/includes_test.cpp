// Every #include in the project is allowed by the table "Folders" in docs/architecture.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Allowed edges: the folders that the files of each folder may include from. `variants/<model>/` stands for any model.
using Table = std::map<std::string, std::set<std::string>>;

/// The names in backquotes in a Markdown cell.
std::set<std::string> names_in(const std::string& cell) {
  std::set<std::string> names;
  for (std::size_t begin = 0; (begin = cell.find('`', begin)) != std::string::npos;) {
    const std::size_t end = cell.find('`', begin + 1);
    if (end == std::string::npos) break;
    names.insert(cell.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return names;
}

/// Reads the rows `| folder | contents | may use |` of the section "Folders".
Table read_table(std::istream& page) {
  Table table;
  bool is_in_section = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_in_section = line == "## Folders";
    if (!is_in_section || !line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream rest(line.substr(1));
    for (std::string cell; std::getline(rest, cell, '|');)
      cells.push_back(cell);
    if (cells.size() >= 3) table[*names_in(cells[0]).begin()] = names_in(cells[2]);
  }
  return table;
}

/// The folder of the table that contains a file, the innermost if there are several; empty if there is none.
std::string folder_of(const Table& table, const std::string& file) {
  std::string best;
  for (const auto& [folder, uses] : table)
    if (file.starts_with(folder) && folder.size() > best.size()) best = folder;
  if (best.empty() && file.starts_with("variants/")) return "variants/<model>/";
  return best;
}

/// `variants/d2q9/` for files of a model, else the folder itself.
std::string exact_folder(const std::string& folder, const std::string& file) {
  return folder == "variants/<model>/" ? file.substr(0, file.find('/', std::string("variants/").size()) + 1) : folder;
}

/// The reason why `file` must not include `included`; empty if it may.
std::string violation(const Table& table, const std::string& file, const std::string& included) {
  const std::string from = folder_of(table, file);
  const std::string to = folder_of(table, included);
  if (from.empty()) return fmt::format("{}: its folder is not in the table", file);
  if (to.empty()) return fmt::format("{}: the folder of \"{}\" is not in the table", file, included);
  const bool is_own = from == to && exact_folder(from, file) == exact_folder(to, included);
  if (is_own || table.at(from).contains(to)) return "";
  return fmt::format("{} includes \"{}\": {} may not use {}", file, included, from, to);
}

std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> names;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find_first_not_of(' ');
    if (hash == std::string::npos || line.compare(hash, 8, "#include") != 0) continue;
    const std::size_t begin = line.find('"');
    if (begin == std::string::npos) continue;  // a system header
    names.push_back(line.substr(begin + 1, line.find('"', begin + 1) - begin - 1));
  }
  return names;
}

Table project_table() {
  std::ifstream page(LADDER_SOURCES "/docs/architecture.md");
  return read_table(page);
}

TEST(Includes, FollowTheTableOfFolders) {
  const Table table = project_table();
  ASSERT_GT(table.size(), 8U);
  std::size_t edges = 0;
  for (const char* top : {"backends", "base", "formats", "harness", "program", "reports", "roofline", "variants"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(LADDER_SOURCES) / top)) {
      const std::set<std::string> sources = {".cpp", ".hpp", ".h", ".cu", ".cuh", ".cl"};
      if (!entry.is_regular_file() || !sources.contains(entry.path().extension().string())) continue;
      const std::string file = fs::relative(entry.path(), LADDER_SOURCES).string();
      for (const std::string& name : includes_of(entry.path())) {
        const std::string included = name.find('/') == std::string::npos ? file : name;  // a file in the same folder
        EXPECT_EQ(violation(table, file, included), "");
        ++edges;
      }
    }
  EXPECT_GT(edges, 1000U);
}

TEST(Includes, OfAnotherFolderAreRefused) {
  const Table table = project_table();
  EXPECT_NE(violation(table, "harness/bench/check.hpp", "harness/run/run.hpp"), "");
  EXPECT_NE(violation(table, "harness/run/run.cpp", "reports/report.hpp"), "");
  EXPECT_NE(violation(table, "base/error.hpp", "backends/status.hpp"), "");
  EXPECT_NE(violation(table, "variants/d2q9/model.hpp", "variants/d3q19/model.hpp"), "");
  EXPECT_NE(violation(table, "harness/run/run.cpp", "elsewhere/file.hpp"), "");
  EXPECT_EQ(violation(table, "variants/d2q9/openmp/01_threads/kernel.cpp", "variants/d2q9/model.hpp"), "");
}

TEST(Includes, TableMakesNoCircle) {
  const Table table = project_table();
  for (const auto& [folder, uses] : table) {
    std::set<std::string> seen, open(uses.begin(), uses.end());
    while (!open.empty()) {
      const std::string next = *open.begin();
      open.erase(open.begin());
      if (!seen.insert(next).second) continue;
      ASSERT_TRUE(table.contains(next)) << folder << " may use " << next << ", which is not in the table";
      open.insert(table.at(next).begin(), table.at(next).end());
    }
    EXPECT_FALSE(seen.contains(folder)) << folder << " may use itself through other folders";
  }
}

}  // namespace
