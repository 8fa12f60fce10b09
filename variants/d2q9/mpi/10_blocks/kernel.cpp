// Idea:    blocks of rows and columns: with many processes, each sends less data than the two rows of a strip
// Layout:  structure of arrays, f[9][y][x] of a block and a halo of one cell, rows start at a cache line, two copies
// Traffic: 9 values and a flag read, 9 values written
// Source:  Waugh, section XIII (decomposition in two dimensions); MPI 3.1, section 4.1 (derived datatypes)
// Bound:   memory bandwidth, shared by the processes; columns of the halo take a cache line per value
#include <array>

#include "variants/d2q9/mpi/block.hpp"
#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Strips final : public StripSolver<real, lattice::AlignedApart> {
  using Base = StripSolver<real, lattice::AlignedApart>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::layout_, Base::solid_, Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning&) : Base(c, Block::of(c)), block_(Block::of(c)) { this->initialize_rows(); }

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
  /// Advances by one step; returns the sum of the speeds.
  double update(bool more) {
    std::array<MPI_Request, 4> messages = exchange_columns(this->from());
    this->wait_for(messages);
    messages = exchange(this->from());  // including the corners, which arrived with the columns
    double speeds = update_rows(strip_.first + 1, strip_.last - 1, more);
    this->wait_for(messages);
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
    for (int x = 0; x < nx; x += Vector::size)
      update_vector(x, [&](int i, int at, int row) { return Vector::load(&from(i, at, row)); });
    target.finish();
    return sum(speeds);
  }

  /// Starts sending the outermost own columns to the neighbours, and receiving theirs as halos.
  std::array<MPI_Request, 4> exchange_columns(Lattice lattice) const {
    const auto column = [&](int x) { return this->row(lattice, 0, strip_.first) + x; };
    const MPI_Comm world = ladder::mpi::world();
    std::array<MPI_Request, 4> messages{};
    LADDER_MPI(MPI_Irecv(column(-1), 1, east_, block_.west, 2, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(column(case_.nx), 1, west_, block_.east, 3, world, &messages[1]));
    LADDER_MPI(MPI_Isend(column(case_.nx - 1), 1, east_, block_.east, 2, world, &messages[2]));
    LADDER_MPI(MPI_Isend(column(0), 1, west_, block_.west, 3, world, &messages[3]));
    return messages;
  }

  /// Same as exchange_columns(), for rows, which begin and end with a halo cell.
  std::array<MPI_Request, 4> exchange(Lattice lattice) const {
    const auto row = [&](int y) { return this->row(lattice, 0, y) - 1; };
    const MPI_Comm world = ladder::mpi::world();
    std::array<MPI_Request, 4> messages{};
    LADDER_MPI(MPI_Irecv(row(strip_.first - 1), 1, north_, strip_.south, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(row(strip_.last + 1), 1, south_, strip_.north, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(row(strip_.last), 1, north_, strip_.north, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(row(strip_.first), 1, south_, strip_.south, 1, world, &messages[3]));
    return messages;
  }

  const Block block_;

  /// Rows and columns of the three directions that cross a border toward the side that the type is named after.
  const Datatype north_{this->rows_of({2, 5, 6}, case_.nx + 2)}, south_{this->rows_of({4, 7, 8}, case_.nx + 2)};
  const Datatype east_{this->columns_of({1, 5, 8})}, west_{this->columns_of({3, 6, 7})};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/06_streaming", .traffic = d2q9::traffic, .make = ladder::make_solver<d2q9::Strips, d2q9::Model>};
