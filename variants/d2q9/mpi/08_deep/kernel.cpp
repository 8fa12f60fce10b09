// Idea:    deep halos: several rows are exchanged once in as many steps; each step updates one halo row fewer
// Layout:  structure of arrays, f[9][y][x] of a strip and its halo, rows start at a cache line, two copies
// Traffic: 9 values and a flag read, 9 values written; halo rows are updated by their owner and by its neighbour
// Source:  C. Ding, Y. He, "A Ghost Cell Expansion Method for Reducing Communications in Solving PDE Problems", SC 2001
// Bound:   memory bandwidth, shared by the processes; one message per `steps` steps
#include <algorithm>
#include <array>

#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

ladder::Traffic traffic(double real) { return {9 * real + 1, 9 * real}; }

template <class real>
class Strips final : public StripSolver<real> {
  using Base = StripSolver<real>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::layout_, Base::solid_, Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning) : Base(c, Strip::of(c, tuning.at("steps"))), depth_(tuning.at("steps")) {
    this->initialize_rows();
  }

  void advance(std::int64_t steps) override {
    std::vector<double> speeds;
    if (steps > 0) this->begin();
    for (std::int64_t step = 0; step < steps; step += depth_) {
      const int some = static_cast<int>(std::min<std::int64_t>(depth_, steps - step));
      if (strip_.has_halo()) {
        std::array<MPI_Request, 4> messages = exchange(this->from());
        this->wait_for(messages);
      }
      for (int left = some - 1; left >= 0; --left) {
        speeds.push_back(update(left, step + some - left < steps));
        this->swap_lattices();
      }
    }
    ladder::team().add(speeds);
    this->record(speeds);
  }

 private:
  /// Advances the own rows and `beside` halo rows on either side by one step; returns the sum of the speeds of the own rows.
  double update(int beside, bool more) {
    if (strip_.with_halo == strip_.own) return update_rows(strip_.first, strip_.last, more);
    update_rows(strip_.first - beside, strip_.first - 1, more);
    const double speeds = update_rows(strip_.first, strip_.last, more);
    update_rows(strip_.last + 1, strip_.last + beside, more);
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

  /// Starts sending the outermost own rows to the neighbours, and receiving theirs as halos.
  std::array<MPI_Request, 4> exchange(Lattice lattice) const {
    const auto row = [&](int y) { return this->row(lattice, 0, y); };
    const MPI_Comm world = ladder::mpi::world();
    std::array<MPI_Request, 4> messages{};
    LADDER_MPI(MPI_Irecv(row(strip_.first - depth_), 1, rows_, strip_.south, 0, world, &messages[0]));
    LADDER_MPI(MPI_Irecv(row(strip_.last + 1), 1, rows_, strip_.north, 1, world, &messages[1]));
    LADDER_MPI(MPI_Isend(row(strip_.last + 1 - depth_), 1, rows_, strip_.north, 0, world, &messages[2]));
    LADDER_MPI(MPI_Isend(row(strip_.first), 1, rows_, strip_.south, 1, world, &messages[3]));
    return messages;
  }

  const int depth_;

  /// All directions of as many rows as a halo has.
  const Datatype rows_{this->whole_rows(depth_)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/06_streaming",
    .traffic = d2q9::traffic,
    .tunables =
        {{.name = "steps", .meaning = "steps per exchange, and rows per halo", .values = {1, 2, 3, 4, 6, 8}, .initial = 4}},
    .make = ladder::make_solver<d2q9::Strips, d2q9::Model>,
};
