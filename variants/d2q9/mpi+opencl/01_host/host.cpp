#include "variants/d2q9/mpi+opencl/rows.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Strips final : public DeviceStrip<real> {
  using Base = DeviceStrip<real>;
  using Base::device_, Base::strip_;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning) : Base(c, strip_on_device(c), lattice::opencl::group_shape(tuning)) {}

  void advance(std::int64_t steps) override {
    speeds_.expect(steps);
    if (steps > 0) this->accelerate_own();
    for (std::int64_t step = 1; step <= steps; ++step) {
      if (strip_.has_halo()) fill_halos();
      timestep_(own_, {{"f", this->f()},
                       {"g", this->g()},
                       {"first", speeds_.first()},
                       {"low", strip_.first},
                       {"rows", strip_.rows()},
                       {"driven", this->driven(step, steps)}});
      this->swap_lattices();
      speeds_.record();
    }
    this->record_new(speeds_.history());
  }

 private:
  void fill_halos() {
    this->read(device_.queue, this->f(), leaving_north, strip_.last, this->to_north_);
    this->read(device_.queue, this->f(), leaving_south, strip_.first, this->to_south_);
    this->wait();
    this->exchange();
    this->write(device_.queue, this->f(), leaving_north, strip_.first - 1, this->from_south_);
    this->write(device_.queue, this->f(), leaving_south, strip_.last + 1, this->from_north_);
  }

  const lattice::opencl::Shape own_{this->grid_.x, static_cast<std::size_t>(strip_.rows())};
  ladder::opencl::DeferredSums<real> speeds_{device_, this->group_, own_, 1};
  ladder::opencl::Kernel timestep_ = this->kernel("timestep", {{"speeds", speeds_.sums()}});
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/opencl/08_tuned",
    .traffic = d2q9::traffic,
    .tunables = {lattice::opencl::wx_tunable(128), lattice::opencl::wy_tunable(1)},
    .constraints = lattice::opencl::group_sum_constraints(),
    .device_constraints = lattice::opencl::device_group_constraints,
    .make = ladder::make_solver<d2q9::Strips, d2q9::Model>,
};
