// Idea:    no messages: a process writes what leaves its strip into memory that it shares with its neighbour
// Layout:  structure of arrays, f[9][y][x] of a strip and two rows of halo, rows start at a cache line, two lattices
// Traffic: 9 numbers and a flag read, 9 numbers written
// Source:  T. Hoefler et al., "MPI + MPI: a new hybrid approach to parallel programming with MPI plus shared memory", 2013
// Bound:   memory bandwidth, shared by the processes; on small strips the time in which a neighbour sees a counter change
#include <sched.h>

#include <array>
#include <atomic>
#include <exception>
#include <new>

#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

enum Side { from_south, from_north };

/// For each process and each of its two sides, a row of numbers that the neighbour of that side writes and the process reads,
/// in memory that they share. There are two rows, for even and for odd steps: a neighbour is at most one step ahead.
template <class real>
class Mailboxes {
 public:
  /// All processes call it. @throws ladder::Refused if they are not on one node
  explicit Mailboxes(int numbers) : numbers_(numbers) {
    const MPI_Comm world = ladder::mpi::world();
    MPI_Comm node = MPI_COMM_NULL;
    int here = 0;
    LADDER_MPI(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    LADDER_MPI(MPI_Comm_size(node, &here));
    LADDER_MPI(MPI_Comm_free(&node));
    if (here != ladder::mpi::size())
      throw ladder::Refused(ladder::Reason::device_limit, "the processes are on several nodes, which share no memory");
    void* own = nullptr;
    LADDER_MPI(MPI_Win_allocate_shared(2 * side_bytes(), 1, MPI_INFO_NULL, world, &own, &window_));
    for (const Side side : {from_south, from_north})
      new (box(ladder::mpi::rank(), side)) std::atomic<std::int64_t>(0);
    LADDER_MPI(MPI_Barrier(world));
  }
  Mailboxes(const Mailboxes&) = delete;
  Mailboxes& operator=(const Mailboxes&) = delete;
  ~Mailboxes() {
    // After an exception the other processes may be elsewhere: the window ends with the process.
    if (std::uncaught_exceptions() == 0) MPI_Win_free(&window_);
  }

  /// Where to write the numbers of a step for a process, before send().
  [[nodiscard]] real* to_write(int rank, Side side, std::int64_t step) const { return row(box(rank, side), step); }
  void send(int rank, Side side, std::int64_t step) const { sent(rank, side).store(step, std::memory_order_release); }

  /// The numbers of a step, counted from 1, when they have arrived.
  [[nodiscard]] const real* wait(Side side, std::int64_t step) const {
    const int rank = ladder::mpi::rank();
    while (sent(rank, side).load(std::memory_order_acquire) < step)
      sched_yield();  // there may be more processes than cores
    return row(box(rank, side), step);
  }

 private:
  static constexpr std::int64_t line = 64;

  /// A cache line with the latest step sent, and the two rows.
  [[nodiscard]] std::int64_t side_bytes() const { return line + 2 * row_bytes(); }
  [[nodiscard]] std::int64_t row_bytes() const {
    return (numbers_ * static_cast<std::int64_t>(sizeof(real)) + line - 1) / line * line;
  }
  [[nodiscard]] std::byte* box(int rank, Side side) const {
    void* base = nullptr;
    MPI_Aint bytes = 0;
    int unit = 0;
    LADDER_MPI(MPI_Win_shared_query(window_, rank, &bytes, &unit, &base));
    return static_cast<std::byte*>(base) + side * side_bytes();
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

template <class real>
class Strips final : public StripSolver<real, ladder::RowStream> {
  using Base = StripSolver<real, ladder::RowStream>;
  using Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning&) : Base(c, Strip::of(c)), mailboxes_(3 * c.nx) { this->initialize_rows(); }

  void advance(std::int64_t steps) override {
    std::vector<double> speeds;
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      speeds.push_back(update(step < steps));
      this->turn();
    }
    ladder::team().add(speeds);
    this->record(speeds);
  }

 private:
  static constexpr std::array<int, 3> north = {2, 5, 6}, south = {4, 7, 8};  ///< directions

  /// One step; returns the sum of the speeds.
  double update(bool more) {
    if (strip_.with_halo == strip_.own) return this->update_rows(strip_.first, strip_.last, more);
    ++step_;
    send(strip_.north, from_south, strip_.last, north);
    send(strip_.south, from_north, strip_.first, south);
    double speeds = this->update_rows(strip_.first + 1, strip_.last - 1, more);
    receive(from_south, strip_.first - 1, north);
    receive(from_north, strip_.last + 1, south);
    speeds += this->update_rows(strip_.first, strip_.first, more);
    if (strip_.last > strip_.first) speeds += this->update_rows(strip_.last, strip_.last, more);
    return speeds;
  }

  /// Writes the given directions of an own row for a neighbour.
  void send(int rank, Side side, int y, const std::array<int, 3>& directions) {
    real* target = mailboxes_.to_write(rank, side, step_);
    for (const int i : directions)
      target = std::copy_n(this->row(this->from(), i, y), this->case_.nx, target);
    mailboxes_.send(rank, side, step_);
  }

  /// Fills a row of halo with what the neighbour of a side wrote.
  void receive(Side side, int y, const std::array<int, 3>& directions) {
    const real* source = mailboxes_.wait(side, step_);
    for (const int i : directions) {
      std::copy_n(source, this->case_.nx, this->row(this->from(), i, y));
      source += this->case_.nx;
    }
  }

  const Mailboxes<real> mailboxes_;
  std::int64_t step_ = 0;  ///< number of the step
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/06_streaming", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
