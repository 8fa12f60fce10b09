#pragma once

#include <map>
#include <set>
#include <vector>

#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "variants/d3q19/blocks.hpp"
#include "variants/d3q19/processor.hpp"
#include "variants/d3q19/runs.hpp"

namespace d3q19 {

/// One block and its halo as a separate lattice. A rung's block adds advance(), which takes a single step, because a halo holds
/// the populations of one.
template <class real>
class BlockState : public ProcessorSolver<real, lattice::Aligned> {
  using Base = ProcessorSolver<real, lattice::Aligned>;

 public:
  /// Locations in a part of a domain, including its halo.
  static lattice::Strides strides(const ladder::Domain::Part& part) {
    const auto [x, y, z] = part.with_halo.extent;
    return lattice::Aligned<Lattice, real>({x, y, z}).strides();
  }

  /// `c`: the part of the case, with the halo; `own`: its cells without the halo.
  BlockState(const Case& c, const ladder::Box& own) : Base(c), own_(own), links_(link_runs(c)) {
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y) {
        this->initialize_row(y, z);
        for (std::int64_t x = 0; x < c.nx; ++x)
          if (own.common({{x, y, z}, {1, 1, 1}}).cells() == 0)
            this->flags_.data()[this->layout_.cell(x, y, z)] = D3Q19_INSIDE;  // not updated here
      }
    this->fill_boundaries();
  }

  /// The lattice that the next step reads.
  [[nodiscard]] real* lattice() { return this->f_.data(); }

 protected:
  const ladder::Box own_;
  const Runs<LinkRun> links_;
};

/// The blocks of one process, and messages with the populations that cross to and from other processes.
template <class Block, class real>
class ExchangedBlocks : public BlocksState<Block> {
 protected:
  ExchangedBlocks(const Case& c, const ladder::Tuning& tuning) : BlocksState<Block>(c, tuning) {
    const int rank = ladder::mpi::rank();
    for (Crossing& crossing : crossings(c, this->domain_, rank, Block::strides)) {
      const int from = this->domain_.parts()[crossing.from].rank, to = this->domain_.parts()[crossing.to].rank;
      if (from == to) {
        inner_.push_back(std::move(crossing));
        continue;
      }
      Message& message = from == rank ? sent_[to] : received_[from];
      message.values.resize(message.values.size() + crossing.sources.size());
      message.crossings.push_back(std::move(crossing));
    }
    requests_.resize(sent_.size() + received_.size());
    std::set<const Block*> waits;
    for (const auto& [other, message] : received_)
      for (const Crossing& crossing : message.crossings)
        waits.insert(&this->block(crossing.to));
    for (const auto& block : this->blocks_)
      (waits.count(block.get()) > 0 ? waiting_ : independent_).push_back(block.get());
  }

  /// Starts sending to and receiving from other processes.
  void begin_exchange() {
    std::size_t n = 0;
    for (auto& [rank, message] : received_)
      LADDER_MPI(MPI_Irecv(message.values.data(), message.bytes(), MPI_BYTE, rank, 0, ladder::mpi::world(), &requests_[n++]));
    for (auto& [rank, message] : sent_) {
      real* to = message.values.data();
      for (const Crossing& crossing : message.crossings) {
        const real* from = this->block(crossing.from).lattice();
        for (const std::uint32_t source : crossing.sources)
          *to++ = from[source];
      }
      LADDER_MPI(MPI_Isend(message.values.data(), message.bytes(), MPI_BYTE, rank, 0, ladder::mpi::world(), &requests_[n++]));
    }
  }

  /// Copies the populations that cross between blocks of this process.
  void copy_inner() {
    for (const Crossing& crossing : inner_) {
      const real* from = this->block(crossing.from).lattice();
      real* to = this->block(crossing.to).lattice();
      for (std::size_t k = 0; k < crossing.sources.size(); ++k)
        to[crossing.targets[k]] = from[crossing.sources[k]];
    }
  }

  /// Waits for the messages and copies their populations into the halos.
  void end_exchange() {
    LADDER_MPI(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    for (const auto& [rank, message] : received_) {
      const real* from = message.values.data();
      for (const Crossing& crossing : message.crossings) {
        real* to = this->block(crossing.to).lattice();
        for (const std::uint32_t target : crossing.targets)
          to[target] = *from++;
      }
    }
  }

  std::vector<Block*> independent_, waiting_;  ///< blocks that need no message, and the others

 private:
  /// Populations that cross between this process and another one.
  struct Message {
    std::vector<Crossing> crossings;
    std::vector<real> values;  ///< in the order of the crossings

    [[nodiscard]] int bytes() const { return static_cast<int>(values.size() * sizeof(real)); }
  };

  std::vector<Crossing> inner_;
  std::map<int, Message> sent_, received_;  ///< by the other process's rank
  std::vector<MPI_Request> requests_;
};

}  // namespace d3q19
