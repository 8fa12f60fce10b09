#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "roofline/ceilings/opencl/copy_q.hpp"
#include "roofline/ceilings/opencl/fma.hpp"
#include "roofline/ceilings/opencl/launch.hpp"
#include "roofline/ceilings/opencl/read.hpp"
#include "roofline/ceilings/opencl/stream.hpp"

namespace ladder::ceilings {
namespace {

template <template <class> class C>
std::unique_ptr<Ceiling> make(const Request& request) {
  if (request.real == sizeof(float)) return std::make_unique<C<float>>(request);
  return std::make_unique<C<double>>(request);
}

/// The latency of a launch is the same in every precision.
std::unique_ptr<Ceiling> make_launch(Request request) {
  request.real = sizeof(float);
  return std::make_unique<Launch>(request);
}

using Make = std::unique_ptr<Ceiling> (*)(const Request&);
constexpr std::pair<std::string_view, Make> makers[] = {
    {"copy", make<Stream>},
    {"scale", make<Stream>},
    {"add", make<Stream>},
    {"triad", make<Stream>},
    {"copy-9", make<CopyQ>},
    {"copy-19", make<CopyQ>},
    {"copy-27", make<CopyQ>},
    {"copy-37", make<CopyQ>},
    {"read", make<Read>},
    {"fma", make<Fma>},
    {"launch", [](const Request& r) { return make_launch(r); }},
};

}  // namespace

std::unique_ptr<Ceiling> make_ceiling(const Request& request) {
  for (const auto& [name, maker] : makers)
    if (name == request.kind.name) return maker(request);
  throw Unavailable(fmt::format("OpenCL has no ceiling {}", request.kind.name));
}

}  // namespace ladder::ceilings
