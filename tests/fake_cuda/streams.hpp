#pragma once

#include <functional>
#include <memory>
#include <vector>

/// Work queued on streams. It runs only when the host waits for it. Streams then take turns at random, as far as events permit,
/// so missing synchronization between streams makes work run too late or too early.
namespace fake_cuda {

/// Queued work. Returns false without doing anything if it must wait for another stream.
using Work = std::function<bool()>;

/// How often an event was recorded and reached.
struct Marks {
  int recorded = 0, reached = 0;
};

}  // namespace fake_cuda

struct CUstream_st {
  int device;
  std::vector<fake_cuda::Work> queue;
  std::size_t done = 0;                              ///< number of finished items
  std::vector<fake_cuda::Work>* recorder = nullptr;  ///< of the graph being recorded, if any
};
struct CUevent_st {
  int device;
  std::shared_ptr<fake_cuda::Marks> marks = std::make_shared<fake_cuda::Marks>();
};

namespace fake_cuda {

CUstream_st* make_stream(int device);
void destroy_stream(CUstream_st* stream);
/// Queues work, or records it in a graph.
void enqueue(CUstream_st* stream, Work work);
/// Runs until all work of a stream, or of all streams, is done. Ends the program if streams wait for each other.
void finish(const CUstream_st* stream);
void finish_all();

}  // namespace fake_cuda
