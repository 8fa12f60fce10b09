// `ladder timeline` with a script that writes what the recording library would: how the rung is started, and which results are
// stored, shown or refused.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "harness/record/timelines.hpp"
#include "tests/cli/installation.hpp"
#include "tests/support/text.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr const char* traced = "d2q9/cuda/92_traced";

/// Answers like a rung, and copies the files `<number>.csv` next to it to where the library would write. The file `refuse`
/// holds an exit code and a reason.
constexpr const char* traced_script = R"sh(#!/bin/sh
here=$(dirname "$0")
case $1 in
  probe)
    echo '{"available": true, "device": "a GPU", "driver": "a driver", "threads": 0, "profiler": true, "processes": true}' ;;
  case) [ "$3" = box-16 ] || { echo "unknown case '$3'" >&2; exit 2; }
    echo '{"case": "box-16", "grid": "16x16", "cells": 256, "steps": 10, "content": "box"}' ;;
  profile)
    echo "$* $CUDA_INJECTION64_PATH" >>"$here/asked"
    if [ -e "$here/refuse" ]; then { read -r code; cat >&2; } <"$here/refuse"; exit "$code"; fi
    if [ -e "$here/said" ]; then cat "$here/said" >&2; fi
    for file in "$here"/*.csv; do
      [ -e "$file" ] && cp "$file" "$LADDER_TIMELINE.$(basename "$file")"
    done
    echo '{"cells": 256, "steps": 4, "footprint_bytes": 18688}' ;;
esac
)sh";

constexpr const char* trace_header = "kind,name,queue,device,begin_ns,end_ns,bytes\n";

class Timeline : public testing::Test {
 protected:
  Installation on;
  fs::path rung = on.add_rung(description_of(traced), traced_script);
  const std::string results = "experiments/profile/results/";

  Timeline() {
    // The library need not be built, because the script does not load it; any file takes its place.
    fs::remove(libraries());
    fs::create_directory(libraries());
    for (const auto& entry : fs::directory_iterator(fs::path(LADDER_BIN) / "lib"))
      if (entry.path().filename() != library().filename())
        fs::create_symlink(entry.path(), libraries() / entry.path().filename());
    fs::create_symlink(libraries() / "libladder_base.so", library());
    answer("0",
           "call,cudaLaunchKernel,host,0,1000000,1002000,0\ncall,cudaStreamSynchronize,host,0,1002000,1020000,0\n"
           "kernel,step,13,0,1004000,1014000,0\ncopy,device to host,14,0,1010000,1016000,4096\n");
  }

  [[nodiscard]] fs::path libraries() const { return rung.parent_path().parent_path().parent_path().parent_path() / "lib"; }
  [[nodiscard]] fs::path library() const { return libraries() / "libladder_timeline.so"; }

  void answer(const std::string& number, const std::string& text) const {
    std::ofstream(rung / (number + ".csv")) << trace_header << text;
  }

  [[nodiscard]] ProcessResult timeline(const Words& more = {}) const {
    Words words = {"timeline", traced, "--case", "box-16", "--machine", "here"};
    words.insert(words.end(), more.begin(), more.end());
    return on.ladder(words);
  }

  [[nodiscard]] std::vector<TimelineEvent> rows(const std::string& folder = "") const {
    return parse_timelines("f", on.work().read((folder.empty() ? results : folder) + "here.timeline.csv")).rows;
  }

  void expect_timeline_refused(const Words& words, const Words& parts, int code = exit_bad_input) const {
    const auto before = on.work().listing();
    const ProcessResult result = on.ladder(words);
    EXPECT_EQ(result.code, code) << result.out << result.err;
    for (const auto& part : parts)
      EXPECT_TRUE(contains(result.err, part));
    EXPECT_EQ(on.work().listing(), before);
  }
};

TEST_F(Timeline, StoresEachEventFromTheFirstOneOn) {
  const ProcessResult result = timeline();
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const std::string asked = lines(std::string(std::istreambuf_iterator<char>(std::ifstream(rung / "asked").rdbuf()), {})).at(0);
  EXPECT_TRUE(contains(asked, "profile --case box-16 --precision f32 --steps 4 " + library().string()));
  const auto stored = rows();
  ASSERT_EQ(stored.size(), 4u);
  EXPECT_EQ(stored[0].kind, "call");
  EXPECT_EQ(stored[0].begin, 0);
  EXPECT_EQ(stored[1].kind, "wait");
  EXPECT_EQ(stored[2].name, "step");
  EXPECT_EQ(stored[2].queue, "13");
  EXPECT_EQ(stored[2].begin, 4);
  EXPECT_EQ(stored[2].end, 14);
  EXPECT_EQ(stored[3].bytes, 4096);
  EXPECT_EQ(stored[3].steps, 4);
  EXPECT_EQ(stored[3].rung, traced);
  EXPECT_EQ(stored[3].device, "a GPU");
  const auto session = Json::parse(on.work().read(results + "here.timeline." + stored[3].session + ".json"));
  EXPECT_EQ(session.at("profiler").at("name"), "CUPTI");
  EXPECT_EQ(session.at("rungs").at(traced).at("executable"), stored[3].executable);
}

TEST_F(Timeline, SaysWhatOverlaps) {
  const ProcessResult result = timeline();
  EXPECT_TRUE(contains(result.out, "4 steps in 20.0 µs"));
  EXPECT_TRUE(contains(result.out,
                       "process 0: copies take 6.00 µs, 4.00 (67 %) of it during kernels; the host waits for 18.0 "
                       "µs, 12.0 (67 %) of it while the GPU works"))
      << result.out;
}

TEST_F(Timeline, OfSeveralProcessesHasOneClock) {
  answer("1", "kernel,step,7,1,999000,1001000,0\n");
  const ProcessResult result =
      timeline({"--placement", "processes=2;threads=1", "--launcher", "env PROCESSES={processes}", "--steps", "2"});
  ASSERT_EQ(result.code, exit_ok) << result.err;
  const auto stored = rows();
  ASSERT_EQ(stored.size(), 5u);
  EXPECT_EQ(stored[0].begin, 1);
  EXPECT_EQ(stored[0].placement, "processes=2;threads=1");
  EXPECT_EQ(stored[4].process, 1);
  EXPECT_EQ(stored[4].gpu, 1);
  EXPECT_EQ(stored[4].begin, 0);
}

TEST_F(Timeline, StoresWithAStudyAndCanBeReportedOn) {
  on.study("mine", "[[matrix]]\nrungs = [\"*\"]\ncases = [\"box-16\"]\n");
  ASSERT_EQ(timeline({"--study", "mine"}).code, exit_ok);
  EXPECT_EQ(rows("experiments/mine/results/").size(), 4u);
  ASSERT_EQ(timeline().code, exit_ok);
  const ProcessResult report = on.ladder({"report", "profile", "--out", on.path("out")});
  ASSERT_EQ(report.code, exit_ok) << report.err;
  EXPECT_TRUE(contains(on.work().read("out/index.html"), traced));
}

TEST_F(Timeline, RefusesWhatCannotBeRecordedAndWritesNothing) {
  expect_timeline_refused({"timeline", skeleton, "--case", "box-16"}, {skeleton, "cannot be profiled", "cuda"});
  expect_timeline_refused({"timeline", "d2q9/cuda/92_tracer", "--case", "box-16"}, {"'d2q9/cuda/92_tracer'", traced});
  expect_timeline_refused({"timeline", traced}, {"--case"});
  expect_timeline_refused({"timeline", traced, "--case", "bok-16"}, {"unknown case 'bok-16'"});
  expect_timeline_refused({"timeline", traced, "--case", "box-16", "--precision", "f16"}, {"'f16'"});
  expect_timeline_refused({"timeline", traced, "--case", "box-16", "--set", "wx"}, {"'wx'", "name=value"});
  expect_timeline_refused({"timeline", traced, "--case", "box-16", "--steps", "0"}, {"--steps"});
  expect_timeline_refused({"timeline", traced, "--case", "box-16", "--placement", "processes=x"}, {"processes"});
  expect_timeline_refused({"timeline", traced, "--case", "box-16", "--study", "mime"}, {"no study 'mime'"});
  std::ofstream(rung / "refuse") << "3\nno CUDA device\n";
  expect_timeline_refused({"timeline", traced, "--case", "box-16"}, {"no CUDA device"}, exit_unavailable);
  fs::remove(library());
  std::ofstream(library()) << "no library";
  expect_timeline_refused({"timeline", traced, "--case", "box-16"}, {"timeline needs CUPTI", "libladder_timeline.so"},
                          exit_unavailable);
  fs::remove(library());
  expect_timeline_refused({"timeline", traced, "--case", "box-16"}, {"libladder_timeline.so", "CUPTI"}, exit_unavailable);
}

TEST_F(Timeline, SaysWhatIsWrongWithWhatWasRecorded) {
  const Words words = {"timeline", traced, "--case", "box-16"};
  answer("0", "kernel,step,7,0,10,20,0\nkernel,step,7,0,30,20,0\n");
  expect_timeline_refused(words, {"timeline.0.csv:3: column 'end_ns' is '20'; accepted: 30 or later"});
  answer("0", "kernel,step,7,0,soon,20,0\n");
  expect_timeline_refused(words, {"timeline.0.csv:2:", "'begin_ns'", "'soon'", "an integer"});
  answer("0", "colonel,step,7,0,10,20,0\n");
  expect_timeline_refused(words, {"column 'kind' is 'colonel'; accepted: kernel, copy, set, call"});
  answer("0", "");
  std::ofstream(rung / "said") << "timeline: cuptiSubscribe: not permitted\n";
  expect_timeline_refused(words, {"nothing was recorded", "cuptiSubscribe: not permitted"}, exit_check_failed);
  fs::remove(rung / "0.csv");
  expect_timeline_refused(words, {"did not load"}, exit_check_failed);
}

}  // namespace
}  // namespace ladder::test
