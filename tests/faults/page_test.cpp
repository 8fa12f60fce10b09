// Every test named in docs/faults.md exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "base/file.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

/// Names of all tests, as `Suite.Name`.
std::set<std::string> tests() {
  const std::regex test(R"(TEST(?:_F|_P)?\((\w+), (\w+)\))");
  std::set<std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LADDER_SOURCE) / "tests")) {
    if (!entry.path().filename().string().ends_with("_test.cpp")) continue;
    const std::string text = read_whole(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), test), end; found != end; ++found)
      all.insert((*found)[1].str() + "." + (*found)[2].str());
  }
  return all;
}

TEST(PageOfFaults, NamesTestsThatExist) {
  const std::string page = read_whole(fs::path(LADDER_SOURCE) / "docs/faults.md");
  const auto all = tests();
  // `program.Suite.Name` or `program.Instance/Suite.Name`; a name that stands for several tests ends with an ellipsis.
  const std::regex named(R"(`\w+\.(?:\w+/)?([A-Z]\w*\.\w*)(…)?`)");
  int names = 0;
  for (std::sregex_iterator found(page.begin(), page.end(), named), end; found != end; ++found, ++names) {
    const std::string name = (*found)[1];
    const auto first = all.lower_bound(name);
    EXPECT_TRUE(first != all.end() && ((*found)[2].matched ? first->starts_with(name) : *first == name)) << name;
  }
  EXPECT_GT(names, 40);
}

}  // namespace
}  // namespace ladder::test
