#pragma once

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>

#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "base/error.hpp"

namespace ladder::mpi {

/// The neighbour that values come from.
enum class Side { south, north };

/// For each process and each of its two sides, shared memory with a row of values that the neighbour on that side writes and
/// the process reads. There are two such rows, for even and odd steps, because a neighbour is at most one step ahead.
template <class real>
class Mailboxes {
 public:
  /// Called by all processes. @throws Refused if they are not all on one node
  explicit Mailboxes(int numbers) : numbers_(numbers) {
    const MPI_Comm world = mpi::world();
    MPI_Comm node = MPI_COMM_NULL;
    int here = 0;
    LADDER_MPI(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    LADDER_MPI(MPI_Comm_size(node, &here));
    LADDER_MPI(MPI_Comm_free(&node));
    if (here != size()) throw Refused(Reason::device_limit, "the processes are on several nodes, which share no memory");
    void* own = nullptr;
    LADDER_MPI(MPI_Win_allocate_shared(2 * side_bytes(), 1, MPI_INFO_NULL, world, &own, &window_));
    for (const Side side : {Side::south, Side::north})
      new (box(rank(), side)) std::atomic<std::int64_t>(0);
    LADDER_MPI(MPI_Barrier(world));
  }
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;
  ~Mailboxes() {
    // After an exception, the other processes may be anywhere in the program, so the window is left until the process exits.
    if (std::uncaught_exceptions() == 0) MPI_Win_free(&window_);
  }

  /// Where to write a process's values of a step; call send() afterwards.
  [[nodiscard]] real* to_write(int rank, Side side, std::int64_t step) const { return row(box(rank, side), step); }
  void send(int rank, Side side, std::int64_t step) const { sent(rank, side).store(step, std::memory_order_release); }

  /// The values of a step, counted from 1; waits until they have arrived.
  [[nodiscard]] const real* wait(Side side, std::int64_t step) const {
    const int rank = mpi::rank();
    while (sent(rank, side).load(std::memory_order_acquire) < step)
      sched_yield();  // there may be more processes than cores
    return row(box(rank, side), step);
  }

 private:
  static constexpr std::int64_t line = 64;

  /// A cache line with the number of the latest step sent, followed by the two rows.
  [[nodiscard]] std::int64_t side_bytes() const { return line + 2 * row_bytes(); }
  [[nodiscard]] std::int64_t row_bytes() const {
    return (numbers_ * static_cast<std::int64_t>(sizeof(real)) + line - 1) / line * line;
  }
  [[nodiscard]] std::byte* box(int rank, Side side) const {
    void* base = nullptr;
    MPI_Aint bytes = 0;
    int unit = 0;
    LADDER_MPI(MPI_Win_shared_query(window_, rank, &bytes, &unit, &base));
    return static_cast<std::byte*>(base) + static_cast<int>(side) * side_bytes();
  }
  [[nodiscard]] real* row(std::byte* box, std::int64_t step) const {
    return reinterpret_cast<real*>(box + line + step % 2 * row_bytes());
  }
  [[nodiscard]] std::atomic<std::int64_t>& sent(int rank, Side side) const {
    return *std::launder(reinterpret_cast<std::atomic<std::int64_t>*>(box(rank, side)));
  }

  int numbers_;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace ladder::mpi
