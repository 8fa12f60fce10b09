// Idea:    strips of rows, one per process; before each step a message for each direction fills a row of halo
// Layout:  structure of arrays, f[9][y][x] of a strip and two rows of halo, rows start at a cache line, two lattices
// Traffic: 9 numbers read, 9 written and, before, fetched; one flag read: 18 numbers and a byte read, 9 written
// Source:  Waugh, section X
// Bound:   memory bandwidth, shared by the processes; latencies of 18 messages and a reduction per step
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
  /// Sends the outer own rows to the neighbours, and receives theirs as halos: each direction by itself.
  void exchange(Lattice lattice) const {
    if (strip_.with_halo == strip_.own) return;
    const int nx = static_cast<int>(strip_.own.extent[0]);
    const MPI_Datatype type = number_type<real>();
    const auto row = [&](int i, int y) { return this->row(lattice, i, y); };
    for (int i = 0; i < q; ++i) {
      LADDER_MPI(MPI_Sendrecv(row(i, strip_.last), nx, type, strip_.north, i, row(i, strip_.first - 1), nx, type, strip_.south,
                              i, ladder::mpi::world(), MPI_STATUS_IGNORE));
      LADDER_MPI(MPI_Sendrecv(row(i, strip_.first), nx, type, strip_.south, q + i, row(i, strip_.last + 1), nx, type,
                              strip_.north, q + i, ladder::mpi::world(), MPI_STATUS_IGNORE));
    }
  }
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/serial/08_vectorized", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
