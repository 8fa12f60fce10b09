#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/event.hpp"
#include "backends/cuda/peer.hpp"
#include "backends/cuda/share.hpp"
#include "backends/devices/wanted.hpp"
#include "variants/lattice/cuda/borders.hpp"

/// Strips of one process that write to each other's memory, on as many GPUs as the process's placement says.
namespace lattice::cuda {

/// A strip. The kernel of a step also writes the rows at its borders to the neighbours' lattices. It must therefore start after
/// the neighbours' kernels of the previous step, which read the halos that it overwrites and write the halos that it reads.
template <class Base, class real>
class PeerStrip : public BorderState<Base, real> {
 public:
  /// Must be called before the first step; a strip without a halo is its own neighbour.
  void connect(PeerStrip& south, PeerStrip& north) {
    south_ = &south;
    north_ = &north;
  }

  /// A strip is not advanced separately: PeerStrips queues the steps of all strips.
  void advance(std::int64_t /*steps*/) final { throw std::logic_error("a strip does not advance without its neighbours"); }

  /// Queues copies of the own rows that the next step reads to the neighbours' halos.
  void fill_halos() {
    if (strip_.has_halo()) this->copy_to(borders_in(south_->f(), north_->f()));
  }

  /// Marks the end of the work queued so far.
  void tell() { told_.record(this->device_); }
  /// Makes work queued from now on wait for the last mark of both neighbours.
  void wait_for_neighbours() {
    south_->told_.precede(this->device_);
    north_->told_.precede(this->device_);
  }

 protected:
  using Base::strip_;
  using BorderState<Base, real>::BorderState;

  /// Returns where a step writes its borders, before any strip has ended that step.
  [[nodiscard]] Borders<real> borders() const {
    return strip_.has_halo() ? borders_in(south_->g(), north_->g()) : Borders<real>{};
  }

 private:
  [[nodiscard]] Borders<real> borders_in(real* of_south, real* of_north) const {
    return BorderState<Base, real>::borders_in(south_->strip_, of_south, north_->strip_, of_north);
  }

  PeerStrip *south_ = nullptr, *north_ = nullptr;
  ladder::cuda::Event told_;
};

/// Base of the rungs: all strips of a lattice. If there are fewer GPUs than strips, strips are assigned to them round-robin.
/// `Part` is a PeerStrip, constructed from the case, its strip and further arguments.
template <class Model, class Part>
class PeerStrips : public ladder::Solver<Model> {
 public:
  using Case = typename Model::Case;

  void wait() override {
    for_each([](Part& part) { part.wait(); });
  }
  void store(ladder::Populations& out) override {
    for_each_common(out.box, [&](Part& part, ladder::Populations& cells) {
      part.store(cells);
      out.take(cells);
    });
  }
  void load(const ladder::Populations& in) override {
    for_each_common(in.box, [&](Part& part, ladder::Populations& cells) {
      cells.take(in);
      part.load(cells);
    });
  }
  double conserved() override {
    double sum = 0;
    for_each([&](Part& part) { sum += part.conserved(); });
    return sum;
  }

 protected:
  /// Halos are `depth` rows deep. @throws ladder::Unavailable if neighbours' GPUs cannot access each other's memory
  template <class... Arguments>
  PeerStrips(const Case& c, int depth, const Arguments&... arguments) {
    const std::vector<int> all = ladder::cuda::devices_to_share();
    const auto size = static_cast<std::size_t>(ladder::wanted_devices());
    Strip::of_parts(c, depth, 0, static_cast<int>(size), "devices");  // rejects too many strips
    for (std::size_t n = 0; n < size; ++n)
      gpus_.push_back(all[n % all.size()]);
    for (std::size_t n = 0; n < size; ++n) {
      ladder::cuda::enable_peer_access(gpus_[n], gpus_[(n + 1) % size]);
      ladder::cuda::enable_peer_access(gpus_[(n + 1) % size], gpus_[n]);
    }
    for (std::size_t n = 0; n < size; ++n) {
      const Strip strip = Strip::of_parts(c, depth, static_cast<int>(n), static_cast<int>(size), "devices");
      const ladder::cuda::SelectedDevice own(gpus_[n]);
      parts_.push_back(std::make_unique<Part>(c, strip, arguments...));
    }
    for (std::size_t n = 0; n < size; ++n)
      parts_[n]->connect(*parts_[(n + size - 1) % size], *parts_[(n + 1) % size]);
  }

  /// Calls work(part) for each part, with the part's GPU current.
  template <class Work>
  void for_each(Work work) {
    for (std::size_t n = 0; n < parts_.size(); ++n) {
      ladder::cuda::make_current(gpus_[n]);
      work(*parts_[n]);
    }
  }

  /// Makes work queued from now on wait, in each part, for the work that its neighbours have queued so far.
  void meet() {
    for_each([](Part& part) { part.tell(); });
    for_each([](Part& part) { part.wait_for_neighbours(); });
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; }

 private:
  /// Calls visit(part, cells) for each part that owns cells of a box; `cells` holds NaN for those cells.
  template <class Visit>
  void for_each_common(const ladder::Box& box, Visit visit) {
    for_each([&](Part& part) {
      const ladder::Box common = box.common(part.owned().front());
      if (common.cells() == 0) return;
      ladder::Populations cells(Model::q, common);
      visit(part, cells);
    });
  }

  std::vector<int> gpus_;  ///< [part]
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace lattice::cuda
