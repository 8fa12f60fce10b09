#include "backends/opencl/shuffle.hpp"

namespace ladder::opencl {

Shuffles Shuffles::of(const Device& device) {
  if (device.has("cl_nv_device_attribute_query")) return {.by_ptx = true};
  if (!device.has("cl_khr_subgroups") || !device.has("cl_khr_subgroup_shuffle"))
    throw Unavailable(device.name() + " has no shuffles within sub-groups (cl_khr_subgroup_shuffle)");
  const std::string version = LADDER_CL(device.device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
  return {.language = version.find("OpenCL C 3") == 0 ? "CL3.0" : "CL2.0"};
}

}  // namespace ladder::opencl
