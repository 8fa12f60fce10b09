// Stored files may be compressed: `<name>.gz` stands for `<name>`.
#include "harness/archive/archive.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;
using test::Folder;
using test::input_error;

/// Many lines, which compress well but not to nothing.
std::string picture() {
  std::mt19937 random(1);
  std::string text = "x,y,speed\n";
  for (int n = 0; n < 50000; ++n)
    text += std::to_string(n % 256) + "," + std::to_string(n / 256) + "," + std::to_string(random() % 1000) + "\n";
  return text;
}

TEST(Archive, ReadsACompressedFileByTheNameOfTheFile) {
  const Folder folder;
  const std::string text = picture();
  const auto file = folder.write("a.csv", text);
  EXPECT_EQ(read_stored(file), text);
  compress_stored(file);
  EXPECT_EQ(folder.listing(), std::vector<std::string>{"a.csv.gz"});
  EXPECT_LT(folder.read("a.csv.gz").size(), text.size() / 2);
  EXPECT_TRUE(is_stored(file));
  EXPECT_EQ(read_stored(file), text);
  EXPECT_EQ(stored_name(folder.path() / "a.csv.gz"), "a.csv");
  EXPECT_EQ(stored_name(file), "a.csv");
  uncompress_stored(file);
  EXPECT_EQ(folder.listing(), std::vector<std::string>{"a.csv"});
  EXPECT_EQ(folder.read("a.csv"), text);
}

TEST(Archive, CompressesTheSameTextToTheSameBytes) {
  const Folder folder;
  const auto a = folder.write("a.csv", picture()), b = folder.write("b.csv", picture());
  compress_stored(a);
  compress_stored(b);
  EXPECT_EQ(folder.read("a.csv.gz"), folder.read("b.csv.gz"));
}

TEST(Archive, KeepsAnEmptyFileAndReadsSeveralMembers) {
  const Folder folder;
  const auto empty = folder.write("empty", ""), line = folder.write("line", "one\n");
  compress_stored(empty);
  compress_stored(line);
  EXPECT_EQ(read_stored(empty), "");
  folder.write("both.gz", folder.read("line.gz") + folder.read("empty.gz") + folder.read("line.gz"));
  EXPECT_EQ(read_stored(folder.path() / "both"), "one\none\n");
}

TEST(Archive, HidesNoRowsIfBothFormsExist) {
  const Folder folder;
  const auto file = folder.write("a.csv", "old\n");
  compress_stored(file);
  const std::string packed = folder.read("a.csv.gz");
  folder.write("a.csv", "new\n");
  EXPECT_TRUE(contains(input_error([&] { (void)read_stored(file); }), "a.csv: does not begin with the text of a.csv.gz"));
  EXPECT_FALSE(input_error([&] { uncompress_stored(file); }).empty());
  EXPECT_EQ(folder.read("a.csv.gz"), packed);
  folder.write("a.csv", "old\nnew\n");
  EXPECT_EQ(read_stored(file), "old\nnew\n");
  uncompress_stored(file);
  EXPECT_EQ(folder.listing(), std::vector<std::string>{"a.csv"});
  EXPECT_EQ(folder.read("a.csv"), "old\nnew\n");
}

TEST(Archive, NamesADamagedFile) {
  const Folder folder;
  const auto file = folder.write("a.csv", picture());
  compress_stored(file);
  const std::string whole = folder.read("a.csv.gz");
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
  for (const std::string& damaged : {whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 1), flipped,
                                     whole + "tail", std::string("x,y\n"), std::string()}) {
    folder.write("a.csv.gz", damaged);
    EXPECT_TRUE(contains(input_error([&] { (void)read_stored(file); }), "a.csv.gz: is damaged or cut off")) << damaged.size();
    EXPECT_FALSE(input_error([&] { uncompress_stored(file); }).empty());
    EXPECT_EQ(folder.read("a.csv.gz"), damaged);
  }
}

TEST(Archive, NamesAMissingFile) {
  const Folder folder;
  EXPECT_FALSE(is_stored(folder.path() / "none.csv"));
  EXPECT_TRUE(contains(input_error([&] { (void)read_stored(folder.path() / "none.csv"); }), "none.csv: cannot be read"));
  uncompress_stored(folder.path() / "none.csv");
  EXPECT_TRUE(folder.listing().empty());
}

}  // namespace
}  // namespace ladder
