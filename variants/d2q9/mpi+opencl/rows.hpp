#pragma once

#include <vector>

#include "backends/mpi+opencl/own_device.hpp"
#include "backends/mpi/check.hpp"
#include "backends/opencl/check.hpp"
#include "backends/opencl/sums.hpp"
#include "variants/d2q9/exchange.hpp"
#include "variants/d2q9/opencl/solver.hpp"
#include "variants/d2q9/strip.hpp"

namespace d2q9 {

/// Returns the strip of this process, on a device that it does not share if there are enough GPUs.
inline Strip strip_on_device(const Case& c) {
  ladder::opencl::choose_own_device();
  return Strip::of(c);
}

/// Base of the rungs: a strip on this process's device, and the rows that it exchanges with its neighbours through host memory.
/// The lattice is a structure of arrays without padding, f[9][rows][nx].
template <class real>
class DeviceStrip : public StripState<OpenclSolver<real>> {
  using Base = StripState<OpenclSolver<real>>;

 protected:
  using Base::case_, Base::device_, Base::strip_;

  DeviceStrip(const Case& c, const Strip& strip, lattice::opencl::Shape group)
      : Base(c, strip, structure_of_arrays(Model::part(c, strip.with_halo)), lattice::opencl::Setup{.group = group}) {}

  /// Accelerates the driven row if this strip owns it; the owner sends it to the strips that have it in a halo.
  void accelerate_own() {
    if (const int row = case_.accelerated_row(); strip_.first <= row && row <= strip_.last) this->accelerate();
  }

  /// Three directions of a row.
  using Rows = std::vector<real>;

  /// Enqueues copies of three directions of row y to `rows`; they are complete when the queue is done.
  void read(const cl::CommandQueue& queue, const lattice::opencl::Buffer<real>& lattice, const Crossing& directions, int y,
            Rows& rows) const {
    for (std::size_t k = 0; k < directions.size(); ++k)
      LADDER_CL(queue.enqueueReadBuffer(lattice.handle(), CL_FALSE, place(directions[k], y), bytes(), &rows[k * nx()]));
  }
  /// Enqueues copies of `rows` to three directions of row y; `rows` must not change until the queue is done.
  void write(const cl::CommandQueue& queue, const lattice::opencl::Buffer<real>& lattice, const Crossing& directions, int y,
             const Rows& rows) const {
    for (std::size_t k = 0; k < directions.size(); ++k)
      LADDER_CL(queue.enqueueWriteBuffer(lattice.handle(), CL_FALSE, place(directions[k], y), bytes(), &rows[k * nx()]));
  }

  /// Exchanges rows with both neighbours.
  void exchange() {
    exchange_rows(to_north_.data(), strip_.north, from_south_.data(), strip_.south, to_north_.size());
    exchange_rows(to_south_.data(), strip_.south, from_north_.data(), strip_.north, to_south_.size());
  }

  Rows to_north_ = rows(), to_south_ = rows(), from_north_ = rows(), from_south_ = rows();

 private:
  [[nodiscard]] std::size_t nx() const { return static_cast<std::size_t>(case_.nx); }
  [[nodiscard]] std::size_t bytes() const { return nx() * sizeof(real); }
  [[nodiscard]] std::size_t place(int direction, int y) const {
    return (static_cast<std::size_t>(direction) * static_cast<std::size_t>(case_.ny) + static_cast<std::size_t>(y)) * bytes();
  }
  [[nodiscard]] Rows rows() const { return Rows(3 * nx()); }
};

}  // namespace d2q9
