/// A library that the CUDA driver loads into a program not linked with it (CUDA_INJECTION64_PATH). Between cudaProfilerStart
/// and cudaProfilerStop, CUPTI records kernels, copies and calls; each process writes its own to a CSV file,
/// `<LADDER_TIMELINE>.<rank>.csv` (columns: harness/record/timelines.cpp). Without LADDER_TIMELINE, it does nothing. Only the
/// first error is printed, and the program continues.
#include <cupti.h>
#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

struct Event {
  const char* kind;
  std::string name = {}, queue = {};
  std::uint32_t device = 0;
  std::uint64_t begin = 0, end = 0, bytes = 0;
  std::uint32_t thread = 0;   ///< of a call
  bool is_of_driver = false;  ///< a call of the driver API
};

struct Recorder {
  std::string file;
  std::mutex mutex;
  std::vector<Event> events;
  std::atomic<std::uint64_t> begin = 0, end = 0;  ///< the recorded range; 0 if not reached
  std::atomic<bool> has_failed = false, is_written = false;
};

/// Never destroyed, because CUPTI's thread may deliver events until the process ends.
Recorder& recorder() {
  static auto* one = new Recorder;
  return *one;
}

void report(const char* what, const char* why) {
  if (!recorder().has_failed.exchange(true)) std::fprintf(stderr, "timeline: %s: %s\n", what, why);
}

bool succeeds(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return true;
  const char* why = nullptr;
  if (cuptiGetResultString(result, &why) != CUPTI_SUCCESS || why == nullptr) why = "unknown error";
  report(what, why);
  return false;
}

/// The rank that the launcher assigned to this process; without one, its process id.
std::string process_number() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(variable); rank != nullptr && *rank != '\0') return rank;
  return std::to_string(getpid());
}

/// The name of a function without its namespace, template arguments and parameters. GCC names the loops of OpenACC
/// `<function>$_omp_fn$<number>`; these are `<name>$<number>` here.
std::string base_name(const char* symbol) {
  if (symbol == nullptr) return "unknown";
  std::string mangled = symbol, loop;
  constexpr std::string_view mark = "_omp_fn";
  if (const std::size_t at = mangled.find(mark); at != std::string::npos && at > 0) {
    loop = mangled.substr(at + mark.size());
    mangled.erase(at - 1);
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  std::string text = status == 0 && demangled ? demangled.get() : mangled;
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed))
    text.erase(at, unnamed.size());
  std::string name;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (c == '>') --depth;
  }
  return name.substr(name.find_last_of(": ") + 1) + loop;
}

/// The name of a CUDA function without its version, e.g. `cudaLaunchKernel`.
std::string call_name(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const char* text = nullptr;
  if (cuptiGetCallbackName(domain, id, &text) != CUPTI_SUCCESS || text == nullptr) return "unknown";
  std::string name = text;
  const std::size_t version = name.rfind("_v");
  if (version != std::string::npos && name.find_first_not_of("0123456789", version + 2) == std::string::npos)
    name.erase(version);
  for (const std::string_view per_thread : {"_ptsz", "_ptds"})
    if (name.ends_with(per_thread)) name.erase(name.size() - per_thread.size());
  return name;
}

const char* direction(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return "device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "host to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "peer to peer";
    default:
      return "device to device";
  }
}

/// An event on a queue.
template <class Activity>
Event in_queue(const char* kind, const std::string& name, const Activity& activity, std::uint64_t bytes) {
  return {.kind = kind,
          .name = name,
          .queue = std::to_string(activity.streamId),
          .device = activity.deviceId,
          .begin = activity.start,
          .end = activity.end,
          .bytes = bytes};
}

/// Converts a record to an event; `kind` is null for other kinds of records.
Event event_of(const CUpti_Activity& record) {
  const auto as = [&]<class Activity>(const Activity*) -> const Activity& { return reinterpret_cast<const Activity&>(record); };
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = as(static_cast<const CUpti_ActivityKernel10*>(nullptr));
      return in_queue("kernel", base_name(kernel.name), kernel, 0);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = as(static_cast<const CUpti_ActivityMemcpy6*>(nullptr));
      return in_queue("copy", direction(copy.copyKind), copy, copy.bytes);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = as(static_cast<const CUpti_ActivityMemcpyPtoP4*>(nullptr));
      return in_queue("copy", "peer to peer", copy, copy.bytes);
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& set = as(static_cast<const CUpti_ActivityMemset4*>(nullptr));
      return in_queue("set", "set", set, set.bytes);
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
      const auto& call = as(static_cast<const CUpti_ActivityAPI*>(nullptr));
      const bool is_of_driver = record.kind == CUPTI_ACTIVITY_KIND_DRIVER;
      return {.kind = "call",
              .name = call_name(is_of_driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, call.cbid),
              .queue = "host",
              .begin = call.start,
              .end = call.end,
              .thread = call.threadId,
              .is_of_driver = is_of_driver};
    }
    default:
      return {.kind = nullptr};
  }
}

/// Keeps the events that began in the recorded range. Records delivered before the range belong to earlier work.
void take(const CUpti_Activity& record) {
  Recorder& all = recorder();
  const std::uint64_t begin = all.begin, end = all.end;
  if (begin == 0) return;
  Event event = event_of(record);
  if (event.kind == nullptr || event.begin < begin || event.end < event.begin || (end != 0 && event.begin >= end)) return;
  if (event.name.find("ProfilerSt") != std::string::npos) return;
  const std::lock_guard lock(all.mutex);
  all.events.push_back(std::move(event));
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(ACTIVITY_RECORD_ALIGNMENT, buffer_bytes));
  *bytes = *buffer == nullptr ? 0 : buffer_bytes;
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
  CUpti_Activity* record = nullptr;
  CUptiResult result = valid_bytes == 0 ? CUPTI_ERROR_MAX_LIMIT_REACHED : CUPTI_SUCCESS;
  while (result == CUPTI_SUCCESS) {
    result = cuptiActivityGetNextRecord(buffer, valid_bytes, &record);
    if (result == CUPTI_SUCCESS) take(*record);
  }
  if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) succeeds(result, "cuptiActivityGetNextRecord");
  std::size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped > 0)
    report("CUPTI", "dropped records because no buffer was free");
  std::free(buffer);
}

/// The events in order, without driver calls made within a runtime call on the same thread.
std::vector<Event> events_in_order() {
  Recorder& all = recorder();
  std::vector<Event> events;
  {
    const std::lock_guard lock(all.mutex);
    events = all.events;
  }
  // The range may have ended after some of its records were delivered.
  std::erase_if(events, [end = all.end.load()](const Event& event) { return end != 0 && event.begin >= end; });
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.begin != b.begin ? a.begin < b.begin : !a.is_of_driver && b.is_of_driver;
  });
  std::vector<const Event*> calls;  // the last runtime call on each thread
  std::vector<Event> kept;
  kept.reserve(events.size());  // keeps the addresses in `calls`
  for (Event& event : events) {
    const bool is_call = std::strcmp(event.kind, "call") == 0;
    const auto around =
        std::find_if(calls.begin(), calls.end(), [&](const Event* call) { return call->thread == event.thread; });
    if (is_call && event.is_of_driver && around != calls.end() && event.begin < (*around)->end) continue;
    kept.push_back(std::move(event));
    if (!is_call || kept.back().is_of_driver) continue;
    if (around == calls.end())
      calls.push_back(&kept.back());
    else
      *around = &kept.back();
  }
  return kept;
}

void write_events() {
  const std::string& path = recorder().file;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
  if (!file) {
    report(path.c_str(), std::strerror(errno));
    return;
  }
  std::fputs("kind,name,queue,device,begin_ns,end_ns,bytes\n", file.get());
  for (Event& event : events_in_order()) {
    std::replace_if(
        event.name.begin(), event.name.end(), [](char c) { return c == ',' || c == '"' || c == '\n'; }, '_');
    std::fprintf(file.get(), "%s,%s,%s,%u,%llu,%llu,%llu\n", event.kind, event.name.c_str(), event.queue.c_str(), event.device,
                 static_cast<unsigned long long>(event.begin), static_cast<unsigned long long>(event.end),
                 static_cast<unsigned long long>(event.bytes));
  }
  if (std::fflush(file.get()) != 0) report(path.c_str(), std::strerror(errno));
}

/// Writes the recorded events at the end of the range and again at the end of the process, in case the range never ended.
void finish() {
  Recorder& all = recorder();
  if (all.begin == 0) return;
  const bool is_repeated = all.is_written.exchange(true);
  const CUptiResult result = cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  if (!is_repeated) succeeds(result, "cuptiActivityFlushAll");
  write_events();
}

void CUPTIAPI at_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const bool is_of_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API;
  if (!is_of_driver && domain != CUPTI_CB_DOMAIN_RUNTIME_API) return;
  const bool starts =
      is_of_driver ? id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart : id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000;
  const bool stops =
      is_of_driver ? id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop : id == CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000;
  const bool is_entered = static_cast<const CUpti_CallbackData*>(data)->callbackSite == CUPTI_API_ENTER;
  Recorder& all = recorder();
  std::uint64_t now = 0;
  if (!succeeds(cuptiGetTimestamp(&now), "cuptiGetTimestamp")) return;
  if (starts && !is_entered && all.end == 0) all.begin = now;  // the runtime's function calls the driver's
  if (stops && is_entered && all.begin != 0 && all.end == 0) {
    all.end = now;
    finish();
  }
}

}  // namespace

/// Called by the CUDA driver when it is initialized. Returns 1, which means success.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  const char* file = std::getenv("LADDER_TIMELINE");
  if (file == nullptr || *file == '\0') return 1;
  static std::atomic<bool> is_loaded = false;
  if (is_loaded.exchange(true)) return 1;
  recorder().file = std::string(file) + "." + process_number() + ".csv";
  static CUpti_SubscriberHandle subscriber;
  if (!succeeds(cuptiSubscribe(&subscriber, at_call, nullptr), "cuptiSubscribe")) return 1;
  const std::array<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>, 4> calls{
      {{CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000},
       {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000},
       {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart},
       {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop}}};
  for (const auto& [domain, id] : calls)
    succeeds(cuptiEnableCallback(1, subscriber, domain, id), "cuptiEnableCallback");
  if (!succeeds(cuptiActivityRegisterCallbacks(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks")) return 1;
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER})
    succeeds(cuptiActivityEnable(kind), "cuptiActivityEnable");
  std::atexit(finish);
  return 1;
}
