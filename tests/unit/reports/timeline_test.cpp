// Timelines: rows, sums over them, and the section that shows them.
#include "reports/timeline.hpp"

#include <fmt/format.h>

#include "tests/unit/reports/section.hpp"

namespace ladder::reports::test {
namespace {

/// An event of one step of two processes.
struct Happened {
  int process = 0;
  std::string kind = "kernel", name = "step", queue = "13";
  double begin = 0, end = 1;
  std::string session = "t1", rung = "m/cuda/1";
  int gpu = 0;
};

TimelineEvent event(const Happened& h) {
  TimelineEvent row;
  row.session = h.session;
  row.utc = "2026-11-21T03:15:00Z";
  row.rung = h.rung;
  row.build = "default";
  row.backend = "cuda";
  row.case_name = "box-4";
  row.grid = "4x4";
  row.precision = "f64";
  row.placement = "processes=2";
  row.device = "a GPU";
  row.executable = "e1";
  row.steps = 2;
  row.process = h.process;
  row.kind = h.kind;
  row.name = h.name;
  row.queue = h.queue;
  row.gpu = h.gpu;
  row.begin = h.begin;
  row.end = h.end;
  row.bytes = h.kind == "copy" ? 4096 : 0;
  return row;
}

/// In process 0, a kernel hides 6 of 8 µs of copies; in process 1, nothing overlaps. The host of process 0 waits for 10 µs.
const std::vector<Happened> two_processes = {
    {.kind = "call", .name = "cudaLaunchKernel", .queue = "host", .begin = 0, .end = 2},
    {.kind = "wait", .name = "cudaStreamSynchronize", .queue = "host", .begin = 8, .end = 18},
    {.begin = 4, .end = 14},
    {.kind = "copy", .name = "device to host", .queue = "14", .begin = 8, .end = 12},
    {.kind = "copy", .name = "host to device", .queue = "14", .begin = 12, .end = 16},
    {.process = 1, .begin = 2, .end = 6},
    {.process = 1, .kind = "copy", .name = "peer to peer", .begin = 7, .end = 20}};

std::vector<TimelineEvent> events(const std::vector<Happened>& all) {
  std::vector<TimelineEvent> rows;
  for (const Happened& h : all)
    rows.push_back(event(h));
  return rows;
}

std::vector<const TimelineEvent*> pointers(const std::vector<TimelineEvent>& rows) {
  std::vector<const TimelineEvent*> all;
  for (const TimelineEvent& row : rows)
    all.push_back(&row);
  return all;
}

std::string stored(const std::vector<Happened>& all) {
  std::string text = csv_header<TimelineEvent>() + "\n";
  for (const TimelineEvent& row : events(all))
    text += csv_line(row) + "\n";
  return text;
}

TEST(Timelines, AreReadAsTheyWereWritten) {
  const TimelineFile file = parse_timelines("f", stored(two_processes) + "t1,half");
  EXPECT_TRUE(file.csv.is_truncated());
  ASSERT_EQ(file.rows.size(), two_processes.size());
  EXPECT_EQ(file.rows[3].line, 5u);
  const std::vector<TimelineEvent> rows = events(two_processes);
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(csv_line(file.rows[i]), csv_line(rows[i]));
  EXPECT_EQ(file.rows[3].bytes, 4096);
  EXPECT_EQ(file.rows[6].process, 1);
}

TEST(Timelines, SayWhatIsWrongWithThem) {
  const auto refused = [](const Happened& h) { return input_error([&] { parse_timelines("f", stored({h})); }); };
  EXPECT_TRUE(
      contains(refused({.kind = "colonel"}), "f:2: column 'kind' is 'colonel'; accepted: kernel, copy, set, call, wait"));
  EXPECT_TRUE(contains(refused({.begin = 4, .end = 3}), "f:2: column 'end' is '3'; accepted: 4 or later"));
  EXPECT_TRUE(contains(refused({.process = -1}), "f:2: column 'process' is '-1'; accepted: an integer from 0"));
  EXPECT_TRUE(contains(input_error([] { parse_timelines("f", "a,b\n1,2\n"); }), "f:1: the header lacks the column 'session'"));
}

TEST(Timelines, OfAProcessAreCheckedAsWell) {
  const std::string header = "kind,name,queue,device,begin_ns,end_ns,bytes\n";
  const auto refused = [&](const std::string& text) { return input_error([&] { parse_activities("f", header + text); }); };
  EXPECT_EQ(parse_activities("f", header + "kernel,step,13,0,10,20,0\n").rows.at(0).end_ns, 20);
  EXPECT_TRUE(contains(refused("kernel,step,13,0,30,20,0\n"), "f:2: column 'end_ns' is '20'; accepted: 30 or later"));
  EXPECT_TRUE(
      contains(refused("kernel,step,13,0,10,20,0\nwait,x,host,0,10,20,0\n"), "f:3: column 'kind' is 'wait'; accepted: kernel"));
  EXPECT_TRUE(contains(refused("kernel,step,13,0,soon,20,0\n"), "f:2:"));
}

TEST(Spans, AreJoinedAndIntersected) {
  EXPECT_EQ(joined_spans({{5, 6}, {0, 2}, {1, 3}, {3, 4}}), (Spans{{0, 4}, {5, 6}}));
  EXPECT_EQ(common_spans({{0, 4}, {5, 9}}, {{1, 2}, {3, 6}, {8, 12}}), (Spans{{1, 2}, {3, 4}, {5, 6}, {8, 9}}));
  EXPECT_EQ(common_spans({}, {{1, 2}}), Spans{});
  EXPECT_EQ(length_of(Spans{{1, 2}, {3, 4.5}}), 2.5);
}

TEST(TimelineLanes, AreTheHostAndTheQueuesOfEachProcess) {
  const auto rows = events({{.queue = "130"}, {.queue = "14"}, {.kind = "call", .queue = "host"}, {.process = 1, .gpu = 1}});
  const auto lanes = lanes_of(pointers(rows));
  ASSERT_EQ(lanes.size(), 4u);
  EXPECT_TRUE(lanes[0].is_host());
  EXPECT_EQ(lanes[1].queue, "14");
  EXPECT_EQ(lanes[2].queue, "130");
  EXPECT_EQ(lanes[3].gpu, 1);
}

TEST(TimelineLanes, SumWhatOverlaps) {
  const auto rows = events(two_processes);
  const auto lanes = lanes_of(pointers(rows));
  const double whole = length_of(pointers(rows));
  EXPECT_EQ(whole, 20);
  const auto times = lane_times(lanes, whole);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[0].calls, 2);
  EXPECT_EQ(times[0].waits, 10);
  EXPECT_EQ(times[0].busy, 12);
  EXPECT_EQ(times[0].overlapped, 8) << "from 8 to 16";
  EXPECT_EQ(times[1].kernels, 10);
  EXPECT_EQ(times[1].overlapped, 6) << "from 8 to 14";
  EXPECT_EQ(times[1].idle, 10);
  EXPECT_EQ(times[2].copies, 8);
  EXPECT_EQ(times[2].overlapped, 6);
  EXPECT_EQ(times[3].busy, 17);
  EXPECT_EQ(times[3].overlapped, 0) << "the other process does not count";
  const auto processes = process_times(pointers(rows));
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[0].copies_hidden, 6);
  EXPECT_EQ(processes[0].waits_for_work, 8);
  EXPECT_EQ(processes[1].copies_hidden, 0);
}

class TimelineSection : public SectionTest {
 protected:
  TimelineSection() { study("kind = \"timeline\"\nrungs = [\"m/cuda/*\"]\n"); }
  void timelines(const std::vector<Happened>& all) const { experiments.write("results/box.timeline.csv", stored(all)); }
  [[nodiscard]] std::string page() const { return experiments.read("out/index.html"); }
};

TEST_F(TimelineSection, HasALaneForEachQueueAndTheOverlap) {
  timelines(two_processes);
  const std::string csv = table("timeline-box-4");
  EXPECT_TRUE(contains(csv, "\n\"m/cuda/1, processes=2\",\"process 0, host\",2,2,,0,0,0,2,10,12,0.6,8,8\n")) << csv;
  EXPECT_TRUE(contains(csv, "\n\"m/cuda/1, processes=2\",\"process 0, stream 13\",2,1,step,10,0,0,0,0,10,0.5,6,10\n")) << csv;
  EXPECT_TRUE(contains(csv, "\n\"m/cuda/1, processes=2\",\"process 0, stream 14\",2,2,,0,8,1,0,0,8,0.4,6,12\n")) << csv;
  EXPECT_TRUE(
      contains(csv, "\n\"m/cuda/1, processes=2\",\"process 1, stream 13\",2,2,step,4,13,0.7647058823529411,0,0,17,0.85,0,3\n"))
      << csv;
  EXPECT_TRUE(contains(page(), "28.6 % of the copies"));
  EXPECT_TRUE(contains(page(), "80.0 % of the host"));
  EXPECT_TRUE(contains(page(), "kernels run for 35.0 % of the time"));
  EXPECT_TRUE(contains(page(), "the hosts spend 70.0 % of it outside CUDA calls"));
  EXPECT_TRUE(contains(page(), "box.timeline.csv, session t1"));
  EXPECT_TRUE(contains(page(), "Gaps in a host"));
  const std::string svg = experiments.read("out/figures/waugh-box-01-timeline-m-cuda-1-box-4-f64-processes-2.svg");
  for (const char* text : {"process 0, host", "process 1, stream 13", "kernels", "copies", "waits of the host", "time, µs"})
    EXPECT_TRUE(contains(svg, text)) << text;
}

TEST_F(TimelineSection, ShowsTheLatestOfEachRung) {
  auto all = two_processes;
  all.push_back({.begin = 0, .end = 5, .session = "t2"});
  all.push_back({.begin = 0, .end = 5, .session = "t3", .rung = "m/opencl/1"});
  timelines(all);
  const std::string csv = table("timeline-box-4");
  EXPECT_TRUE(contains(csv, "\n\"m/cuda/1, processes=2\",stream 13,2,1,step,5,0,0,0,0,5,1,0,0\n")) << csv;
  EXPECT_FALSE(contains(csv, "process 1"));
  EXPECT_FALSE(contains(csv, "opencl"));
}

TEST_F(TimelineSection, NamesTheGpusOfSeveral) {
  timelines({{}, {.process = 1, .gpu = 1}});
  const std::string csv = table("timeline-box-4");
  EXPECT_TRUE(contains(csv, "\"process 0, GPU 0, stream 13\"")) << csv;
  EXPECT_TRUE(contains(csv, "\"process 1, GPU 1, stream 13\"")) << csv;
}

TEST_F(TimelineSection, WarnsOfAnotherExecutable) {
  rungs["m/cuda/1"] = {{"id", "m/cuda/1"}, {"executable", "e2"}};
  experiments.write_session(rungs);
  experiments.write_rows(measured({.rung = "m/cuda/1"}, {1e6, 1e6}));
  timelines(two_processes);
  (void)experiments.report();
  EXPECT_TRUE(contains(page(), "The recorded executable differs from the one measured last: m/cuda/1."));
}

TEST_F(TimelineSection, IsLeftOutWithoutTimelines) {
  experiments.write_rows(measured({.rung = "m/cuda/1"}, {1e6, 1e6}));
  (void)experiments.report();
  EXPECT_TRUE(contains(page(), "“Timeline of a step”: No timelines of these rungs are stored yet")) << page();
}

TEST_F(TimelineSection, WarnsOfACutOffRow) {
  experiments.write("results/box.timeline.csv", stored(two_processes) + "t1,half");
  EXPECT_TRUE(contains(experiments.report().warnings.at(0), "box.timeline.csv: the last row is incomplete"));
}

}  // namespace
}  // namespace ladder::reports::test
