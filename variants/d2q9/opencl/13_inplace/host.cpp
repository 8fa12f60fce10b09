#include "variants/d2q9/opencl/deferred_sums.hpp"
#include "variants/d2q9/opencl/group_tunables.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class InPlace final : public Solver {
 public:
  InPlace(const Case& c, const ladder::Tuning& tuning) : on_(c, group_shape(tuning), 1) { on_.initialize(f_, strides_); }

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) accelerate_({on_.grid.x, 1}, f_, odd_, solid_, on_.nx, on_.ny, on_.w1, on_.w2);
    for (std::int64_t step = 1; step <= steps; ++step) {
      const cl_int driven = step < steps ? on_.driven_row : -1;
      timestep_(on_.grid, f_, odd_, speeds_.buffer(), speeds_.first(), driven, solid_, on_.nx, on_.ny, on_.omega, on_.w1,
                on_.w2);
      odd_ = 1 - odd_;
      speeds_.record();
    }
  }

  void store(ladder::Populations& out) override {
    if (odd_ == 0) return on_.store(f_, strides_, out);
    const auto numbers = f_.read();
    const int nx = on_.c.nx, ny = on_.c.ny;
    for (std::size_t i = 0; i < 9; ++i)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          out.at(static_cast<int>(i), std::int64_t{y} * nx + x) =
              numbers[strides_.at(opposite[i], (x + cx[i] + nx) % nx, (y + cy[i] + ny) % ny)];
  }
  std::span<const double> history() override { return speeds_.history(); }

 private:
  const DeviceCase<real> on_;
  const Strides strides_ = structure_of_arrays(on_.c);
  const ladder::opencl::Buffer<cl_uchar> solid_ = obstacles(on_.c, on_.device);
  ladder::opencl::Buffer<real> f_ = on_.lattice();
  cl_int odd_ = 0;  // 1: an odd number of steps was made
  ladder::opencl::Kernel accelerate_ = on_.kernel("accelerate");
  ladder::opencl::Kernel timestep_ = on_.kernel("timestep");
  DeferredSums<real> speeds_{on_, timestep_.groups(on_.grid)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/08_tuned",
    .traffic = d2q9::traffic,
    .lattices = 1,
    .tunables = {d2q9::wx_tunable(128), d2q9::wy_tunable(1)},
    .constraints = d2q9::group_constraints(),
    .device_constraints = [] { return d2q9::device_group_constraints(); },
    .make = ladder::make_solver<d2q9::InPlace, d2q9::Model>,
};
