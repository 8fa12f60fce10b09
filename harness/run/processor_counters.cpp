#include "harness/run/processor_counters.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "base/file.hpp"
#include "base/key_values.hpp"
#include "base/text.hpp"
#include "harness/record/statistics.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Largest values of perf_event_paranoid that permit counting a user's own processes, and all processes.
constexpr int paranoid_own = 2, paranoid_all = 0;
constexpr const char* memory_controllers = "memory controllers";

/// An event counted in the program that this thread starts, including its threads, from the program's start.
perf_event_attr program_event(std::uint64_t config) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_HARDWARE;
  event.config = config;
  event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  event.disabled = 1;
  event.inherit = 1;
  event.enable_on_exec = 1;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  return event;
}

/// Parses e.g. `event=0x04,umask=0x03` for the kernel's usual format of these devices, event in bits 0 to 7 and umask in bits 8
/// to 15. Nothing if there is any other term.
std::optional<std::uint64_t> config_of(const std::string& text) {
  std::uint64_t config = 0;
  for (const std::string_view term : split(text, ',')) {
    const auto part = key_value(term);
    unsigned value = 0;
    if (!part || !part->value.starts_with("0x")) return std::nullopt;
    const std::string_view digits = part->value.substr(2);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc{} || stop != digits.data() + digits.size() || value > 0xff) return std::nullopt;
    if (part->key != "event" && part->key != "umask") return std::nullopt;
    config |= std::uint64_t{value} << (part->key == "event" ? 0 : 8);
  }
  return config;
}

}  // namespace

int PerfKernel::open(perf_event_attr event, int process, int processor) {
  const auto descriptor = syscall(SYS_perf_event_open, &event, process, processor, -1, PERF_FLAG_FD_CLOEXEC);
  return descriptor < 0 ? -errno : static_cast<int>(descriptor);
}

std::optional<PerfValue> PerfKernel::read(int descriptor) {
  PerfValue value;
  return ::read(descriptor, &value, sizeof value) == sizeof value ? std::optional(value) : std::nullopt;
}

void PerfKernel::close(int descriptor) { ::close(descriptor); }

std::string PerfKernel::paranoid() const { return one_line(read_if_there("/proc/sys/kernel/perf_event_paranoid")); }

std::string why_not_counted(int error, const std::string& paranoid, int accepted) {
  int level = 0;
  switch (error) {
    case EACCES:
    case EPERM:
      if (read_number(paranoid, level) && level > accepted)
        return fmt::format(
            "/proc/sys/kernel/perf_event_paranoid is {}, which reserves this counter for administrators; one could set it to "
            "{}, "
            "or grant CAP_PERFMON",
            level, accepted);
      return "perf_event_open is forbidden by a seccomp filter or a security module, as in a container; an administrator could "
             "allow this call, e.g. by granting CAP_PERFMON";
    case ENOSYS:
      return "this kernel has no perf_event_open, or a seccomp filter hides it; an administrator could allow this call";
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
      return "this processor has no such counter, as in most virtual machines; the host's administrator could give this one a "
             "virtual PMU";
    default:
      return fmt::format("perf_event_open fails: {}", std::generic_category().message(error));
  }
}

ProcessorCounters::ProcessorCounters(PerfKernel& kernel, std::string_view vendor, const fs::path& devices) : kernel_(kernel) {
  const auto add = [&](const char* name, double ProcessorCounts::*counter, std::uint64_t config) {
    Source source{.name = name, .counter = counter, .event = program_event(config)};
    if (const int error = error_of(source); error != 0)
      refused_[name] = why_not_counted(error, kernel_.paranoid(), paranoid_own);
    else
      sources_.push_back(std::move(source));
  };
  add("instructions", &ProcessorCounts::instructions, PERF_COUNT_HW_INSTRUCTIONS);
  add("cycles", &ProcessorCounts::cycles, PERF_COUNT_HW_CPU_CYCLES);
  if (vendor == "GenuineIntel")
    add("cache-misses", &ProcessorCounts::cache_misses, PERF_COUNT_HW_CACHE_MISSES);
  else
    refused_["cache-misses"] = "on this processor, the kernel's event of this name counts misses of an inner cache";
  add_memory_controllers(devices);
}

void ProcessorCounters::add_memory_controllers(const fs::path& devices) {
  std::vector<Source> found;
  std::error_code none;
  for (const auto& device : fs::directory_iterator(devices, none)) {
    const std::string name = device.path().filename().string();
    if (!name.starts_with("uncore_imc_") || name.find("free_running") != std::string::npos) continue;
    const auto text = [&](const char* file) { return one_line(read_if_there(device.path() / file)); };
    const auto add = [&](const char* file, double ProcessorCounts::*counter) {
      const auto config = config_of(text(file));
      perf_event_attr event{};
      event.size = sizeof event;
      event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
      if (!config || *config == 0 || !read_number(text("type"), event.type)) return false;
      event.config = *config;
      const std::string processors = text("cpumask");  // one in each socket
      for (const std::string_view processor : split(processors, ',')) {
        Source source{.name = memory_controllers, .counter = counter, .event = event, .process = -1, .unit = line_bytes};
        if (!read_number(processor, source.processor)) return false;
        found.push_back(std::move(source));
      }
      return !processors.empty();
    };
    if (!add("events/cas_count_read", &ProcessorCounts::dram_bytes_read) ||
        !add("events/cas_count_write", &ProcessorCounts::dram_bytes_written)) {
      refused_[memory_controllers] = fmt::format("{} describes its events in an unknown way", device.path().string());
      return;
    }
  }
  for (const Source& source : found)
    if (const int error = error_of(source); error != 0) {
      refused_[memory_controllers] = why_not_counted(error, kernel_.paranoid(), paranoid_all);
      return;
    }
  sources_.insert(sources_.end(), found.begin(), found.end());
}

int ProcessorCounters::error_of(const Source& source) const {
  const int descriptor = kernel_.open(source.event, source.process, source.processor);
  if (descriptor < 0) return -descriptor;
  kernel_.close(descriptor);
  return 0;
}

bool ProcessorCounters::can_count() const { return !refused_.contains("instructions") || !refused_.contains("cycles"); }

std::vector<std::string> ProcessorCounters::names() const {
  std::vector<std::string> all;
  for (const Source& source : sources_)
    if (std::ranges::find(all, source.name) == all.end()) all.push_back(source.name);
  return all;
}

ProcessorCounts ProcessorCounters::count(std::int64_t steps, const std::function<double(std::int64_t)>& program) const {
  /// Closes what was opened.
  struct Opened {
    PerfKernel& kernel;
    std::vector<int> descriptors = {};
    ~Opened() {
      std::ranges::for_each(descriptors, [&](int descriptor) { kernel.close(descriptor); });
    }
  } opened{kernel_};
  ProcessorCounts counts;
  for (const Source& source : sources_) {
    const int descriptor = kernel_.open(source.event, source.process, source.processor);
    if (descriptor < 0)
      throw std::runtime_error(
          fmt::format("{} are no longer counted: {}", source.name, std::generic_category().message(-descriptor)));
    opened.descriptors.push_back(descriptor);
    counts.*source.counter = 0;
  }
  counts.seconds = program(steps);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto value = kernel_.read(opened.descriptors[i]);
    const double share =
        value ? static_cast<double>(value->nanoseconds_running) / static_cast<double>(value->nanoseconds_enabled) : 0;
    const bool was_counted = share > 0;  // also false for NaN
    counts.*sources_[i].counter +=
        was_counted ? static_cast<double>(value->count) / share * sources_[i].unit : ProcessorCounts::unknown;
    if (was_counted) counts.running_share = std::min(counts.running_share, share);
  }
  return counts;
}

ProcessorCounts ProcessorCounters::count_steps(std::int64_t steps, int rounds,
                                               const std::function<double(std::int64_t)>& program) const {
  std::vector<ProcessorCounts> few, many;
  ProcessorCounts result;
  for (int round = 0; round < rounds; ++round) {
    few.push_back(count(steps, program));
    many.push_back(count(2 * steps, program));
    result.running_share = std::min({result.running_share, few.back().running_share, many.back().running_share});
  }
  for (const auto counter : ProcessorCounts::all()) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < few.size(); ++i)
      differences.push_back(many[i].*counter - few[i].*counter);
    const bool is_known = std::ranges::none_of(differences, [](double value) { return std::isnan(value); });
    // A negative median is noise.
    if (const double middle = is_known ? median(differences) : -1; middle >= 0) result.*counter = middle;
  }
  return result;
}

}  // namespace ladder
