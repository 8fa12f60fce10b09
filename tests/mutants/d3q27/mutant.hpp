#pragma once

#include <array>
#include <memory>
#include <vector>

#include "variants/d3q27/model.hpp"

/// A small correct solver with a single lattice and hooks at the places where a three-dimensional or in-place rung may go
/// wrong. Each mutant is a rung that gets one of these hooks wrong. Mutants are built and checked like any rung.
namespace d3q27::mutants {

/// Every hook, implemented correctly.
struct Correct {
  /// `place` along a side of `size` cells; it may be one cell outside. Axis is 0, 1 or 2.
  static std::int64_t wrapped(std::int64_t place, std::int64_t size, int /*axis*/) { return (place + size) % size; }
  /// Direction along which population i of a cell is fetched from a neighbour.
  static int direction(int i) { return i; }
  /// Slot from which a step without movement takes population i.
  static int turned(int i) { return d3q27_opposite[i]; }
  /// Whether a population sent to column x arrives; x may be one cell outside the row of nx cells.
  static bool arrives(std::int64_t /*x*/, std::int64_t /*nx*/) { return true; }
  template <class real>
  static void collide(real* f, real omega, std::int64_t /*step*/) {
    d3q27_collide(f, omega);
  }
  /// Number of columns and planes that a step sweeps.
  static int columns(int nx) { return nx; }
  static int planes(int nz) { return nz; }
  /// Whether steps are executed at all.
  static bool advances() { return true; }
  /// Whether results are read from the slots that are valid after an odd number of steps.
  static bool moved(bool odd) { return odd; }
};

/// A single lattice, f[27][z][y][x]. Steps that fetch populations alternate with steps that move nothing.
template <class real, class Choice>
class Mutant final : public Solver {
 public:
  Mutant(const Case& c, const ladder::Tuning&) : case_(c), f_(static_cast<std::size_t>(q * c.cells())) {
    for (int z = 0; z < c.nz; ++z)
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const auto site = c.initial(x, y, z);
          for (int i = 0; i < q; ++i)
            f_[at(i, x, y, z)] = static_cast<real>(site[static_cast<std::size_t>(i)] - Lattice::weight(i));
        }
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      ++step_;
      if (!Choice::advances()) continue;
      for (int z = 0; z < Choice::planes(case_.nz); ++z)
        for (int y = 0; y < case_.ny; ++y)
          for (int x = 0; x < Choice::columns(case_.nx); ++x)
            update(x, y, z);
      odd_ = !odd_;
    }
  }

  void store(ladder::Populations& out) override {
    for_each_place(out.box, [&](std::int64_t n, int i, std::size_t place) {
      out.at(i, n) = Lattice::weight(i) + static_cast<double>(f_[place]);
    });
  }
  void load(const ladder::Populations& in) override {
    for_each_place(in.box, [&](std::int64_t n, int i, std::size_t place) {
      f_[place] = static_cast<real>(in.at(i, n) - Lattice::weight(i));
    });
  }
  double conserved() override {
    ladder::Populations all(q, {{}, case_.grid()});
    store(all);
    return all.total();
  }

 private:
  /// Calls visit(cell index in the box, population, its index in f_) for the cells of a box.
  template <class Visit>
  void for_each_place(const ladder::Box& box, Visit visit) const {
    const bool moved = Choice::moved(odd_);
    for (std::int64_t n = 0; n < box.cells(); ++n) {
      const auto [x, y, z] = box.place(n);
      for (int i = 0; i < q; ++i) {
        const int opposite = d3q27_opposite[i];
        visit(n, i, moved ? fetched(opposite, opposite, x, y, z) : at(i, x, y, z));
      }
    }
  }

  [[nodiscard]] std::size_t at(int i, std::int64_t x, std::int64_t y, std::int64_t z) const {
    return ((static_cast<std::size_t>(i) * case_.nz + z) * case_.ny + y) * case_.nx + x;
  }

  /// Index of population i in the cell from which `direction` leads to (x, y, z).
  [[nodiscard]] std::size_t fetched(int i, int direction, std::int64_t x, std::int64_t y, std::int64_t z) const {
    return at(i, Choice::wrapped(x - d3q27_cx[direction], case_.nx, 0), Choice::wrapped(y - d3q27_cy[direction], case_.ny, 1),
              Choice::wrapped(z - d3q27_cz[direction], case_.nz, 2));
  }

  void update(int x, int y, int z) {
    std::array<std::size_t, q> places{};
    std::array<real, q> site{};
    for (int i = 0; i < q; ++i) {
      places[i] = odd_ ? at(Choice::turned(i), x, y, z) : fetched(i, Choice::direction(i), x, y, z);
      site[i] = f_[places[i]];
    }
    Choice::collide(site.data(), static_cast<real>(case_.omega()), step_);
    for (int i = 0; i < q; ++i)
      if (odd_ || Choice::arrives(x + d3q27_cx[i], case_.nx)) f_[places[d3q27_opposite[i]]] = site[i];
  }

  const Case case_;
  std::vector<real> f_;
  std::int64_t step_ = 0;
  bool odd_ = false;  // whether the number of steps so far is odd
};

/// The rung for a choice of hooks.
template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{27 * real, 27 * real};
              },
          .lattices = 1,
          .make = {[](const Case& c, const ladder::Number& number, const ladder::Tuning& t) -> std::unique_ptr<Solver> {
            if (number == ladder::f32) return std::make_unique<Mutant<float, Choice>>(c, t);
            return std::make_unique<Mutant<double, Choice>>(c, t);
          }}};
}

}  // namespace d3q27::mutants
