// Idea:    the starting point: stream, bc and collide are separate loops over cells that hold their populations and gas
//          properties
// Layout:  array of structures, f[y][x][41]: 37 populations, velocity, density, temperature; two copies of the lattice
// Traffic: stream and collide each read 37 values, fetch the 37 that they write, and write them
// Source:  Biferale et al., section 3, Figure 2; section 4, code version V1
// Bound:   scalar arithmetic of one core
#include "harness/bench/phases.hpp"
#include "variants/d2q37/serial/cells.hpp"

namespace d2q37 {
namespace {

ladder::Traffic traffic(double real) { return {4 * 37 * real, 2 * 37 * real}; }

template <class real>
class Loops final : public CellSolver<real>, public ladder::Phased {
  using Base = CellSolver<real>;
  using Base::case_, Base::before, Base::after;

 public:
  Loops(const Case& c, const ladder::Tuning&) : Base(c) {}

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      stream();
      this->bc();
      if (case_.is_reactive()) this->gas();
      collide();
    }
  }

  std::vector<ladder::Phase> phases() override {
    std::vector<ladder::Phase> all = {{"stream", [this] { stream(); }}, {"bc", [this] { this->bc(); }}};
    if (case_.is_reactive()) all.push_back({"gas", [this] { this->gas(); }});
    all.push_back({"collide", [this] { collide(); }});
    return all;
  }

 private:
  /// Gathers the populations of each cell from f_ into g_; the lattice is periodic.
  void stream() {
    for (int y = 0; y < case_.ny; ++y)
      for (int x = 0; x < case_.nx; ++x)
        for (int i = 0; i < q; ++i)
          after(i, x, y) = before(i, lattice::wrapped(x - d2q37_cx[i], case_.nx), lattice::wrapped(y - d2q37_cy[i], case_.ny));
  }

  /// Collides the populations of g_ and writes them to f_.
  void collide() {
    for (int y = 0; y < case_.ny; ++y)
      collide_row(y);
  }

  void collide_row(int y) {
    for (int x = 0; x < case_.nx; ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = after(i, x, y);
      collide_textbook(f, static_cast<real>(case_.tau), static_cast<real>(case_.gravity), this->heat(x, y));
      for (int i = 0; i < q; ++i)
        before(i, x, y) = f[i];
    }
  }
};

}  // namespace
}  // namespace d2q37

const d2q37::Rung d2q37::rung = {
    .follows = "", .traffic = d2q37::traffic, .collision = "textbook", .make = ladder::make_solver<d2q37::Loops, d2q37::Model>};
