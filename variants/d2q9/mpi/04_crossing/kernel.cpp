// Idea:    only populations that cross a border are sent: three of nine
// Layout:  structure of arrays, f[9][y][x] of a strip and two rows of halo, rows start at a cache line, two lattices
// Traffic: 9 numbers read, 9 written and, before, fetched; one flag read: 18 numbers and a byte read, 9 written
// Source:  this project
// Bound:   memory bandwidth, shared by the processes; latencies of two messages per step
#include <array>

#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 9 * real}; }

template <class real>
class Strips final : public StripSolver<real> {
  using Base = StripSolver<real>;
  using Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning&) : Base(c, Strip::of(c)) { this->initialize_rows(); }

  void advance(std::int64_t steps) override {
    std::vector<double> speeds;
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      exchange(this->from());
      speeds.push_back(this->update_rows(strip_.first, strip_.last, step < steps));
      this->turn();
    }
    ladder::team().add(speeds);
    this->record(speeds);
  }

 private:
  /// Sends what leaves the strip to the neighbours, and receives what enters it.
  void exchange(Lattice lattice) const {
    if (strip_.with_halo == strip_.own) return;
    const auto row = [&](int y) { return this->row(lattice, 0, y); };
    LADDER_MPI(MPI_Sendrecv(row(strip_.last), 1, north_, strip_.north, 0, row(strip_.first - 1), 1, north_, strip_.south, 0,
                            ladder::mpi::world(), MPI_STATUS_IGNORE));
    LADDER_MPI(MPI_Sendrecv(row(strip_.first), 1, south_, strip_.south, 1, row(strip_.last + 1), 1, south_, strip_.north, 1,
                            ladder::mpi::world(), MPI_STATUS_IGNORE));
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
    .follows = "d2q9/mpi/03_sums", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
