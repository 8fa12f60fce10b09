#include "backends/opencl/program.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

#include "backends/opencl/build_lock.hpp"

namespace ladder::opencl {
namespace {

/// Names a folder for the binaries of programs.
constexpr const char* binaries_variable = "LADDER_OPENCL_BINARIES";

/// The relevant lines of a build log: all but NVIDIA's message that a kernel may be inlined.
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

/// Writes a program's device binary to a file for inspection; on NVIDIA GPUs, it is assembly (PTX).
void keep_binary(const Device& device, const cl::Program& program, const std::filesystem::path& folder) {
  const auto binaries = LADDER_CL(program.getInfo<CL_PROGRAM_BINARIES>());
  if (binaries.empty() || binaries[0].empty()) return;
  const std::string_view binary(reinterpret_cast<const char*>(binaries[0].data()), binaries[0].size());
  std::ostringstream name;
  name << std::hex << std::hash<std::string_view>()(binary) << (binary.find(".version") < 1000 ? ".ptx" : ".bin");
  std::ofstream file(folder / name.str(), std::ios::binary);
  if (!file.write(binary.data(), static_cast<std::streamsize>(binary.size())).flush())
    throw InputError(std::string(binaries_variable) + ": cannot write " + (folder / name.str()).string() + ", for " +
                     device.name() + "; accepted: a folder that exists");
}

/// Sub-group size of the kernel in work-groups of this shape.
std::size_t sub_group_size(const Device& device, const cl::Kernel& kernel, Shape group) {
  cl_uint warp = 0;
  constexpr cl_device_info warp_size_nv = 0x4003;  // from cl_nv_device_attribute_query
  if (device.has("cl_nv_device_attribute_query") &&
      clGetDeviceInfo(device.device(), warp_size_nv, sizeof warp, &warp, nullptr) == CL_SUCCESS)
    return warp;
  const cl::Platform platform(LADDER_CL(device.device.getInfo<CL_DEVICE_PLATFORM>()));
  const auto ask = reinterpret_cast<clGetKernelSubGroupInfoKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSubGroupInfoKHR"));
  const std::array<std::size_t, 2> sides = {group.x, group.y};
  std::size_t size = 0;
  if (ask == nullptr || ask(kernel(), device.device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, sizeof sides, sides.data(),
                            sizeof size, &size, nullptr) != CL_SUCCESS)
    throw Unavailable(device.name() + " does not tell the size of its sub-groups");
  return size;
}

/// Compiles a program, even if it has been built before.
cl::Program compiled(const Device& device, const std::vector<std::string_view>& sources, const std::string& options) {
  const auto program = LADDER_CL(cl::Program(device.context, cl::Program::Sources(sources.begin(), sources.end())));
  // PoCL compiles kernels at their first run, after the lock is released, but moves only complete files into its cache.
  std::optional<BuildLock> lock;
  if (device.is_pocl()) lock.emplace();
  const auto log = [&] { return told(LADDER_CL(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.device))); };
  try {
    // The exception thrown by build() in the bindings holds one log per device; there is one device.
    LADDER_CL(program.build(device.device, options.c_str()));
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + " (" + options + ")\n" + log(), e.code);
  }
  if (const std::string text = log(); !text.empty()) std::cerr << device.name() << ": " << text << '\n';
  if (const char* folder = std::getenv(binaries_variable)) keep_binary(device, program, folder);
  return program;
}

}  // namespace

void Kernel::require_limits(const Device& device) const {
  device.require_group(group_);
  std::size_t items = LADDER_CL(kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.device));
  // A kernel with reqd_work_group_size was compiled to fit, but NVIDIA always reports 256 for it.
  const auto compiled = LADDER_CL(kernel_.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device.device));
  if (compiled[0] == group_.x && compiled[1] == group_.y) items = std::max(items, group_.items());
  const cl_ulong local = LADDER_CL(kernel_.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device.device));
  const cl_ulong local_limit = LADDER_CL(device.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
  if (group_.items() <= items && local <= local_limit) return;
  std::ostringstream text;
  text << "kernel '" << name_ << "' in work-groups of " << group_.x << " x " << group_.y << ": " << device.name()
       << " accepts up to " << items << " work-items and " << local_limit << " bytes of local memory for it; it needs "
       << group_.items() << " and " << local;
  throw Refused(Reason::device_limit, text.str());
}

void Kernel::require_one_sub_group(const Device& device) const {
  const std::size_t size = sub_group_size(device, kernel_, group_);
  if (size == group_.items()) return;
  throw Refused(Reason::device_limit, "kernel '" + name_ + "' in work-groups of " + std::to_string(group_.x) + " x " +
                                          std::to_string(group_.y) + ": " + device.name() + " makes sub-groups of " +
                                          std::to_string(size) + " work-items of it; accepted: one sub-group");
}

std::vector<Kernel::Parameter> Kernel::ask_parameters() const {
  const auto text = [](std::string answer) { return answer.substr(0, answer.find('\0')); };
  std::vector<Parameter> parameters(LADDER_CL(kernel_.getInfo<CL_KERNEL_NUM_ARGS>()));
  for (cl_uint i = 0; i < parameters.size(); ++i)
    parameters[i] = {text(LADDER_CL(kernel_.getArgInfo<CL_KERNEL_ARG_NAME>(i))),
                     text(LADDER_CL(kernel_.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i)))};
  return parameters;
}

void Kernel::refuse_unknown(const Argument& argument) const {
  refuse("it has no parameter '" + std::string(argument.name) + "'");
}

void Kernel::refuse_unbound(const Parameter& parameter) const {
  refuse("no argument for the parameter '" + parameter.name + "'");
}

void Kernel::refuse_type(const Parameter& parameter, const Argument& argument) const {
  refuse("its parameter '" + parameter.name + "' is of type " + parameter.type + ", the argument of type " +
         std::string(argument.type) + (argument.is_buffer ? "*" : ""));
}

void Kernel::refuse(const std::string& why) const {
  std::string text = "kernel '" + name_ + "': " + why + "; parameters:";
  for (const Parameter& parameter : parameters_)
    text += (&parameter == parameters_.data() ? " " : ", ") + parameter.type + " " + parameter.name;
  throw Error(text, CL_INVALID_KERNEL_ARGS);
}

cl::Program build(const Device& device, const std::vector<std::string_view>& sources, const Definitions& definitions,
                  const std::string& language) {
  std::string options = "-cl-std=" + language + " -cl-kernel-arg-info";
  for (const auto& [name, value] : definitions)
    options += " -D " + name + "=" + value;
  if (std::getenv(binaries_variable) != nullptr) return compiled(device, sources, options);

  // Checks build the same programs for many small grids. Never destroyed, for the same reason as the contexts.
  static auto& built = *new std::map<std::pair<cl_context, std::string>, cl::Program>;
  std::pair key(device.context(), options);
  for (const std::string_view source : sources)
    key.second.append(1, '\n').append(source);
  if (const auto found = built.find(key); found != built.end()) return found->second;
  constexpr std::size_t most = 32;  // programs may take memory of the device
  if (built.size() == most) built.clear();
  return built.emplace(std::move(key), compiled(device, sources, options)).first->second;
}

}  // namespace ladder::opencl
