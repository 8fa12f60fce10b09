#include "roofline/ceilings/cuda/copy_q.hpp"
#include "roofline/ceilings/cuda/fma.hpp"
#include "roofline/ceilings/cuda/launch.hpp"
#include "roofline/ceilings/cuda/read.hpp"
#include "roofline/ceilings/cuda/shared.hpp"
#include "roofline/ceilings/cuda/stream.hpp"
#include "roofline/ceilings/cuda/synchronize.hpp"

namespace ladder::ceilings {
namespace {

template <template <class> class C>
std::unique_ptr<Ceiling> make(const Request& request) {
  if (request.real == sizeof(float)) return std::make_unique<C<float>>(request);
  return std::make_unique<C<double>>(request);
}

/// A ceiling that only moves data.
template <template <class> class C>
std::unique_ptr<Ceiling> make_moving(const Request& request) {
  if (request.real == sizeof(Half)) return std::make_unique<C<Half>>(request);
  return make<C>(request);
}

/// Uses a quarter of the L2 cache. The cache may consist of two halves, each close to half of the multiprocessors, and data in
/// the far half is copied to the near half. A quarter fits twice.
template <template <class> class C>
std::unique_ptr<Ceiling> make_in_l2(const Request& request) {
  Request in_l2 = request;
  in_l2.bytes = cuda::Device::select().l2_cache() / 4;
  if (in_l2.bytes == 0) throw Unavailable("this GPU has no L2 cache");
  return make<C>(in_l2);
}

/// Latencies are the same in every precision.
template <class C>
std::unique_ptr<Ceiling> make_latency(const Request&) {
  return std::make_unique<C>();
}

constexpr Maker all[] = {
    {"copy", make<Stream>},
    {"scale", make<Stream>},
    {"add", make<Stream>},
    {"triad", make<Stream>},
    {"copy-9", make_moving<CopyQ>, true},
    {"copy-19", make_moving<CopyQ>, true},
    {"copy-27", make_moving<CopyQ>, true},
    {"copy-37", make_moving<CopyQ>, true},
    {"read", make<Read>},
    {"fma", make<Fma>},
    {"l2-read", make_in_l2<Read>},
    {"l2-copy", make_in_l2<Stream>},
    {"shared", make<Shared>},
    {"launch", make_latency<Launch>},
    {"graph", make_latency<GraphNodes>},
    {"grid-sync", make_latency<GridSync>},
    {"cluster-sync", make_latency<ClusterSync>},
};

}  // namespace

std::span<const Maker> makers() { return all; }

}  // namespace ladder::ceilings
