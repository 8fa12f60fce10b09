#include "harness/record/kernel_header.hpp"

#include <gtest/gtest.h>

#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;

const std::string complete =
    "// Idea:    structure of arrays\n"
    "// Layout:  f[9][y][x]\n"
    "// Traffic: 9 numbers read,\n"
    "//          9 written\n"
    "// Source:  Waugh, section IV\n"
    "// Bound:   memory bandwidth\n";

std::string error(const std::string& text) {
  try {
    parse_kernel_header(text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(KernelHeader, HoldsTheTextOfFiveLines) {
  const KernelHeader header = parse_kernel_header(complete + "#include <cmath>\n");
  EXPECT_EQ(header.idea, "structure of arrays");
  EXPECT_EQ(header.layout, "f[9][y][x]");
  EXPECT_EQ(header.source, "Waugh, section IV");
  EXPECT_EQ(header.bound, "memory bandwidth");
}

TEST(KernelHeader, JoinsLinesThatContinueTheOneBefore) {
  EXPECT_EQ(parse_kernel_header(complete).traffic, "9 numbers read, 9 written");
}

TEST(KernelHeader, EndsAtTheFirstOtherLine) {
  for (const auto* next :
       {"// A comment on what follows.\n", "//\n// Bound: twice\n", "\n// Bound: twice\n", "/* Bound: no */\n"})
    EXPECT_EQ(parse_kernel_header(complete + next).bound, "memory bandwidth") << next;
}

TEST(KernelHeader, MayMentionAKeyWithinALine) {
  std::string text = complete;
  text.replace(text.find("9 written"), 9, "Source: two lattices");
  const KernelHeader header = parse_kernel_header(text);
  EXPECT_EQ(header.traffic, "9 numbers read, Source: two lattices");
  EXPECT_EQ(header.source, "Waugh, section IV");
}

TEST(KernelHeader, IsIncompleteWithoutAnyOfItsLines) {
  for (const std::string key : {"Idea:", "Layout:", "Traffic:", "Source:", "Bound:"}) {
    std::string text = complete;
    text.replace(text.find(key), key.size(), "Other:");
    EXPECT_TRUE(contains(error(text), "no header line '" + key + "'"));
  }
}

TEST(KernelHeader, IsIncompleteWhereALineSaysNothing) {
  std::string text = complete;
  text.replace(text.find("structure of arrays"), 19, "");
  EXPECT_TRUE(contains(error(text), "no header line 'Idea:'"));
}

TEST(KernelHeader, MustBeTheFirstThingInTheFile) {
  EXPECT_TRUE(contains(error("#include <cmath>\n" + complete), "no header line 'Idea:'"));
  EXPECT_TRUE(contains(error("// Copyright\n" + complete), "no header line 'Idea:'"));
  EXPECT_TRUE(contains(error(""), "no header line 'Idea:'"));
}

}  // namespace
}  // namespace ladder
