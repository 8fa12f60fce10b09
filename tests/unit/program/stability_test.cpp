// Whether the run of a case shows that its flow stays bounded or diverges.
#include "harness/run/stability.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace ladder {
namespace {

using End = ProcessResult::End;

const std::string message =
    "layers0.5@0.1-8: step 420: the speed in cell (5, 2, 0) is 3.6, above the speed of sound, 0.58; the flow is unstable, "
    "nothing "
    "is written (accepted: a larger tau)\n";

TEST(Stability, IsProvedByASeriesToTheEnd) {
  EXPECT_EQ(stability_line("a-8", {}, "step,energy\n0,1\n40,0.5\n80,0.25\n", 80), "a-8,bounded,80,\n");
  for (const char* series : {"", "step,energy\n", "step,energy\n0,1\n40,0.5", "step,energy\n0,1\n40"})
    EXPECT_EQ(stability_line("a-8", {}, series, 40), std::nullopt) << series;
}

TEST(Stability, IsUnknownIfTheSeriesEndsEarly) {
  const char* const series = "step,energy\n0,1\n40,0.5\n";
  EXPECT_EQ(stability_line("a-8", {}, series, 80), std::nullopt);
  EXPECT_EQ(stability_line("a-8", {}, series, 0), std::nullopt) << "the number of steps is unknown";
  EXPECT_EQ(stability_line("a-8", {}, "step\n0\n", 0), std::nullopt);
  EXPECT_TRUE(stability_line("a-8", {}, series, 40));
}

TEST(Stability, IsRefutedByTheMessageThatTheFlowDiverged) {
  const ProcessResult diverged{.end = End::exited, .code = exit_check_failed, .out = {}, .err = "a warning\n" + message};
  EXPECT_EQ(stability_line("layers0.5@0.1-8", diverged, "", 0),
            "layers0.5@0.1-8,diverged,420,\"the speed in cell (5, 2, 0) is 3.6, above the speed of sound, 0.58\"\n");
}

TEST(Stability, IsUnknownAfterAnyOtherFailure) {
  const auto line = [](const ProcessResult& result, const std::string& series = "") {
    return stability_line("layers0.5@0.1-8", result, series, 40);
  };
  EXPECT_EQ(line({.end = End::signalled, .code = exit_check_failed, .out = {}, .err = message}), std::nullopt);
  EXPECT_EQ(line({.end = End::timed_out, .code = exit_check_failed, .out = {}, .err = message}), std::nullopt);
  EXPECT_EQ(line({.end = End::out_of_memory, .code = exit_check_failed, .out = {}, .err = message}), std::nullopt);
  for (const int code : {static_cast<int>(exit_bad_input), static_cast<int>(exit_unavailable), static_cast<int>(exit_broken)})
    EXPECT_EQ(line({.end = End::exited, .code = code, .out = {}, .err = message}, "step\n0\n40\n"), std::nullopt) << code;
  for (const std::string& err : {std::string(), std::string("layers0.5@0.1-8: step 420: out of luck\n"),
                                 "x" + message.substr(1), std::string("; the flow is unstable; layers0.5@0.1-8: step 1: \n"),
                                 std::string("layers0.5@0.1-8: step x: a; the flow is unstable\n")})
    EXPECT_EQ(line({.end = End::exited, .code = exit_check_failed, .out = {}, .err = err}), std::nullopt) << err;
}

TEST(Stability, IsReadFromWholeFilesOnly) {
  const std::string text = std::string(stability_header) + "a-8,bounded,80,\nb-8,diverged,4,\"too, fast\"\n";
  const auto lines = stability_lines(text);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(std::string(stability_header) + lines.at("a-8") + lines.at("b-8"), text);
  for (const std::string& other : {std::string(), std::string("kept"), std::string("case,outcome\na-8,bounded\n"),
                                   text.substr(0, text.size() - 1), text + "c-8,bounded\n", text + "c-8,bound"})
    EXPECT_TRUE(stability_lines(other).empty()) << other;
}

}  // namespace
}  // namespace ladder
