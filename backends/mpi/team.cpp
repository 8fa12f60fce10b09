#include "backends/mpi/team.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "backends/mpi/check.hpp"

namespace ladder {
namespace mpi {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

namespace {

/// Keeps MPI initialized from its first use until the program exits.
class Session {
 public:
  Session() {
    int provided = 0;
    LADDER_MPI(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
    LADDER_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (provided < MPI_THREAD_FUNNELED) throw std::runtime_error("this MPI does not support threads");
    LADDER_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &harness_));
    LADDER_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &asleep_));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { MPI_Finalize(); }

  /// For the harness's messages, so that they never mix with those of rungs.
  [[nodiscard]] MPI_Comm harness() const { return harness_; }
  /// For waits that sleep.
  [[nodiscard]] MPI_Comm asleep() const { return asleep_; }

 private:
  MPI_Comm harness_ = MPI_COMM_NULL, asleep_ = MPI_COMM_NULL;
};

const Session& session() {
  static const Session started;
  return started;
}

class Processes final : public Team {
 public:
  [[nodiscard]] int rank() const override { return mpi::rank(); }
  [[nodiscard]] int size() const override { return mpi::size(); }

  void barrier() const override { LADDER_MPI(MPI_Barrier(session().harness())); }

  [[nodiscard]] double of_first(double value) const override {
    LADDER_MPI(MPI_Bcast(&value, 1, MPI_DOUBLE, 0, session().harness()));
    return value;
  }

  void add(std::span<double> values) const override {
    LADDER_MPI(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, session().harness()));
  }

  /// MPI_MAX may drop a NaN.
  [[nodiscard]] double largest(double value) const override {
    double all[2] = {std::isnan(value) ? 1.0 : 0.0, std::isnan(value) ? 0.0 : value};
    LADDER_MPI(MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_DOUBLE, MPI_MAX, session().harness()));
    return all[0] > 0 ? std::numeric_limits<double>::quiet_NaN() : all[1];
  }

  [[nodiscard]] std::string first_text(const std::string& text) const override {
    int first = text.empty() ? size() : rank();
    LADDER_MPI(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, session().harness()));
    if (first == size()) return "";
    auto length = static_cast<int>(text.size());
    LADDER_MPI(MPI_Bcast(&length, 1, MPI_INT, first, session().harness()));
    std::string result = first == rank() ? text : std::string(static_cast<std::size_t>(length), ' ');
    LADDER_MPI(MPI_Bcast(result.data(), length, MPI_CHAR, first, session().harness()));
    return result;
  }

  void gather() const override { wait_asleep(Clock::time_point::max()); }

  [[nodiscard]] bool meets() const override { return wait_asleep(Clock::now() + std::chrono::seconds(5)); }

  [[noreturn]] void abort(int code) const override {
    MPI_Abort(MPI_COMM_WORLD, code);
    Team::abort(code);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Whether all processes have called it before `end`. The longer it waits, the longer it sleeps between looks: processes that
  /// stay must not disturb what is measured meanwhile.
  static bool wait_asleep(Clock::time_point end) {
    using std::chrono::milliseconds;
    const auto begin = Clock::now();
    MPI_Request all = MPI_REQUEST_NULL;
    LADDER_MPI(MPI_Ibarrier(session().asleep(), &all));
    int done = 0;
    while (done == 0 && Clock::now() < end) {
      LADDER_MPI(MPI_Test(&all, &done, MPI_STATUS_IGNORE));
      if (done == 0)
        std::this_thread::sleep_for(
            std::clamp<Clock::duration>((Clock::now() - begin) / 16, milliseconds(1), milliseconds(50)));
    }
    return done != 0;
  }
};

}  // namespace

MPI_Comm world() {
  session();
  return MPI_COMM_WORLD;
}

int rank() {
  int rank = 0;
  LADDER_MPI(MPI_Comm_rank(world(), &rank));
  return rank;
}

int size() {
  int size = 1;
  LADDER_MPI(MPI_Comm_size(world(), &size));
  return size;
}

int rank_on_node() {
  MPI_Comm node = MPI_COMM_NULL;
  LADDER_MPI(MPI_Comm_split_type(world(), MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &node));
  int rank = 0;
  const int code = MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  check(code, "MPI_Comm_rank");
  return rank;
}

}  // namespace mpi

const Team& processes() {
  static const mpi::Processes all;
  return all;
}

}  // namespace ladder
