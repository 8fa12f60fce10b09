#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "variants/d2q9/opencl/device_case.hpp"

namespace d2q9 {

/// Average speeds whose sums stay on the device: the kernel `reduce` adds up one sum a work-group for many steps at once.
template <class real>
class DeferredSums {
 public:
  DeferredSums(const DeviceCase<real>& on, ladder::opencl::Shape groups)
      : queue_(on.device.queue),
        group_(on.group),
        groups_(groups.items()),
        room_(std::clamp<std::size_t>(room_bytes / (groups_ * sizeof(real)), 1, most_steps)),
        speeds_(on.device, groups_ * room_),
        totals_(on.device, room_),
        reduce_(on.kernel("reduce")),
        fluid_cells_(static_cast<double>(on.c.fluid_cells())) {}

  /// Announces the steps of an advance(); the last of them adds up what is left.
  void expect(std::int64_t steps) {
    wait();
    read_.resize(history_.size() + static_cast<std::size_t>(steps));
  }

  /// Where a step's kernel puts the sum of the speeds of its work-group: buffer()[first() + group].
  [[nodiscard]] const ladder::opencl::Buffer<real>& buffer() const { return speeds_; }
  [[nodiscard]] cl_ulong first() const { return kept_ * groups_; }

  /// A step was enqueued.
  void record() {
    ++kept_;
    if (kept_ < room_ && reduced_ + kept_ < read_.size()) return;
    reduce_({group_.x, group_.y * kept_}, speeds_, totals_, static_cast<cl_ulong>(groups_));
    totals_.read_later(&read_[reduced_], kept_);
    reduced_ += kept_;
    kept_ = 0;
  }

  /// Returns when all steps are done and their average speeds known.
  void wait() {
    LADDER_CL(queue_.finish());
    while (history_.size() < reduced_)
      history_.push_back(static_cast<double>(read_[history_.size()]) / fluid_cells_);
  }

  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  static constexpr std::size_t room_bytes = std::size_t{16} << 20;
  static constexpr std::size_t most_steps = 1024;

  cl::CommandQueue queue_;
  ladder::opencl::Shape group_;
  std::size_t groups_;
  std::size_t room_;                     ///< steps whose sums fit on the device
  ladder::opencl::Buffer<real> speeds_;  ///< [step][group]
  ladder::opencl::Buffer<real> totals_;  ///< [step]
  ladder::opencl::Kernel reduce_;
  double fluid_cells_;
  std::size_t kept_ = 0;     ///< steps on the device not yet added up
  std::size_t reduced_ = 0;  ///< steps that are in read_ once the queue has finished
  std::vector<real> read_;
  std::vector<double> history_;
};

}  // namespace d2q9
