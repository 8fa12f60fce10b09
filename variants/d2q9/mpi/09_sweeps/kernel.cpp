// Idea:    temporal blocking between two exchanges: a sweep advances a row by all their steps while it is in the cache
// Layout:  structure of arrays, f[9][y][x] of a strip and its halo; two copies, three rows per intermediate step
// Traffic: 9 values and a flag read, 9 values written every `steps` steps; halo rows are updated twice
// Source:  Fu, Li, Song, Zhu, Designing a parallel memory-aware lattice Boltzmann algorithm on manycore systems, 2018
// Bound:   arithmetic and cache bandwidth; one message per `steps` steps
#include <algorithm>
#include <array>

#include "variants/d2q9/mpi/strips.hpp"

namespace d2q9 {
namespace {

std::vector<ladder::Traffic> traffic(double real, const Case&, const ladder::Tuning& tuning) {
  const int steps = tuning.at("steps");
  return {{(9 * real + 1) / steps, 9 * real / steps}};
}

template <class real>
class Strips final : public StripSolver<real> {
  using Base = StripSolver<real>;
  using Vector = ladder::Vector<real>;
  using Base::case_, Base::layout_, Base::solid_, Base::strip_;
  using typename Base::Lattice;

 public:
  Strips(const Case& c, const ladder::Tuning& tuning)
      : Base(c, Strip::of(c, tuning.at("steps"))), depth_(tuning.at("steps")), three_rows_({c.nx, 3}) {
    this->initialize_rows();
    for (int step = 1; step < depth_; ++step) {
      between_.emplace_back(static_cast<std::size_t>(three_rows_.required_span_size()));
      between_.back().poison();
    }
  }

  void advance(std::int64_t steps) override {
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    if (steps > 0) this->begin();
    for (std::int64_t step = 0; step < steps; step += depth_) {
      const int some = static_cast<int>(std::min<std::int64_t>(depth_, steps - step));
      if (strip_.has_halo()) {
        std::array<MPI_Request, 4> messages = exchange(this->from());
        this->wait_for(messages);
      }
      sweep(some, step + some < steps, &speeds[static_cast<std::size_t>(step)]);
      this->swap_lattices();
    }
    ladder::team().add(speeds);
    this->record(speeds);
  }

 private:
  /// Advances by `steps` steps, each one row behind the previous one: as soon as a step has row y, the next one can compute row
  /// y - 1. Each step also updates the rows around the own ones that later steps depend on. Adds the speeds of the own rows.
  void sweep(int steps, bool more, double* speeds) {
    std::vector<Lattice> after = {this->from()};  // after[s]: the lattice after s steps
    for (int step = 1; step < steps; ++step)
      after.push_back({between_[static_cast<std::size_t>(step - 1)].data(), three_rows_, 3});
    const Lattice to = this->to();
    for (int front = strip_.first - (steps - 1); front <= strip_.last + (steps - 1); ++front)
      for (int step = 1, y = front; step <= steps && strip_.first - (steps - step) <= y; ++step, --y) {
        const Lattice& before = after[static_cast<std::size_t>(step - 1)];
        double of_row = 0;
        if (step < steps) {
          of_row = update_row<false>(before, after[static_cast<std::size_t>(step)], y);
          this->accelerate(after[static_cast<std::size_t>(step)], y);
        } else {
          of_row = update_row<true>(before, to, y);
          if (more) this->accelerate(to, y);
        }
        if (strip_.first <= y && y <= strip_.last) speeds[step - 1] += of_row;
      }
  }

  template <bool streams>
  [[gnu::flatten]] real update_row(Lattice from, Lattice to, int y) {
    const int nx = case_.nx;
    const Vector omega = case_.omega;
    const std::uint8_t* solid = solid_.data() + layout_.cell(0, (y + case_.ny) % case_.ny);
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
      const auto next = [&](int i) { return select(rebounds, pulled[d2q9_opposite[i]], f[i]); };
      if constexpr (streams)
        target.write(x, next);
      else
        for (int i = 0; i < q; ++i)
          next(i).store_aligned(&to(i, x, y));
    };
    const auto inside = [&](int i, int x, int row) { return Vector::load(&from(i, x, row)); };
    const auto at_ends = [&](int i, int x, int row) { return ladder::load_wrapped(&from(i, 0, row), x, nx); };
    const int last = (nx - 1) / Vector::size * Vector::size;
    update_vector(0, at_ends);
    for (int x = Vector::size; x < last; x += Vector::size)
      update_vector(x, inside);
    if (last > 0) update_vector(last, at_ends);
    if constexpr (streams) target.finish();
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
  const typename Base::Layout three_rows_;
  std::vector<ladder::Array<real>> between_;  ///< [step - 1][three_rows_(i, x, y mod 3)]

  /// All directions of as many rows as a halo has.
  const Datatype rows_{this->whole_rows(depth_)};
};

}  // namespace
}  // namespace d2q9

const d2q9::Rung d2q9::rung = {
    .follows = "d2q9/mpi/08_deep",
    .traffic = d2q9::traffic,
    .tunables =
        {{.name = "steps", .meaning = "steps per exchange, and rows per halo", .values = {1, 2, 3, 4, 6, 8}, .initial = 4}},
    .make = ladder::make_solver<d2q9::Strips, d2q9::Model>,
};
