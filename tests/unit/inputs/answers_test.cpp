// Answers of executables are stored only if they can be read again.
#include "harness/record/answers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "harness/record/description.hpp"
#include "harness/record/foreign.hpp"
#include "tests/support/error.hpp"

namespace ladder {
namespace {

std::string sample(const std::string& seconds, const std::string& cells = "16", const std::string& footprint = "1152") {
  return fmt::format(R"({{"benchmarks": [{{"run_type": "iteration", "time_unit": "s", "real_time": {}, "cells": {}, "steps": 10,
                                           "footprint_bytes": {}}}]}})",
                     seconds, cells, footprint);
}

/// The row of a sample after its answer was read; nothing if there is none.
std::optional<Row> read(const std::string& answer, Row row = {}) {
  return read_sample(answer, row) ? std::optional(row) : std::nullopt;
}

/// A label as executables write it, for sample(): texts are members of a JSON object.
std::string labelled(const std::string& label) {
  std::string text = "1152, \"label\": \"";
  for (const char c : label)
    text += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
  return text + "\"";
}

TEST(SampleAnswer, HasASpeed) {
  const auto answer = read(sample("0.5"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->seconds, 0.5);
  EXPECT_EQ(answer->updates_per_second, 320);
  EXPECT_EQ(answer->footprint_bytes, 1152);
}

TEST(SampleAnswer, IsNoneWhereTheSpeedWouldBeNoNumber) {
  EXPECT_FALSE(read(sample("5e-324"))) << "16 * 10 / 5e-324 is infinite";
  EXPECT_FALSE(read(sample("1e-20", "9007199254740992")));
  EXPECT_FALSE(read(sample("1e-17"))) << "160 updates";
  EXPECT_FALSE(read(sample("1e300")));
  for (const char* cells : {"0", "-1", "1.5", "1e17", "\"16\"", "null"})
    EXPECT_FALSE(read(sample("0.5", cells))) << cells;
}

TEST(SampleAnswer, HasTheTextsOfItsLabel) {
  const auto all = read(sample("0.5", "16",
                               labelled(R"({"affinity": "0;1", "pages": "N0=12", "phases": "bc=0.25;collide=1e-05", )"
                                        R"("bytes_per_update_levels": "dram=72+36;shared=72+72"})")));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->affinity, "0;1");
  EXPECT_EQ(all->pages, "N0=12");
  EXPECT_EQ(all->bytes_per_update_levels, "dram=72+36;shared=72+72");
  EXPECT_EQ(all->bytes_per_update_model, 108);
  EXPECT_EQ(all->phases, "bc=0.25;collide=1e-05");
  for (const char* label :
       {"", "affinity=0;1", "[]", R"({"affinity": 1, "phases": "<b>", "bytes_per_update_levels": "dram"})"}) {
    Row row;
    row.bytes_per_update_levels = "dram=36+36";
    const auto none = read(sample("0.5", "16", labelled(label)), row);
    ASSERT_TRUE(none) << label;
    EXPECT_EQ(none->affinity, "") << label;
    EXPECT_EQ(none->phases, "") << label;
    EXPECT_EQ(none->bytes_per_update_levels, "dram=36+36") << label << ": as the rung's description says";
  }
}

TEST(SampleAnswer, HasEnergyOnlyWithJoules) {
  const auto with = [](const std::string& joules) {
    return *read(sample("2", "16", labelled(R"({"energy_domain": "gpu"})") + ", \"joules\": " + joules));
  };
  EXPECT_EQ(with("300.5").joules, 300.5);
  EXPECT_EQ(with("300.5").energy_domain, "gpu");
  for (const char* joules : {"0", "-1", "1e300", "\"300\""}) {
    EXPECT_TRUE(std::isnan(with(joules).joules)) << joules;
    EXPECT_EQ(with(joules).energy_domain, "") << joules;
  }
}

TEST(SampleAnswer, HasTheTimeOfQueuingIfItIsGiven) {
  EXPECT_EQ(read(sample("2", "16", R"(1152, "queue_seconds": 2.5e-06)"))->queue_seconds, 2.5e-6);
  EXPECT_TRUE(std::isnan(read(sample("2"))->queue_seconds));
}

TEST(SampleAnswer, HasNoQuantityThatNoMachineHas) {
  EXPECT_TRUE(std::isnan(read(sample("0.5", "16", "1e300"))->footprint_bytes));
}

TEST(SampleAnswer, SetsNoColumnOfTheHarness) {
  Row row;
  row.rung = "d2q9/serial/01_skeleton";
  row.flops_per_update = 99;
  const std::string more = R"(1152, "rung": "x", "key": "x", "flops_per_update": 1, "tolerance": 1, "outcome": "ok")";
  const auto answer = read(sample("0.5", "16", more), row);
  EXPECT_EQ(answer->rung, "d2q9/serial/01_skeleton");
  EXPECT_EQ(answer->key, "");
  EXPECT_EQ(answer->outcome, "");
  EXPECT_EQ(answer->flops_per_update, 99) << "counted by the harness, unless it is a ceiling";
  EXPECT_TRUE(std::isnan(answer->tolerance));
  row.kind = "ceiling";
  EXPECT_EQ(read(sample("0.5", "16", more), row)->flops_per_update, 1);
}

TEST(SampleAnswer, IsReadAsItIsWritten) {
  Row row;
  row.cells = 16;
  row.steps = 10;
  row.gpu_celsius = 51;
  row.working_threads = 2;
  row.pages = "N0=1;N1=2";
  row.energy_domain = "package";
  row.joules = 0.5;
  row.processes = 4;
  row.nodes = 2;
  row.rung = "not answered";
  const SampleText text = sample_text(row);
  std::string members = labelled(text.label);
  for (const auto& [name, value] : text.counters)
    members += fmt::format(", \"{}\": {}", name, value);
  const auto answer = read(sample("0.5", "16", members));
  ASSERT_TRUE(answer);
  row.rung.clear();
  row.footprint_bytes = 1152;
  row.seconds = 0.5;
  row.updates_per_second = 320;
  EXPECT_EQ(answer->working_threads, 2) << "is not stored";
  EXPECT_EQ(csv_line(*answer), csv_line(row));
}

TEST(CheckAnswer, IsReadAsItIsWritten) {
  Row row;
  row.kind = "check";
  row.outcome = "wrong";
  row.reason = "far off";
  row.check_steps = 40;
  row.population_error = 0.5;
  row.tolerance = 1e-5;
  EXPECT_EQ(check_text(row),
            R"({"outcome":"wrong","reason":"far off","check_steps":40,"population_error":0.5,"tolerance":1e-05})");
  Row answer;
  answer.kind = "check";
  ASSERT_TRUE(read_check(check_text(row), answer));
  EXPECT_EQ(csv_line(answer), csv_line(row));
}

TEST(CheckAnswer, IsNoneWithoutOutcomeOrSteps) {
  for (const char* text : {"", "[]", "{}", R"({"outcome": "ok"})", R"({"outcome": "skipped", "check_steps": 1})",
                           R"({"outcome": "ok", "check_steps": -1})", R"({"outcome": "ok", "check_steps": 1.5})"}) {
    Row row;
    row.kind = "check";
    EXPECT_FALSE(read_check(text, row)) << text;
  }
}

TEST(FailureAnswer, IsThatOfAForeignProgram) {
  Row row;
  row.kind = "sample";
  EXPECT_FALSE(read_failure(R"({"outcome": "ok", "check_steps": 2})", row));
  EXPECT_FALSE(read_failure(R"({"outcome": "skipped", "check_steps": 2})", row));
  EXPECT_FALSE(read_failure(R"({"outcome": "crashed"})", row));
  EXPECT_EQ(row.outcome, "");
  ASSERT_TRUE(read_failure(R"({"outcome": "crashed", "reason": "signal 6", "check_steps": 0, "wall_seconds": 0.5})", row));
  EXPECT_EQ(row.kind, "sample");
  EXPECT_EQ(row.outcome, "crashed");
  EXPECT_EQ(row.reason, "signal 6");
  EXPECT_EQ(row.wall_seconds, 0.5);
}

TEST(SampleAnswer, NeedsNoBenchmark) {
  Row row;
  row.kind = "sample";
  row.cells = 16;
  row.steps = 10;
  row.seconds = 0.3;
  row.time_source = "wall";
  row.wall_seconds = 0.3;
  Row answer;
  answer.kind = "sample";
  ASSERT_TRUE(read_sample(sample_answer(row), answer));
  row.updates_per_second = 160 / 0.3;
  EXPECT_EQ(csv_line(answer), csv_line(row));
}

TEST(ForeignProgramRequest, IsReadAsItIsWritten) {
  ForeignProgram program;
  program.command = {"/bin/lbm", "{nx}", ""};
  program.time = R"(time: ([0-9]+) "s")";
  program.sides = {16, 8, 1};
  program.q = 9;
  program.timeout_seconds = 0.5;
  const ForeignProgram back = parse_foreign(request_text(program));
  EXPECT_EQ(back.command, program.command);
  EXPECT_EQ(request_text(back), request_text(program));
  for (const char* text : {"", "[]", "{}", R"({"command": []})"})
    EXPECT_THROW(parse_foreign(text), InputError) << text;
}

TEST(ForeignProgramRequest, TakesPathsThatAreNotUtf8) {
  ForeignProgram program;
  program.command = {"/tmp/caf\xe9", "{params}"};
  program.needs = {"/tmp/\xff.cl", "/tmp/café.cl"};
  const ForeignProgram read = parse_foreign(request_text(program));
  EXPECT_EQ(read.command, program.command);
  EXPECT_EQ(read.needs, program.needs);
}

TEST(ProbeAnswer, HasAllMembersOfTheirTypes) {
  EXPECT_TRUE(parse_probe(R"({"available": true, "threads": 2, "more": [1]})"));
  for (const char* text : {"", "[]", "{}", R"({"available": 1})", R"({"available": true, "threads": -1})",
                           R"({"available": true, "threads": 1e10})", R"({"available": true, "reason": null})",
                           R"({"available": true, "cache_bytes": -1})"})
    EXPECT_FALSE(parse_probe(text)) << text;
  Availability gpu;
  gpu.available = true;
  gpu.device = "a \"GPU\"";
  gpu.cache_bytes = 52428800;
  const auto read = parse_probe(answer_text(gpu));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->device, gpu.device);
  EXPECT_EQ(read->cache_bytes, gpu.cache_bytes);
  EXPECT_EQ(answer_text(gpu).find("reason"), std::string::npos) << "unknown members are left out";
}

TEST(CaseAnswer, HasAllMembersOfTheirTypes) {
  const auto facts = parse_case(R"({"grid": "2x3", "cells": 6, "sides": [2, 3, 1], "content": "c"})");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->sides[1], 3);
  for (const char* text : {R"({"grid": "2x3", "cells": 6})", R"({"grid": "2x3", "cells": 1e16, "content": "c"})",
                           R"({"grid": "2x3", "cells": 6, "sides": [2, 3], "content": "c"})",
                           R"({"grid": "2x3", "cells": 6, "q": null, "content": "c"})"})
    EXPECT_FALSE(parse_case(text)) << text;
}

TEST(DescribeAnswer, IsRefusedWithTheMemberThatIsWrong) {
  const std::string good = R"({"model": "m", "collision": "c", "constraints": [], "cases": ["box-4"], "operations": [],
      "tunables": [{"name": "wx", "meaning": "side", "values": [-1, 2], "initial": -1}], "numbers": ["f32"],
      "bytes_per_update": {"f32": {"read": 36, "write": 36}}, "bytes_per_update_minimum": {"f32": 72}})";
  EXPECT_EQ(parse_description(good).tunables.front().initial, -1);
  for (const auto& [from, to, expected] :
       std::vector<std::array<std::string, 3>>{{"\"model\": \"m\", ", "", "'model' is missing"},
                                               {"\"model\": \"m\"", "\"model\": null", "'model' is null"},
                                               {"[\"box-4\"]", "[]", "it names no case"},
                                               {"[\"f32\"]", "[\"f8\"]", "f8"},
                                               {"[\"f32\"]", "[\"f64\"]", "no bytes_per_update of 'f64'"},
                                               {"\"read\": 36, ", "", "'read' is missing"},
                                               {"\"read\": 36, ", "\"read\": -1, ", "'read' is -1"},
                                               {"\"initial\": -1", "\"initial\": 1e300", "'initial' is 1e+300"},
                                               {"\"operations\": []", "\"operations\": [{\"form\": \"c\"}]", "total"}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    const std::string message = test::input_error([&] { (void)parse_description(bad); });
    EXPECT_TRUE(message.starts_with("its description is invalid: ")) << message;
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
  EXPECT_EQ(test::input_error([] { (void)parse_description("{"); }), "its description is not JSON");
}

}  // namespace
}  // namespace ladder
