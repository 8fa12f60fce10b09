#include "backends/opencl/program.hpp"
#include "harness/bench/rung_info.hpp"

void advance() {
  using namespace ladder::opencl;
  const Device device = Device::select();
  const Shape group{32, 1};
  const Buffer<float> a(device, 64);
  Kernel twice(device, build(device, {common_text, ladder::this_rung.kernel}, group_definitions<float>(group)), "twice", group);
  twice({64, 1}, {{"a", a}});
}
