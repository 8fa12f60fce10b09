#pragma once

#include <functional>
#include <memory>
#include <vector>

/// Work that is queued on streams. It runs when the host waits for it, and no earlier: then streams take turns at random, as
/// far as events allow, so that work that another stream must wait for, and does not, runs too late or too early.
namespace fake_cuda {

/// Queued work: returns false, having done nothing, if it must wait for another stream.
using Work = std::function<bool()>;

/// How often an event was recorded, and reached.
struct Marks {
  int recorded = 0, reached = 0;
};

}  // namespace fake_cuda

struct CUstream_st {
  int device;
  std::vector<fake_cuda::Work> queue;
  std::size_t done = 0;                              ///< how much of the queue
  std::vector<fake_cuda::Work>* recorder = nullptr;  ///< of the graph that is being recorded
};
struct CUevent_st {
  int device;
  std::shared_ptr<fake_cuda::Marks> marks = std::make_shared<fake_cuda::Marks>();
};

namespace fake_cuda {

CUstream_st* make_stream(int device);
void destroy_stream(CUstream_st* stream);
/// Queues work, or records it for a graph.
void enqueue(CUstream_st* stream, Work work);
/// Runs until all work of a stream is done, or that of all streams. Ends the program if streams wait for each other.
void finish(const CUstream_st* stream);
void finish_all();

}  // namespace fake_cuda
