#include "backends/opencl/check.hpp"

#include <array>
#include <utility>

namespace ladder::opencl {
namespace {

#define NAMED(code) \
  std::pair { code, #code }
constexpr std::array names = {NAMED(CL_DEVICE_NOT_FOUND),
                              NAMED(CL_DEVICE_NOT_AVAILABLE),
                              NAMED(CL_COMPILER_NOT_AVAILABLE),
                              NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
                              NAMED(CL_OUT_OF_RESOURCES),
                              NAMED(CL_OUT_OF_HOST_MEMORY),
                              NAMED(CL_BUILD_PROGRAM_FAILURE),
                              NAMED(CL_INVALID_VALUE),
                              NAMED(CL_INVALID_DEVICE),
                              NAMED(CL_INVALID_CONTEXT),
                              NAMED(CL_INVALID_COMMAND_QUEUE),
                              NAMED(CL_INVALID_HOST_PTR),
                              NAMED(CL_INVALID_MEM_OBJECT),
                              NAMED(CL_INVALID_BUILD_OPTIONS),
                              NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
                              NAMED(CL_INVALID_KERNEL_NAME),
                              NAMED(CL_INVALID_KERNEL),
                              NAMED(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
                              NAMED(CL_INVALID_ARG_INDEX),
                              NAMED(CL_INVALID_ARG_VALUE),
                              NAMED(CL_INVALID_ARG_SIZE),
                              NAMED(CL_INVALID_KERNEL_ARGS),
                              NAMED(CL_INVALID_WORK_DIMENSION),
                              NAMED(CL_INVALID_WORK_GROUP_SIZE),
                              NAMED(CL_INVALID_WORK_ITEM_SIZE),
                              NAMED(CL_INVALID_GLOBAL_OFFSET),
                              NAMED(CL_INVALID_OPERATION),
                              NAMED(CL_INVALID_BUFFER_SIZE),
                              NAMED(CL_INVALID_GLOBAL_WORK_SIZE)};
#undef NAMED

}  // namespace

std::string error_name(cl_int code) {
  for (const auto& [known, name] : names)
    if (known == code) return name;
  if (code == -1001) return "CL_PLATFORM_NOT_FOUND_KHR";
  return "OpenCL error " + std::to_string(code);
}

void fail(cl_int code, const char* expression, std::source_location where) {
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + expression + ": " + error_name(code),
              code);
}

}  // namespace ladder::opencl
