#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "backends/cuda/page_locked.hpp"
#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/cuda/solver.hpp"
#include "variants/lattice/cuda/ring.hpp"

/// Shared by these rungs: strips of rows, each on the GPU of one process, with halos as wide as the distance that a population
/// moves in a step.
namespace d2q37 {

using lattice::Strip;
using lattice::cuda::strip_on_device;

/// Base of these rungs: a strip on this process's GPU.
template <class real>
class DeviceStrip : public lattice::StripState<Model, PopulationSolver<real>> {
  using Base = lattice::StripState<Model, PopulationSolver<real>>;

 protected:
  using Base::strip_;

  DeviceStrip(const Case& c, const Strip& strip, Shape block) : Base(without_reaction(c), strip, block) {}

  /// A launch over some of the strip's own rows, one thread per cell.
  [[nodiscard]] Launch over_strip(const Device& device, const Strip::Rows& rows) const {
    const Shape cells{static_cast<std::size_t>(this->problem_.nx), static_cast<std::size_t>(rows.last - rows.first + 1)};
    return over(device, cells, this->block_);
  }
};

/// Base of the rungs that exchange halos before a step. Their kernel updates a given range of rows.
template <class real>
class StripUpdates : public DeviceStrip<real> {
 protected:
  using DeviceStrip<real>::strip_;

  using Kernel = void (*)(Step<real>, Strip::Rows);

  StripUpdates(const Case& c, const ladder::Tuning& tuning, Kernel kernel)
      : DeviceStrip<real>(c, strip_on_device(c, Lattice::reach), lattice::cuda::block_shape(tuning)), kernel_(kernel) {}

  /// Queues a step of the own rows: update_bulk() for those that read no halo, update_borders() for those that do. Without a
  /// halo, all rows belong to the bulk.
  void update_bulk(const Device& device) { update(device, strip_.bulk()); }
  void update_borders(const Device& device) {
    for (const Strip::Rows& rows : strip_.borders())
      update(device, rows);
  }

 private:
  void update(const Device& device, const Strip::Rows& rows) {
    if (rows.first <= rows.last) this->over_strip(device, rows)(kernel_, this->step(), rows);
  }

  const Kernel kernel_;
};

/// The same for rungs that exchange them through host memory.
template <class real>
class HostExchange : public StripUpdates<real> {
 protected:
  using StripUpdates<real>::StripUpdates;
  using StripUpdates<real>::strip_;

  /// Once `device` has finished the work queued so far, sends the outermost own rows to the neighbours; then queues copies of
  /// the rows received into the halos.
  void exchange(const Device& device) {
    if (!strip_.has_halo()) return;
    copy(device, to_south_.data(), strip_.first, cudaMemcpyDeviceToHost);
    copy(device, to_north_.data(), strip_.last + 1 - Lattice::reach, cudaMemcpyDeviceToHost);
    device.wait();
    std::array<MPI_Request, 4> messages{};
    const MPI_Comm world = ladder::mpi::world();
    const int bytes = static_cast<int>(halo_ * sizeof(real));
    LADDER_MPI(MPI_Irecv(from_south_.data(), bytes, MPI_BYTE, strip_.south, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(from_north_.data(), bytes, MPI_BYTE, strip_.north, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(to_north_.data(), bytes, MPI_BYTE, strip_.north, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(to_south_.data(), bytes, MPI_BYTE, strip_.south, 1, world, &messages[3]));
    LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
    copy(device, from_south_.data(), strip_.first - Lattice::reach, cudaMemcpyHostToDevice);
    copy(device, from_north_.data(), strip_.last + 1, cudaMemcpyHostToDevice);
  }

 private:
  /// Queues a copy between the lattice and `rows` on the host: all directions of as many rows as a halo has, starting at row y.
  void copy(const Device& device, real* rows, int y, cudaMemcpyKind way) {
    real* const of_lattice = this->f() + this->strides_.y * y;
    const std::size_t width = halo_ / q * sizeof(real), apart = static_cast<std::size_t>(this->strides_.q) * sizeof(real);
    if (way == cudaMemcpyDeviceToHost)
      LADDER_CUDA(cudaMemcpy2DAsync(rows, width, of_lattice, apart, width, q, way, device.stream()));
    else
      LADDER_CUDA(cudaMemcpy2DAsync(of_lattice, apart, rows, width, width, q, way, device.stream()));
  }

  using Rows = ladder::cuda::PageLocked<real>;

  const std::size_t halo_ = static_cast<std::size_t>(q) * Lattice::reach * static_cast<std::size_t>(this->strides_.y);
  Rows to_south_{halo_}, to_north_{halo_}, from_south_{halo_}, from_north_{halo_};
};

/// The same for rungs that exchange halos, update the rows at the borders and then the others, one after another.
template <class real>
class PhasedExchange : public HostExchange<real>, public ladder::Phased {
 public:
  std::vector<ladder::Phase> phases() override {
    return {{"comm", [this] { this->exchange(this->device_); }},
            {"borders", [this] { this->update_borders(this->device_); }},
            {"bulk", [this] {
               this->update_bulk(this->device_);
               this->swap_lattices();
             }}};
  }

 protected:
  using HostExchange<real>::HostExchange;
};

}  // namespace d2q37
