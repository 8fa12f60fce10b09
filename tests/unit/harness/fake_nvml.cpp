// Functions of NVIDIA's management library for a fake GPU "Fake One" at 0000:01:00.0, which draws 100 W and updates its counter
// every 20 ms; its power limit is 250 W, its memory runs at 1000 MHz and has a 512-bit bus. The GPU "Fake Two" at 0000:02:00.0
// has no counter and reports neither a power limit nor the width of its memory bus. Names are those in nvml.h.
#include <chrono>
#include <cstring>

namespace {

int with_counter = 0;
int without_counter = 0;

enum { success = 0, not_supported = 3, not_found = 6 };

}  // namespace

extern "C" {

int nvmlInit_v2() { return success; }

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  if (std::strcmp(address, "0000:01:00.0") == 0)
    *device = &with_counter;
  else if (std::strcmp(address, "0000:02:00.0") == 0)
    *device = &without_counter;
  else
    return not_found;
  return success;
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  if (device != &with_counter) return not_supported;
  using Update = std::chrono::duration<unsigned long long, std::ratio<1, 50>>;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *millijoules = 2000 * std::chrono::duration_cast<Update>(now).count();
  return success;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return success;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = index == 0 ? &with_counter : &without_counter;
  return success;
}

int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  std::strncpy(name, device == &with_counter ? "Fake One" : "Fake Two", length);
  return success;
}

int nvmlDeviceGetMaxClockInfo(void*, int clock, unsigned* megahertz) {
  *megahertz = clock == 2 ? 1000 : 3000;
  return success;
}

int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
  *milliwatts = 250000;
  return device == &with_counter ? success : not_supported;
}

int nvmlDeviceGetMemoryBusWidth(void* device, unsigned* bits) {
  *bits = 512;
  return device == &with_counter ? success : not_supported;
}

}  // extern "C"
