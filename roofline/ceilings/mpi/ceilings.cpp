#include <fmt/format.h>

#include <array>
#include <limits>
#include <vector>

#include "backends/mpi/check.hpp"
#include "backends/mpi/team.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "roofline/ceilings/ceiling.hpp"
#include "roofline/ceilings/verify.hpp"

/// All processes make the same calls. Each ceiling counts its work where another process sees it; wrong() compares the counts.
namespace ladder::ceilings {
namespace {

/// @throws Unavailable if there is only one process
void require_several(const Kind& kind) {
  if (mpi::size() < 2)
    throw Unavailable(fmt::format("{} needs two processes (a placement such as processes=2;threads=1)", kind.name));
}

/// Processes 0 and 1 send a message back and forth. It carries no data: its tag counts the round trips.
class PingPong final : public Ceiling {
 public:
  explicit PingPong(const Request& request) : Ceiling(1, 0) { require_several(request.kind); }

  void sweep(std::int64_t times) override {
    const int rank = mpi::rank();
    if (rank > 1) return;
    const int other = 1 - rank;
    for (std::int64_t n = 0; n < times; ++n) {
      if (rank == 0) LADDER_MPI(MPI_Send(nullptr, 0, MPI_BYTE, other, tag(), mpi::world()));
      MPI_Status status;
      LADDER_MPI(MPI_Recv(nullptr, 0, MPI_BYTE, other, MPI_ANY_TAG, mpi::world(), &status));
      if (status.MPI_TAG != tag()) ++misplaced_;
      if (rank == 1) LADDER_MPI(MPI_Send(nullptr, 0, MPI_BYTE, other, tag(), mpi::world()));
      ++trips_;
    }
  }

  std::string wrong() override {
    return misplaced_ > 0 ? fmt::format("{} messages came in another order than they were sent", misplaced_) : "";
  }

 private:
  [[nodiscard]] int tag() const { return static_cast<int>(trips_ % 1000); }

  std::int64_t trips_ = 0, misplaced_ = 0;
};

class Barrier final : public Ceiling {
 public:
  explicit Barrier(const Request& request) : Ceiling(1, 0) { require_several(request.kind); }

  void sweep(std::int64_t times) override {
    for (std::int64_t n = 0; n < times; ++n)
      LADDER_MPI(MPI_Barrier(mpi::world()));
    sweeps_ += times;
  }

  std::string wrong() override {
    std::int64_t range[2] = {sweeps_, -sweeps_};
    LADDER_MPI(MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT64_T, MPI_MAX, mpi::world()));
    return range[0] != -range[1] ? fmt::format("the processes met {} to {} times", -range[1], range[0]) : "";
  }

 private:
  std::int64_t sweeps_ = 0;
};

/// Every process contributes the same value, so each sum must be that value times the number of processes.
class Reduction final : public Ceiling {
 public:
  explicit Reduction(const Request& request) : Ceiling(1, 0) { require_several(request.kind); }

  void sweep(std::int64_t times) override {
    for (std::int64_t n = 0; n < times; ++n) {
      own_ = own_ >= 1'000'000 ? 1 : own_ + 1;
      LADDER_MPI(MPI_Allreduce(&own_, &sum_, 1, MPI_DOUBLE, MPI_SUM, mpi::world()));
      if (sum_ != own_ * size_) ++misses_;
    }
  }

  std::string wrong() override { return misses_ > 0 ? fmt::format("{} sums were wrong, the last is {}", misses_, sum_) : ""; }

 private:
  const double size_ = mpi::size();
  double own_ = 0, sum_ = 0;
  std::int64_t misses_ = 0;
};

/// Exchanges halos like a strip of rows: four arrays, two of which are sent.
template <class T>
class Halo final : public Ceiling {
 public:
  explicit Halo(const Request& request)
      : Ceiling(2 * length(request), 4.0 * static_cast<double>(length(request) * sizeof(T))), n_(length(request)) {
    require_several(request.kind);
    require_memory(static_cast<double>(request.bytes), request.kind.name);
    for (const std::size_t side : {north, south}) {
      for (std::size_t i = 0; i < n_; ++i)
        sent_[side].push_back(number(mpi::rank(), side, i));
      received_[side].assign(n_, std::numeric_limits<T>::quiet_NaN());
    }
  }

  void sweep(std::int64_t times) override {
    const auto count = static_cast<int>(n_);
    std::array<MPI_Request, 4> messages{};
    for (std::int64_t n = 0; n < times; ++n) {
      LADDER_MPI(MPI_Irecv(received_[south].data(), count, type, below(), north, mpi::world(), &messages[0]));
      LADDER_MPI(MPI_Irecv(received_[north].data(), count, type, above(), south, mpi::world(), &messages[1]));
      LADDER_MPI(MPI_Isend(sent_[north].data(), count, type, above(), north, mpi::world(), &messages[2]));
      LADDER_MPI(MPI_Isend(sent_[south].data(), count, type, below(), south, mpi::world(), &messages[3]));
      LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
    }
  }

  /// Data received on one side was sent to the opposite side.
  std::string wrong() override {
    return first_difference(
               north, 0, n_, [&](std::size_t, std::size_t i) { return received_[north][i]; },
               [&](std::size_t, std::size_t i) { return number(above(), south, i); }) +
           first_difference(
               south, 0, n_, [&](std::size_t, std::size_t i) { return received_[south][i]; },
               [&](std::size_t, std::size_t i) { return number(below(), north, i); });
  }

 private:
  enum Side : std::size_t { north, south };

  static inline const MPI_Datatype type = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;

  /// Elements per message; MPI counts them as int. @throws InputError
  static std::size_t length(const Request& request) {
    const std::size_t n = request.bytes / (4 * sizeof(T));
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw InputError(fmt::format("--bytes {}: a message has {} numbers; accepted are up to {}", request.bytes, n,
                                   std::numeric_limits<int>::max()));
    return n;
  }
  static T number(int rank, std::size_t side, std::size_t i) {
    return static_cast<T>(pattern(i + 1000 * (2 * static_cast<std::uint64_t>(rank) + side)));
  }
  static int above() { return (mpi::rank() + 1) % mpi::size(); }
  static int below() { return (mpi::rank() + mpi::size() - 1) % mpi::size(); }

  std::size_t n_;
  std::array<std::vector<T>, 2> sent_, received_;  ///< [side]
};

template <class C>
std::unique_ptr<Ceiling> make(const Request& request) {
  return std::make_unique<C>(request);
}
std::unique_ptr<Ceiling> make_halo(const Request& request) {
  if (request.real == sizeof(float)) return std::make_unique<Halo<float>>(request);
  return std::make_unique<Halo<double>>(request);
}

constexpr Maker all[] = {
    {"ping-pong", make<PingPong>}, {"barrier", make<Barrier>}, {"reduction", make<Reduction>}, {"halo", make_halo}};

}  // namespace

std::span<const Maker> makers() { return all; }

}  // namespace ladder::ceilings
