// Processes that build programs on PoCL at the same time.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "backends/opencl/build_lock.hpp"
#include "backends/opencl/program.hpp"
#include "tests/support/folder.hpp"

namespace ladder::opencl {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* marks = "LADDER_TEST_MARKS";

/// Leaves a file for the test that started this process, if one did.
void mark(const char* name) {
  if (const char* folder = std::getenv(marks)) std::ofstream(fs::path(folder) / name).flush();
}

TEST(ProgramOnPocl, IsBuiltAndRun) {
  std::vector<cl::Device> all;
  try {
    all = devices();
  } catch (const Error& e) {
    std::cerr << e.what() << '\n';
  }
  std::erase_if(all, [](const cl::Device& device) { return !Device(device).is_pocl(); });
  if (all.empty()) {
    mark("no PoCL");
    GTEST_SKIP() << "no PoCL";
  }
  const Device device(all[0]);
  mark("begun");
  Kernel fill(device, build(device, {"kernel void fill(global float* a) { a[get_global_id(0)] = get_local_id(0); }"}, {}),
              "fill", {4, 1});
  mark("built");
  Buffer<float> numbers(device, 8);
  fill({8, 1}, {{"a", numbers}});
  EXPECT_EQ(numbers.read()[7], 3);
}

/// The lock of an empty cache. PoCL does not survive a fork, so other processes are new instances of this program that run the
/// test above.
class BuildLockTest : public testing::Test {
 protected:
  test::Folder folder;

  BuildLockTest() {
    setenv("POCL_CACHE_DIR", (folder.path() / "cache").c_str(), 1);
    setenv(marks, folder.path().c_str(), 1);
  }
  ~BuildLockTest() override {
    unsetenv("POCL_CACHE_DIR");
    unsetenv(marks);
  }

  static pid_t start_build() {
    std::string program = fs::read_symlink("/proc/self/exe"), filter = "--gtest_filter=ProgramOnPocl.IsBuiltAndRun";
    std::array<char*, 3> words = {program.data(), filter.data(), nullptr};
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, program.c_str(), nullptr, nullptr, words.data(), environ), 0);
    return process;
  }
  static bool succeeds(pid_t process) {
    int status = 0;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  /// Whether the operating system lists the process as waiting for a lock:
  /// `1: -> FLOCK  ADVISORY  WRITE 1234 fe:00:10952879 0 EOF`.
  static bool waits_for_a_lock(pid_t process) {
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);)
      if (line.find("-> FLOCK ") != std::string::npos && line.find(" " + std::to_string(process) + " ") != std::string::npos)
        return true;
    return false;
  }
  [[nodiscard]] bool is_marked(const char* name) const { return fs::exists(folder.path() / name); }

  template <class Condition>
  static bool comes_true(std::chrono::seconds limit, Condition condition) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(10ms);
    return condition();
  }
};

TEST_F(BuildLockTest, KeepsAnotherProcessFromBuilding) {
  pid_t other = 0;
  {
    const BuildLock lock;
    other = start_build();
    ASSERT_TRUE(comes_true(60s, [&] { return is_marked("begun") || is_marked("no PoCL"); }));
    if (is_marked("no PoCL")) {
      EXPECT_TRUE(succeeds(other));
      GTEST_SKIP() << "no PoCL";
    }
    comes_true(60s, [&] { return is_marked("built") || waits_for_a_lock(other); });
    EXPECT_FALSE(is_marked("built"));
  }
  EXPECT_TRUE(succeeds(other));
  EXPECT_TRUE(is_marked("built"));
}

TEST_F(BuildLockTest, LetsProcessesBuildTheSameProgramInTurn) {
  for (int round = 0; round < 2; ++round) {
    fs::remove_all(folder.path() / "cache");
    std::vector<pid_t> processes;
    for (int i = 0; i < 3; ++i)
      processes.push_back(start_build());
    for (const pid_t process : processes)
      EXPECT_TRUE(succeeds(process));
    if (is_marked("no PoCL")) GTEST_SKIP() << "no PoCL";
  }
}

TEST_F(BuildLockTest, KeepsOthersFromBuildingIfTheCacheIsDeletedMeanwhile) {
  auto lock = std::make_unique<BuildLock>();
  const pid_t other = start_build();
  comes_true(60s, [&] { return is_marked("no PoCL") || waits_for_a_lock(other); });
  fs::remove_all(lock->file().parent_path());
  {
    const BuildLock second;
    lock.reset();
    comes_true(60s, [&] { return is_marked("no PoCL") || is_marked("built") || waits_for_a_lock(other); });
    EXPECT_FALSE(is_marked("built"));
  }
  EXPECT_TRUE(succeeds(other));
}

TEST_F(BuildLockTest, EndsWithTheProcess) {
  const auto die = [] {
    const BuildLock lock;
    raise(SIGKILL);
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(BuildLock().file(), folder.path() / "cache/ladder.lock");
}

TEST_F(BuildLockTest, LiesInTheCacheOrWhereThatCannotBeWrittenInTheFolderForTemporaryFiles) {
  EXPECT_EQ(BuildLock().file(), folder.path() / "cache/ladder.lock");
  const test::Folder temporary;
  folder.write("file", "");
  setenv("POCL_CACHE_DIR", (folder.path() / "file").c_str(), 1);
  setenv("TMPDIR", temporary.path().c_str(), 1);
  EXPECT_EQ(BuildLock().file(), temporary.path() / ("ladder-pocl-" + std::to_string(geteuid()) + ".lock"));
  setenv("TMPDIR", (folder.path() / "file").c_str(), 1);
  EXPECT_THROW(BuildLock(), std::system_error);
  unsetenv("TMPDIR");
  unsetenv("POCL_CACHE_DIR");
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  EXPECT_EQ(BuildLock().file(), folder.path() / "pocl/kcache/ladder.lock");
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace ladder::opencl
