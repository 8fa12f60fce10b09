// The library that records timelines, with functions of CUPTI that deliver made-up records.
#include <cupti.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/record/timelines.hpp"
#include "tests/support/folder.hpp"

extern "C" int InitializeInjection();

namespace {

/// What the library asked of CUPTI.
struct Asked {
  CUpti_CallbackFunc callback = nullptr;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  std::set<CUpti_ActivityKind> kinds;
  std::uint64_t now = 0;
} asked;

/// Records of different types, each at an aligned place of the buffer.
std::vector<std::vector<std::uint8_t>> records;

template <class Record>
void deliver(const Record& record) {
  auto& bytes = records.emplace_back(sizeof record);
  std::memcpy(bytes.data(), &record, sizeof record);
}

std::vector<std::size_t> places;  ///< of the records in the delivered buffer

}  // namespace

// The functions have C linkage because cupti.h declares them so.
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc callback, void*) {
  asked.callback = callback;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiEnableCallback(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  asked.request = request;
  asked.complete = complete;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  asked.kinds.insert(kind);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetTimestamp(uint64_t* now) {
  *now = asked.now;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "made up";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
  *dropped = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char** name) {
  static const std::map<std::pair<int, uint32_t>, const char*> names{
      {{CUPTI_CB_DOMAIN_RUNTIME_API, 1}, "cudaLaunchKernel_ptsz_v7000"},
      {{CUPTI_CB_DOMAIN_RUNTIME_API, 2}, "cudaStreamSynchronize_v3020"},
      {{CUPTI_CB_DOMAIN_DRIVER_API, 1}, "cuMemcpyHtoDAsync_v2"}};
  const auto found = names.find({domain, id});
  if (found == names.end()) return CUPTI_ERROR_INVALID_PARAMETER;
  *name = found->second;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(uint32_t) {
  if (records.empty()) return CUPTI_SUCCESS;
  std::uint8_t* buffer = nullptr;
  size_t bytes = 0, most = 0;
  asked.request(&buffer, &bytes, &most);
  size_t used = 0;
  places.clear();
  for (const auto& record : records) {
    places.push_back(used);
    std::memcpy(buffer + used, record.data(), record.size());
    used += (record.size() + 7) / 8 * 8;
  }
  records.clear();
  asked.complete(nullptr, 0, buffer, bytes, used);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t, CUpti_Activity** record) {
  const auto at = *record == nullptr
                      ? places.begin()
                      : std::upper_bound(places.begin(), places.end(),
                                         static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer));
  if (at == places.end()) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(buffer + *at);
  return CUPTI_SUCCESS;
}

namespace ladder::test {
namespace {

void call_profiler(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint64_t now) {
  CUpti_CallbackData data{};
  asked.now = now;
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    data.callbackSite = site;
    asked.callback(nullptr, domain, id, &data);
  }
}

void kernel(const char* name, std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
  CUpti_ActivityKernel10 record{};
  record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  record.name = name;
  record.streamId = stream;
  record.deviceId = 1;
  record.start = begin;
  record.end = end;
  deliver(record);
}

void call(CUpti_ActivityKind kind, CUpti_CallbackId id, std::uint32_t thread, std::uint64_t begin, std::uint64_t end) {
  CUpti_ActivityAPI record{};
  record.kind = kind;
  record.cbid = id;
  record.threadId = thread;
  record.start = begin;
  record.end = end;
  deliver(record);
}

/// The library keeps its state for the life of the process, so this is one test.
TEST(TimelineLibrary, WritesWhatBeganInTheRangeInOrder) {
  static const Folder folder;  // the library writes once more at exit
  for (const char* rank : {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    unsetenv(rank);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);

  unsetenv("LADDER_TIMELINE");
  EXPECT_EQ(InitializeInjection(), 1);
  EXPECT_EQ(asked.callback, nullptr) << "without the variable, it does nothing";

  setenv("LADDER_TIMELINE", (folder.path() / "timeline").c_str(), 1);
  EXPECT_EQ(InitializeInjection(), 1);
  ASSERT_NE(asked.callback, nullptr);
  EXPECT_TRUE(asked.kinds.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  EXPECT_TRUE(asked.kinds.contains(CUPTI_ACTIVITY_KIND_MEMCPY2));

  kernel("warm_up", 7, 10, 20);
  (void)cuptiActivityFlushAll(0);
  kernel("warm_up", 7, 30, 40);  // delivered within the range
  call_profiler(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, 100);

  kernel("_ZN5d2q374stepIfLi1EEEvPKT_PS1_i", 13, 150, 190);            // void d2q37::step<float, 1>(float const*, float*, int)
  kernel("_ZN5d2q3712update_wallsIdEEvPKT_$_omp_fn$1", 13, 191, 195);  // of OpenACC
  kernel("_ZN4d2q912_GLOBAL__N_16borderEPf", 14, 152, 160);            // d2q9::(anonymous namespace)::border(float*)
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  copy.streamId = 14;
  copy.bytes = 4096;
  copy.start = 160;
  copy.end = 170;
  deliver(copy);
  CUpti_ActivityMemcpyPtoP4 peer{};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.streamId = 15;
  peer.bytes = 64;
  peer.start = 171;
  peer.end = 172;
  deliver(peer);
  CUpti_ActivityMemset4 set{};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.streamId = 15;
  set.bytes = 8;
  set.start = 173;
  set.end = 174;
  deliver(set);
  CUpti_ActivityOverhead3 unknown{};
  unknown.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  deliver(unknown);
  call(CUPTI_ACTIVITY_KIND_RUNTIME, 1, 1, 110, 120);
  call(CUPTI_ACTIVITY_KIND_DRIVER, 1, 1, 110, 119);  // within the previous call
  call(CUPTI_ACTIVITY_KIND_DRIVER, 1, 2, 111, 118);  // at the same time, on another thread
  call(CUPTI_ACTIVITY_KIND_DRIVER, 1, 1, 121, 125);
  call(CUPTI_ACTIVITY_KIND_RUNTIME, 2, 1, 126, 198);
  kernel("late", 7, 200, 210);
  call_profiler(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, 200);

  const std::string expected =
      "kind,name,queue,device,begin_ns,end_ns,bytes\n"
      "call,cudaLaunchKernel,host,0,110,120,0\n"
      "call,cuMemcpyHtoDAsync,host,0,111,118,0\n"
      "call,cuMemcpyHtoDAsync,host,0,121,125,0\n"
      "call,cudaStreamSynchronize,host,0,126,198,0\n"
      "kernel,step,13,1,150,190,0\n"
      "kernel,border,14,1,152,160,0\n"
      "copy,device to host,14,0,160,170,4096\n"
      "copy,peer to peer,15,0,171,172,64\n"
      "set,set,15,0,173,174,8\n"
      "kernel,update_walls$1,13,1,191,195,0\n";
  EXPECT_EQ(folder.read("timeline.3.csv"), expected);
  EXPECT_EQ(parse_activities("f", expected).rows.size(), 10u);
  EXPECT_EQ(csv_header<Activity>(), expected.substr(0, expected.find('\n')));
}

}  // namespace
}  // namespace ladder::test
