#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "variants/d2q9/cuda/device_strip.hpp"
#include "variants/lattice/cuda/peer_strips.hpp"

/// Strips of one process, one launch per step and strip.
namespace d2q9 {

/// A strip on one GPU, with one thread per `width` cells of the own rows.
template <class real>
class StripPart : public lattice::cuda::PeerStrip<DeviceStrip<real>, real> {
  using Base = lattice::cuda::PeerStrip<DeviceStrip<real>, real>;

 public:
  /// Accelerates the driven row for the first of `steps` steps.
  void begin(std::int64_t steps) {
    speeds_.expect(steps);
    this->accelerate_own();
  }

  /// Queues a step that accelerates for the next one if `more` is set.
  void step(bool more) { queue(speeds_.next(), more); }

  /// Ends a step that all parts have queued.
  void end() {
    this->swap_lattices();
    speeds_.record();
  }

  /// Returns the sums of |u| over the own fluid cells, one per step.
  [[nodiscard]] std::span<const double> sums() const { return speeds_.history(); }

 protected:
  StripPart(std::size_t width, const Case& c, const Strip& strip, Shape block)
      : Base(c, strip, 1, block), over_(this->over_own_rows(width)) {}

  /// Queues a step that stores its sums in `speeds`, and accelerates for the next step if `more` is set.
  virtual void queue(real* speeds, bool more) = 0;

  const Launch over_;
  DeferredSums<real> speeds_{this->device_, over_.blocks, 1};
};

/// All strips of a lattice; `Part` is a StripPart.
template <class Part>
class StripParts : public lattice::cuda::PeerStrips<Model, Part> {
 public:
  std::span<const double> history() override { return averages_; }

 protected:
  StripParts(const Case& c, const ladder::Tuning& tuning)
      : lattice::cuda::PeerStrips<Model, Part>(c, 1, tuning), fluid_cells_(static_cast<double>(c.fluid_cells())) {}

  /// Appends the averages of the new steps to the history.
  void average() {
    for (std::size_t step = averages_.size(); step < this->parts().front()->sums().size(); ++step) {
      double sum = 0;
      for (const auto& part : this->parts())
        sum += part->sums()[step];
      averages_.push_back(sum / fluid_cells_);
    }
  }

 private:
  const double fluid_cells_;
  std::vector<double> averages_;
};

}  // namespace d2q9
