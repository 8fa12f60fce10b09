#include <algorithm>

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
    if (steps > 0 && strip_.has_halo()) {
      mark_updated();
      exchange_borders(this->f());
    }
    for (std::int64_t step = 1; step <= steps; ++step) {
      update(this->driven(step, steps), step < steps);
      this->swap_lattices();
      speeds_.record();
    }
    this->record_new(speeds_.history());
  }

 private:
  /// Advances by one step. If there are `more`, exchanges the rows at the borders for the next step.
  void update(int driven, bool more) {
    if (!strip_.has_halo()) return update_rows(strip_.first, strip_.rows(), driven, 0);
    wait_for(copied_, device_.queue);  // the halos
    update_rows(strip_.first, 1, driven, 0);
    if (strip_.rows() > 1) update_rows(strip_.last, 1, driven, groups_of(1));
    mark_updated();
    if (strip_.rows() > 2) update_rows(strip_.first + 1, strip_.rows() - 2, driven, 2 * groups_of(1));
    if (!more) return;
    LADDER_CL(device_.queue.flush());
    exchange_borders(this->g());
  }

  /// Enqueues a step of some rows. Their sums start `first` elements after the first sum of the step.
  void update_rows(int low, int rows, int driven, cl_ulong first) {
    timestep_({this->grid_.x, static_cast<std::size_t>(rows)}, {{"f", this->f()},
                                                                {"g", this->g()},
                                                                {"first", speeds_.first() + first},
                                                                {"low", low},
                                                                {"rows", rows},
                                                                {"driven", driven}});
  }

  /// Records an event for the completion of the commands so far, which update the rows at the borders.
  void mark_updated() {
    LADDER_CL(device_.queue.enqueueMarkerWithWaitList(nullptr, &updated_));
    LADDER_CL(device_.queue.flush());
  }
  /// Makes later commands of a queue wait for an event of the other queue.
  static void wait_for(const cl::Event& event, const cl::CommandQueue& queue) {
    const std::vector<cl::Event> events = {event};
    LADDER_CL(queue.enqueueBarrierWithWaitList(&events));
  }

  /// Exchanges the rows at the borders once they are up to date; returns when the neighbours' rows are being copied to the
  /// device.
  void exchange_borders(const lattice::opencl::Buffer<real>& lattice) {
    wait_for(updated_, copies_);
    this->read(copies_, lattice, leaving_north, strip_.last, this->to_north_);
    this->read(copies_, lattice, leaving_south, strip_.first, this->to_south_);
    LADDER_CL(copies_.finish());
    this->exchange();
    this->write(copies_, lattice, leaving_north, strip_.first - 1, this->from_south_);
    this->write(copies_, lattice, leaving_south, strip_.last + 1, this->from_north_);
    LADDER_CL(copies_.enqueueMarkerWithWaitList(nullptr, &copied_));
    LADDER_CL(copies_.flush());
  }

  /// Return the work-groups of a launch over some rows, and of a step.
  [[nodiscard]] std::size_t groups_of(int rows) const {
    return lattice::opencl::Shape{this->grid_.x, static_cast<std::size_t>(rows)}.in_groups(this->group_).items();
  }
  [[nodiscard]] std::size_t groups() const {
    const int rows = strip_.rows();
    if (!strip_.has_halo()) return groups_of(rows);
    return static_cast<std::size_t>(std::min(rows, 2)) * groups_of(1) + (rows > 2 ? groups_of(rows - 2) : 0);
  }

  ladder::opencl::DeferredSums<real> speeds_{device_, this->group_, {groups() * this->group_.x, this->group_.y}, 1};
  ladder::opencl::Kernel timestep_ = this->kernel("timestep", {{"speeds", speeds_.sums()}});
  cl::Event updated_, copied_;
  const ladder::opencl::DrainedQueue copies_{LADDER_CL(cl::CommandQueue(device_.context, device_.device))};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi+opencl/01_host",
    .traffic = d2q9::traffic,
    .tunables = {lattice::opencl::wx_tunable(128), lattice::opencl::wy_tunable(1)},
    .constraints = lattice::opencl::group_sum_constraints(),
    .device_constraints = lattice::opencl::device_group_constraints,
    .make = ladder::make_solver<d2q9::Strips, d2q9::Model>,
};
