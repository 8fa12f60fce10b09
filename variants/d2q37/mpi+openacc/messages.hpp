#pragma once

#include <array>
#include <span>

#include "variants/d2q37/mpi+openacc/strips.hpp"

/// One message per neighbour, with populations of the columns at a border.
namespace d2q37 {

/// A population of one of the columns at a border. Column 1 is next to the border.
struct Crossing {
  int slot, column;
};

/// The populations in a message that travels west (`way` is -1) or east (1), for which contains(speed, column) is true:
/// `speed` is the number of columns that the population moves that way in a step.
template <class Contains>
std::vector<Crossing> crossings(int way, Contains contains) {
  std::vector<Crossing> all;
  for (int i = 0; i < q; ++i)
    for (int column = 1; column <= frame; ++column)
      if (contains(way * d2q37_cx[i], column)) all.push_back({i, column});
  return all;
}

/// Where the columns of a message are in a strip: column n is column `origin + n * step`.
struct Place {
  int origin, step;
};

/// message[k][ny] = the k-th crossing.
template <class real>
void pack(const real* f, const Columns<frame>& columns, const Crossing* crossings, int count, const Place& place, real* message,
          int queue) {
  const Columns<frame> c = columns;
  const Place p = place;
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, crossings, message) \
    firstprivate(c, p) async(queue)
  for (int k = 0; k < count; ++k)
    for (int n = 0; n < c.ny; ++n)
      message[std::int64_t{k} * c.ny + n] = f[crossings[k].slot * c.slot + c.at(p.origin + crossings[k].column * p.step, n)];
}

/// The inverse of pack().
template <class real>
void unpack(real* f, const Columns<frame>& columns, const Crossing* crossings, int count, const Place& place,
            const real* message, int queue) {
  const Columns<frame> c = columns;
  const Place p = place;
#pragma acc parallel loop gang worker vector collapse(2) num_workers(4) vector_length(32) deviceptr(f, crossings, message) \
    firstprivate(c, p) async(queue)
  for (int k = 0; k < count; ++k)
    for (int n = 0; n < c.ny; ++n)
      f[crossings[k].slot * c.slot + c.at(p.origin + crossings[k].column * p.step, n)] = message[std::int64_t{k} * c.ny + n];
}

/// The memory that MPI sends from and receives into.
enum class Via { host, device };

/// The left border (`side` is -1) or the right one (1) of a strip, with a message to the neighbour there and one from it.
template <class real>
class Border {
 public:
  template <class Contains>
  Border(const ladder::openacc::Device& device, const Columns<frame>& columns, int side, Contains contains, Via via = Via::host)
      : columns_(columns),
        out_(device, columns, crossings(side, contains), side < 0 ? Place{-1, 1} : Place{columns.nx, -1}, via),
        in_(device, columns, crossings(-side, contains), side < 0 ? Place{0, -1} : Place{columns.nx - 1, 1}, via) {}

  /// Queues packing the strip's own columns.
  void pack(const real* f, int queue) {
    d2q37::pack(f, columns_, out_.crossings.data(), out_.count(), out_.place, out_.device.data(), queue);
  }
  /// Queues unpacking the neighbour's columns into the frame.
  void unpack(real* f, int queue) {
    d2q37::unpack(f, columns_, in_.crossings.data(), in_.count(), in_.place, in_.device.data(), queue);
  }
  /// Queues the copy of the message to the neighbour, or of the one from it, if messages go via the host.
  void to_host(int queue) {
    acc_memcpy_from_device_async(out_.host.data(), out_.device.data(), out_.host.size() * sizeof(real), queue);
  }
  void to_device(int queue) {
    acc_memcpy_to_device_async(in_.device.data(), in_.host.data(), in_.host.size() * sizeof(real), queue);
  }

  /// The messages, where MPI accesses them.
  [[nodiscard]] std::span<real> out() { return out_.for_mpi(); }
  [[nodiscard]] std::span<real> in() { return in_.for_mpi(); }

 private:
  struct Message {
    Message(const ladder::openacc::Device& gpu, const Columns<frame>& columns, const std::vector<Crossing>& all,
            const Place& where, Via via)
        : place(where),
          crossings(gpu, all.size()),
          device(gpu, all.size() * static_cast<std::size_t>(columns.ny)),
          host(via == Via::host ? device.size() : 0) {
      crossings.write(all);
    }
    [[nodiscard]] std::span<real> for_mpi() {
      return host.empty() ? std::span<real>(device.data(), device.size()) : std::span<real>(host);
    }
    [[nodiscard]] int count() const { return static_cast<int>(crossings.size()); }

    Place place;
    Buffer<Crossing> crossings;
    Buffer<real> device;
    std::vector<real> host;  ///< empty if the message goes directly from or to the device
  };

  const Columns<frame> columns_;
  Message out_, in_;
};

/// Sends the messages of both borders to the neighbours and receives theirs.
template <class real>
void exchange_messages(Border<real>& left, int west, Border<real>& right, int east) {
  std::array<MPI_Request, 4> messages{};
  const MPI_Comm world = ladder::mpi::world();
  const auto length = [](std::span<const real> message) { return static_cast<int>(message.size()); };
  LADDER_MPI(MPI_Irecv(left.in().data(), length(left.in()), mpi_type<real>, west, 0, world, &messages[0]));
  LADDER_MPI(MPI_Irecv(right.in().data(), length(right.in()), mpi_type<real>, east, 1, world, &messages[1]));
  LADDER_MPI(MPI_Isend(right.out().data(), length(right.out()), mpi_type<real>, east, 0, world, &messages[2]));
  LADDER_MPI(MPI_Isend(left.out().data(), length(left.out()), mpi_type<real>, west, 1, world, &messages[3]));
  LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
}

}  // namespace d2q37
