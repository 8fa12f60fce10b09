// Idea:    nine halos at once: a vector type describes a row of all directions, whose planes lie apart
// Layout:  structure of arrays, f[9][y][x] of a strip and two rows of halo, rows start at a cache line, two lattices
// Traffic: 9 numbers read, 9 written and, before, fetched; one flag read: 18 numbers and a byte read, 9 written
// Source:  Waugh, section X
// Bound:   memory bandwidth, shared by the processes; latencies of two messages and a reduction per step
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
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      exchange(this->from());
      const double speeds = ladder::team().sum(this->update_rows(strip_.first, strip_.last, step < steps));
      this->record({&speeds, 1});
      this->turn();
    }
  }

 private:
  /// Sends the outer own rows to the neighbours, and receives theirs as halos.
  void exchange(Lattice lattice) const {
    if (strip_.with_halo == strip_.own) return;
    const auto row = [&](int y) { return this->row(lattice, 0, y); };
    LADDER_MPI(MPI_Sendrecv(row(strip_.last), 1, row_, strip_.north, 0, row(strip_.first - 1), 1, row_, strip_.south, 0,
                            ladder::mpi::world(), MPI_STATUS_IGNORE));
    LADDER_MPI(MPI_Sendrecv(row(strip_.first), 1, row_, strip_.south, 1, row(strip_.last + 1), 1, row_, strip_.north, 1,
                            ladder::mpi::world(), MPI_STATUS_IGNORE));
  }

  /// A row of all directions.
  const Datatype row_{vector_of_rows(this->case_.nx, this->layout_.strides().q)};

  static MPI_Datatype vector_of_rows(int nx, std::int64_t apart) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    LADDER_MPI(MPI_Type_vector(q, nx, static_cast<int>(apart), number_type<real>(), &type));
    return type;
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/01_messages", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
