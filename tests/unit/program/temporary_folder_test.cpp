// Temporary folders, and those that killed programs left behind.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/file.hpp"
#include "harness/run/build_identity.hpp"
#include "tests/support/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

class Temporary : public testing::Test {
 protected:
  Temporary() : before_(std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR")) { use(parent.path()); }
  ~Temporary() override { before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1); }
  static void use(const fs::path& path) { setenv("TMPDIR", path.c_str(), 1); }
  static void age(const fs::path& path) { fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1)); }

  const test::Folder parent;

 private:
  std::string before_;
};

TEST_F(Temporary, FolderIsNewAndRemoved) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_EQ(path.parent_path(), parent.path());
    EXPECT_TRUE(fs::is_empty(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Temporary, FolderHasAnAbsolutePath) {
  const fs::path here = fs::current_path();
  fs::current_path(parent.path());
  fs::create_directory("below");
  use("below");
  EXPECT_EQ(TemporaryFolder().path().parent_path(), fs::canonical(parent.path()) / "below");
  fs::current_path(here);
}

TEST_F(Temporary, AMissingParentIsNamed) {
  use(parent.path() / "none");
  const std::string error = test::input_error([] { TemporaryFolder(); });
  EXPECT_TRUE(test::contains(error, "TMPDIR='" + (parent.path() / "none").string() + "'")) << error;
}

TEST_F(Temporary, FoldersOfKilledProgramsAreRemoved) {
  for (const char* name : {"ladder-run-abc123", "ladder-run-new123", "ladder-run-mine", "other-abc123"})
    fs::create_directories(parent.path() / name / "below");
  for (const char* name : {"ladder-run-abc123", "ladder-run-mine", "other-abc123"})
    age(parent.path() / name);
  std::optional<TemporaryFolder> used;
  {
    // Created elsewhere, because a parent is cleaned up only once.
    const fs::path elsewhere = parent.path() / "elsewhere";
    fs::create_directory(elsewhere);
    use(elsewhere);
    used.emplace();
    fs::rename(used->path(), parent.path() / "ladder-run-used12");
    age(parent.path() / "ladder-run-used12");
    use(parent.path());
  }
  const TemporaryFolder next;
  EXPECT_FALSE(fs::exists(parent.path() / "ladder-run-abc123"));
  for (const char* name : {"ladder-run-new123", "ladder-run-mine", "other-abc123", "ladder-run-used12"})
    EXPECT_TRUE(fs::exists(parent.path() / name)) << name;
}

TEST(HashOfAFile, IsThatOfItsText) {
  const test::Folder folder;
  const std::string text(200'000, 'x');
  EXPECT_EQ(hash_of_file(folder.write("file", text)), hash_of(text));
  EXPECT_EQ(hash_of_file(folder.path() / "none"), hash_of(""));
  EXPECT_EQ(hash_of_file("/dev/zero"), hash_of(""));
}

}  // namespace
}  // namespace ladder
