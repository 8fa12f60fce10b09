// Idea:    threads divide the columns; stream, bc and collide are phases between barriers, as in the publication
// Layout:  array of structures, f[x][y][41]: 37 populations, velocity, density, temperature; frames of 3 cells; two lattices
// Traffic: stream and collide each read 37 numbers, fetch the 37 that they write, and write them
// Source:  Biferale et al., section 4, Figures 2 and 3, code version V1
// Bound:   arithmetic of the plain projection, compiled for one cell at a time
#include <omp.h>

#include "harness/bench/phases.hpp"
#include "variants/d2q37/columns.hpp"
#include "variants/d2q37/textbook.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

template <class real>
using Base = ColumnSolver<real, 1>;

template <class real>
class Phases final : public Base<real>, public ladder::Phased {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_, Base<real>::bottom_, Base<real>::relaxation_;
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
          *after(i, x, row) = *before(i, x - d2q37_cx[i], row - d2q37_cy[i]);
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
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = *after(i, x, row);
      const Macroscopic<real> m = macroscopic(f);
      *after(u, x, row) = m.u;
      *after(v, x, row) = m.v;
      *after(density, x, row) = m.density;
      *after(temperature, x, row) = m.temperature;
    }
    this->wrap(g_, x, 1, u, members);
  }

  /// Heat of the reaction in a cell, per step.
  real heat(int x, int row) {
    if (!case_.is_reactive() || wall_row(layout_.y(row, 0), bottom_, case_.ny).n >= 0) return 0;
    const real divergence = *after(u, x + 1, row) - *after(u, x - 1, row) + *after(v, x, row + 1) - *after(v, x, row - 1);
    return case_.heat(*after(temperature, x, row), divergence * static_cast<real>(1 / (2 * D2Q37_R)));
  }

  /// Collides the populations of a column of g_ and writes them to f_.
  void collide(int x) {
    for (int row = 0; row < layout_.rows(); ++row) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = *after(i, x, row);
      collide_textbook(f, static_cast<real>(case_.tau), static_cast<real>(case_.gravity), heat(x, row));
      for (int i = 0; i < q; ++i)
        *before(i, x, row) = f[i];
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
