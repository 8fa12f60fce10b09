// Which results a session may add to.
#include "harness/run/session.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;

MachineFacts host(int cores, const std::string& gpu) {
  MachineFacts machine;
  machine.name = "box";
  machine.cpu = "AMD EPYC";
  machine.cores = cores;
  if (!gpu.empty()) machine.gpus = {{.name = gpu}};
  return machine;
}

class Results : public testing::Test {
 protected:
  /// Stores a session; later ones have larger numbers.
  void session(int number, const MachineFacts& machine, const std::string& devices) const {
    const std::string gpus = machine.gpus.empty() ? "" : R"({"name": ")" + machine.gpus.front().name + R"("})";
    folder.write("box.20261125T00000" + std::to_string(number) + "Z-0000.json",
                 R"({"machine": {"name": "box", "cpu": "AMD EPYC", "cores": )" + std::to_string(machine.cores) +
                     R"(, "gpus": [)" + gpus + R"(]}, "devices": {)" + devices + "}}");
  }
  [[nodiscard]] bool accepts(const Measured& here) const {
    try {
      require_same_machine(folder.path(), here);
      return true;
    } catch (const InputError& e) {
      EXPECT_TRUE(contains(e.what(), "holds results of another machine, AMD EPYC, 32 cores")) << e.what();
      return false;
    }
  }

  const test::Folder folder;
  const std::string gpu = R"("cuda": "NVIDIA H100")";
  const std::string processor = R"("openmp": "AMD EPYC")";
};

TEST_F(Results, OfAProcessorTakeNoOtherProcessor) {
  session(1, host(32, ""), processor);
  EXPECT_TRUE(accepts(host(32, "")));
  EXPECT_FALSE(accepts(host(16, "")));
}

TEST_F(Results, OfAGpuTakeItsSessionsOnAnyHost) {
  session(1, host(32, "NVIDIA H100"), gpu);
  EXPECT_TRUE(accepts({host(16, "NVIDIA H100"), false}));
  EXPECT_TRUE(accepts({host(16, "NVIDIA H100"), true})) << "the first results of a processor";
  EXPECT_FALSE(accepts({host(16, "NVIDIA H200"), false}));
}

TEST_F(Results, OfAGpuAndAProcessorTakeNoOtherProcessor) {
  session(1, host(32, "NVIDIA H100"), gpu + ", " + processor);
  session(2, host(16, "NVIDIA H100"), gpu);
  EXPECT_TRUE(accepts({host(16, "NVIDIA H100"), false}));
  EXPECT_TRUE(accepts({host(32, "NVIDIA H100"), true}));
  EXPECT_FALSE(accepts({host(16, "NVIDIA H100"), true})) << "though the last session ran on this host";
}

/// A source tree in a folder, with or without git.
class Source : public testing::Test {
 protected:
  Source() { tree.write("CMakeLists.txt", ""); }

  void git(const std::string& words) const {
    const std::string as = "git -c user.name=a -c user.email=a@b -C '" + tree.path().string() + "' ";
    ASSERT_EQ(std::system((as + words + " >/dev/null 2>&1").c_str()), 0) << words;
  }
  void commit() const {
    git("init");
    git("add .");
    git("commit -m one");
  }
  [[nodiscard]] SourceFacts facts() const { return source_facts(tree.path()); }
  /// Expects that there is no commit, for this reason.
  void expect_unknown(const std::string& why) const {
    const SourceFacts found = facts();
    EXPECT_NE(found.version, "");
    EXPECT_EQ(found.commit, "");
    EXPECT_EQ(found.dirty, std::nullopt);
    EXPECT_TRUE(contains(found.unknown, why));
  }

  const test::Folder tree;
};

TEST_F(Source, HasACommitAndPerhapsChanges) {
  commit();
  EXPECT_EQ(facts().commit.size(), 40u);
  EXPECT_EQ(facts().unknown, "");
  EXPECT_EQ(facts().dirty, false);
  tree.write("CMakeLists.txt", "changed");
  EXPECT_EQ(facts().dirty, true);
}

TEST_F(Source, WithoutACommitSaysWhy) {
  expect_unknown("git: fatal: not a git repository");
  git("init");
  expect_unknown("did not match any file(s) known to git");
  git("add .");
  expect_unknown("git: fatal: Needed a single revision");
}

TEST_F(Source, BelowAnotherCheckoutHasNotItsCommit) {
  commit();
  std::filesystem::create_directory(tree.path() / "ladder");
  tree.write("ladder/CMakeLists.txt", "");
  EXPECT_TRUE(contains(source_facts(tree.path() / "ladder").unknown, "did not match any file(s) known to git"));
}

TEST_F(Source, OfAnotherUserHasNoCommit) {
  commit();
  setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 1);
  expect_unknown("git: fatal: detected dubious ownership in repository");
  unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER");
}

TEST_F(Source, IsAskedOfTheGitOnPath) {
  commit();
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  expect_unknown("there is no git on PATH");
  const auto fake = tree.write("git", "#!/bin/sh\ncase \"$*\" in *rev-parse*) echo abc;; *status*) exit 1;; esac\n");
  std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
  setenv("PATH", tree.path().c_str(), 1);
  EXPECT_EQ(facts().commit, "abc");
  EXPECT_EQ(facts().dirty, std::nullopt) << "git could not compare";
  setenv("PATH", path.c_str(), 1);
}

TEST_F(Source, ThatIsStagedTakesItsCommitFromAFile) {
  tree.write("source.json", R"({"commit": "abc", "dirty": true})");
  EXPECT_EQ(facts().commit, "abc");
  EXPECT_NE(facts().version, "");
  EXPECT_EQ(facts().dirty, true);
  tree.write("source.json", R"({"unknown": "git: no"})");
  expect_unknown("git: no");
  for (const char* text : {"", "[]", R"({"commit": 7})", R"({"dirty": "yes"})", "{\"commit\": \"\xff\"}"}) {
    tree.write("source.json", text);
    expect_unknown("source.json: ");
  }
}

}  // namespace
}  // namespace ladder
