#include "tests/fake_cuda/streams.hpp"

#include <algorithm>
#include <utility>

#include "tests/fake_cuda/grid.hpp"
#include "tests/fake_cuda/random.hpp"

namespace fake_cuda {
namespace {

std::vector<CUstream_st*> streams;

bool is_idle(const CUstream_st& stream) { return stream.done == stream.queue.size(); }

/// Runs up to `count` items of a stream's queue; returns whether it ran any.
bool run_some(CUstream_st& stream, std::size_t count) {
  bool ran = false;
  while (count-- > 0 && !is_idle(stream) && stream.queue[stream.done]()) {
    stream.queue[stream.done++] = nullptr;
    ran = true;
  }
  if (is_idle(stream)) {
    stream.queue.clear();
    stream.done = 0;
  }
  return ran;
}

/// Advances a random stream by a random number of items.
void run_one() {
  for (std::vector<CUstream_st*> left = streams; !left.empty();)
    if (run_some(*take_one(left), std::size_t{1} << random_below(12))) return;
  fail("all streams wait for events that never come");
}

}  // namespace

CUstream_st* make_stream(int device) { return streams.emplace_back(new CUstream_st{device, {}}); }

void destroy_stream(CUstream_st* stream) {
  finish(stream);
  std::erase(streams, stream);
  delete stream;
}

void enqueue(CUstream_st* stream, Work work) {
  (stream->recorder != nullptr ? *stream->recorder : stream->queue).push_back(std::move(work));
}

void finish(const CUstream_st* stream) {
  while (!is_idle(*stream))
    run_one();
}

void finish_all() {
  for (const CUstream_st* stream : streams)
    finish(stream);
}

}  // namespace fake_cuda
