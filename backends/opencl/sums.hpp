#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "backends/opencl/program.hpp"

namespace ladder::opencl {

/// Source of the kernel `reduce`, which DeferredSums launches.
extern const std::string_view reduce_text;

/// Averages, one per step, from one sum per work-group; the host computes the average after each step.
template <class real>
class StepSums {
 public:
  /// Averages over `count` values that `items` work-items add up in work-groups of shape `group`.
  StepSums(const Device& device, Shape group, Shape items, std::int64_t count)
      : read_(items.in_groups(group).items()), sums_(device, read_.size()), count_(static_cast<double>(count)) {}

  /// Where a step's kernel stores the sum of each work-group: sums()[group].
  [[nodiscard]] const Buffer<real>& sums() const { return sums_; }

  /// Waits for the step and reads its sums.
  void record() {
    sums_.read(read_.data(), read_.size());
    history_.push_back(std::accumulate(read_.begin(), read_.end(), 0.0) / count_);
  }

  /// The averages so far, one per step.
  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  std::vector<real> read_;
  Buffer<real> sums_;
  double count_;
  std::vector<double> history_;
};

/// Averages, one per step, whose sums stay on the device until a kernel adds up those of many steps at once.
template <class real>
class DeferredSums {
 public:
  /// Averages over `count` values that `items` work-items add up in work-groups of shape `group`. A launch advances by at most
  /// `at_once` steps.
  DeferredSums(const Device& device, Shape group, Shape items, std::int64_t count, std::size_t at_once = 1)
      : group_(group),
        groups_(items.in_groups(group).items()),
        at_once_(at_once),
        room_(std::clamp<std::size_t>(room_bytes / (groups_ * sizeof(real)), at_once, most_steps)),
        sums_(device, groups_ * room_),
        totals_(device, room_),
        read_(room_),
        reduce_(device, build(device, {common_text, reduce_text}, group_definitions<real>(group)), "reduce", group),
        count_(static_cast<double>(count)) {
    reduce_.bind({{"sums", sums_}, {"totals", totals_}, {"groups", groups_}});
  }

  /// Announces the number of steps of an advance(), the last of which adds up the remaining sums.
  void expect(std::int64_t steps) { expected_ = history_.size() + static_cast<std::size_t>(steps); }

  /// Where the next step's kernel stores the sum of each work-group: sums()[first() + group]. The sums of the launch's later
  /// steps follow, one set of work-groups per step.
  [[nodiscard]] const Buffer<real>& sums() const { return sums_; }
  [[nodiscard]] cl_ulong first() const { return kept_ * groups_; }

  /// Call this after enqueuing a launch of `steps` steps. Waits for all steps if the next launch's sums might not fit, so that
  /// the queue does not grow without bound.
  void record(std::size_t steps = 1) {
    kept_ += steps;
    if (kept_ + at_once_ <= room_ && history_.size() + kept_ < expected_) return;
    reduce_({group_.x, group_.y * kept_});
    totals_.read(read_.data(), kept_);
    for (std::size_t step = 0; step < kept_; ++step)
      history_.push_back(static_cast<double>(read_[step]) / count_);
    kept_ = 0;
  }

  /// The averages so far, one per step.
  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  static constexpr std::size_t room_bytes = std::size_t{64} << 20;
  static constexpr std::size_t most_steps = 1024;

  Shape group_;
  std::size_t groups_;
  std::size_t at_once_;     ///< most steps per launch
  std::size_t room_;        ///< steps whose sums fit on the device
  Buffer<real> sums_;       ///< [step][group]
  Buffer<real> totals_;     ///< [step]
  std::vector<real> read_;  ///< [step]
  Kernel reduce_;
  double count_;
  std::size_t expected_ = 0;  ///< number of steps, including those announced
  std::size_t kept_ = 0;      ///< steps whose sums have not been added up yet
  std::vector<double> history_;
};

}  // namespace ladder::opencl
