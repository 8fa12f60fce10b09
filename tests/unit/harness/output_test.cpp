#include "base/output.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

using test::contains;
using test::Folder;
using test::input_error;
using Names = std::vector<std::string>;

TEST(WriteFiles, MakesTheFolderAndEveryFile) {
  const Folder folder;
  write_files(folder.path() / "a" / "b", {{"one.dat", "1\n"}, {"two.dat", std::string("\0\r\n", 3)}});
  EXPECT_EQ(folder.listing(), (Names{"a", "a/b", "a/b/one.dat", "a/b/two.dat"}));
  EXPECT_EQ(folder.read("a/b/one.dat"), "1\n");
  EXPECT_EQ(folder.read("a/b/two.dat"), std::string("\0\r\n", 3));
}

TEST(WriteFiles, ReplacesWhatWasThere) {
  const Folder folder;
  folder.write("one.dat", "a text that is longer");
  write_files(folder.path(), {{"one.dat", "1\n"}});
  EXPECT_EQ(folder.read("one.dat"), "1\n");
  EXPECT_EQ(folder.listing(), (Names{"one.dat"}));
}

TEST(WriteFiles, RemovesWhatAKilledProgramLeft) {
  const Folder folder;
  const std::string none = std::to_string(1 << 22), own = std::to_string(getpid());  // the first exceeds every process id
  const Names kept = {".old.csv.ladder-" + own + "-0", ".old.csv.ladder-x", "old.csv.ladder-" + none + "-0"};
  for (const std::string& name : kept)
    folder.write(name, "text");
  folder.write(".old.csv.ladder-" + none + "-0", "half a te");
  for (const std::string& name : folder.listing())
    std::filesystem::last_write_time(folder.path() / name,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const std::string young = ".new.csv.ladder-" + none + "-0";
  folder.write(young, "perhaps another machine's");
  write_files(folder.path(), {{"one.dat", "1\n"}});
  Names expected = kept;
  expected.insert(expected.end(), {young, "one.dat"});
  std::ranges::sort(expected);
  EXPECT_EQ(folder.listing(), expected);
}

TEST(WriteFiles, LeavesAllAsItWasWhereOneFileCannotBeWritten) {
  const Folder folder;
  folder.write("one.dat", "before");
  std::filesystem::create_directory(folder.path() / "two.dat");
  const std::string message = input_error([&] { write_files(folder.path(), {{"one.dat", "after"}, {"two.dat", "after"}}); });
  EXPECT_TRUE(contains(message, "two.dat: cannot be written: it is a folder"));
  EXPECT_EQ(folder.read("one.dat"), "before");
  EXPECT_EQ(folder.listing(), (Names{"one.dat", "two.dat"}));
}

TEST(WriteFiles, NamesAFolderThatCannotBeMade) {
  const Folder folder;
  folder.write("file", "text");
  for (const auto& bad : {folder.path() / "file", folder.path() / "file" / "below", folder.path() / "new" / ".." / "file" / "x",
                          std::filesystem::path("/proc/none/below")})
    EXPECT_TRUE(contains(input_error([&] {
                           write_files(bad, {{"one.dat", "1"}});
                         }),
                         bad.string() + ": cannot be made a folder to write to"));
  EXPECT_EQ(folder.listing(), (Names{"file"}));
  EXPECT_EQ(folder.read("file"), "text");
  EXPECT_TRUE(contains(input_error([] { write_files("", {{"one.dat", "1"}}); }), "is empty"));
}

TEST(WriteFiles, NamesAFileThatCannotBeMade) {
  EXPECT_TRUE(contains(input_error([] { write_files("/proc", {{"one.dat", "1"}}); }), "/proc/one.dat: cannot be written"));
}

TEST(WriteFiles, LeavesAWholeFileWhereSeveralWriteItAtOnce) {
  const Folder folder;
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c', 'd'})
    writers.emplace_back([&folder, letter] {
      for (int i = 0; i < 20; ++i)
        write_files(folder.path(), {{"one.dat", std::string(100'000 + static_cast<std::size_t>(letter), letter)}});
    });
  for (auto& writer : writers)
    writer.join();
  const std::string text = folder.read("one.dat");
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text, std::string(100'000 + static_cast<std::size_t>(text[0]), text[0]));
  EXPECT_EQ(folder.listing(), (Names{"one.dat"}));
}

TEST(OutputFolder, IsHeldByOneAtATime) {
  const Folder folder;
  {
    const OutputFolder first(folder.path() / "out", {"one.dat"});
    const std::string message = input_error([&] { OutputFolder(folder.path() / "out", {"one.dat"}); });
    EXPECT_TRUE(contains(message, (folder.path() / "out").string() + ": another process (process " + std::to_string(getpid())));
    EXPECT_EQ(folder.listing(), (Names{"out"}));
  }
  EXPECT_EQ(folder.listing(), Names{});
  OutputFolder(folder.path() / "out", {"one.dat"});
}

TEST(OutputFolder, StaysWhereSomethingIsInIt) {
  const Folder folder;
  {
    const OutputFolder out(folder.path() / "a" / "b", {"one.dat"});
    write_files(folder.path() / "a" / "b", {{"one.dat", "1\n"}});
  }
  EXPECT_EQ(folder.listing(), (Names{"a", "a/b", "a/b/one.dat"}));
}

TEST(OutputFolder, IsRidOfWhatAKilledProcessHasLeft) {
  const Folder folder;
  for (const char* name : {"one.dat", ".one.dat.ladder-1-0", ".two.dat.ladder-1-0", ".one.dat"})
    folder.write(name, "text");
  const OutputFolder out(folder.path(), {"one.dat"});
  EXPECT_EQ(folder.listing(), (Names{".one.dat", ".two.dat.ladder-1-0", "one.dat"}));
}

TEST(RequireWritable, LeavesEverythingAsItWas) {
  const Folder folder;
  folder.write("one.dat", "before");
  require_writable(folder.path(), {"one.dat", "two.dat"});
  require_writable(folder.path() / "a" / "b", {"one.dat"});
  require_writable(folder.path() / "a" / "b" / "", {"one.dat"});
  EXPECT_EQ(folder.listing(), (Names{"one.dat"}));
  EXPECT_EQ(folder.read("one.dat"), "before");
}

TEST(RequireWritable, RefusesWhatWriteFilesWould) {
  const Folder folder;
  folder.write("file", "text");
  std::filesystem::create_directory(folder.path() / "one.dat");
  EXPECT_TRUE(
      contains(input_error([&] { require_writable(folder.path() / "file" / "x", {"one.dat"}); }), "cannot be made a folder"));
  EXPECT_TRUE(contains(input_error([&] { require_writable(folder.path(), {"one.dat"}); }), "it is a folder"));
  EXPECT_TRUE(contains(input_error([] { require_writable("/proc", {"one.dat"}); }), "cannot be written"));
  EXPECT_EQ(folder.listing(), (Names{"file", "one.dat"}));
}

}  // namespace
}  // namespace ladder
