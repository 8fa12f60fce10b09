#include "base/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "base/key_values.hpp"
#include "base/nvml.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Seconds since the machine started, summed over processors.
struct Processors {
  double busy = 0, steal = 0;
};

std::optional<Processors> processors() {
  std::ifstream file("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0;
  if (!(file >> name >> user >> nice >> system >> idle >> wait >> irq >> softirq >> steal) || name != "cpu")
    return std::nullopt;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return Processors{(user + nice + system + irq + softirq) / ticks, steal / ticks};
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

/// The value of `key` in a file of `key: value` lines.
std::string value_in(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    line.erase(0, line.find_first_not_of(" \t:", key.size()));
    return line;
  }
  return {};
}

std::string affinity() {
  std::map<int, std::set<std::string>> lists;  // keyed by the first processor
  std::error_code error;
  for (const auto& task : fs::directory_iterator("/proc/self/task", error)) {
    const std::string list = value_in(task.path() / "status", "Cpus_allowed_list");
    int first = 0;
    std::from_chars(list.data(), list.data() + list.size(), first);
    if (!list.empty()) lists[first].insert(list);
  }
  std::vector<std::string> all;
  for (const auto& [first, some] : lists)
    all.insert(all.end(), some.begin(), some.end());
  return fmt::format("{}", fmt::join(all, ";"));
}

std::string pages() {
  std::map<int, std::int64_t> nodes;
  std::ifstream file("/proc/self/numa_maps");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const auto given = key_value(word);  // N0=1200
      int node = 0;
      std::int64_t count = 0;
      if (given && given->key[0] == 'N' && read_number(given->key.substr(1), node) && read_number(given->value, count))
        nodes[node] += count;
    }
  }
  std::vector<std::string> all;
  for (const auto& [node, count] : nodes)
    all.push_back(fmt::format("N{}={}", node, count));
  return fmt::format("{}", fmt::join(all, ";"));
}

double cpu_mhz() {
  double sum = 0;
  int count = 0;
  for (;; ++count) {
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", count));
    double kilohertz = 0;
    if (!(file >> kilohertz)) break;
    sum += kilohertz * 1e-3;
  }
  return count > 0 ? sum / count : Conditions::unknown;
}

/// Run time in nanoseconds of each thread of this process, by thread id. The times in /proc are not precise enough: they lag by
/// up to one tick of the kernel's clock, which may be longer than a sample.
std::map<int, std::int64_t> running_times() {
  std::map<int, std::int64_t> times;
  std::error_code error;
  for (const auto& task : fs::directory_iterator("/proc/self/task", error)) {
    const int thread = std::atoi(task.path().filename().c_str());
    // Linux's id of the CPUCLOCK_SCHED clock of one thread.
    const clockid_t clock = (~static_cast<clockid_t>(thread) << 3) | 6;
    timespec time{};
    if (clock_gettime(clock, &time) == 0) times[thread] = std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
  }
  return times;
}

}  // namespace

/// The GPU that a rung runs on, as reported by NVIDIA's management library.
class Watch::Gpu {
 public:
  explicit Gpu(const std::string& address) : device_(nvml_.gpu(address)) {}

  void observe(Conditions& c) const {
    if (device_ == nullptr) return;
    constexpr int clock_of_multiprocessors = 1;
    constexpr int sensor_of_chip = 0;
    c.gpu_mhz = number("nvmlDeviceGetClockInfo", clock_of_multiprocessors);
    c.gpu_celsius = number("nvmlDeviceGetTemperature", sensor_of_chip);
    if (const auto power = nvml_.function<int (*)(void*, unsigned*)>("nvmlDeviceGetPowerUsage")) {
      unsigned milliwatts = 0;
      if (power(device_, &milliwatts) == 0) c.gpu_watts = 1e-3 * milliwatts;
    }
    if (const auto throttle =
            nvml_.function<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons")) {
      unsigned long long reasons = 0;
      if (throttle(device_, &reasons) == 0) c.gpu_throttle = names(reasons);
    }
  }

 private:
  double number(const char* name, int which) const {
    const auto get = nvml_.function<int (*)(void*, int, unsigned*)>(name);
    unsigned value = 0;
    return get != nullptr && get(device_, which, &value) == 0 ? static_cast<double>(value) : Conditions::unknown;
  }

  static std::string names(unsigned long long reasons) {
    constexpr std::pair<unsigned long long, const char*> known[] = {{0x4, "sw_power_cap"}, {0x8, "hw_slowdown"},
                                                                    {0x10, "sync_boost"},  {0x20, "sw_thermal"},
                                                                    {0x40, "hw_thermal"},  {0x80, "hw_power_brake"}};
    std::vector<std::string> all;
    for (const auto& [bit, name] : known)
      if ((reasons & bit) != 0) all.emplace_back(name);
    return fmt::format("{}", fmt::join(all, ";"));
  }

  Nvml nvml_;
  void* device_;  ///< nullptr if NVML does not know the GPU
};

struct Watch::Times {
  std::optional<Processors> machine;
  double own = 0;
  long switches = 0;
  std::map<int, std::int64_t> threads;
};

Watch::Times Watch::times() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {processors(), seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_nivcsw, running_times()};
}

Watch::Watch(const std::string& gpu) : gpu_(gpu.empty() ? nullptr : std::make_unique<Gpu>(gpu)) {
  before_ = std::make_unique<Times>(times());
  begin_ = std::chrono::steady_clock::now();
}

Watch::~Watch() = default;

Conditions Watch::stop() const {
  Conditions c;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  if (gpu_ != nullptr) gpu_->observe(c);
  const Times after = times();
  constexpr double enough_ticks = 10;
  if (before_->machine && after.machine && elapsed * static_cast<double>(sysconf(_SC_CLK_TCK)) >= enough_ticks) {
    // The machine's ticks are coarser than this process's time, so the difference may be negative.
    const double others = after.machine->busy - before_->machine->busy - (after.own - before_->own);
    c.other_load = std::max(0.0, others / elapsed);
    c.steal = (after.machine->steal - before_->machine->steal) / elapsed;
  }
  c.involuntary_switches = static_cast<double>(after.switches - before_->switches);
  const auto has_run = [&](const auto& thread) {
    const auto before = before_->threads.find(thread.first);
    return before == before_->threads.end() || before->second < thread.second;
  };
  if (!after.threads.empty())
    c.working_threads = static_cast<double>(std::count_if(after.threads.begin(), after.threads.end(), has_run));
  c.cpu_mhz = cpu_mhz();
  c.affinity = ladder::affinity();
  c.pages = ladder::pages();
  return c;
}

}  // namespace ladder
