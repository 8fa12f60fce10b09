#pragma once

#include <array>
#include <vector>

#include "backends/mpi+opencl/own_device.hpp"
#include "backends/mpi/check.hpp"
#include "backends/opencl/check.hpp"
#include "backends/opencl/sums.hpp"
#include "variants/d2q9/opencl/solver.hpp"
#include "variants/d2q9/strip.hpp"

namespace d2q9 {

/// The strip of this process, whose device is its own if there are enough GPUs.
inline Strip strip_on_device(const Case& c) {
  ladder::opencl::choose_own_device();
  return Strip::of(c);
}

/// Base of the rungs: a strip on the device of this process, and the rows that it exchanges with its neighbours through the
/// memory of the host. The lattice is a structure of arrays without padding, f[9][rows][nx].
template <class real>
class DeviceStrip : public StripState<OpenclSolver<real>> {
  using Base = StripState<OpenclSolver<real>>;

 protected:
  using Base::case_, Base::device_, Base::strip_;

  DeviceStrip(const Case& c, const Strip& strip, lattice::opencl::Shape group)
      : Base(c, strip, structure_of_arrays(Model::part(c, strip.with_halo)), lattice::opencl::Setup{.group = group}) {}

  /// Directions that leave the strip through its northern border, and through its southern one.
  static constexpr std::array northward = {2, 5, 6}, southward = {4, 7, 8};
  using Directions = std::array<int, 3>;
  /// Three directions of a row.
  using Rows = std::vector<real>;

  /// Enqueues the copy of three directions of row y to `rows`; they have arrived when the queue is done.
  void read(const cl::CommandQueue& queue, const lattice::opencl::Buffer<real>& lattice, const Directions& directions, int y,
            Rows& rows) const {
    for (std::size_t k = 0; k < directions.size(); ++k)
      LADDER_CL(queue.enqueueReadBuffer(lattice.handle(), CL_FALSE, place(directions[k], y), bytes(), &rows[k * nx()]));
  }
  /// Enqueues the copy of `rows` to three directions of row y; they must stay as they are until the queue is done.
  void write(const cl::CommandQueue& queue, const lattice::opencl::Buffer<real>& lattice, const Directions& directions, int y,
             const Rows& rows) const {
    for (std::size_t k = 0; k < directions.size(); ++k)
      LADDER_CL(queue.enqueueWriteBuffer(lattice.handle(), CL_FALSE, place(directions[k], y), bytes(), &rows[k * nx()]));
  }

  /// Exchanges rows with both neighbours.
  void exchange() {
    send(to_north_, strip_.north, from_south_, strip_.south);
    send(to_south_, strip_.south, from_north_, strip_.north);
  }

  /// Appends the average speeds of the steps since the last call, given the sums over the own cells of all steps so far.
  void record_new(std::span<const double> sums) {
    const std::span<const double> own = sums.subspan(this->history().size());
    std::vector<double> all(own.begin(), own.end());
    ladder::team().add(all);
    this->record(all);
  }

  Rows to_north_ = rows(), to_south_ = rows(), from_north_ = rows(), from_south_ = rows();

 private:
  [[nodiscard]] std::size_t nx() const { return static_cast<std::size_t>(case_.nx); }
  [[nodiscard]] std::size_t bytes() const { return nx() * sizeof(real); }
  [[nodiscard]] std::size_t place(int direction, int y) const {
    return (static_cast<std::size_t>(direction) * static_cast<std::size_t>(case_.ny) + static_cast<std::size_t>(y)) * bytes();
  }
  [[nodiscard]] Rows rows() const { return Rows(3 * nx()); }

  static void send(const Rows& rows, int to, Rows& others, int from) {
    const int bytes = static_cast<int>(rows.size() * sizeof(real));
    LADDER_MPI(MPI_Sendrecv(rows.data(), bytes, MPI_BYTE, to, 0, others.data(), bytes, MPI_BYTE, from, 0, ladder::mpi::world(),
                            MPI_STATUS_IGNORE));
  }
};

}  // namespace d2q9
