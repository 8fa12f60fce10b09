#pragma once

#include <linux/perf_event.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Hardware counters of processors, read with the kernel's perf_event_open().
namespace ladder {

/// What the kernel returns for one event. An event that shares a hardware counter is counted only part of the time.
struct PerfValue {
  std::uint64_t count = 0, nanoseconds_enabled = 0, nanoseconds_running = 0;
};

/// The kernel's interface to the counters; tests replace it.
class PerfKernel {
 public:
  virtual ~PerfKernel() = default;
  /// Opens an event of a process (0: this thread; -1: all) on a processor (-1: any). Returns a descriptor, or the negative
  /// error number.
  virtual int open(perf_event_attr event, int process, int processor);
  virtual std::optional<PerfValue> read(int descriptor);
  virtual void close(int descriptor);
  /// The content of /proc/sys/kernel/perf_event_paranoid; empty if there is no such file.
  virtual std::string paranoid() const;
};

/// Why perf_event_open() failed with this error number, and what an administrator could change. `accepted`: the largest value
/// of perf_event_paranoid that permits the event.
std::string why_not_counted(int error, const std::string& paranoid, int accepted);

/// Counts of a program's threads in user mode. NaN if not counted.
struct ProcessorCounts {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  double instructions = unknown;
  double cycles = unknown;
  double cache_misses = unknown;        ///< of the last-level cache
  double dram_bytes_read = unknown;     ///< by the memory controllers, for all processes
  double dram_bytes_written = unknown;  ///< the same
  double seconds = unknown;             ///< by the program's clock
  double running_share = 1;             ///< smallest fraction of time an event was counted; below 1, counts are scaled

  static constexpr auto all() {
    using C = ProcessorCounts;
    return std::array{&C::instructions, &C::cycles, &C::cache_misses, &C::dram_bytes_read, &C::dram_bytes_written, &C::seconds};
  }
};

class ProcessorCounters {
 public:
  /// Bytes moved by a last-level cache miss or by one access of a memory controller, on x86.
  static constexpr double line_bytes = 64;

  /// Determines which events can be counted on this machine.
  /// @param vendor of the processor, as in Processor::vendor
  /// @param devices folder in which the kernel lists its counting devices
  ProcessorCounters(PerfKernel& kernel, std::string_view vendor,
                    const std::filesystem::path& devices = "/sys/bus/event_source/devices");

  /// Whether instructions or cycles are counted.
  [[nodiscard]] bool can_count() const;
  /// Names of the counted events.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Why the other events are not counted, by name. Memory controllers are missing if the machine lists none.
  [[nodiscard]] const std::map<std::string, std::string>& refused() const { return refused_; }

  /// Calls `program` with this number of steps, which it runs in a process and whose time it returns, and counts the events of
  /// that process and its threads. This thread must start the process, and `program` must wait for it.
  ProcessorCounts count(std::int64_t steps, const std::function<double(std::int64_t)>& program) const;

  /// Counts of `steps` steps without the program's set-up: the median difference between runs of 2 · `steps` and of `steps`.
  ProcessorCounts count_steps(std::int64_t steps, int rounds, const std::function<double(std::int64_t)>& program) const;

 private:
  /// An event, and where it is counted.
  struct Source {
    std::string name;
    double ProcessorCounts::*counter;
    perf_event_attr event;
    int process = 0, processor = -1;
    double unit = 1;  ///< of the counter, per count
  };

  /// The error number with which the source cannot be opened; 0 if it can.
  [[nodiscard]] int error_of(const Source& source) const;
  void add_memory_controllers(const std::filesystem::path& devices);

  PerfKernel& kernel_;
  std::vector<Source> sources_;
  std::map<std::string, std::string> refused_;
};

}  // namespace ladder
