#pragma once

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "variants/d2q9/model.hpp"

/// A small correct solver with hooks at the places where a rung may go wrong. Each mutant is a rung that gets one of these
/// hooks wrong. Mutants are built and checked like any rung.
namespace d2q9::mutants {

/// A site at a given step, counted from 1.
struct Place {
  const Case& c;
  int x, y;
  std::int64_t step;
};

/// Every hook, implemented correctly.
struct Correct {
  /// Column and row that the halo's columns (-1, nx) and rows (-1, ny) are copies of.
  static int column(int x, int nx) { return (x + nx) % nx; }
  static int row(int y, int ny) { return (y + ny) % ny; }

  static int accelerated_row(const Case& c) { return c.accelerated_row(); }
  static bool is_driven(bool solid) { return !solid; }
  template <class real>
  static void accelerate(real* f, real w1, real w2, std::int64_t) {
    d2q9_accelerate(f, w1, w2);
  }

  /// The population that arrives as i, and the population that i is reflected into at a solid site.
  static int arriving(int i) { return i; }
  static int reflected(int i) { return d2q9_opposite[i]; }

  static double omega(const Case& c) { return c.omega; }
  /// Collides the site's populations and returns |u|^2.
  template <class real>
  static real collide(real* f, real omega, const Place&) {
    return d2q9_collide(f, omega);
  }
  /// Whether the site contributes to the mean speed.
  static bool counts(const Place&) { return true; }
  /// Number of columns that are updated in each row.
  static int columns(int nx) { return nx; }

  /// Advances all rows by one step; returns the sum of the speeds.
  template <class Solver>
  static auto sweep(Solver& solver) {
    solver.fill_halo();
    auto total = solver.nothing();
    for (int y = 0; y < solver.rows(); ++y)
      total += solver.update_row(y);
    return total;
  }

  /// Whether the lattices are swapped after the step.
  static bool swaps(std::int64_t) { return true; }
  /// Whether the step is executed, and whether its mean speed is recorded.
  static bool advances() { return true; }
  static bool remembers(std::int64_t) { return true; }
  /// Whether results come from the lattice written last, and not from the other.
  static bool stores_last(std::int64_t) { return true; }
  /// Whether column x of the halo is filled.
  static bool fills_column(int) { return true; }
};

/// Two copies of the lattice, f[q][y][x], with a halo of one site. A step pulls from the first and writes to the second.
template <class real, class Choice>
class Mutant final : public Solver {
 public:
  Mutant(const Case& c, const ladder::Tuning&)
      : case_(c), fluid_cells_(c.fluid_cells()), from_(size(c), std::numeric_limits<real>::quiet_NaN()), to_(from_) {
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          at(from_, i, x, y) = distance(i, c.initial(x, y)[i]);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n) {
      ++step_;
      real total = 0;
      if (Choice::advances()) {
        accelerate();
        total = Choice::sweep(*this);
        if (Choice::swaps(step_)) from_.swap(to_);
      }
      if (Choice::remembers(step_)) history_.push_back(static_cast<double>(total) / static_cast<double>(fluid_cells_));
    }
  }

  void store(ladder::Populations& out) override {
    const auto& f = Choice::stores_last(step_) ? from_ : to_;
    for (std::int64_t n = 0; n < out.cells(); ++n) {
      const auto [x, y, z] = out.box.place(n);
      for (int i = 0; i < q; ++i)
        out.at(i, n) =
            case_.density * (Lattice::weight(i) + static_cast<double>(f[index(i, static_cast<int>(x), static_cast<int>(y))]));
    }
  }

  void load(const ladder::Populations& in) override {
    for (std::int64_t n = 0; n < in.cells(); ++n) {
      const auto [x, y, z] = in.box.place(n);
      for (int i = 0; i < q; ++i)
        at(from_, i, static_cast<int>(x), static_cast<int>(y)) = distance(i, in.at(i, n));
    }
  }

  double conserved() override {
    ladder::Populations all(q, {{}, case_.grid()});
    store(all);
    return all.total();
  }

  std::span<const double> history() override { return history_; }

  // The parts of a sweep.

  [[nodiscard]] int rows() const { return case_.ny; }
  [[nodiscard]] real nothing() const { return 0; }

  void fill_halo() {
    const int nx = case_.nx;
    const int ny = case_.ny;
    for (int i = 0; i < q; ++i) {
      for (const int x : {-1, nx})
        if (Choice::fills_column(x))
          for (int y = 0; y < ny; ++y)
            at(from_, i, x, y) = at(from_, i, Choice::column(x, nx), y);
      for (const int y : {-1, ny})
        for (int x = -1; x <= nx; ++x)
          at(from_, i, x, y) = at(from_, i, x, Choice::row(y, ny));
    }
  }

  real update_row(int y) {
    real total = 0;
    for (int x = 0; x < Choice::columns(case_.nx); ++x) {
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = at(from_, Choice::arriving(i), x - d2q9_cx[i], y - d2q9_cy[i]);
      if (solid(x, y)) {
        for (int i = 0; i < q; ++i)
          at(to_, Choice::reflected(i), x, y) = f[i];
        continue;
      }
      const Place place{case_, x, y, step_};
      const real speed_squared = Choice::collide(f, static_cast<real>(Choice::omega(case_)), place);
      if (Choice::counts(place)) total += std::sqrt(speed_squared);
      for (int i = 0; i < q; ++i)
        at(to_, i, x, y) = f[i];
    }
    return total;
  }

 private:
  static std::size_t size(const Case& c) { return static_cast<std::size_t>(q) * (c.nx + 2) * (c.ny + 2); }
  [[nodiscard]] std::size_t index(int i, int x, int y) const {
    return (static_cast<std::size_t>(i) * (case_.ny + 2) + (y + 1)) * (case_.nx + 2) + (x + 1);
  }
  /// Returns what is stored of population i: its distance from rest (storage.hpp).
  [[nodiscard]] real distance(int i, double f) const { return static_cast<real>(f / case_.density - Lattice::weight(i)); }
  real& at(std::vector<real>& f, int i, int x, int y) { return f[index(i, x, y)]; }
  [[nodiscard]] bool solid(int x, int y) const { return case_.is_solid(x, y); }

  void accelerate() {
    const int y = Choice::accelerated_row(case_);
    for (int x = 0; x < case_.nx; ++x) {
      if (!Choice::is_driven(solid(x, y))) continue;
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = at(from_, i, x, y);
      Choice::accelerate(f, static_cast<real>(case_.w1()), static_cast<real>(case_.w2()), step_);
      for (int i = 0; i < q; ++i)
        at(from_, i, x, y) = f[i];
    }
  }

  const Case case_;
  const std::int64_t fluid_cells_;
  std::vector<real> from_;
  std::vector<real> to_;
  std::vector<double> history_;
  std::int64_t step_ = 0;
};

/// The rung for a choice of hooks.
template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{9 * real, 9 * real};
              },
          .make = {[](const Case& c, const ladder::Number& number, const ladder::Tuning& t) -> std::unique_ptr<Solver> {
            if (number == ladder::f32) return std::make_unique<Mutant<float, Choice>>(c, t);
            return std::make_unique<Mutant<double, Choice>>(c, t);
          }}};
}

}  // namespace d2q9::mutants
