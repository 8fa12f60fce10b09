#include "backends/openacc/device.hpp"

#include <fmt/format.h>
#include <openacc.h>

#include <charconv>
#include <cstdlib>

#include "backends/status.hpp"
#include "base/processor.hpp"

namespace ladder::openacc {

int chosen_device(const char* wanted, int gpus) {
  if (wanted == nullptr || *wanted == '\0') return gpus > 0 ? 0 : -1;
  const std::string_view text = wanted;
  if (text == "host") return -1;
  int number = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && stop == text.data() + text.size() && number >= 0 && number < gpus) return number;
  throw Unavailable(
      fmt::format("LADDER_OPENACC_DEVICE is '{}'; accepted are host, and the number of one of {} GPUs, from 0", text, gpus));
}

Device Device::select() {
  const Device device(chosen_device(std::getenv("LADDER_OPENACC_DEVICE"), acc_get_num_devices(acc_device_nvidia)));
  if (device.is_processor()) {
    acc_set_device_type(acc_device_host);
  } else {
    acc_set_device_num(device.number(), acc_device_nvidia);
  }
  return device;
}

std::string Device::name() const {
  if (is_processor()) return processor_name();
  const char* const name = acc_get_property_string(number_, acc_device_nvidia, acc_property_name);
  return name != nullptr ? name : "GPU without a name";
}

std::size_t Device::memory() const {
  return is_processor() ? 0 : acc_get_property(number_, acc_device_nvidia, acc_property_memory);
}

void Device::require_memory(double bytes, std::string_view what) const {
  const auto there = static_cast<double>(memory());
  if (is_processor() || bytes <= there) return;
  throw Refused(Reason::no_memory, fmt::format("{} needs {:.3g} GB on the device; {} accepts up to {:.3g} GB", what,
                                               bytes * 1e-9, name(), there * 1e-9));
}

void* Device::allocate(std::size_t bytes) const {
  const std::size_t free = is_processor() ? bytes : acc_get_property(number_, acc_device_nvidia, acc_property_free_memory);
  void* const data = bytes <= free ? acc_malloc(bytes) : nullptr;
  if (data == nullptr)
    throw Refused(Reason::no_memory, fmt::format("{} cannot allocate {:.3g} GB: {:.3g} GB are free", name(),
                                                 static_cast<double>(bytes) * 1e-9, static_cast<double>(free) * 1e-9));
  return data;
}

void Device::wait() const { acc_wait_all(); }

}  // namespace ladder::openacc
