// `ladder profile` with a fake profiler that prints a file's contents: how it is called, and which results are stored or
// refused.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/record/csv.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* flat = "d2q9/cuda/90_flat";
constexpr const char* steep = "d2q9/cuda/91_steep";

std::string description(const std::string& id, const std::string& backend = "cuda") {
  return R"({"id": ")" + id + R"(", "model": "d2q9", "backend": ")" + backend + R"(", "build": "default", "follows": "",
 "idea": "none", "layout": "none", "traffic": "none", "source": "none", "bound": "none", "compiler": "none", "flags": "none",
 "lattices": 2, "collision": "factored", "operations": [{"form": "factored", "add": 85, "total": 85}],
 "bytes_per_update": {"f32": {"read": 37, "write": 36}, "f64": {"read": 73, "write": 72}},
 "bytes_per_update_minimum": {"f32": 72, "f64": 144},
 "tunables": [{"name": "wx", "meaning": "a side", "values": [1, 2], "initial": 1}],
 "constraints": [], "observable": "average speed", "cases": ["box-16"]})";
}

/// Answers like a rung; the file `refuse` holds an exit code and a reason for `profile`.
constexpr const char* rung_script = R"sh(#!/bin/sh
here=$(dirname "$0")
case $1 in
  probe) [ -e "$here/absent" ] && echo '{"available": false, "reason": "no CUDA device", "profiler": true}' ||
    echo '{"available": true, "device": "a GPU", "driver": "a driver", "threads": 0, "profiler": true}' ;;
  case) [ "$3" = box-16 ] || { echo "unknown case '$3'" >&2; exit 2; }
    echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "box"}' ;;
  profile)
    echo "$*" >>"$here/asked"
    if [ -e "$here/refuse" ]; then { read -r code; cat >&2; } <"$here/refuse"; exit "$code"; fi
    echo '{"cells": 256, "steps": 16, "footprint_bytes": 18688}' ;;
  measure)
    [ -e "$here/mute" ] && exit
    seconds=0.25 steps=1000
    [ -n "$CUDA_INJECTION64_PATH" ] && seconds=0.5
    [ -n "$SLOWER" ] && seconds=$SLOWER steps=16
    echo '{"benchmarks": [{"run_type": "iteration", "real_time": '$seconds', "time_unit": "s", "cells": 256, "steps": '$steps'}]}' ;;
esac
)sh";

/// Logs how it is called, and repeats the output of `answer.sh` as often as the file `launches` says.
constexpr const char* ncu_script = R"sh(#!/bin/bash
here=$(dirname "$0")
if [ "$1" = --version ]; then
  printf '%s\n' 'NVIDIA (R) Nsight Compute Command Line Profiler' 'Version 2025.3.1.0 (build 36398880) (public-release)'
  exit
fi
printf '%s\n' "$*" >>"$here/calls"
log=/dev/stdout
steps=0
metrics=
for ((i = 1; i <= $#; ++i)); do
  next=$((i + 1))
  case ${!i} in
    --log-file) log=${!next} ;;
    --metrics) metrics=${!next} ;;
    --steps) steps=${!next} ;;
  esac
done
if [ -e "$here/fail" ]; then cat "$here/fail" >"$log"; exit 1; fi
if [ -e "$here/lacks" ] && [[ $metrics == *$(<"$here/lacks")* ]]; then
  echo "==ERROR== Failed to find metric $(<"$here/lacks")" >"$log"
  exit 1
fi
if [ -e "$here/lacks_too" ] && [[ $metrics == *$(<"$here/lacks_too")* ]]; then
  echo "==ERROR== Failed to find metric $(<"$here/lacks_too")" >"$log"
  exit 1
fi
launches=$steps
[ -e "$here/persistent" ] && launches=1
{
  echo '==PROF== Connected to process 1 (x)'
  names= units= values=
  if [[ $metrics == *sm__throughput* ]]; then
    names=',"lts__t_requests.sum","sm__cycles_elapsed.avg.per_second","sm__throughput.avg.pct_of_peak_sustained_elapsed"'
    units=',"","cycle/nsecond","%"'
    values=',"n/a","1.5","4.33"'
  fi
  echo '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes_read.sum","dram__bytes_write.sum","gpu__time_duration.sum","launch__registers_per_thread"'"$names"
  echo '"","","","","","","","","","","","byte","byte","ns","register/thread"'"$units"
  for ((i = 0; i < launches; ++i)); do
    echo "\"$i\",\"1\",\"x\",\"secret-host\",\"timestep\",\"1\",\"7\",\"(16, 1, 1)\",\"(1, 16, 1)\",\"0\",\"9.0\",\"9,472\",\"9,216\",\"2,000\",\"40\"$values"
  done
  echo '==PROF== Disconnected from process 1'
} >"$log"
if [[ $* == *" measure "* ]]; then
  while [[ $1 != */default ]]; do shift; done
  SLOWER=0.064
  [[ $metrics == *,* ]] && SLOWER=0.64
  SLOWER=$SLOWER "$@"
fi
)sh";

class Profile : public testing::Test {
 protected:
  Folder tools;
  fs::path ncu = executable("ncu", ncu_script);
  Installation on{{}, {{"LADDER_NCU", ncu.string()}}};
  fs::path rung = on.add_rung(description(flat), rung_script);
  fs::path other = on.add_rung(description(steep), rung_script);
  const std::string results = "experiments/profile/results/";

  fs::path executable(const std::string& name, const std::string& text) const {
    const fs::path file = tools.write(name, text);
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  [[nodiscard]] ProcessResult profile(const Words& rungs, const Words& more = {}) const {
    Words words = {"profile"};
    words.insert(words.end(), rungs.begin(), rungs.end());
    words.insert(words.end(), {"--case", "box-16", "--machine", "here"});
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }

  [[nodiscard]] std::vector<std::string> calls() const { return lines(tools.read("calls")); }

  /// The stored rows, each as a map from columns to text.
  [[nodiscard]] std::vector<std::map<std::string, std::string>> rows(const std::string& folder = "") const {
    const std::string text = on.work().read((folder.empty() ? results : folder) + "here.profile.csv");
    const auto file = CsvFile::parse("f", text);
    std::vector<std::map<std::string, std::string>> all;
    for (const auto& record : file.records()) {
      auto& row = all.emplace_back();
      for (const char* name : {"session",
                               "kind",
                               "rung",
                               "case",
                               "precision",
                               "tuning",
                               "steps",
                               "kernel",
                               "launches",
                               "replay",
                               "profiler",
                               "dram_bytes_per_update",
                               "bytes_per_update_model",
                               "executable",
                               "l2_bytes",
                               "device",
                               "sm_throughput",
                               "sm_frequency",
                               "l2_requests",
                               "step_seconds",
                               "step_seconds_recorded",
                               "step_seconds_one_counter",
                               "step_seconds_profiled"})
        row[name] = record.fields[file.column(name)];
    }
    return all;
  }

  void expect_refused(const Words& words, const Words& parts, int code = exit_bad_input) const {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, code) << result.out << result.err;
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }
};

TEST_F(Profile, AsksTheProfilerWithoutAShell) {
  const ProcessResult result = profile({flat}, {"--set", "wx=2", "--precision", "f64"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  ASSERT_EQ(calls().size(), 1u);
  const std::string call = calls()[0];
  for (const char* part : {"--csv --page raw", "--clock-control none", "--cache-control none", "--profile-from-start off",
                           "--replay-mode application", "dram__bytes_read.sum,dram__bytes_write.sum",
                           "/d2q9/cuda/90_flat/default", " profile --case box-16 --precision f64 --set wx=2 --steps 16"})
    EXPECT_TRUE(contains(call, part));
}

TEST_F(Profile, StoresARowAKernelAndOneForTheStep) {
  const ProcessResult result = profile({flat});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.out, "DRAM 73.0 B per update (read 37.0, written 36.0)"));
  const auto stored = rows();
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].at("kind"), "kernel");
  EXPECT_EQ(stored[0].at("kernel"), "timestep");
  EXPECT_EQ(stored[1].at("kind"), "step");
  EXPECT_EQ(stored[1].at("launches"), "16");
  EXPECT_EQ(stored[1].at("tuning"), "wx=1");
  EXPECT_EQ(stored[1].at("dram_bytes_per_update"), "73");
  EXPECT_EQ(stored[1].at("profiler"), "ncu 2025.3.1.0");
  EXPECT_EQ(stored[1].at("l2_bytes"), "") << "not answered";
  const auto session = Json::parse(on.work().read(results + "here.profile." + stored[1].at("session") + ".json"));
  EXPECT_EQ(session.at("profiler").at("version"), "2025.3.1.0");
  EXPECT_EQ(session.at("drivers").at("cuda"), "a driver");
  EXPECT_EQ(session.at("rungs").at(flat).at("executable"), stored[1].at("executable"));
  EXPECT_EQ(session.dump().find("secret-host"), std::string::npos);
  EXPECT_EQ(on.work().read(results + "here.profile.csv").find("secret-host"), std::string::npos);
}

TEST_F(Profile, ProfilesManyStepsWhereAKernelDoesSeveral) {
  tools.write("persistent", "");
  ASSERT_EQ(profile({flat}).code, exit_ok);
  ASSERT_EQ(calls().size(), 2u);
  EXPECT_EQ(rows().back().at("steps"), "1024");
  ASSERT_EQ(profile({flat}, {"--steps", "3"}).code, exit_ok);
  EXPECT_EQ(calls().size(), 3u) << "as many as the user requested";
  EXPECT_EQ(rows().back().at("steps"), "3");
  EXPECT_EQ(rows().size(), 4u) << "appended";
}

TEST_F(Profile, StoresBesideTheResultsOfAStudy) {
  on.study("mine", "[[matrix]]\nrungs = [\"*\"]\ncases = [\"box-16\"]\n");
  ASSERT_EQ(profile({flat}, {"--study", "mine", "--replay", "kernel"}).code, exit_ok);
  EXPECT_EQ(rows("experiments/mine/results/").back().at("replay"), "kernel");
  expect_refused({"profile", flat, "--case", "box-16", "--study", "mime"}, {"no study 'mime'", "'mine'"});
}

TEST_F(Profile, CanBeReportedOn) {
  ASSERT_EQ(profile({flat}).code, exit_ok);
  const ProcessResult report = on.ladder({"report", "profile", "--out", on.path("out")});
  ASSERT_EQ(report.code, exit_ok) << report.err;
  EXPECT_TRUE(contains(on.work().read("out/index.html"), flat));
}

TEST_F(Profile, PassesOverWhatCannotBeProfiledBesideOthers) {
  std::ofstream(rung / "refuse") << "2\ngrid too large for this rung\n";
  const ProcessResult result = profile({tuned, "d2q9/cuda/*"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err,
                       std::string("skipped: ") + tuned +
                           " cannot be profiled, since its backend is opencl: Nsight Compute does not support OpenCL kernels"));
  EXPECT_TRUE(contains(result.err, std::string("skipped: ") + flat + ": grid too large for this rung"));
  ASSERT_EQ(rows().size(), 2u);
  EXPECT_EQ(rows()[0].at("rung"), steep);
}

TEST_F(Profile, FailsWhereARungIsWrongAndGoesOn) {
  std::ofstream(rung / "refuse") << "1\nthe conserved sum went from 1 to 2\n";
  const ProcessResult result = profile({"d2q9/cuda/*"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.err, "wrong: the conserved sum went from 1 to 2"));
  EXPECT_EQ(rows().size(), 2u);
}

TEST_F(Profile, StoresNothingOfARungThatChangesMeanwhile) {
  std::ofstream(rung / "default") << replace_all(rung_script, "  profile)\n", "  profile)\n    echo >> \"$0\"\n");
  expect_refused({"profile", flat, "--case", "box-16", "--machine", "here"},
                 {(rung / "default").string() + " was changed or removed"});
}

TEST_F(Profile, LeavesOutMetricsThatTheProfilerDoesNotKnow) {
  tools.write("lacks", "lts__t_bytes.sum");
  const ProcessResult result = profile({"d2q9/cuda/*"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "does not know lts__t_bytes.sum; left out"));
  EXPECT_EQ(calls().size(), 3u) << "asked once more, but not again for the other rung";
}

TEST_F(Profile, LeavesOutEachMetricThatIsNamedLater) {
  // Two unknown metrics; the profiler reports only one at a time.
  tools.write("lacks", "lts__t_bytes.sum");
  tools.write("lacks_too", "l1tex__t_bytes.sum");
  const ProcessResult result = profile({flat}, {"--details"});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(result.err, "does not know lts__t_bytes.sum; left out"));
  EXPECT_TRUE(contains(result.err, "does not know l1tex__t_bytes.sum; left out"));
  EXPECT_EQ(calls().size(), 3u);
  EXPECT_DOUBLE_EQ(std::stod(rows().back().at("sm_throughput")), 0.0433);
}

TEST_F(Profile, ReadsDetailsOnRequest) {
  const ProcessResult few = profile({flat});
  ASSERT_EQ(few.code, exit_ok) << few.err;
  EXPECT_FALSE(contains(calls()[0], "sm__throughput"));
  EXPECT_FALSE(contains(few.out, "of the peak"));
  EXPECT_EQ(rows().back().at("sm_throughput"), "");
  const ProcessResult result = profile({flat}, {"--details"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  EXPECT_TRUE(contains(calls()[1], ",sm__throughput.avg.pct_of_peak_sustained_elapsed,"));
  EXPECT_TRUE(contains(result.out, "4.3 %")) << result.out;
  EXPECT_TRUE(contains(result.out, "1,500 MHz")) << result.out;
  EXPECT_TRUE(contains(result.err, "lts__t_requests.sum ('n/a ')")) << result.err;
  const auto stored = rows().back();
  EXPECT_DOUBLE_EQ(std::stod(stored.at("sm_throughput")), 0.0433);
  EXPECT_DOUBLE_EQ(std::stod(stored.at("sm_frequency")), 1.5e9);
  EXPECT_EQ(stored.at("l2_requests"), "") << "not read";
}

TEST_F(Profile, TimesAStepWithAndWithoutProfilersOnRequest) {
  ASSERT_EQ(profile({flat}).code, exit_ok);
  EXPECT_EQ(rows().back().at("step_seconds"), "");
  const ProcessResult result = profile({flat}, {"--slowdown", "--replay", "application"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  ASSERT_EQ(calls().size(), 4u);
  EXPECT_TRUE(contains(calls()[2], "--profile-from-start on --replay-mode kernel"));
  EXPECT_TRUE(contains(calls()[2], "--metrics gpu__time_duration.sum /"));
  EXPECT_TRUE(contains(calls()[2], " measure --samples 1 --steps 16 --case box-16"));
  EXPECT_TRUE(contains(calls()[3], "dram__bytes_read.sum,dram__bytes_write.sum"));
  EXPECT_TRUE(contains(result.out, "a step takes 250 µs")) << result.out;
  EXPECT_TRUE(contains(result.out, "with one counter 4,000 µs (16.0×), with all counters 40,000 µs (160×)")) << result.out;
  const auto stored = rows().back();
  EXPECT_EQ(stored.at("replay"), "application") << "of the counters";
  EXPECT_DOUBLE_EQ(std::stod(stored.at("step_seconds")), 250e-6);
  EXPECT_DOUBLE_EQ(std::stod(stored.at("step_seconds_one_counter")), 4e-3);
  EXPECT_DOUBLE_EQ(std::stod(stored.at("step_seconds_profiled")), 40e-3);
  EXPECT_EQ(rows()[2].at("kind"), "kernel");
  EXPECT_EQ(rows()[2].at("step_seconds"), "");
  if (stored.at("step_seconds_recorded").empty()) GTEST_SKIP() << "the recording library is missing here";
  EXPECT_DOUBLE_EQ(std::stod(stored.at("step_seconds_recorded")), 500e-6);
}

TEST_F(Profile, FailsWhereAStepCannotBeTimed) {
  std::ofstream(rung / "mute") << "";
  const ProcessResult result = profile({flat}, {"--slowdown"});
  EXPECT_EQ(result.code, exit_check_failed);
  EXPECT_TRUE(contains(result.err, "its step is not timed")) << result.err;
  ASSERT_EQ(rows().size(), 2u) << "the counters are stored";
  EXPECT_EQ(rows().back().at("dram_bytes_per_update"), "73");
  EXPECT_EQ(rows().back().at("step_seconds"), "");
}

TEST_F(Profile, RefusesWhatCannotBeProfiledAndWritesNothing) {
  expect_refused({"profile", tuned, "--case", "box-16"},
                 {"OpenCL", "model", "accepted are rungs of backend cuda, openmp, serial"});
  expect_refused({"profile", "d2q9/cuda/90_flad", "--case", "box-16"}, {"'d2q9/cuda/90_flad'"});
  expect_refused({"profile", flat}, {"--case"});
  expect_refused({"profile", "--case", "box-16"}, {"RUNG"});
  expect_refused({"profile", flat, "--case", "bok-16"}, {"unknown case 'bok-16'"});
  expect_refused({"profile", flat, "--case", "box-16", "--precision", "f16"}, {"'f16'"});
  expect_refused({"profile", flat, "--case", "box-16", "--set", "wx"}, {"'wx'", "name=value"});
  expect_refused({"profile", flat, "--case", "box-16", "--set", "wx=3"}, {"wx", "3"});
  expect_refused({"profile", flat, "--case", "box-16", "--replay", "twice"}, {"twice"});
  expect_refused({"profile", flat, "--case", "box-16", "--steps", "0"}, {"--steps"});
  expect_refused({"profile", flat, "--case", "box-16", "--machine", "../up"}, {"machine name '../up'"});
  std::ofstream(rung / "refuse") << "3\nno CUDA device\n";
  expect_refused({"profile", flat, "--case", "box-16"}, {"no CUDA device"}, exit_unavailable);
}

TEST_F(Profile, SaysWhereTheProfilerIsNotPermittedOrFails) {
  tools.write("fail", "==PROF== Connected to process 1 (x)\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
  expect_refused({"profile", "d2q9/cuda/*", "--case", "box-16"}, {"ERR_NVGPUCTRPERM", "root", "model"});
  EXPECT_EQ(calls().size(), 1u) << "nor for the other rung";
  tools.write("fail", "==ERROR== An error occurred while trying to profile.\n");
  expect_refused({"profile", flat, "--case", "box-16"}, {"Nsight Compute failed", "trying to profile"}, exit_check_failed);
}

TEST_F(Profile, SaysWhereThereIsNoProfiler) {
  for (const auto& [path, part] : {std::pair{tools.path() / "none", std::string("is no program")},
                                   std::pair{executable("fake", "#!/bin/sh\necho 'hello'\n"), std::string("hello")}}) {
    const Installation without{{}, {{"LADDER_NCU", path.string()}}};
    without.add_rung(description(flat), rung_script);
    const ProcessResult result = without.ladder({"profile", flat, "--case", "box-16"});
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(without.work().listing(), Words{});
  }
}

TEST_F(Profile, OfARealRungOfTheProcessorIsRefusedByItsExecutable) {
  const ProcessResult result = on.rung(skeleton, {"profile", "--case", "box-16", "--steps", "2"});
  EXPECT_EQ(result.code, exit_bad_input);
  EXPECT_TRUE(contains(result.err, "profile: no profiler records steps on processors"));
}

}  // namespace
}  // namespace ladder::test
