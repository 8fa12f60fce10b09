// Definitions in source files, and those that a rung newly uses.
#include "program/definitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

constexpr const char* shared = R"(#pragma once
#include <vector>

namespace lattice {

/// Twice the value.
template <class T, int n = (1 < 2)>
inline T twice(T x) {
  return x + x;  // not }
}

#define SQUARE(x) \
  ((x) * (x))

using Numbers = std::vector<int>;
constexpr auto table = std::array{1, 2};
int declared(int);

class Box final : public Base {
 public:
  explicit Box(int n) : n_{n}, m_(n) {}
  // Its size.
  [[nodiscard]] int cells() const { return n_ * '}'; }

 private:
  int n_, m_ = 0;
};

enum class Side { west, east };
__global__ void __launch_bounds__(256) kernel(int* out) { out[0] = sizeof("{"); }

}  // namespace lattice
)";

/// `name:line` of each definition, members with their class.
std::string names_of(const std::vector<Definition>& definitions) {
  std::vector<std::string> names;
  for (const Definition& d : definitions)
    names.push_back(fmt::format("{}{}:{}", d.owner.empty() ? "" : d.owner + "::", d.name, d.line));
  return fmt::format("{}", fmt::join(names, " "));
}

TEST(Definitions, AreFunctionsTypesAliasesAndMacros) {
  const auto found = definitions_in("a.hpp", shared);
  EXPECT_EQ(names_of(found), "twice:7 SQUARE:12 Numbers:15 Box:19 Box::Box:21 Box::cells:23 Side:29 kernel:30");
  EXPECT_EQ(found.at(0).text,
            "/// Twice the value.\ntemplate <class T, int n = (1 < 2)>\ninline T twice(T x) {\n  return x + x;  // not }\n}");
  EXPECT_EQ(found.at(0).lines(), 5u);
  EXPECT_EQ(found.at(1).text, "#define SQUARE(x) \\\n  ((x) * (x))");
  EXPECT_TRUE(found.at(3).text.ends_with("int n_, m_ = 0;\n};"));
}

TEST(Definitions, OfABrokenTextAreNoProblem) {
  for (const char* text :
       {"", "{", "}", "(", "void f(", "void f() {", "/*", "\"", "R\"(", "#define F(x) \\", "struct", "'", "f() {"})
    EXPECT_NO_THROW((void)definitions_in("a.hpp", text)) << text;
}

/// A source tree with a rung `old` and a rung `new` after it.
struct Tree {
  test::Folder folder;

  Tree(const std::string& before, const std::string& after) {
    std::filesystem::create_directories(folder.path() / "backends");
    for (const char* rung : {"old", "new"})
      std::filesystem::create_directories(folder.path() / "variants/m/cuda" / rung);
    folder.write("backends/a.hpp", shared);
    folder.write("variants/m/cuda/all.hpp", "#include \"backends/a.hpp\"\n");
    folder.write("variants/m/cuda/old/kernel.cpp", before);
    folder.write("variants/m/cuda/new/kernel.cpp", "#include \"variants/m/cuda/all.hpp\"\n" + after);
  }

  [[nodiscard]] std::string found() const {
    return names_of(new_definitions(folder.path(), "variants/m/cuda/old", "variants/m/cuda/new"));
  }
};

TEST(NewDefinitions, AreThoseThatOnlyTheLaterRungUses) {
  EXPECT_EQ(Tree("int a = 1;", "int a = lattice::twice(1);").found(), "twice:7");
  EXPECT_EQ(Tree("int a = twice(1);", "int a = twice(2) + SQUARE(3);").found(), "SQUARE:12");
  EXPECT_EQ(Tree("", "auto n = box.cells();").found(), "Box::cells:23");
  EXPECT_EQ(Tree("", "Box box; auto n = box.cells();").found(), "Box:19") << "the class contains its method";
}

TEST(NewDefinitions, AreNotNamesThatMeanSomethingElse) {
  EXPECT_EQ(Tree("", "// twice(1)\nconst char* a = \"twice(1)\";").found(), "");
  EXPECT_EQ(Tree("", "int twice = 1; int a = std::twice(1) + x.twice(1) + cells(2);").found(), "");
  EXPECT_EQ(Tree("", "int twice(int x) { return 2 * x; }\nint a = twice(1);").found(), "") << "its own function";
}

}  // namespace
}  // namespace ladder
