#include "backends/opencl/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>

namespace ladder::opencl {
namespace {

/// The lines of a build log that say something: NVIDIA's compiler says of every kernel that it may be inlined.
std::string told(const std::string& log) {
  std::istringstream lines(log);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(std::string_view(" \t\r\0", 4)) + 1);
    if (!line.empty() && line.find("is a kernel, so overriding noinline attribute") == std::string::npos)
      text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

/// Keeps what the device's compiler made of a program, for who wants to read it: of NVIDIA's the assembly (PTX).
void keep_binary(const Device& device, const cl::Program& program, const std::filesystem::path& folder) {
  const auto binaries = LADDER_CL(program.getInfo<CL_PROGRAM_BINARIES>());
  if (binaries.empty() || binaries[0].empty()) return;
  const std::string_view binary(reinterpret_cast<const char*>(binaries[0].data()), binaries[0].size());
  std::ostringstream name;
  name << std::hex << std::hash<std::string_view>()(binary) << (binary.find(".version") < 1000 ? ".ptx" : ".bin");
  std::ofstream file(folder / name.str(), std::ios::binary);
  if (!file.write(binary.data(), static_cast<std::streamsize>(binary.size())).flush())
    throw InputError("LADDER_OPENCL_BINARIES: cannot write " + (folder / name.str()).string() + ", for " + device.name() +
                     "; accepted: a folder that exists");
}

}  // namespace

Kernel::Kernel(const Device& device, const cl::Program& program, const char* name, Shape group)
    : queue_(device.queue), kernel_(LADDER_CL(cl::Kernel(program, name))), group_(group) {
  device.require_group(group);
  std::size_t items = LADDER_CL(kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.device));
  // A kernel with reqd_work_group_size was compiled to fit; NVIDIA answers 256 for it whatever was asked for.
  const auto compiled = LADDER_CL(kernel_.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device.device));
  if (compiled[0] == group.x && compiled[1] == group.y) items = std::max(items, group.items());
  const cl_ulong local = LADDER_CL(kernel_.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device.device));
  const cl_ulong local_limit = LADDER_CL(device.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
  if (group.items() <= items && local <= local_limit) return;
  std::ostringstream text;
  text << "kernel '" << name << "' in work-groups of " << group.x << " x " << group.y << ": " << device.name()
       << " accepts up to " << items << " work-items and " << local_limit << " bytes of local memory for it; it needs "
       << group.items() << " and " << local;
  throw Refused(Reason::device_limit, text.str());
}

Shape Kernel::groups(Shape items) const { return {(items.x + group_.x - 1) / group_.x, (items.y + group_.y - 1) / group_.y}; }

void Kernel::launch(Shape items) {
  const Shape count = groups(items);
  LADDER_CL(queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(count.x * group_.x, count.y * group_.y),
                                        cl::NDRange(group_.x, group_.y)));
}

cl::Program build(const Device& device, const std::vector<std::string_view>& sources, const Definitions& definitions) {
  cl::Program::Sources texts(sources.begin(), sources.end());
  std::string options = "-cl-std=CL1.2";
  for (const auto& [name, value] : definitions)
    options += " -D " + name + "=" + value;

  const auto program = LADDER_CL(cl::Program(device.context, texts));
  const auto log = [&] { return told(LADDER_CL(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.device))); };
  try {
    // The bindings' own exception of build() carries every device's log; there is one device.
    LADDER_CL(program.build(device.device, options.c_str()));
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + " (" + options + ")\n" + log(), e.code);
  }
  if (const std::string text = log(); !text.empty()) std::cerr << device.name() << ": " << text << '\n';
  if (const char* folder = std::getenv("LADDER_OPENCL_BINARIES")) keep_binary(device, program, folder);
  return program;
}

}  // namespace ladder::opencl
