// Which results a session may add to.
#include "harness/run/session.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder {
namespace {

using test::contains;

MachineFacts host(int cores, const std::string& gpu) {
  MachineFacts machine;
  machine.name = "box";
  machine.cpu = "AMD EPYC";
  machine.cores = cores;
  if (!gpu.empty()) machine.gpus = {{.name = gpu}};
  return machine;
}

class Results : public testing::Test {
 protected:
  /// Stores a session; later ones have larger numbers.
  void session(int number, const MachineFacts& machine, const std::string& devices) const {
    const std::string gpus = machine.gpus.empty() ? "" : R"({"name": ")" + machine.gpus.front().name + R"("})";
    folder.write("box.20261125T00000" + std::to_string(number) + "Z-0000.json",
                 R"({"machine": {"name": "box", "cpu": "AMD EPYC", "cores": )" + std::to_string(machine.cores) +
                     R"(, "gpus": [)" + gpus + R"(]}, "devices": {)" + devices + "}}");
  }
  [[nodiscard]] bool accepts(const Measured& here) const {
    try {
      require_same_machine(folder.path(), here);
      return true;
    } catch (const InputError& e) {
      EXPECT_TRUE(contains(e.what(), "holds results of another machine, AMD EPYC, 32 cores")) << e.what();
      return false;
    }
  }

  const test::Folder folder;
  const std::string gpu = R"("cuda": "NVIDIA H100")";
  const std::string processor = R"("openmp": "AMD EPYC")";
};

TEST_F(Results, OfAProcessorTakeNoOtherProcessor) {
  session(1, host(32, ""), processor);
  EXPECT_TRUE(accepts(host(32, "")));
  EXPECT_FALSE(accepts(host(16, "")));
}

TEST_F(Results, OfAGpuTakeItsSessionsOnAnyHost) {
  session(1, host(32, "NVIDIA H100"), gpu);
  EXPECT_TRUE(accepts({host(16, "NVIDIA H100"), false}));
  EXPECT_TRUE(accepts({host(16, "NVIDIA H100"), true})) << "the first results of a processor";
  EXPECT_FALSE(accepts({host(16, "NVIDIA H200"), false}));
}

TEST_F(Results, OfAGpuAndAProcessorTakeNoOtherProcessor) {
  session(1, host(32, "NVIDIA H100"), gpu + ", " + processor);
  session(2, host(16, "NVIDIA H100"), gpu);
  EXPECT_TRUE(accepts({host(16, "NVIDIA H100"), false}));
  EXPECT_TRUE(accepts({host(32, "NVIDIA H100"), true}));
  EXPECT_FALSE(accepts({host(16, "NVIDIA H100"), true})) << "though the last session ran on this host";
}

}  // namespace
}  // namespace ladder
