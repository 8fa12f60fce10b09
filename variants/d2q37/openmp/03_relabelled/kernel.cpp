// Idea:    populations relabelled: those that move equally far along x lie side by side, so that a line is read for one column
// Layout:  array of structures of pairs, f[x][y][41][2], frames of 3 cells, two lattices
// Traffic: stream and collide each read 37 numbers, fetch the 37 that they write, and write them
// Source:  Biferale et al., section 4; Pohl et al., Parallel Processing Letters 13 (2003) 549
// Bound:   arithmetic of the plain projection, two cells at a time
#include <omp.h>

#include "backends/simd/vector.hpp"
#include "harness/bench/phases.hpp"
#include "variants/d2q37/columns.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

template <class real>
using Pair = ladder::Vector<real, 2 * sizeof(real)>;

template <class real>
using Base = ColumnSolver<real, Pair<real>::size, ByColumn>;

template <class real>
class Phases final : public Base<real>, public ladder::Phased {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::bottom_, Base<real>::relaxation_;
  using Vector = Pair<real>;
  static constexpr int frame = Base<real>::Layout::frame;

 public:
  Phases(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int x = -frame; x < c.nx + frame; ++x)
      this->initialize(x);
  }

  void advance(std::int64_t steps) override {
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      comm();
      stream();
      bc();
      if (case_.is_reactive()) {
        gas();
        comm2();
      }
      collide();
    }
  }

  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all = {phase("comm", &Phases::comm), phase("stream", &Phases::stream), phase("bc", &Phases::bc)};
    if (case_.is_reactive()) {
      all.push_back(phase("gas", &Phases::gas));
      all.push_back(phase("comm2", &Phases::comm2));
    }
    all.push_back(phase("collide", &Phases::collide));
    return all;
  }

 private:
  /// A part of a step, with a team of threads of its own.
  ladder::Phase phase(std::string_view name, void (Phases::*part)()) {
    return {name, [this, part] {
#pragma omp parallel
              (this->*part)();
            }};
  }

  // Parts of a step, by each thread of a team. Two threads, or one, care for the left and the right end of the lattice: one if
  // a population may come from either end.
  [[nodiscard]] bool is_left() const { return omp_get_thread_num() == 0; }
  [[nodiscard]] bool is_right() const {
    return omp_get_thread_num() == (case_.nx < 2 * frame ? 0 : std::min(1, omp_get_num_threads() - 1));
  }

  void comm() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      this->wrap(f_, x);
    if (is_left()) Base<real>::comm(f_, true);
    if (is_right()) Base<real>::comm(f_, false);
  }

  void stream() {
    const int nx = case_.nx, left_border = std::min(frame, nx), right_border = std::max(left_border, nx - frame);
    if (is_left()) stream(0, left_border);
    if (is_right()) stream(right_border, nx);
#pragma omp for schedule(static)
    for (int x = left_border; x < right_border; ++x)
      stream(x, x + 1);
  }

  void bc() {
    if (bottom_ < 0) return;
    if (is_left()) bc(wall_of(true, bottom_, case_.ny));
    if (is_right()) bc(wall_of(false, bottom_, case_.ny));
#pragma omp barrier
  }

  void gas() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      gas(x);
  }

  void comm2() {
    if (is_left()) Base<real>::comm(g_, true);
    if (is_right()) Base<real>::comm(g_, false);
#pragma omp barrier
  }

  void collide() {
#pragma omp for schedule(static)
    for (int x = 0; x < case_.nx; ++x)
      collide(x);
  }

  real* before(int i, int x, int row) { return f_.data() + layout_(i, x, row); }
  real* after(int i, int x, int row) { return g_.data() + layout_(i, x, row); }

  /// Gathers the populations of the cells of columns [first, last) from f_ to g_.
  void stream(int first, int last) {
    for (int x = first; x < last; ++x)
      for (int row = 0; row < layout_.rows(); ++row)
        for (int i = 0; i < q; ++i)
          Vector::load_aligned(before(i, x - d2q37_cx[i], row - d2q37_cy[i])).store_aligned(after(i, x, row));
  }

  /// Sets the rows of a wall in g_.
  void bc(const Wall& wall) {
    for (int x = 0; x < case_.nx; ++x)
      for (int n = 0; n < Case::wall_rows; ++n)
        set_wall(
            case_, relaxation_, wall, n, x,
            [&](int i) -> real& { return g_.data()[layout_.cell(i, x, wall.row(n, case_.ny))]; },
            [&](int i, int from_x, int from_y) { return f_.data()[layout_.cell(i, from_x, from_y)]; });
  }

  /// Stores velocity, density and temperature in the cells of a column of g_: collide needs its neighbours' velocities.
  void gas(int x) {
    for (int row = 0; row < layout_.rows(); ++row) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load_aligned(after(i, x, row));
      const Macroscopic<Vector> m = macroscopic(f);
      m.u.store_aligned(after(u, x, row));
      m.v.store_aligned(after(v, x, row));
      m.density.store_aligned(after(density, x, row));
      m.temperature.store_aligned(after(temperature, x, row));
    }
    this->wrap(g_, x, 1, u, members);
  }

  /// Heat of the reaction in the cells of a pair, per step.
  Vector heat(int x, int row) {
    if (!case_.is_reactive()) return 0;
    real heat[Vector::size];
    for (int lane = 0; lane < Vector::size; ++lane) {
      const auto at = [&](Member i, int dx, int dy) { return after(i, x + dx, row + dy)[lane]; };
      const real divergence = at(u, 1, 0) - at(u, -1, 0) + at(v, 0, 1) - at(v, 0, -1);
      heat[lane] = wall_row(layout_.y(row, lane), bottom_, case_.ny).n >= 0
                       ? 0
                       : case_.heat(at(temperature, 0, 0), divergence * static_cast<real>(1 / (2 * D2Q37_R)));
    }
    return Vector::load(heat);
  }

  /// Collides the populations of a column of g_ and writes them to f_.
  void collide(int x) {
    for (int row = 0; row < layout_.rows(); ++row) {
      Vector f[q];
      for (int i = 0; i < q; ++i)
        f[i] = Vector::load_aligned(after(i, x, row));
      collide_textbook(f, Vector(case_.tau), Vector(case_.gravity), heat(x, row));
      for (int i = 0; i < q; ++i)
        f[i].store_aligned(before(i, x, row));
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "d2q37/openmp/02_pairs",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
