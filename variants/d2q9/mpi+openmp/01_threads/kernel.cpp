// Idea:    processes times threads: the rows of each process's strip are shared among its threads
// Layout:  structure of arrays, f[9][y][x] of a strip and two rows of halo, rows start at a cache line, two lattices
// Traffic: 9 numbers and a flag read, 9 numbers written
// Source:  R. Rabenseifner, G. Hager, G. Jost, "Hybrid MPI/OpenMP Parallel Programming", PDP 2009
// Bound:   memory bandwidth, shared by the processes; small strips lose, since they leave the caches at every step
#include <array>

#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Strips final : public StripSolver<real, ladder::RowStream> {
  using Base = StripSolver<real, ladder::RowStream>;
  using Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning&) : Base(c, Strip::of(c)) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < this->case_.ny; ++y)
      this->initialize_row(y);
  }

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
  /// One step; returns the sum of the speeds.
  double update(bool more) {
    if (strip_.with_halo == strip_.own) return update_rows(strip_.first, strip_.last, more);
    std::array<MPI_Request, 4> messages = exchange(this->from());
    double speeds = update_rows(strip_.first + 1, strip_.last - 1, more);
    LADDER_MPI(MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE));
    speeds += update_rows(strip_.first, strip_.first, more);
    if (strip_.last > strip_.first) speeds += update_rows(strip_.last, strip_.last, more);
    return speeds;
  }

  /// As in the base, by all threads.
  double update_rows(int first, int last, bool more) {
    double speeds = 0;
#pragma omp parallel for schedule(static) reduction(+ : speeds)
    for (int y = first; y <= last; ++y) {
      speeds += this->update_row(this->from(), this->to(), y);
      if (more) this->accelerate(this->to(), y);
    }
    return speeds;
  }

  /// Begins to send what leaves the strip to the neighbours, and to receive what enters it.
  std::array<MPI_Request, 4> exchange(Lattice lattice) const {
    const auto row = [&](int y) { return this->row(lattice, 0, y); };
    const MPI_Comm world = ladder::mpi::world();
    std::array<MPI_Request, 4> messages{};
    LADDER_MPI(MPI_Irecv(row(strip_.first - 1), 1, north_, strip_.south, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(row(strip_.last + 1), 1, south_, strip_.north, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(row(strip_.last), 1, north_, strip_.north, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(row(strip_.first), 1, south_, strip_.south, 1, world, &messages[3]));
    return messages;
  }

  /// Rows of the three directions that cross a northern border, and of those that cross a southern one.
  const Datatype north_{rows_of({2, 5, 6})}, south_{rows_of({4, 7, 8})};

  [[nodiscard]] MPI_Datatype rows_of(const std::array<int, 3>& directions) const {
    std::array<int, 3> places{};
    for (std::size_t k = 0; k < 3; ++k)
      places[k] = static_cast<int>(directions[k] * this->layout_.strides().q);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_create_indexed_block(3, this->case_.nx, places.data(), number_type<real>(), &type));
    return type;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/06_streaming", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
