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
      : group_(on.group),
        groups_(groups.items()),
        room_(std::clamp<std::size_t>(room_bytes / (groups_ * sizeof(real)), 1, most_steps)),
        speeds_(on.device, groups_ * room_),
        totals_(on.device, room_),
        read_(room_),
        reduce_(on.kernel("reduce")),
        fluid_cells_(static_cast<double>(on.c.fluid_cells())) {}

  /// Announces the steps of an advance(): with the last of them, what is left is added up.
  void expect(std::int64_t steps) { expected_ = history_.size() + static_cast<std::size_t>(steps); }

  /// Where a step's kernel puts the sum of the speeds of its work-group: buffer()[first() + group].
  [[nodiscard]] const ladder::opencl::Buffer<real>& buffer() const { return speeds_; }
  [[nodiscard]] cl_ulong first() const { return kept_ * groups_; }

  /// A step was enqueued. Where the room is full, waits for all of them: the queue never grows without bound.
  void record() {
    ++kept_;
    if (kept_ < room_ && history_.size() + kept_ < expected_) return;
    reduce_({group_.x, group_.y * kept_}, speeds_, totals_, static_cast<cl_ulong>(groups_));
    totals_.read(read_.data(), kept_);
    for (std::size_t step = 0; step < kept_; ++step)
      history_.push_back(static_cast<double>(read_[step]) / fluid_cells_);
    kept_ = 0;
  }

  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  static constexpr std::size_t room_bytes = std::size_t{64} << 20;
  static constexpr std::size_t most_steps = 1024;

  ladder::opencl::Shape group_;
  std::size_t groups_;
  std::size_t room_;                     ///< steps whose sums fit on the device
  ladder::opencl::Buffer<real> speeds_;  ///< [step][group]
  ladder::opencl::Buffer<real> totals_;  ///< [step]
  std::vector<real> read_;               ///< [step]
  ladder::opencl::Kernel reduce_;
  double fluid_cells_;
  std::size_t expected_ = 0;  ///< steps that there will be
  std::size_t kept_ = 0;      ///< steps not yet added up
  std::vector<double> history_;
};

}  // namespace d2q9
