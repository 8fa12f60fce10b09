// Idea:    a strip per process: before each step, one message per direction fills a halo row
// Layout:  structure of arrays, f[9][y][x] of a strip and two halo rows, rows start at a cache line, two copies
// Traffic: 9 values read, 9 written after their lines are fetched; one flag read: 18 values and a byte read, 9 values written
// Source:  Waugh, section X
// Bound:   memory bandwidth, shared by the processes; latency of 18 messages and a reduction per step
#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {18 * real + 1, 9 * real}; }

template <class real>
class Strips final : public StripSolver<real> {
  using Base = StripSolver<real>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::layout_, Base::solid_, Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning&) : Base(c, Strip::of(c)) { this->initialize_rows(); }

  void advance(std::int64_t steps) override {
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      exchange(this->from());
      const double speeds = ladder::team().sum(update_rows(strip_.first, strip_.last, step < steps));
      this->record({&speeds, 1});
      this->swap_lattices();
    }
  }

 private:
  /// Advances own rows `first` to `last` by one step, and accelerates the driven one for the next step if `more` is set.
  /// Returns the sum of the speeds.
  double update_rows(int first, int last, bool more) {
    double speeds = 0;
    for (int y = first; y <= last; ++y) {
      speeds += update_row(this->from(), this->to(), y);
      if (more) this->accelerate(this->to(), y);
    }
    return speeds;
  }

  [[gnu::flatten]] real update_row(Lattice from, Lattice to, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_.data() + layout_.cell(0, y);
    Vector speeds = 0;
    const auto update_vector = [&](int x, auto pull) {
      const Vector pulled[q] = {pull(0, x, y),         pull(1, x - 1, y),     pull(2, x, y - 1),
                                pull(3, x + 1, y),     pull(4, x, y + 1),     pull(5, x - 1, y - 1),
                                pull(6, x + 1, y - 1), pull(7, x + 1, y + 1), pull(8, x - 1, y + 1)};
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const auto rebounds = Vector::MaskType::from_bytes(solid + x);
      speeds += select(rebounds, Vector(0), sqrt(d2q9_collide(f, omega)));
      for (int i = 0; i < q; ++i)
        select(rebounds, pulled[d2q9_opposite[i]], f[i]).store_aligned(&to(i, x, y));
    };
    const auto inside = [&](int i, int x, int row) { return Vector::load(&from(i, x, row)); };
    const auto at_ends = [&](int i, int x, int row) { return ladder::load_wrapped(&from(i, 0, row), x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    return sum(speeds);
  }

  /// Sends the outermost own rows to the neighbours, and receives theirs as halos, one direction at a time.
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
