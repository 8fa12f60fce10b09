#include "roofline/ceilings/opencl/copy_q.hpp"
#include "roofline/ceilings/opencl/fma.hpp"
#include "roofline/ceilings/opencl/launch.hpp"
#include "roofline/ceilings/opencl/read.hpp"
#include "roofline/ceilings/opencl/shared.hpp"
#include "roofline/ceilings/opencl/stream.hpp"

namespace ladder::ceilings {
namespace {

template <template <class> class C>
std::unique_ptr<Ceiling> make(const Request& request) {
  if (request.real == sizeof(float)) return std::make_unique<C<float>>(request);
  return std::make_unique<C<double>>(request);
}

/// Launch latency is the same in every precision.
std::unique_ptr<Ceiling> make_launch(Request request) {
  request.real = sizeof(float);
  return std::make_unique<Launch>(request);
}

/// OpenCL does not report a GPU's L2 cache size; 16 MiB fit in current L2 caches but in no L1 cache.
template <template <class> class C>
std::unique_ptr<Ceiling> make_in_l2(const Request& request) {
  if (opencl::Device::select().is_processor())
    throw Unavailable("l2-read is for GPUs; `read` measures the bandwidth of a processor's caches, at their sizes");
  Request in_l2 = request;
  in_l2.bytes = 16 << 20;
  return make<C>(in_l2);
}

constexpr Maker all[] = {
    {"copy", make<Stream>},
    {"scale", make<Stream>},
    {"add", make<Stream>},
    {"triad", make<Stream>},
    {"copy-9", make<CopyQ>},
    {"copy-19", make<CopyQ>},
    {"copy-27", make<CopyQ>},
    {"copy-37", make<CopyQ>},
    {"read", make<Read>},
    {"l2-read", make_in_l2<Read>},
    {"fma", make<Fma>},
    {"shared", make<Shared>},
    {"launch", [](const Request& r) { return make_launch(r); }},
};

}  // namespace

std::span<const Maker> makers() { return all; }

}  // namespace ladder::ceilings
