// What in the environment hides devices.
#include "harness/run/device_hint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "tests/support/folder.hpp"

namespace ladder {
namespace {

class Hint : public testing::Test {
 protected:
  Hint() {
    for (const char* name : {"POCL_DEVICES", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH",
                             "CUDA_VISIBLE_DEVICES", "ACC_DEVICE_NUM", "ACC_DEVICE_TYPE"})
      unsetenv(name);
    setenv("POCL_CACHE_DIR", (folder.path() / "new").c_str(), 1);
  }
  ~Hint() override {
    for (const char* name : {"POCL_DEVICES", "POCL_CACHE_DIR", "CUDA_VISIBLE_DEVICES", "ACC_DEVICE_NUM", "ACC_DEVICE_TYPE"})
      unsetenv(name);
  }
  const test::Folder folder;
};

TEST_F(Hint, IsEmptyWhereTheEnvironmentHidesNothing) { EXPECT_EQ(device_hint("mpi+opencl"), ""); }

TEST_F(Hint, NamesVariablesThatChooseDevicesOfTheBackend) {
  setenv("POCL_DEVICES", "cuda", 1);
  setenv("CUDA_VISIBLE_DEVICES", "7", 1);
  EXPECT_EQ(device_hint("mpi+opencl"), "POCL_DEVICES is 'cuda'");
  EXPECT_EQ(device_hint("cuda"), "CUDA_VISIBLE_DEVICES is '7'");
  setenv("ACC_DEVICE_NUM", "99", 1);
  EXPECT_EQ(device_hint("openacc"), "ACC_DEVICE_NUM is '99', CUDA_VISIBLE_DEVICES is '7'");
  EXPECT_EQ(device_hint("target"), "ACC_DEVICE_NUM is '99', CUDA_VISIBLE_DEVICES is '7'");
}

TEST_F(Hint, NamesACacheThatCannotBeWritten) {
  const auto file = folder.write("file", "");
  for (const std::string& path : {file.string(), (file / "below").string(), std::string("/proc/none")}) {
    setenv("POCL_CACHE_DIR", path.c_str(), 1);
    EXPECT_EQ(device_hint("mpi+opencl"), "PoCL cannot write to its cache " + path + " (POCL_CACHE_DIR names another)");
    EXPECT_EQ(device_hint("mpi"), "");
  }
  unsetenv("POCL_CACHE_DIR");
  setenv("XDG_CACHE_HOME", file.c_str(), 1);
  EXPECT_TRUE(device_hint("opencl").starts_with("PoCL cannot write to its cache " + file.string() + "/pocl/kcache "));
  unsetenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  setenv("HOME", file.c_str(), 1);
  EXPECT_TRUE(device_hint("opencl").starts_with("PoCL cannot write to its cache " + file.string() + "/.cache/pocl/kcache "));
  setenv("HOME", before.c_str(), 1);
}

TEST_F(Hint, FindsWhyAProgramLackedRoom) {
  EXPECT_EQ(lack_of_room("opencl", "a kernel is wrong"), "");
  EXPECT_EQ(lack_of_room("opencl", "a warning\nLLVM ERROR: No space left on device\n"), "LLVM ERROR: No space left on device")
      << "the disk may have room again";
  EXPECT_EQ(lack_of_room("foreign", "No space left on device"), "") << "any program can print this";
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handled = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {.rlim_cur = 4096, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string reason = lack_of_room("opencl", "");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handled);
  EXPECT_EQ(reason, std::filesystem::temp_directory_path().string() +
                        ": File too large; accepted: TMPDIR names a folder with more space");
}

TEST_F(Hint, WarnsIfOpenClRunsOnTheProcessorNextToAGpu) {
  const std::vector<std::string> gpus = {"NVIDIA H100"};
  EXPECT_EQ(opencl_warning({{"cuda", "NVIDIA H100"}, {"mpi+opencl", "cpu-a processor"}}, gpus),
            "warning: mpi+opencl runs on cpu-a processor, although this machine has a GPU, NVIDIA H100; OCL_ICD_VENDORS "
            "selects another OpenCL implementation\n");
  EXPECT_EQ(opencl_warning({{"cuda", "NVIDIA H100"}, {"opencl", "NVIDIA H100 (NVIDIA CUDA)"}}, gpus), "");
  EXPECT_EQ(opencl_warning({{"opencl", "cpu-a processor"}, {"openmp", "a processor"}}, {}), "");
  EXPECT_EQ(opencl_warning({{"cuda", "NVIDIA H100"}, {"openmp", "a processor"}}, gpus), "");
}

}  // namespace
}  // namespace ladder
