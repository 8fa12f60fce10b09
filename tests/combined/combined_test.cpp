// A rung with two backends has the flags, libraries and capabilities of both.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/process.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

Json answer(const std::string& program, const std::string& command) {
  const ProcessResult result = run_process(program, {command}, 60, {{"OMP_NUM_THREADS", "3"}});
  EXPECT_EQ(result.code, exit_ok) << result.err;
  return Json::parse(result.out);
}

Json probe_of(const std::string& backend) { return answer(LADDER_BIN "/backends/" + backend, "probe"); }

TEST(RungOfTwoBackends, SaysSo) {
  EXPECT_EQ(answer(LADDER_BOTH, "describe").at("backend"), "openmp+opencl");
  EXPECT_EQ(answer(LADDER_BOTH, "describe").at("flags"), "-O2");
}

TEST(RungOfTwoBackends, UsesSeveralDevicesIfAPartDoes) {
  EXPECT_FALSE(answer(LADDER_BOTH, "probe").contains("devices"));
  EXPECT_EQ(probe_of("devices").at("devices"), true);
}

TEST(RungOfTwoBackends, DoesWhatEitherCanDo) {
  const Json both = answer(LADDER_BOTH, "probe");
  const Json threads = probe_of("openmp");
  const Json device = probe_of("opencl");
  EXPECT_EQ(both.at("threads"), 3);
  EXPECT_EQ(both.at("pins_threads"), threads.at("pins_threads"));
  EXPECT_EQ(both.at("resident"), device.at("resident"));
  EXPECT_EQ(both.at("ceilings"), device.at("ceilings"));
  EXPECT_EQ(both.at("driver"), device.at("driver"));
  EXPECT_EQ(both.at("available"), device.at("available"));
  EXPECT_EQ(both.at("no_profiler"), device.at("no_profiler"));
  if (!both.at("available")) GTEST_SKIP() << "no OpenCL device";
  EXPECT_GE(both.at("device_count").get<int>(), 1);
  EXPECT_FALSE(device.contains("device_count")) << "its processes share no memory";
  EXPECT_EQ(both.at("device"), threads.at("device").get<std::string>() + ", " + device.at("device").get<std::string>());
}

TEST(RungOfTwoBackends, Runs) {
  if (!probe_of("opencl").at("available")) GTEST_SKIP() << "no OpenCL device";
  const ProcessResult result = run_process(LADDER_BOTH, {"check", "--case", "porous-37x23"}, 60, {{"OMP_NUM_THREADS", "3"}});
  EXPECT_EQ(result.code, exit_ok) << result.out << result.err;
}

TEST(ProbeOfABackend, KnowsNoOtherCommand) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"describe"}, {"probe", "probe"}}) {
    const ProcessResult result = run_process(LADDER_BIN "/backends/serial", words, 60);
    EXPECT_EQ(result.code, exit_bad_input);
    EXPECT_NE(result.err.find("'probe'"), std::string::npos);
  }
}

}  // namespace
}  // namespace ladder
