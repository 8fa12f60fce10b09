#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "backends/cuda/page_locked.hpp"
#include "backends/mpi+cuda/peers.hpp"
#include "variants/d3q19/blocks.hpp"
#include "variants/d3q19/cuda/solver.hpp"

namespace d3q19 {

/// An element in one of several lattices on a device.
struct Element {
  std::uint32_t lattice, place;
};

/// Copies the elements at `places` to consecutive values, one thread per element.
template <class real>
__global__ void gather(real* const* lattices, const Element* places, real* values, unsigned count) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) values[k] = lattices[places[k].lattice][places[k].place];
}

/// The inverse.
template <class real>
__global__ void scatter(real* const* lattices, const Element* places, const real* values, unsigned count) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) lattices[places[k].lattice][places[k].place] = values[k];
}

/// Copies elements to others, one thread per element.
template <class real>
__global__ void move(real* const* lattices, const Element* from, const Element* to, unsigned count) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) lattices[to[k].lattice][to[k].place] = lattices[from[k].lattice][from[k].place];
}

/// One block and its halo as a separate lattice on the device. A rung's block adds advance(), which takes a single step,
/// because a halo holds the populations of one.
template <class real>
class DeviceBlock : public ObstacleSolver<real> {
 public:
  /// Locations in a part of a domain, including its halo.
  static lattice::Strides strides(const ladder::Domain::Part& part) {
    const auto [x, y, z] = part.with_halo.extent;
    return lattice::structure_of_arrays<Lattice>({x, y, z});
  }

  /// `c`: the part of the case, with the halo; `own`: its cells without the halo.
  DeviceBlock(const Case& c, const ladder::Box& own, const ladder::Tuning& tuning)
      : DeviceBlock::ObstacleSolver(c, row_block(tuning), lattice::structure_of_arrays(c)),
        first_{static_cast<int>(own.origin[0]), static_cast<int>(own.origin[1]), static_cast<int>(own.origin[2])},
        own_{static_cast<int>(own.extent[0]), static_cast<int>(own.extent[1]), static_cast<int>(own.extent[2])} {}

  /// The lattice that the next step reads, and the one that it writes.
  [[nodiscard]] real* now() { return this->f(); }
  [[nodiscard]] real* next() { return this->g(); }

 protected:
  const FirstCell first_;  ///< the first own cell, and the number of own cells along each axis
  const Sides own_;
};

/// The blocks of one process on its device, and messages through host memory with the populations that cross to and from other
/// processes.
template <class Block, class real>
class ExchangedBlocks : public BlocksState<Block> {
 protected:
  ExchangedBlocks(const Case& c, const ladder::Tuning& tuning) : BlocksState<Block>(on_own_device(c), tuning, tuning) {
    const int rank = ladder::mpi::rank();
    const auto rank_of = [&](std::size_t part) { return this->domain_.parts()[part].rank; };
    std::vector<Element> from, to;
    std::map<int, std::vector<Element>> sent, received;  // by the other process's rank
    for (const Crossing& crossing : crossings(c, this->domain_, rank, Block::strides)) {
      const bool is_from = rank_of(crossing.from) == rank, is_to = rank_of(crossing.to) == rank;
      if (is_from) append(crossing.from, crossing.sources, is_to ? from : sent[rank_of(crossing.to)]);
      if (is_to) append(crossing.to, crossing.targets, is_from ? to : received[rank_of(crossing.from)]);
    }
    inner_from_.set(queue_, from);
    inner_to_.set(queue_, to);
    sent_.set(queue_, sent);
    received_.set(queue_, received);
    for (const auto& block : this->blocks_) {
      even_.push_back(block->now());
      odd_.push_back(block->next());
    }
    lattices_[0].set(queue_, even_);
    lattices_[1].set(queue_, odd_);
  }

  /// Waits for all work queued on the blocks, then fills their halos; returns when done.
  void exchange() {
    this->wait();
    real* const* const lattices = lattices_[this->blocks_.front()->now() == even_.front() ? 0 : 1].data();
    std::vector<MPI_Request> requests(sent_.messages.size() + received_.messages.size());
    std::size_t n = 0;
    for (const auto& [rank, first, count] : received_.messages)
      LADDER_MPI(MPI_Irecv(received_.host->data() + first, count, MPI_BYTE, rank, 0, ladder::mpi::world(), &requests[n++]));
    if (sent_.count > 0) {
      over(queue_, {sent_.count, 1}, {128, 1})(gather<real>, lattices, sent_.places.data(), sent_.values->data(), sent_.count);
      ladder::cuda::copy(queue_, sent_.values->data(), sent_.host->data(), sent_.count);
    }
    for (const auto& [rank, first, count] : sent_.messages)
      LADDER_MPI(MPI_Isend(sent_.host->data() + first, count, MPI_BYTE, rank, 0, ladder::mpi::world(), &requests[n++]));
    if (const auto count = static_cast<unsigned>(inner_to_.size()); count > 0)
      over(queue_, {count, 1}, {128, 1})(move<real>, lattices, inner_from_.data(), inner_to_.data(), count);
    LADDER_MPI(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    if (received_.count > 0) {
      ladder::cuda::copy(queue_, received_.host->data(), received_.values->data(), received_.count);
      over(queue_, {received_.count, 1}, {128, 1})(scatter<real>, lattices, received_.places.data(), received_.values->data(),
                                                   received_.count);
    }
    queue_.wait();
  }

 private:
  /// An array on the device that may be empty.
  template <class T>
  class List {
   public:
    void set(const Device& device, const std::vector<T>& values) {
      if (!values.empty()) buffer_.emplace(device, values.size()).write(values);
    }
    [[nodiscard]] const T* data() const { return buffer_ ? buffer_->data() : nullptr; }
    [[nodiscard]] std::size_t size() const { return buffer_ ? buffer_->size() : 0; }

   private:
    std::optional<Buffer<T>> buffer_;
  };

  /// The messages to or from all other processes, one after the other in the same arrays.
  struct Messages {
    struct Message {
      int rank;
      std::size_t first;
      int bytes;
    };

    void set(const Device& device, const std::map<int, std::vector<Element>>& by_rank) {
      std::vector<Element> all;
      for (const auto& [rank, elements] : by_rank) {
        messages.push_back({rank, all.size(), static_cast<int>(elements.size() * sizeof(real))});
        all.insert(all.end(), elements.begin(), elements.end());
      }
      count = static_cast<unsigned>(all.size());
      if (all.empty()) return;
      places.set(device, all);
      values.emplace(device, all.size());
      host.emplace(all.size());
    }

    std::vector<Message> messages;
    unsigned count = 0;
    List<Element> places;
    std::optional<Buffer<real>> values;
    std::optional<ladder::cuda::PageLocked<real>> host;
  };

  static const Case& on_own_device(const Case& c) {
    ladder::cuda::choose_own_device();
    return c;
  }

  void append(std::size_t part, const std::vector<std::uint32_t>& places, std::vector<Element>& to) const {
    const auto own = static_cast<std::uint32_t>(this->place_of(part));
    for (const std::uint32_t place : places)
      to.push_back({own, place});
  }

  const Device queue_ = Device::select();  ///< the same GPU as the blocks', with a separate queue
  List<Element> inner_from_, inner_to_;
  Messages sent_, received_;
  std::vector<real*> even_, odd_;
  List<real*> lattices_[2];  ///< of all blocks, before even and odd steps
};

}  // namespace d3q19
