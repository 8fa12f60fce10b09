#include "backends/opencl/device.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <sstream>

namespace ladder::opencl {
namespace {

constexpr const char* variable = "LADDER_OPENCL_DEVICE";

std::string device_name(const cl::Device& device) {
  std::string name = LADDER_CL(device.getInfo<CL_DEVICE_NAME>());
  while (!name.empty() && (name.back() == '\0' || name.back() == ' '))
    name.pop_back();
  return name;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The name of a device's type; empty for types that cannot be requested.
std::string type_name(const cl::Device& device) {
  const cl_device_type type = LADDER_CL(device.getInfo<CL_DEVICE_TYPE>());
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return "gpu";
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return "cpu";
  return (type & CL_DEVICE_TYPE_ACCELERATOR) != 0 ? "accelerator" : "";
}

std::string listed(const std::vector<cl::Device>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " '" + device_name(all[i]) + "' (" + type_name(all[i]) + ")";
  return text;
}

cl::Device named(const std::vector<cl::Device>& all, const std::string& wanted) {
  std::size_t index = 0;
  const char* end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, index);
  const bool is_number = error == std::errc{} && stop == end;
  if (is_number && index < all.size()) return all[index];
  for (const auto& device : all)
    if (lower(wanted) == type_name(device)) return device;
  const bool is_type = lower(wanted) == "gpu" || lower(wanted) == "cpu" || lower(wanted) == "accelerator";
  for (const auto& device : all)
    if (!is_number && !is_type && lower(device_name(device)).find(lower(wanted)) != std::string::npos) return device;
  throw Unavailable(std::string(variable) + " is '" + wanted + "', which does not name an OpenCL device" +
                    (is_type ? ": none is of this type" : "") + "; there are: " + listed(all));
}

cl::Device preferred(const std::vector<cl::Device>& all) {
  const auto gpu = std::find_if(all.begin(), all.end(), [](const cl::Device& d) { return type_name(d) == "gpu"; });
  return gpu == all.end() ? all.front() : *gpu;
}

std::string gigabytes(double bytes) {
  std::ostringstream text;
  text.precision(3);
  text << bytes * 1e-9 << " GB";
  return text.str();
}

/// The context of a device. All solvers of a process share it, so that a program can be built once for several of them. It is
/// never released, because PoCL may be unloaded before static objects are destroyed.
cl::Context context_of(const cl::Device& device) {
  static auto& contexts = *new std::map<cl_device_id, cl::Context>;
  const auto found = contexts.find(device());
  if (found != contexts.end()) return found->second;
  return contexts.emplace(device(), LADDER_CL(cl::Context(device))).first->second;
}

}  // namespace

std::vector<cl::Device> devices() {
  std::vector<cl::Device> all;
  try {
    std::vector<cl::Platform> platforms;
    LADDER_CL(cl::Platform::get(&platforms));
    for (const auto& platform : platforms) {
      std::vector<cl::Device> some;
      try {
        LADDER_CL(platform.getDevices(CL_DEVICE_TYPE_ALL, &some));
      } catch (const Error& e) {
        if (e.code != CL_DEVICE_NOT_FOUND) throw;
      }
      all.insert(all.end(), some.begin(), some.end());
    }
  } catch (const Error& e) {
    constexpr cl_int platform_not_found = -1001;
    if (e.code != platform_not_found) throw;
  }
  return all;
}

Device Device::select() {
  std::vector<cl::Device> all;
  try {
    all = devices();
  } catch (const Error& e) {
    throw Unavailable(std::string("OpenCL does not work here: ") + e.what());
  }
  if (all.empty()) throw Unavailable("no OpenCL device; a driver such as pocl-opencl-icd (for the CPU) provides one");
  const char* wanted = std::getenv(variable);
  return Device(wanted != nullptr && *wanted != '\0' ? named(all, wanted) : preferred(all));
}

Device::Device(const cl::Device& device_)
    : device(device_), context(context_of(device)), queue(LADDER_CL(cl::CommandQueue(context, device))) {}

std::string Device::name() const { return device_name(device); }

std::string Device::platform() const {
  const cl::Platform platform(LADDER_CL(device.getInfo<CL_DEVICE_PLATFORM>()));
  return LADDER_CL(platform.getInfo<CL_PLATFORM_NAME>());
}

std::string Device::driver() const { return platform() + " " + LADDER_CL(device.getInfo<CL_DRIVER_VERSION>()); }

bool Device::is_pocl() const { return platform().starts_with("Portable Computing Language"); }

std::string Device::pci_address() const {
  const auto ask = [&](cl_device_info what, auto& answer) {
    return clGetDeviceInfo(device(), what, sizeof answer, &answer, nullptr) == CL_SUCCESS;
  };
  const auto text = [](cl_uint domain, cl_uint bus, cl_uint slot, cl_uint function) {
    std::array<char, 32> address{};
    std::snprintf(address.data(), address.size(), "%08x:%02x:%02x.%x", domain, bus, slot, function);
    return std::string(address.data());
  };
  if (!has("cl_nv_device_attribute_query")) return {};  // not NVIDIA's
  // From cl_khr_pci_bus_info: domain, bus, device, function.
  std::array<cl_uint, 4> place{};
  if (ask(0x410F, place)) return text(place[0], place[1], place[2], place[3]);
  // From cl_nv_device_attribute_query; older drivers do not report the domain.
  cl_uint domain = 0, bus = 0, slot = 0;
  if (!ask(0x400A, domain)) domain = 0;
  if (!ask(0x4008, bus) || !ask(0x4009, slot)) return {};
  return text(domain, bus, slot >> 3, slot & 7);
}

bool Device::is_processor() const { return (LADDER_CL(device.getInfo<CL_DEVICE_TYPE>()) & CL_DEVICE_TYPE_CPU) != 0; }

bool Device::has_double() const { return has("cl_khr_fp64"); }

bool Device::has(std::string_view extension) const {
  std::istringstream extensions(LADDER_CL(device.getInfo<CL_DEVICE_EXTENSIONS>()));
  return std::find(std::istream_iterator<std::string>(extensions), {}, extension) != std::istream_iterator<std::string>();
}

std::size_t Device::compute_units() const { return LADDER_CL(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()); }

double Device::cache_bytes() const { return static_cast<double>(LADDER_CL(device.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>())); }

std::size_t Device::work_group_limit() const { return LADDER_CL(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()); }

Shape Device::work_group_sides() const {
  const auto sides = LADDER_CL(device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>());
  return {sides[0], sides[1]};
}

void Device::require_group(Shape group) const {
  const Shape sides = work_group_sides();
  if (group.items() <= work_group_limit() && group.x <= sides.x && group.y <= sides.y) return;
  std::ostringstream text;
  text << "a work-group of " << group.x << " x " << group.y << " = " << group.items() << " work-items: " << name()
       << " accepts up to " << work_group_limit() << ", at most " << sides.x << " x " << sides.y;
  throw Refused(Reason::device_limit, text.str());
}

void Device::require_memory(double total, double largest, std::string_view what) const {
  const auto memory = static_cast<double>(LADDER_CL(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>()));
  const auto buffer = static_cast<double>(LADDER_CL(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>()));
  if (total <= memory && largest <= buffer) return;
  throw Refused(Reason::no_memory, std::string(what) + " needs " + gigabytes(total) + " on the device, the largest buffer " +
                                       gigabytes(largest) + "; " + name() + " has " + gigabytes(memory) + ", and " +
                                       gigabytes(buffer) + " for one buffer");
}

void Device::refuse_buffer(std::size_t bytes) const {
  throw Refused(Reason::no_memory, name() + " cannot allocate a buffer of " + std::to_string(bytes) + " bytes");
}

void Device::require_double() const {
  if (!has_double()) throw Unavailable(name() + " has no double precision (cl_khr_fp64)");
}

}  // namespace ladder::opencl
