// The choice of an OpenCL device, the text of kernel errors, and how launches name their arguments.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "backends/opencl/program.hpp"
#include "backends/opencl/sums.hpp"
#include "base/error.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/text.hpp"

namespace ladder::opencl {
namespace {

using test::contains;

constexpr const char* variable = "LADDER_OPENCL_DEVICE";

/// Tests that need a device; skipped if there is none.
class OpenclDevice : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv(variable);
    try {
      all_ = devices();
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
    if (all_.empty()) GTEST_SKIP() << "no OpenCL device";
  }
  void TearDown() override { unsetenv(variable); }

  /// Name of the chosen device, or the reason why there is none.
  static std::string chosen(const std::string& wanted) {
    setenv(variable, wanted.c_str(), 1);
    try {
      return Device::select().name();
    } catch (const Unavailable& e) {
      return e.what();
    }
  }

  [[nodiscard]] bool has(cl_device_type type) const {
    for (const auto& device : all_)
      if ((device.getInfo<CL_DEVICE_TYPE>() & type) != 0) return true;
    return false;
  }

  std::vector<cl::Device> all_;
};

TEST_F(OpenclDevice, IsAskedForByNumberOrAPartOfItsName) {
  const std::string name = Device(all_[0]).name();
  EXPECT_EQ(chosen("0"), name);
  EXPECT_EQ(chosen(name), name);
}

TEST_F(OpenclDevice, IsAskedForByType) {
  for (const auto& [text, type] : {std::pair{"gpu", CL_DEVICE_TYPE_GPU}, {"CPU", CL_DEVICE_TYPE_CPU}})
    if (has(static_cast<cl_device_type>(type))) {
      setenv(variable, text, 1);
      EXPECT_EQ(Device::select().is_processor(), type == CL_DEVICE_TYPE_CPU) << text;
    } else {
      EXPECT_TRUE(contains(chosen(text),
                           std::string(text) + "', which does not name an OpenCL device: none is of this type; there are: 0"))
          << chosen(text);
    }
  if (!has(CL_DEVICE_TYPE_ACCELERATOR)) {
    EXPECT_TRUE(contains(chosen("accelerator"), "none is of this type"));
  }
}

TEST_F(OpenclDevice, IsNotThereWhereTheNameIsNoneOfThem) {
  for (const char* wanted : {"99", "-1", "no such device"}) {
    const std::string text = chosen(wanted);
    EXPECT_TRUE(contains(
        text, "LADDER_OPENCL_DEVICE is '" + std::string(wanted) + "', which does not name an OpenCL device; there are: 0"))
        << text;
    EXPECT_TRUE(contains(text, Device(all_[0]).name())) << text;
  }
}

TEST_F(OpenclDevice, ShowsTheLogOfAKernelThatDoesNotCompile) {
  const Device device = Device::select();
  try {
    build(device, {"kernel void broken(global float* a) { a[0] = no_such_number; }"}, {{"real", "float"}});
    ADD_FAILURE() << "it compiled";
  } catch (const Error& e) {
    EXPECT_EQ(e.code, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_TRUE(contains(e.what(), "no_such_number")) << e.what();
    EXPECT_TRUE(contains(e.what(), "-D real=float")) << e.what();
  }
}

TEST_F(OpenclDevice, KeepsWhatTheCompilerMadeWhereItIsAsked) {
  const Device device = Device::select();
  const test::Folder folder;
  setenv("LADDER_OPENCL_BINARIES", folder.path().c_str(), 1);
  build(device, {"kernel void first(global float* a) { a[0] = 1; }"}, {});
  build(device, {"kernel void second(global float* a) { a[1] = 2; }"}, {});
  EXPECT_EQ(folder.listing().size(), 2U);
  for (const std::string& name : folder.listing())
    EXPECT_FALSE(folder.read(name).empty()) << name;
  setenv("LADDER_OPENCL_BINARIES", (folder.path() / "none").c_str(), 1);
  EXPECT_THROW(build(device, {"kernel void first(global float* a) { a[0] = 1; }"}, {}), InputError);
  unsetenv("LADDER_OPENCL_BINARIES");
}

TEST_F(OpenclDevice, RefusesWorkGroupsAndMemoryBeyondItsLimits) {
  const Device device = Device::select();
  const std::size_t limit = device.work_group_limit();
  try {
    device.require_group({2 * limit, 1});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_TRUE(contains(e.what(), "accepts up to " + std::to_string(limit))) << e.what();
  }
  EXPECT_THROW(device.require_memory(1e18, 1e18, "box-1000000"), InputError);
}

TEST_F(OpenclDevice, KnowsItsExtensionsByTheirWholeNames) {
  const Device device(all_[0]);
  EXPECT_EQ(device.has_double(), device.has("cl_khr_fp64"));
  EXPECT_TRUE(device.has("cl_khr_byte_addressable_store")) << "every OpenCL 1.2 device";
  EXPECT_FALSE(device.has("cl_khr_byte_addressable"));
}

TEST_F(OpenclDevice, AddsUpSumsOfLaunchesOfSeveralSteps) {
  const Device device(all_[0]);
  constexpr Shape group{32, 1}, items{64, 1};
  DeferredSums<float> sums(device, group, items, 2, 5);
  Kernel put(device,
             build(device,
                   {common_text,
                    "kernel work_group void put(global real* sums, ulong first, int done, int steps) {"
                    "  for (int k = 0; k < steps; ++k)"
                    "    if (is_first_item()) sums[first + k * get_num_groups(0) + group_number()] = done + k;"
                    "}"},
                   group_definitions<float>(group)),
             "put", group);
  constexpr int all = 2103;  // more than are kept at once, and not a multiple of 5
  sums.expect(all);
  for (int done = 0; done < all;) {
    const int steps = all - done >= 5 ? 5 : 1;
    put(items, {{"sums", sums.sums()}, {"first", sums.first()}, {"done", done}, {"steps", steps}});
    sums.record(static_cast<std::size_t>(steps));
    done += steps;
  }
  ASSERT_EQ(sums.history().size(), all);
  for (int step = 0; step < all; ++step)
    ASSERT_EQ(sums.history()[static_cast<std::size_t>(step)], step);
}

TEST_F(OpenclDevice, KeepsABufferUntilItsCommandsAreDone) {
  const Device device = Device::select();
  for (int i = 0; i < 20; ++i)
    const Buffer<float> filled(device, 1 << 22);
}

/// A kernel with parameters of several types.
class NamedArguments : public OpenclDevice {
 protected:
  void SetUp() override {
    OpenclDevice::SetUp();
    if (IsSkipped()) return;
    device_.emplace(Device::select());
    a_.emplace(*device_, 8);
  }

  [[nodiscard]] Kernel kernel(std::span<const Argument> arguments = {}) const {
    const auto text =
        "kernel void scale(global float4* a, float by, ulong size) { if (get_global_id(0) < size) a[get_global_id(0)] *= by; }";
    return {*device_, build(*device_, {text}, {}), "scale", {1, 1}, arguments};
  }

  /// The error message of a launch or binding; empty if there is none.
  template <class Call>
  static std::string said(Call call) {
    try {
      call();
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  }

  std::optional<Device> device_;
  std::optional<Buffer<float>> a_;
};

TEST_F(NamedArguments, ReachTheParametersOfTheirNamesInAnyOrder) {
  Kernel scale = kernel(std::vector<Argument>{{"size", std::uint64_t{2}}, {"for another kernel", 1}});
  scale.bind({{"a", *a_}});
  a_->write(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  scale({2, 1}, {{"by", 2.0F}});
  EXPECT_EQ(a_->read()[7], 16);
  scale({2, 1}, {{"by", 0.5F}, {"size", std::uint64_t{1}}});
  EXPECT_EQ(a_->read()[0], 1);
  EXPECT_EQ(a_->read()[7], 16);
}

TEST_F(NamedArguments, AreRefusedIfUnknownMissingOrOfAnotherType) {
  Kernel scale = kernel();
  const std::string parameters = "; parameters: float4* a, float by, ulong size";
  EXPECT_EQ(said([&] { scale.bind({{"b", *a_}}); }), "kernel 'scale': it has no parameter 'b'" + parameters);
  EXPECT_EQ(said([&] {
              scale({1, 1}, {{"a", *a_}, {"by", 2.0F}});
            }),
            "kernel 'scale': no argument for the parameter 'size'" + parameters);
  EXPECT_EQ(said([&] {
              scale.bind({{"by", 2.0}});
            }),
            "kernel 'scale': its parameter 'by' is of type float, the argument of type double" + parameters);
  EXPECT_EQ(said([&] {
              scale.bind({{"size", 2}});
            }),
            "kernel 'scale': its parameter 'size' is of type ulong, the argument of type int" + parameters);
  EXPECT_EQ(said([&] {
              scale.bind({{"a", 2.0F}});
            }),
            "kernel 'scale': its parameter 'a' is of type float4*, the argument of type float" + parameters);
  const Buffer<double> doubles(*device_, 1);
  EXPECT_EQ(said([&] {
              scale.bind({{"a", doubles}});
            }),
            "kernel 'scale': its parameter 'a' is of type float4*, the argument of type double*" + parameters);
}

}  // namespace
}  // namespace ladder::opencl
