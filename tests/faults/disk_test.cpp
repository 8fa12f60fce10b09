// A disk that is full or read-only, and a store that another process writes: the error is reported, and no row is lost.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "harness/record/rows.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;

/// Gives this process a private mount namespace; returns the reason if that is not permitted.
std::string take_own_mounts() {
  const auto user = std::to_string(getuid());
  const auto group = std::to_string(getgid());
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return std::string("no mounts of its own without the right to: ") + std::strerror(errno);
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << user << " " << user << " 1";
    std::ofstream("/proc/self/gid_map") << group << " " << group << " 1";
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return std::string("mounts cannot be made private: ") + std::strerror(errno);
  return {};
}

/// Something mounted on a folder, for the lifetime of this object.
class Mount {
 public:
  /// A disk with a capacity of `bytes`.
  Mount(const std::string& folder, std::size_t bytes) : folder_(folder) {
    fs::create_directories(folder);
    is_there_ = mount("none", folder.c_str(), "tmpfs", 0, ("mode=755,size=" + std::to_string(bytes)).c_str()) == 0;
  }
  /// Mounts the folder itself read-only.
  explicit Mount(const std::string& folder) : folder_(folder) {
    // A remount must keep the flags that the file system was mounted with. These bits equal MS_NOSUID etc.
    struct statvfs file_system {};
    statvfs(folder.c_str(), &file_system);
    const unsigned long kept = (file_system.f_flag & (ST_NOSUID | ST_NODEV | ST_NOEXEC | ST_NOATIME | ST_NODIRATIME)) |
                               ((file_system.f_flag & ST_RELATIME) != 0 ? static_cast<unsigned long>(MS_RELATIME) : 0UL);
    is_there_ = mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) == 0;
    if (is_there_ && mount(nullptr, folder.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | kept, nullptr) != 0) {
      umount2(folder.c_str(), MNT_DETACH);
      is_there_ = false;
    }
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  ~Mount() {
    if (is_there_) umount2(folder_.c_str(), MNT_DETACH);
  }
  [[nodiscard]] bool is_there() const { return is_there_; }

 private:
  std::string folder_;
  bool is_there_ = false;
};

class Disk : public testing::Test {
 protected:
  Installation on;
  const std::string results = "experiments/one/results";
  const std::string store = results + "/here.csv";
  const std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};

  void SetUp() override {
    if (const std::string reason = take_own_mounts(); !reason.empty()) GTEST_SKIP() << reason;
    on.study("one", R"(rounds = 12
sample_seconds = 0.001
[[matrix]]
rungs = ["d2q9/serial/01_skeleton"]
cases = ["box-16", "box-17"]
precisions = ["f32", "f64"]
check_steps = [1, 2]
steps = 10
)");
  }
};

const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

/// Size of the pages that a file occupies.
std::size_t pages(const fs::path& file) { return (fs::file_size(file) + page - 1) / page * page; }

TEST_F(Disk, FullForTemporaryFilesIsNoResultOfAProgram) {
  on.study("foreign",
           "rounds = 1\n[[contender]]\nname = \"mine\"\ncases = [\"box-16\"]\n"
           "command = [\"/bin/true\", \"{params}\", \"{obstacles}\"]\n");
  const std::string command = "\"$LADDER\" run foreign --machine here --no-report";
  const std::string rows = on.path("experiments/foreign/results/here.csv");
  {
    const Mount disk(on.path("tmp"), 2 * page);
    if (!disk.is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
    const ProcessResult full = on.shell("TMPDIR=\"$PWD/tmp\" " + command);
    EXPECT_EQ(full.code, exit_bad_input) << full.err;
    EXPECT_TRUE(contains(full.err, "accepted: TMPDIR names a folder with more space")) << full.err;
    EXPECT_TRUE(read_rows(rows).rows.empty());
  }
  EXPECT_EQ(on.shell(command).code, exit_check_failed);
  EXPECT_EQ(read_rows(rows).rows.front().outcome, "failed");
}

TEST_F(Disk, FullForTheBuildOfAKernelIsNoResultOfARung) {
  if (!on.can_run(tuned)) GTEST_SKIP() << "OpenCL cannot run here";
  on.study("kernel", "rounds = 1\nsample_seconds = 0.001\n[[matrix]]\nrungs = [\"" + std::string(tuned) +
                         "\"]\ncases = [\"box-16\"]\nprecisions = [\"f32\"]\n");
  const std::string start = "POCL_CACHE_DIR=\"$PWD/cache\" \"$LADDER\" ";
  const std::string command = start + "run kernel --machine here --no-report";
  const std::string rows = on.path("experiments/kernel/results/here.csv");
  // PoCL reports the first as a failed build, and the second ends the process.
  for (const std::size_t size : {2 * page, 64 * page}) {
    const Mount disk(on.path("cache"), size);
    if (!disk.is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
    const ProcessResult full = on.shell(command);
    EXPECT_EQ(full.code, exit_bad_input) << full.err;
    EXPECT_TRUE(contains(full.err, "not run, and nothing is stored: " + on.path("cache") +
                                       ": No space left on device; accepted: "
                                       "POCL_CACHE_DIR names a folder with more space"))
        << full.err;
    EXPECT_TRUE(read_rows(rows).rows.empty());
    const ProcessResult check = on.shell(start + "check " + tuned + " --case box-16 --precision f32");
    EXPECT_EQ(check.code, exit_bad_input) << check.out;
    EXPECT_TRUE(contains(check.err, "ladder: " + on.path("cache") + ": No space left on device")) << check.err;
  }
  const ProcessResult next = on.shell(command);
  EXPECT_EQ(next.code, exit_ok) << next.err;
  EXPECT_EQ(read_rows(rows).rows.front().outcome, "ok");
}

TEST_F(Disk, FullForTheTemporaryFilesOfARungIsNotItsResult) {
  const std::string id = "d2q9/serial/99_files";
  // Leaves no file behind, so that the disk has room again.
  on.add_rung(description_of(id), R"(#!/bin/sh
case $1 in
  probe) echo '{"available": true, "device": "serial", "threads": 1}' ;;
  case) echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "same"}' ;;
  check) head -c 1000000 /dev/zero > "$TMPDIR/file" || { rm "$TMPDIR/file"; exit 1; }
    rm "$TMPDIR/file"
    echo '{"outcome": "ok", "reason": "", "check_steps": 2, "population_error": 0, "tolerance": 1, "history_error": 0}' ;;
  measure) exit 4 ;;
esac
)");
  on.study("files", "rounds = 1\n[[matrix]]\nrungs = [\"" + id + "\"]\ncases = [\"box-16\"]\n");
  const std::string command = "TMPDIR=\"$PWD/tmp\" \"$LADDER\" run files --machine here --no-report";
  const std::string rows = on.path("experiments/files/results/here.csv");
  {
    const Mount disk(on.path("tmp"), 64 * page);
    if (!disk.is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
    const ProcessResult full = on.shell(command);
    EXPECT_EQ(full.code, exit_bad_input) << full.err;
    EXPECT_TRUE(contains(full.err, on.path("tmp") + ": No space left on device; accepted: TMPDIR names a folder")) << full.err;
    EXPECT_TRUE(read_rows(rows).rows.empty());
  }
  EXPECT_EQ(on.shell(command).code, exit_check_failed);
  EXPECT_EQ(read_rows(rows).rows.front().outcome, "ok");
  EXPECT_EQ(read_rows(rows).rows.back().outcome, "failed") << "with room, a failure is the rung's";
}

TEST_F(Disk, FullIsSaidAndTheRunCarriesOnWhenThereIsRoom) {
  const Mount disk(on.path(results), 256 * page);
  if (!disk.is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
  ASSERT_EQ(on.ladder(words).code, exit_ok);
  const std::string before = on.work().read(store);
  std::size_t provenance = 0;
  for (const auto& entry : fs::directory_iterator(on.path(results)))
    if (entry.path().extension() == ".json") provenance = pages(entry.path());
  ASSERT_GT(provenance, 0u);

  // Room for another session's provenance and for some of the rows.
  const std::size_t room = provenance + page;
  const std::string ballast = on.path(results + "/ballast");
  std::ofstream(ballast) << std::string(fs::space(on.path(results)).available - room, 'x');
  ASSERT_EQ(fs::space(on.path(results)).available, room);
  auto again = words;
  again.emplace_back("--again");
  const ProcessResult full = on.ladder(again);
  EXPECT_EQ(full.code, exit_bad_input) << full.err;
  EXPECT_TRUE(contains(full.err, on.path(store) + ": a row cannot be written: No space left on device"));
  const std::string stored = on.work().read(store);
  EXPECT_GT(stored.size(), before.size());
  EXPECT_EQ(stored.substr(0, before.size()), before);
  EXPECT_EQ(stored.back(), '\n');
  const auto rows = read_rows(on.path(store)).rows.size();

  // No room at all: not even the session can start.
  std::ofstream(on.path(results + "/more")) << std::string(fs::space(on.path(results)).available, 'x');
  const ProcessResult fuller = on.ladder(again);
  EXPECT_EQ(fuller.code, exit_bad_input) << fuller.err;
  EXPECT_TRUE(contains(fuller.err, "cannot be written"));
  EXPECT_EQ(on.work().read(store), stored);

  fs::remove(ballast);
  fs::remove(on.path(results + "/more"));
  const ProcessResult rest = on.ladder(words);
  EXPECT_EQ(rest.code, exit_ok) << rest.err;
  EXPECT_TRUE(contains(rest.err, "continuing session"));
  EXPECT_EQ(on.work().read(store).substr(0, stored.size()), stored);
  EXPECT_EQ(read_rows(on.path(store)).rows.size(), 2 * (lines(before).size() - 1));
  EXPECT_GT(2 * (lines(before).size() - 1), rows);
}

TEST_F(Disk, FullForAPictureIsSaid) {
  on.study("picture",
           "rounds = 1\nsample_seconds = 0.001\n[[matrix]]\nrungs = [\"d2q9/serial/01_skeleton\"]\n"
           "cases = [\"box-16\"]\n[[field]]\nrung = \"d2q9/serial/01_skeleton\"\ncase = \"box-128\"\nsteps = 2\n");
  const Mount disk(on.path("experiments/picture/results"), 16 * page);
  if (!disk.is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
  const ProcessResult full = on.ladder({"run", "picture", "--machine", "here", "--no-report"});
  EXPECT_EQ(full.code, exit_bad_input) << full.err;
  EXPECT_TRUE(contains(full.err, "box-128: no picture after 2 steps: ")) << full.err;
  EXPECT_TRUE(contains(full.err, "No space left on device")) << full.err;
  EXPECT_EQ(read_rows(on.path("experiments/picture/results/here.csv")).rows.size(), 3u) << "a check, a sample and its twin";
}

TEST_F(Disk, AReportOntoAFullOneIsBadInputAndSucceedsWhenThereIsRoom) {
  ASSERT_EQ(on.ladder(words).code, exit_ok);
  const Mount disk(on.path("t"), 32 * page);
  if (!disk.is_there()) GTEST_SKIP() << "cannot mount a tmpfs: " << std::strerror(errno);
  const std::vector<std::string> report = {"report", "one", "--out", on.path("t")};
  ASSERT_EQ(on.ladder(report).code, exit_ok);
  std::ofstream(on.path("t/ballast")) << std::string(fs::space(on.path("t")).available, 'x');
  const ProcessResult full = on.ladder(report);
  EXPECT_EQ(full.code, exit_bad_input) << full.err;
  EXPECT_TRUE(contains(full.err, "cannot be written"));
  for (const auto& name : on.work().listing())
    EXPECT_FALSE(name.ends_with(".part")) << name;
  fs::remove(on.path("t/ballast"));
  EXPECT_EQ(on.ladder(report).code, exit_ok);
}

TEST_F(Disk, ReadOnlyIsSaidAndTheRowsStay) {
  ASSERT_EQ(on.ladder(words).code, exit_ok);
  const std::string before = on.work().read(store);
  const auto files = on.work().listing();
  const Mount disk(on.path(results));
  if (!disk.is_there()) GTEST_SKIP() << "cannot mount a folder read-only: " << std::strerror(errno);
  for (const bool again : {false, true}) {
    auto all = words;
    if (again) all.emplace_back("--again");
    const ProcessResult result = on.ladder(all);
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_TRUE(contains(result.err, on.path(store) + ": cannot be written: Read-only file system"));
    EXPECT_EQ(on.work().read(store), before);
    EXPECT_EQ(on.work().listing(), files);
  }
}

TEST(Store, IsHeldByAProcessThatIsNamed) {
  const Installation on({std::filesystem::path(LADDER_FAULTS) / "loops_forever"});
  on.study("one", "timeout_seconds = 60\n[[matrix]]\nrungs = [\"faults/*\"]\ncases = [\"box-16\"]\n");
  const std::vector<std::string> words = {"run", "one", "--machine", "here", "--no-report"};
  const pid_t first = on.start(words);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (on.work().read("experiments/one/results/here.csv").empty() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const ProcessResult second = on.ladder(words);
  EXPECT_EQ(second.code, exit_bad_input) << second.out;
  EXPECT_TRUE(contains(second.err, on.path("experiments/one/results/here.csv")));
  EXPECT_TRUE(contains(second.err, "another 'ladder' (process " + std::to_string(first) + ") is writing this store"));

  // When interrupted, it ends its child processes.
  kill(first, SIGTERM);
  int status = 0;
  ASSERT_EQ(waitpid(first, &status, 0), first);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(on.processes(), std::vector<pid_t>{});
}

}  // namespace
}  // namespace ladder::test
