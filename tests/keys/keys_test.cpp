// The hash of an executable, which is part of the key of a row, covers what is measured and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "base/file.hpp"
#include "base/output.hpp"
#include "base/process.hpp"
#include "harness/run/build_identity.hpp"
#include "tests/support/folder.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// A copy of the sources with two small rungs (tests/keys/project), built in its folder.
class Tree {
 public:
  explicit Tree(fs::path folder) : folder_(std::move(folder)) {
    const fs::path root = LADDER_SOURCE;
    for (const char* part :
         {"base", "backends", "cmake", "harness/bench/rung_info.hpp", "harness/record/kernel_header_mark.hpp"}) {
      fs::create_directories((folder_ / part).parent_path());
      fs::copy(root / part, folder_ / part, fs::copy_options::recursive);
    }
    fs::copy(root / "tests/keys/project", folder_, fs::copy_options::recursive);
    run({"-S", folder_, "-B", folder_ / "build", "-G", "Ninja", "-DCMAKE_CXX_COMPILER=" LADDER_CXX,
         "-DCMAKE_MAKE_PROGRAM=" LADDER_NINJA, "-DLADDER_CCACHE=" LADDER_WITH_CCACHE, "-DLADDER_CUDA=OFF", "-DLADDER_MPI=OFF",
         "-DLADDER_OPENACC=OFF"});
  }

  /// Replaces the first `before` of a file.
  void edit(const std::string& file, const std::string& before, const std::string& after) {
    std::string text = read_whole(folder_ / file);
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before << " is not in " << file;
    text.replace(at, before.size(), after);
    write_files(folder_ / fs::path(file).parent_path(), {{fs::path(file).filename().string(), text}});
  }

  /// Hashes of the rungs that run on the processor and on a device.
  std::pair<std::string, std::string> hashes() {
    run({"--build", folder_ / "build", "--target", "processor", "device"});
    return {hash_of_executable(folder_ / "build/processor"), hash_of_executable(folder_ / "build/device")};
  }

  [[nodiscard]] std::string device_bytes() const { return read_whole(folder_ / "build/device"); }

 private:
  static void run(const std::vector<std::string>& words) {
    const ProcessResult result = run_process(LADDER_CMAKE, words, 900);
    ASSERT_TRUE(succeeded(result)) << result.out << result.err;
  }

  fs::path folder_;
};

TEST(Keys, CoverWhatIsMeasuredAlone) {
  const test::Folder folder;
  Tree tree(folder.path() / "here");
  const auto [processor, device] = tree.hashes();
  ASSERT_NE(processor, device);
  EXPECT_EQ(tree.device_bytes().find(folder.path().string()), std::string::npos) << "it contains its folder";

  Tree copy(folder.path() / "in another folder");
  copy.edit("base/processor.cpp", "namespace ladder {", "namespace ladder {\nvoid added() {}\n");
  copy.edit("backends/serial/status.cpp", "on processors", "on processors here");
  copy.edit("backends/opencl/program.cpp", "accepts up to", "takes up to");
  copy.edit("backends/opencl/check.cpp", "OpenCL error ", "Error of OpenCL ");
  for (const char* kernel : {"kernel.cpp", "kernel.cl"}) {
    copy.edit(kernel, "doubles numbers", "multiplies all numbers by 2");
    copy.edit(kernel, "// Bound:   none\n", "// Bound:   none\n//          yet\n");
  }
  copy.edit("kernel.cl", "/* One", "/* At most\n one");
  EXPECT_EQ(copy.hashes(), std::pair(processor, device));

  copy.edit("kernel.cpp", "2 * number", "3 * number");
  copy.edit("kernel.cl", "*= 2", "*= 3");
  const auto [other_processor, other_device] = copy.hashes();
  EXPECT_NE(other_processor, processor);
  EXPECT_NE(other_device, device);

  copy.edit("backends/opencl/launch.cpp", "bind(arguments);", "bind(arguments);\n  bind(arguments);");
  EXPECT_NE(copy.hashes().second, other_device) << "launches are measured";
}

}  // namespace
}  // namespace ladder
