#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "variants/d2q37/walls.hpp"

/// A small correct solver with hooks at the places where a rung with walls, a force or a reaction may go wrong. Each mutant is
/// a rung that gets one of these hooks wrong. Mutants are built and checked like any rung.
namespace d2q37::mutants {

/// Every hook, implemented correctly.
struct Correct {
  /// `place` along a side of `size` cells; it may be up to three cells outside.
  static int wrapped(int place, int size) { return lattice::wrapped(place, size); }
  /// Number of rows that each wall sets.
  static int wall_rows() { return Case::wall_rows; }
  /// Row, counted from the wall, of the population that returns to row n along direction i.
  static int source_row(const Wall& wall, int i, int n) { return wall.source(i, n); }
  /// Column from which a population of column x returns.
  static int source_column(int x, int /*i*/, int /*nx*/) { return x; }
  /// The wall that sets the temperature of a wall row: 0 bottom, 1 top.
  static int temperature_of(const Wall& wall) { return wall.is_top ? 1 : 0; }
  /// Relaxes the 15 moments of a cell. `force` and `heat` are the temperatures that gravity and the reaction add to the
  /// equilibrium.
  static void relax(double* m, double omega, double kick, double force, double heat) {
    d2q37_relax(m, omega, kick, force + heat);
  }
  /// Whether the divergence is computed from the velocities after streaming.
  static bool has_streamed() { return true; }
  /// Whether the reaction heats the wall rows.
  static bool burns_walls() { return false; }
};

/// Two copies of the lattice, f[y][x][37].
template <class Choice>
class Mutant final : public Solver {
 public:
  explicit Mutant(const Case& c) : case_(c), f_(static_cast<std::size_t>(q * c.cells())), g_(f_) {
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x) {
        const auto site = c.initial(x, y, 0);
        std::copy(site.begin(), site.end(), &f_[at(0, x, y)]);
      }
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < steps; ++n)
      step();
  }

  void store(ladder::Populations& out) override {
    for (std::int64_t n = 0; n < out.box.cells(); ++n)
      for (int i = 0; i < q; ++i)
        out.at(i, n) = f_[place(out.box, n, i)];
  }
  void load(const ladder::Populations& in) override {
    for (std::int64_t n = 0; n < in.box.cells(); ++n)
      for (int i = 0; i < q; ++i)
        f_[place(in.box, n, i)] = in.at(i, n);
  }
  double conserved() override {
    ladder::Populations all(q, {{}, case_.grid()});
    store(all);
    return all.total();
  }

 private:
  [[nodiscard]] std::size_t at(int i, std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((y * case_.nx + x) * q + i);
  }
  [[nodiscard]] std::size_t place(const ladder::Box& box, std::int64_t n, int i) const {
    const auto [x, y, z] = box.place(n);
    return at(i, x, y);
  }

  void step() {
    const int nx = case_.nx, ny = case_.ny;
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        for (int i = 0; i < q; ++i)
          g_[at(i, x, y)] = f_[at(i, Choice::wrapped(x - d2q37_cx[i], nx), Choice::wrapped(y - d2q37_cy[i], ny))];
    if (bottom_ >= 0)
      for (const bool is_top : {false, true})
        for (int n = 0; n < Choice::wall_rows(); ++n)
          for (int x = 0; x < nx; ++x)
            set_wall_cell(wall_of(is_top, bottom_, ny), n, x);
    heat_.assign(static_cast<std::size_t>(case_.cells()), 0);
    if (case_.is_reactive()) burn(Choice::has_streamed() ? g_ : f_);
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double m[D2Q37_M];
        d2q37_moments(&g_[at(0, x, y)], m);
        Choice::relax(m, relaxation_.omega, relaxation_.kick, relaxation_.warm, heat_[static_cast<std::size_t>(y * nx + x)]);
        d2q37_expand(m, &g_[at(0, x, y)]);
      }
    f_.swap(g_);
  }

  void set_wall_cell(const Wall& wall, int n, int x) {
    double* f = &g_[at(0, x, wall.row(n, case_.ny))];
    for (int i = 0; i < q; ++i)
      if (wall.turns(i, n))
        f[i] = f_[at(d2q37_opposite[i], Choice::source_column(x, i, case_.nx),
                     wall.row(Choice::source_row(wall, i, n), case_.ny))];
    d2q37_wall(f, relaxation_.wall_speed, relaxation_.wall_theta[Choice::temperature_of(wall)]);
  }

  /// Sets heat_ to the temperature that the reaction adds to the equilibrium, in lattice units, with the divergence of the
  /// velocities of `f`.
  void burn(const std::vector<double>& f) {
    const int nx = case_.nx, ny = case_.ny;
    const auto gas = [&](const std::vector<double>& of, int x, int y) {
      double m[D2Q37_M];
      Macroscopic<double> cell{};
      d2q37_moments(&of[at(0, lattice::wrapped(x, nx), lattice::wrapped(y, ny))], m);
      d2q37_macroscopic(m, &cell.density, &cell.u, &cell.v, &cell.temperature);
      return cell;
    };
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if (!Choice::burns_walls() && wall_row(y, bottom_, ny).n >= 0) continue;
        const double divergence = (gas(f, x + 1, y).u - gas(f, x - 1, y).u + gas(f, x, y + 1).v - gas(f, x, y - 1).v) / 2;
        const double temperature = (D2Q37_S + gas(g_, x, y).temperature) * (D2Q37_R * D2Q37_R);
        heat_[static_cast<std::size_t>(y * nx + x)] = case_.tau * case_.heat(temperature, divergence) / (D2Q37_R * D2Q37_R);
      }
  }

  const Case case_;
  const Relaxation<double> relaxation_ = case_.relaxation<double>();
  const int bottom_ = case_.bottom_row();
  std::vector<double> f_, g_, heat_;
};

/// The rung for a choice of hooks.
template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{2 * 37 * real, 2 * 37 * real};
              },
          .make = {[](const Case& c, const ladder::Number&, const ladder::Tuning&) -> std::unique_ptr<Solver> {
            return std::make_unique<Mutant<Choice>>(c);
          }}};
}

}  // namespace d2q37::mutants
