// Idea:    the starting point: stream, bc and collide as separate loops over cells that hold their populations and the gas
// Layout:  array of structures, f[y][x][41]: 37 populations, velocity, density, temperature; two lattices
// Traffic: stream and collide each read 37 numbers, fetch the 37 that they write, and write them
// Source:  Biferale et al., section 3, Figure 2; section 4, code version V1
// Bound:   scalar arithmetic of one core
#include "harness/bench/phases.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/d2q37/walls.hpp"
#include "variants/lattice/processor.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

/// Members of a cell behind its populations.
enum Member { u = q, v, density, temperature, members };

template <class L, class real>
using Cells = lattice::Structures<L, real, members>;

template <class real>
using Base = lattice::ProcessorSolver<Model, real, Cells>;

template <class real>
class Phases final : public Base<real>, public ladder::Phased {
  using Base<real>::case_, Base<real>::layout_, Base<real>::f_, Base<real>::g_;

 public:
  Phases(const Case& c, const ladder::Tuning&) : Base<real>(c) {
    for (int y = 0; y < c.ny; ++y)
      this->initialize(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      stream();
      bc();
      if (case_.is_reactive()) gas();
      collide();
    }
  }

  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all = {{"stream", [this] { stream(); }}, {"bc", [this] { bc(); }}};
    if (case_.is_reactive()) all.push_back({"gas", [this] { gas(); }});
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 private:
  real& before(int i, std::int64_t x, std::int64_t y) { return f_.data()[layout_(i, x, y)]; }
  real& after(int i, std::int64_t x, std::int64_t y) { return g_.data()[layout_(i, x, y)]; }

  /// Gathers the populations of each cell from f_ to g_; the lattice is periodic.
  void stream() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        for (int i = 0; i < q; ++i)
          after(i, x, y) = before(i, lattice::wrapped(x - d2q37_cx[i], case_.nx), lattice::wrapped(y - d2q37_cy[i], case_.ny));
  }

  /// Sets the rows of both walls in g_, if there are walls.
  void bc() {
    if (bottom_ < 0) return;
    bc(wall_of(false, bottom_, case_.ny));
    bc(wall_of(true, bottom_, case_.ny));
  }

  /// Sets the rows of a wall in g_.
  void bc(const Wall& wall) {
    for (int n = 0; n < Case::wall_rows; ++n)
      for (int x = 0; x < case_.nx; ++x)
        set_wall(
            case_, relaxation_, wall, n, x, [&](int i) -> real& { return after(i, x, wall.row(n, case_.ny)); },
            [&](int i, int from_x, int from_y) { return before(i, from_x, from_y); });
  }

  /// Stores velocity, density and temperature in the cells of g_: collide needs its neighbours' velocities.
  void gas() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x) {
        const Macroscopic<real> m = macroscopic(&after(0, x, y));
        after(u, x, y) = m.u;
        after(v, x, y) = m.v;
        after(density, x, y) = m.density;
        after(temperature, x, y) = m.temperature;
      }
  }

  /// Heat of the reaction in a cell, per step.
  real heat(int x, int y) {
    if (!case_.is_reactive() || wall_row(y, bottom_, case_.ny).n >= 0) return 0;
    const int nx = case_.nx, ny = case_.ny;
    const real divergence = (after(u, lattice::wrapped(x + 1, nx), y) - after(u, lattice::wrapped(x - 1, nx), y) +
                             after(v, x, lattice::wrapped(y + 1, ny)) - after(v, x, lattice::wrapped(y - 1, ny))) *
                            static_cast<real>(1 / (2 * D2Q37_R));
    return case_.heat(after(temperature, x, y), divergence);
  }

  /// Collides the populations of g_ and writes them to f_.
  void collide() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x) {
        real f[q];
        for (int i = 0; i < q; ++i)
          f[i] = after(i, x, y);
        collide_textbook(f, static_cast<real>(case_.tau), static_cast<real>(case_.gravity), heat(x, y));
        for (int i = 0; i < q; ++i)
          before(i, x, y) = f[i];
      }
  }

  const Relaxation<real> relaxation_ = case_.template relaxation<real>();
  const int bottom_ = case_.bottom_row();
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {.follows = "",
                                 .traffic = d2q37::traffic,
                                 .collision = "textbook",
                                 .make = ladder::make_solver<d2q37::Phases, d2q37::Model>};
