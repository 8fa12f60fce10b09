#include "variants/d2q9/opencl/deferred_sums.hpp"
#include "variants/d2q9/opencl/group_tunables.hpp"
#include "variants/d2q9/opencl/lanes.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

/// Work-groups on a CPU and elsewhere, where the tuning leaves them to the device.
constexpr ladder::opencl::Shape processor_group{1, 8};
constexpr ladder::opencl::Shape other_group{128, 1};

template <class real>
class Fused final : public Solver {
 public:
  Fused(const Case& c, const ladder::Tuning& tuning)
      : width_(vector_width<real>(tuning, device_)),
        strip_(strip_length(tuning, device_, width_)),
        on_(c, group_shape(tuning, device_, processor_group, other_group), lanes<real>(width_, strip_), device_) {
    on_.initialize(f_, strides_);
  }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) accelerate_({on_.work_items(width_).x, 1}, f_, solid_, on_.nx, on_.ny, pitch_, on_.w1, on_.w2);
    for (std::int64_t step = 1; step <= steps; ++step) {
      const cl_int driven = step < steps ? on_.driven_row : -1;
      timestep_(items_, f_, g_, speeds_.buffer(), speeds_.first(), driven, solid_, on_.nx, on_.ny, pitch_, on_.omega, on_.w1,
                on_.w2);
      std::swap(f_, g_);
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override { on_.store(f_, strides_, out); }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  const ladder::opencl::Device device_ = ladder::opencl::Device::select();
  const int width_;
  const int strip_;
  const DeviceCase<real> on_;
  const Strides strides_ = padded_rows<real>(on_.c, width_);
  const ladder::opencl::Shape items_ = on_.work_items(strip_);
  const cl_int pitch_ = static_cast<cl_int>(strides_.y);
  const ladder::opencl::Buffer<cl_uchar> solid_ = obstacles(on_.c, on_.device, strides_.y);
  ladder::opencl::Buffer<real> f_ = on_.lattice(strides_);
  ladder::opencl::Buffer<real> g_ = on_.lattice(strides_);
  ladder::opencl::Kernel accelerate_ = on_.kernel("accelerate");
  ladder::opencl::Kernel timestep_ = on_.kernel("timestep");
  DeferredSums<real> speeds_{on_, timestep_.groups(items_)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/10_vectors",
    .traffic = d2q9::traffic,
    .tunables = {d2q9::wx_tunable(0), d2q9::wy_tunable(0), d2q9::width_tunable(), d2q9::strip_tunable()},
    .constraints = d2q9::group_constraints(),
    .device_constraints = [] { return d2q9::device_group_constraints(d2q9::processor_group, d2q9::other_group); },
    .make = ladder::make_solver<d2q9::Fused, d2q9::Model>,
};
