// The script `ladder` with a build system that logs requests: what is built and when, and the effect of a failed build.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/error.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Configures by creating a folder; builds by logging the targets, except for those listed in the file `broken`.
constexpr const char* cmake_script = R"sh(#!/bin/bash
here=$(dirname "$(readlink -f "$0")")/..
case $1 in
  --list-presets) echo '  "release"'; exit ;;
  --preset) echo configure >>"$here/log"; touch "build/$2/build.ninja"; exit ;;
esac
targets=()
for ((i = 1; i <= $#; ++i)); do
  if [[ ${!i} == --target ]]; then targets=("${@:i+1}"); fi
done
echo "build ${targets[*]}" >>"$here/log"
object=variants/CMakeFiles/one.dir/kernel.cpp.o
if [[ -e $here/long ]]; then
  for ((i = 1; i < 40; ++i)); do echo "[$i/400] Building CXX object $object"; done
  sleep 4
  echo "[40/400] Building CXX object $object"
else
  echo "[1/2] Building CXX object $object"
fi
for target in "${targets[@]}"; do
  if [[ -e $here/broken && $target == $(<"$here/broken") ]]; then
    echo "FAILED: $target"
    echo "kernel.cpp:7: error: expected ';'"
    exit 1
  fi
done
mkdir -p "$2/bin"
if [[ ${#targets[@]} == 0 || " ${targets[*]} " == *" ladder "* ]]; then cp "$here/fake_program" "$2/bin/ladder"; fi
)sh";

/// Needs a target for each word after the command.
constexpr const char* program_script = R"sh(#!/bin/bash
if [[ $1 == targets ]]; then shift 2; [[ $# -eq 0 ]] || printf '%s\n' "$@"; exit; fi
echo "ran $*"
)sh";

class Script : public testing::Test {
 protected:
  Folder folder;

  Script() {
    for (const char* name :
         {"base", "cmake", "backends", "formats", "harness", "program", "reports", "roofline", "tests", "variants", "tools"})
      fs::create_directory(folder.path() / name);
    folder.write("CMakeLists.txt", "");
    folder.write("CMakePresets.json", "");
    fs::copy_file(fs::path(LADDER_SOURCE) / "ladder", folder.path() / "ladder");
    folder.write("variants/kernel.cpp", "");
    executable("fake_program", program_script);
    executable("tools/cmake", cmake_script);
    executable("tools/ctest", "#!/bin/sh\necho tested\n");
    executable("tools/apt-get", "#!/bin/sh\nexit 1\n");
    executable("tools/dpkg-query", "#!/bin/sh\nshift 2\nfor name; do echo \"$name=installed\"; done\n");
    executable("tools/apt-cache", "#!/bin/sh\nshift\nfor name; do echo \"$name\"; done\n");
  }

  void executable(const std::string& name, const std::string& text) const {
    fs::permissions(folder.write(name, text), fs::perms::owner_all);
  }

  ProcessResult ladder(const Words& words) const { return ladder_in(folder.path(), words); }

  /// Runs the script of another checkout.
  ProcessResult ladder_in(const fs::path& root, const Words& words) const {
    Words all = {"PATH=" + (folder.path() / "tools").string() + ":/usr/bin:/bin", "LADDER_PRESET=release",
                 (root / "ladder").string()};
    all.insert(all.end(), words.begin(), words.end());
    return run_process("/usr/bin/env", all, 60);
  }

  /// Everything configured and built since the last call.
  Words log() const {
    const fs::path file = folder.path() / "log";
    const Words all = fs::exists(file) ? lines(folder.read("log")) : Words{};
    fs::remove(file);
    return all;
  }

  /// Makes the file newer than everything built so far.
  void change(const std::string& name) const {
    fs::last_write_time(folder.path() / name, fs::file_time_type::clock::now() + std::chrono::seconds(2));
  }
};

TEST_F(Script, BuildsTheProgramAndThenWhatTheCommandNeeds) {
  const ProcessResult result = ladder({"check", "one", "two"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(result.out, "ran check one two\n");
  EXPECT_EQ(log(), (Words{"configure", "build ladder", "build one two"}));
}

TEST_F(Script, PrintsTheVersionWithoutBuilding) {
  fs::copy_file(fs::path(LADDER_SOURCE) / "CMakeLists.txt", folder.path() / "CMakeLists.txt",
                fs::copy_options::overwrite_existing);
  const ProcessResult result = ladder({"--version"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(result.out, Installation().ladder({"--version"}).out);
  EXPECT_EQ(log(), Words{});
}

TEST_F(Script, ShowsWhatIsBuilt) {
  const ProcessResult result = ladder({"check", "one"});
  EXPECT_TRUE(contains(result.err, "ladder: built 1 of 2: variants/kernel.cpp\n"));
}

TEST_F(Script, DerivesTheTimeLeftFromTheLastTwentyFiles) {
  folder.write("long", "");
  const ProcessResult result = ladder({"list"});
  // The first 20 files took no time. The last 20 took 4 s, give or take a tick of the clock or a second in which this machine
  // was busy. Derived from all 40, the time left would be half as long.
  EXPECT_TRUE(contains(result.err, "ladder: built 40 of 400, 54s left: variants/kernel.cpp\n") ||
              contains(result.err, "ladder: built 40 of 400, 1m 12s left: variants/kernel.cpp\n") ||
              contains(result.err, "ladder: built 40 of 400, 1m 30s left: variants/kernel.cpp\n"))
      << result.err;
}

TEST_F(Script, SaysThatItWaitsForAnotherBuild) {
  fs::create_directory(folder.path() / "build");
  const ProcessResult result =
      run_process("/bin/bash",
                  {"-c",
                   "export PATH=\"$1/tools:/usr/bin:/bin\" LADDER_PRESET=release; exec 8>\"$1/build/lock\"; flock 8; "
                   "\"$1/ladder\" list 8>&- & sleep 1; exec 8>&-; wait $!",
                   "bash", folder.path().string()},
                  60);
  EXPECT_EQ(result.code, exit_ok);
  EXPECT_EQ(result.out, "ran list\n");
  EXPECT_TRUE(contains(result.err, "ladder: waiting for another ./ladder that is building\n"));
  EXPECT_FALSE(contains(ladder({"check", "one"}).err, "waiting"));
}

TEST_F(Script, BuildsNothingElseForACommandThatNeedsNoRung) {
  EXPECT_EQ(ladder({"list"}).out, "ran list\n");
  EXPECT_EQ(log(), (Words{"configure", "build ladder"}));
}

TEST_F(Script, StartsAtOnceWhereNothingHasChanged) {
  ASSERT_EQ(ladder({"check", "one"}).code, exit_ok);
  log();
  EXPECT_EQ(ladder({"check", "one"}).out, "ran check one\n");
  EXPECT_EQ(ladder({"list"}).out, "ran list\n");
  EXPECT_EQ(log(), Words{});
}

TEST_F(Script, StartsAtOnceWhereTheCheckoutWasMovedOrCopiedWithItsDates) {
  ASSERT_EQ(ladder({"check", "one"}).code, exit_ok);
  log();
  const Folder elsewhere;
  const auto copy = [&](const std::string& name, const std::string& option) {
    const std::string to = (elsewhere.path() / name).string();
    EXPECT_EQ(run_process("/bin/cp", {option, folder.path().string(), to}, 60).code, 0);
    return to;
  };
  const std::string dated = copy("dated", "-a");
  EXPECT_EQ(ladder_in(dated, {"check", "one"}).out, "ran check one\n");
  EXPECT_EQ(log(), Words{});
  EXPECT_TRUE(contains(ladder_in(dated, {"check", "two"}).err, "was built in another folder")) << "what is added is configured";
  EXPECT_EQ(log(), (Words{"configure", "build two", "build ladder"}));
  EXPECT_EQ(ladder_in(copy("undated", "-r"), {"check", "one"}).out, "ran check one\n");
  EXPECT_EQ(log(), (Words{"configure", "build ladder", "build one"})) << "it could hide changes";
}

TEST_F(Script, SettlesFilesDatedInTheFuture) {
  const auto later = [] { return fs::file_time_type::clock::now() + std::chrono::hours(1); };
  ASSERT_EQ(ladder({"list"}).code, exit_ok);
  log();
  fs::last_write_time(folder.path() / "variants/kernel.cpp", later());
  EXPECT_TRUE(contains(ladder({"list"}).err, "dated in the future, and now get the current time: variants/kernel.cpp\n"));
  EXPECT_EQ(log(), Words{"build ladder"});
  ladder({"list"});
  EXPECT_EQ(log(), Words{}) << "once is enough";
  for (const auto& stamp : fs::directory_iterator(folder.path() / "build/release/built"))
    fs::last_write_time(stamp.path(), later());
  EXPECT_TRUE(contains(ladder({"list"}).err, "build/release is dated in the future; rebuilding\n"));
  EXPECT_EQ(log(), (Words{"configure", "build ladder"}));
}

TEST_F(Script, RemembersEachSetOfTargets) {
  ASSERT_EQ(ladder({"check", "one"}).code, exit_ok);
  ASSERT_EQ(ladder({"check", "two"}).code, exit_ok);
  EXPECT_EQ(log(), (Words{"configure", "build ladder", "build one", "build two"}));
  EXPECT_EQ(ladder({"check", "one"}).code, exit_ok);
  EXPECT_EQ(ladder({"check", "two"}).code, exit_ok);
  EXPECT_EQ(log(), Words{});
}

TEST_F(Script, BuildsAnewWhatIsAskedForWhenASourceChanged) {
  ASSERT_EQ(ladder({"check", "one"}).code, exit_ok);
  ASSERT_EQ(ladder({"check", "two"}).code, exit_ok);
  log();
  change("variants/kernel.cpp");
  EXPECT_EQ(ladder({"check", "two"}).code, exit_ok);
  EXPECT_EQ(log(), (Words{"build ladder", "build two"}));
}

TEST_F(Script, StopsOnlyCommandsThatNeedWhatDoesNotBuild) {
  folder.write("broken", "two");
  EXPECT_EQ(ladder({"check", "one"}).code, exit_ok);
  for (int i = 0; i < 2; ++i) {
    const ProcessResult result = ladder({"check", "one", "two"});
    EXPECT_EQ(result.code, exit_unavailable);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "kernel.cpp:7: error: expected ';'"));
  }
  EXPECT_EQ(ladder({"list"}).out, "ran list\n");
  EXPECT_EQ(ladder({"check", "one"}).out, "ran check one\n");
  log();
  fs::remove(folder.path() / "broken");
  EXPECT_EQ(ladder({"check", "one", "two"}).code, exit_ok);
  EXPECT_EQ(log(), (Words{"build one two"}));
}

TEST_F(Script, BuildsEverythingToTest) {
  const ProcessResult result = ladder({"test"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_EQ(result.out, "tested\n");
  EXPECT_EQ(log(), (Words{"configure", "build "}));
}

TEST_F(Script, WarnsBeforeTestsIfTheNameOfTheMachineDoesNotResolve) {
  executable("tools/mpirun", "#!/bin/sh\n");
  for (const bool resolves : {false, true}) {
    executable("tools/getent", resolves ? "#!/bin/sh\n" : "#!/bin/sh\nexit 2\n");
    const ProcessResult result = ladder({"test"});
    EXPECT_EQ(result.code, exit_ok) << result.err;
    EXPECT_EQ(contains(result.err, "does not resolve"), !resolves) << result.err;
  }
}

TEST_F(Script, SetsUpToDevelop) {
  executable("tools/dpkg-query", "#!/bin/sh\nshift 2\nfor name; do [ $name = chromium ] || echo \"$name=installed\"; done\n");
  const bool is_root = geteuid() == 0;
  for (const bool fails : {false, true}) {
    executable("tools/apt-get", fails ? "#!/bin/sh\nexit 1\n" : "#!/bin/sh\n");
    const ProcessResult result = ladder({"setup", "--dev"});
    EXPECT_EQ(result.code, !is_root ? exit_bad_input : fails ? exit_unavailable : exit_ok) << result.err;
    EXPECT_TRUE(fails || contains(result.err, " chromium\n")) << result.err;
    EXPECT_EQ(log(), fails ? Words{} : (Words{"configure", "build ladder"}));
  }
}

TEST_F(Script, SetsUpTheProgramAlone) {
  EXPECT_EQ(ladder({"setup"}).out, "");
  EXPECT_EQ(log(), (Words{"configure", "build ladder"}));
}

TEST_F(Script, NamesABuildFolderThatCannotBeWritten) {
  const auto expect_refused = [&](const ProcessResult& result) {
    EXPECT_EQ(result.code, exit_bad_input) << result.err;
    EXPECT_TRUE(contains(result.err, "/build cannot be written; the build is kept there\n")) << result.err;
    EXPECT_EQ(log(), Words{});
  };
  folder.write("build", "a file");
  expect_refused(ladder({"list"}));
  fs::remove(folder.path() / "build");
  // Permissions do not restrict root, so another user starts the script.
  Words words = {"PATH=/usr/bin:/bin"};
  if (geteuid() == 0) words.insert(words.end(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
  words.insert(words.end(), {(folder.path() / "ladder").string(), "list"});
  const fs::perms read_only = fs::perms(0555);
  fs::permissions(folder.path(), read_only);
  const ProcessResult result = run_process("/usr/bin/env", words, 60);
  fs::permissions(folder.path(), fs::perms::owner_all);
  expect_refused(result);
}

/// A tree for scripts/stage whose build takes no time.
class Stage : public Script {
 protected:
  Stage() {
    for (const char* name : {"scripts", "build", "build/stage", "build/stage/bin", "experiments/one/results"})
      fs::create_directories(folder.path() / name);
    fs::copy_file(fs::path(LADDER_SOURCE) / "scripts/stage", folder.path() / "scripts/stage");
    fs::copy_file(fs::path(LADDER_SOURCE) / "scripts/sanitize-gpu", folder.path() / "scripts/sanitize-gpu");
    folder.write("build/stage/bin/manifest.txt", "");
    folder.write("experiments/one/results/old.csv", "1\n");
    executable("tools/ninja", "#!/bin/sh\n");
    executable("tools/cmake", "#!/bin/sh\n");
  }

  ProcessResult stage() const {
    return run_process("/usr/bin/env",
                       {"PATH=" + (folder.path() / "tools").string() + ":/usr/sbin:/sbin:/usr/bin:/bin",
                        (folder.path() / "scripts/stage").string()},
                       60);
  }
};

TEST_F(Stage, KeepsResultsThatWereMeasuredThere) {
  ASSERT_EQ(stage().code, exit_ok) << stage().err;
  EXPECT_TRUE(contains(folder.read("stage/source.json"), R"({"unknown": "git: fatal: not a git repository)"));
  ASSERT_EQ(stage().code, exit_ok) << "it has nothing new";
  for (const char* name : {"new.csv", "old.csv"}) {
    folder.write("stage/experiments/one/results/" + std::string(name), "1\n2\n");
    const ProcessResult refused = stage();
    EXPECT_EQ(refused.code, exit_bad_input);
    EXPECT_TRUE(contains(refused.err, "  stage/experiments/one/results/" + std::string(name) + "\n"));
    EXPECT_EQ(folder.read("stage/experiments/one/results/" + std::string(name)), "1\n2\n");
    folder.write("experiments/one/results/" + std::string(name), "1\n2\n");
    EXPECT_EQ(stage().code, exit_ok) << "it was copied back";
  }
  folder.write("experiments/one/results/old.csv", "1\n2\n3\n");
  EXPECT_EQ(stage().code, exit_ok) << "what was staged is older, but nothing was measured there";
}

}  // namespace
}  // namespace ladder::test
