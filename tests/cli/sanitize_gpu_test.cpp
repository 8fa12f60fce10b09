// scripts/sanitize-gpu in a staged folder, with rungs and a sanitizer whose output is given by files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "base/process.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* checked_script = R"sh(#!/bin/sh
here=$(dirname "$0")
if [ "$1" = probe ]; then
  [ -e "$here/absent" ] && echo '{"available":false,"reason":"no CUDA device"}' ||
    echo '{"available":true,"device":"a GPU, \"new\"","driver":"NVIDIA 580","threads":0}'
fi
)sh";

/// Logs its arguments, and finds what the file `finds` lists for a tool, in lines `tool precision errors code`. If a file
/// `stops` exists, it stops the script, its great-grandparent, at the first run in double precision, and then keeps running for
/// a while.
constexpr const char* sanitizer_script = R"sh(#!/bin/bash
here=$(dirname "$0")
if [ "$1" = --version ]; then printf '%s\n' 'NVIDIA (R) Compute Sanitizer' 'Version 2025.3.0.0'; exit; fi
echo "$*" >>"$here/calls"
tool=$2
while [ $# -gt 0 ]; do [ "$1" = --precision ] && precision=$2; shift; done
parent_of() { awk '{print $4}' "/proc/$1/stat"; }
if [ -e "$here/stops" ] && [ "$precision" = f64 ]; then
  kill -TERM "$(parent_of "$(parent_of "$PPID")")"
  sleep 50
fi
errors=0
code=0
[ -e "$here/finds" ] && while read -r t p e c; do [ "$t $p" = "$tool $precision" ] && errors=$e code=$c; done <"$here/finds"
echo '========= COMPUTE-SANITIZER'
[ "$errors" = none ] && exit "$code"
if [ "$tool" = racecheck ]; then
  echo "========= RACECHECK SUMMARY: $errors hazards displayed (0 errors, $errors warnings)"
else
  echo "========= ERROR SUMMARY: $errors errors"
fi
exit "$code"
)sh";

class SanitizeGpu : public testing::Test {
 protected:
  Folder folder;

  SanitizeGpu() {
    fs::create_directories(folder.path() / "scripts");
    fs::copy_file(fs::path(LADDER_SOURCE) / "scripts/sanitize-gpu", folder.path() / "scripts/sanitize-gpu");
    std::string manifest = "rung rungs/d2q9/serial/01_skeleton/default\n";
    for (const std::string id : {"d2q9/cuda/01_one", "d2q9/cuda/02_two"}) {
      add_rung(id);
      manifest += "rung rungs/" + id + "/default\n";
    }
    folder.write("bin/manifest.txt", manifest + "ceilings ceilings/openmp\n");
    folder.write("bin/cases.txt", "d2q9 porous-37x23 porous-40x23 box-1040x9\nother a b\n");
    add("tool/compute-sanitizer", sanitizer_script);
  }

  void add_rung(const std::string& id) const {
    add("bin/rungs/" + id + "/default", checked_script);
    add("bin/rungs/" + id + "/default.json", R"({"id":")" + id + R"(","numbers":["f32","f64"]})");
  }
  void add(const std::string& name, const std::string& text) const {
    fs::create_directories((folder.path() / name).parent_path());
    fs::permissions(folder.write(name, text), fs::perms::owner_all);
  }

  [[nodiscard]] ProcessResult run(const Words& words = {}) const {
    return run_process(folder.path() / "scripts/sanitize-gpu", words, 60,
                       {{"LADDER_COMPUTE_SANITIZER", (folder.path() / "tool/compute-sanitizer").string()},
                        {"PATH", (folder.path() / "tool").string() + ":" + std::getenv("PATH")}});
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder.path() / name).string(); }
};

TEST_F(SanitizeGpu, RunsEachToolOverEachCudaRungInBothPrecisions) {
  const ProcessResult result = run({"--out", path("results/here.csv")});
  ASSERT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_EQ(lines(folder.read("tool/calls")).size(), 32u);
  EXPECT_TRUE(contains(folder.read("tool/calls"), "--tool memcheck --leak-check full --error-exitcode 99"));
  for (const std::string grid : {"porous-37x23", "porous-40x23"})
    EXPECT_TRUE(contains(folder.read("tool/calls"), "check --case " + grid + " --precision f64 --steps=2 --steps=80"));
  const auto rows = lines(folder.read("results/here.csv"));
  ASSERT_EQ(rows.size(), 33u);
  EXPECT_EQ(rows[0], "rung,tool,precision,case,steps,outcome,errors,exit_code,version,gpu,driver,utc,tuning,executable");
  EXPECT_TRUE(contains(rows[1], "d2q9/cuda/01_one,memcheck,f32,porous-37x23,80,clean,0,0,2025.3.0.0,\"a GPU, \\\""));
  EXPECT_TRUE(contains(rows[32], "d2q9/cuda/02_two,synccheck,f64,porous-40x23,"));
  EXPECT_TRUE(contains(result.out, "32 clean, 0 skipped, 0 not clean"));
}

TEST_F(SanitizeGpu, TakesTheOtherPathsOfARungToo) {
  const std::string strips = "d2q9/cuda/14_neighbours";
  add_rung(strips);
  folder.write("bin/manifest.txt", "rung rungs/" + strips + "/default\n");
  const ProcessResult result = run({"--out", path("here.csv"), "--jobs", "1"});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  const auto rows = lines(folder.read("here.csv"));
  ASSERT_EQ(rows.size(), 1u + 24);
  EXPECT_TRUE(contains(rows[9], ",memcheck,f32,porous-200x96,11,clean,")) << rows[9];
  EXPECT_TRUE(contains(rows[9], ",rows=8,"));
  EXPECT_TRUE(contains(folder.read("tool/calls"), "--case porous-200x96 --precision f64 --steps=2 --steps=11 --set rows=8"));
}

TEST_F(SanitizeGpu, SparesRacecheckAKernelThatWaitsWithoutABarrier) {
  const std::string tags = "d3q27/cuda/18_tags";
  add_rung(tags);
  folder.write("bin/manifest.txt", "rung rungs/d2q9/cuda/01_one/default\nrung rungs/" + tags + "/default\n");
  folder.write("bin/cases.txt", "d2q9 porous-37x23 porous-40x23\nd3q27 tgv-13x9x11 tgv-32x8x6\n");
  const ProcessResult result = run({"--out", path("here.csv")});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  const std::string rows = folder.read("here.csv");
  EXPECT_EQ(lines(rows).size(), 1u + 16 + 12);
  EXPECT_FALSE(contains(rows, tags + ",racecheck,"));
  EXPECT_TRUE(contains(rows, "01_one,racecheck,"));
}

TEST_F(SanitizeGpu, RunsARungOfSeveralProcessesInTwoUnderMemcheck) {
  const std::string strips = "d2q9/mpi+cuda/01_one";
  add_rung(strips);
  add("tool/mpirun", "#!/bin/sh\necho \"$*\" >> \"${0%/*}/launched\"\nshift 5\n\"$@\"\nexec \"$@\"\n");
  folder.write("bin/manifest.txt", "rung rungs/" + strips + "/default\n");
  folder.write("tool/finds", "memcheck f64 2 99\n");
  const ProcessResult result = run({"--out", path("here.csv"), "--jobs", "1"});
  EXPECT_EQ(result.code, 1) << result.out << result.err;
  const auto launched = lines(folder.read("tool/launched"));
  ASSERT_EQ(launched.size(), 2u);
  EXPECT_TRUE(contains(launched[0], "--oversubscribe --bind-to none -n 2 ")) << launched[0];
  const auto rows = lines(folder.read("here.csv"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_TRUE(contains(rows[1], strips + ",memcheck,f32,box-64x48,11,clean,0,0,")) << rows[1];
  EXPECT_TRUE(contains(rows[2], strips + ",memcheck,f64,box-64x48,11,errors,4,99,"))
      << "the errors of both processes: " << rows[2];
}

TEST_F(SanitizeGpu, FailsWhereAnErrorIsFoundAndGoesOn) {
  folder.write("tool/finds", "memcheck f64 3 99\nracecheck f32 1 0\nsynccheck f64 none 0\ninitcheck f32 0 1\n");
  const ProcessResult result = run({"--out", path("here.csv"), "--jobs", "1", "*/02*"});
  EXPECT_EQ(result.code, 1);
  const auto rows = lines(folder.read("here.csv"));
  ASSERT_EQ(rows.size(), 17u);
  EXPECT_TRUE(contains(rows[2], ",racecheck,f32,porous-37x23,80,errors,1,0,")) << "a warning is a hazard as well";
  EXPECT_TRUE(contains(rows[3], ",initcheck,f32,porous-37x23,80,failed,0,1,")) << "a wrong answer";
  EXPECT_TRUE(contains(rows[9], ",memcheck,f64,porous-37x23,80,errors,3,99,"));
  EXPECT_TRUE(contains(rows[12], ",synccheck,f64,porous-37x23,80,failed,,0,")) << "a tool without output";
  EXPECT_TRUE(contains(result.out, "8 clean, 0 skipped, 8 not clean"));
}

TEST_F(SanitizeGpu, TellsWhatWasSkipped) {
  folder.write("tool/finds", "memcheck f64 0 3\n");
  const ProcessResult result = run({"*/02*"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_TRUE(contains(result.out, "14 clean, 2 skipped, 0 not clean"));
}

TEST_F(SanitizeGpu, StoresWhatHasRunWhereItIsStopped) {
  folder.write("tool/stops", "");
  folder.write("here.csv", "whole");
  const ProcessResult result = run({"--out", path("here.csv"), "--jobs", "1"});
  EXPECT_EQ(result.code, 130) << result.out << result.err;
  EXPECT_LT(result.seconds, 40) << "running programs are ended as well";
  EXPECT_EQ(folder.read("here.csv"), "whole") << "is not replaced by a partial one";
  const auto rows = lines(folder.read("here.csv.stopped"));
  ASSERT_EQ(rows.size(), 1u + 8);
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_TRUE(contains(rows[i], ",f32,")) << rows[i];
  EXPECT_TRUE(contains(result.err, "stopped; 8 runs had ended"));
}

TEST_F(SanitizeGpu, SaysWhatItCannotDoAndWritesNothing) {
  const auto refused = [&](const Words& words, int code, const std::string& part) {
    const auto before = folder.listing();
    const ProcessResult result = run(words);
    EXPECT_EQ(result.code, code) << result.out;
    EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(folder.listing(), before);
  };
  refused({"--frobnicate"}, 2, "unknown option '--frobnicate'");
  refused({"--out"}, 2, "--out needs a value");
  refused({"--jobs", "many"}, 2, "--jobs 'many'");
  refused({"*/opencl/*"}, 2, "no CUDA rung matches '*/opencl/*'");
  refused({"d2q9/serial/*"}, 2, "no CUDA rung matches");
  refused({"--bin", path("none")}, 2, "no programs in");
  refused({"--out", path("bin")}, 2, "cannot be written");
  folder.write("bin/cases.txt", "other a b\n");
  refused({}, 2, "names no two cases of d2q9/cuda/01_one");
  folder.write("bin/cases.txt", "d2q9 porous-37x23 porous-40x23\n");
  folder.write("bin/rungs/d2q9/cuda/01_one/absent", "");
  refused({}, 3, "no CUDA device");
  fs::remove(folder.path() / "tool/compute-sanitizer");
  refused({}, 3, "which is no program");
}

}  // namespace
}  // namespace ladder::test
