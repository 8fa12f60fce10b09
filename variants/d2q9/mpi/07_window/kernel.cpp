// Idea:    no messages: a process writes the populations that leave its strip into memory that it shares with its neighbour
// Layout:  structure of arrays, f[9][y][x] of a strip and two halo rows, rows start at a cache line, two copies
// Traffic: 9 values and a flag read, 9 values written
// Source:  T. Hoefler et al., "MPI + MPI: a new hybrid approach to parallel programming with MPI plus shared memory", 2013
// Bound:   memory bandwidth, shared by the processes; on small strips the delay until a neighbour sees a counter change
#include <array>

#include "backends/mpi/mailboxes.hpp"
#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

using ladder::mpi::Side;

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Strips final : public StripSolver<real> {
  using Base = StripSolver<real>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::layout_, Base::solid_, Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning&) : Base(c, Strip::of(c)), mailboxes_(3 * c.nx) { this->initialize_rows(); }

  void advance(std::int64_t steps) override {
    std::vector<double> speeds;
    if (steps > 0) this->begin();
    for (std::int64_t step = 1; step <= steps; ++step) {
      speeds.push_back(update(step < steps));
      this->swap_lattices();
    }
    ladder::team().add(speeds);
    this->record(speeds);
  }

 private:
  static constexpr std::array<int, 3> north = {2, 5, 6}, south = {4, 7, 8};  ///< directions

  /// Advances by one step; returns the sum of the speeds.
  double update(bool more) {
    if (strip_.with_halo == strip_.own) return update_rows(strip_.first, strip_.last, more);
    ++step_;
    send(strip_.north, Side::south, strip_.last, north);
    send(strip_.south, Side::north, strip_.first, south);
    double speeds = update_rows(strip_.first + 1, strip_.last - 1, more);
    receive(Side::south, strip_.first - 1, north);
    receive(Side::north, strip_.last + 1, south);
    speeds += update_rows(strip_.first, strip_.first, more);
    if (strip_.last > strip_.first) speeds += update_rows(strip_.last, strip_.last, more);
    return speeds;
  }

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
    ladder::RowStream<real, q> target(&to(0, 0, y), to.layout.strides().q);
    const auto update_vector = [&](int x, auto pull) {
      const Vector pulled[q] = {pull(0, x, y),         pull(1, x - 1, y),     pull(2, x, y - 1),
                                pull(3, x + 1, y),     pull(4, x, y + 1),     pull(5, x - 1, y - 1),
                                pull(6, x + 1, y - 1), pull(7, x + 1, y + 1), pull(8, x - 1, y + 1)};
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = pulled[i];
      const auto rebounds = Vector::MaskType::from_bytes(solid + x);
      speeds += select(rebounds, Vector(0), sqrt(d2q9_collide(f, omega)));
      target.write(x, [&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); });
    };
    const auto inside = [&](int i, int x, int row) { return Vector::load(&from(i, x, row)); };
    const auto at_ends = [&](int i, int x, int row) { return ladder::load_wrapped(&from(i, 0, row), x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    target.finish();
    return sum(speeds);
  }

  /// Writes the given directions of an own row for a neighbour.
  void send(int rank, Side side, int y, const std::array<int, 3>& directions) {
    real* target = mailboxes_.to_write(rank, side, step_);
    for (const int i : directions)
      target = std::copy_n(this->row(this->from(), i, y), case_.nx, target);
    mailboxes_.send(rank, side, step_);
  }

  /// Fills a halo row with the values that the neighbour on that side wrote.
  void receive(Side side, int y, const std::array<int, 3>& directions) {
    const real* source = mailboxes_.wait(side, step_);
    for (const int i : directions) {
      std::copy_n(source, case_.nx, this->row(this->from(), i, y));
      source += case_.nx;
    }
  }

  const ladder::mpi::Mailboxes<real> mailboxes_;
  std::int64_t step_ = 0;  ///< step number
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/06_streaming", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
