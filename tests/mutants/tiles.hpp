#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "variants/d2q9/model.hpp"

/// A small correct solver that advances tiles by several steps at once, with hooks where temporal blocking may go wrong.
namespace d2q9::mutants {

/// Every hook, implemented correctly.
struct CorrectTiles {
  /// Columns next to a tile that affect it within `steps` steps.
  static int margin(int steps) { return steps; }
  /// Rows kept per step: a population that moves north waits for two more rows.
  static int rows_kept() { return 3; }
  /// Whether the speeds of row y count for a tile that owns the rows in [first, last).
  static bool counts(int y, int first, int last, int) { return first <= y && y < last; }
  /// Whether the driven row is driven between steps `done` and `done + 1` of a sweep.
  static bool drives(int) { return true; }
};

/// Two copies of the lattice, f[q][y][x]. A sweep of four steps, or fewer at the end, reads the first and writes the second.
template <class real, class Choice>
class Tiles final : public Solver {
 public:
  Tiles(const Case& c, const ladder::Tuning&)
      : case_(c), from_(static_cast<std::size_t>(q * c.cells())), to_(from_.size()), rings_(most_steps * 3 * q * pitch) {
    for (int y = 0; y < c.ny; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          at(from_, i, x, y) = distance(i, c.initial(x, y)[static_cast<std::size_t>(i)]);
  }

  void advance(std::int64_t steps) override {
    for (; steps > 0; steps -= std::min<std::int64_t>(steps, most_steps))
      sweep(static_cast<int>(std::min<std::int64_t>(steps, most_steps)));
  }

  std::span<const double> history() override { return history_; }

  void store(ladder::Populations& out) override {
    for (std::int64_t n = 0; n < out.cells(); ++n) {
      const auto [x, y, z] = out.box.place(n);
      for (int i = 0; i < q; ++i)
        out.at(i, n) =
            case_.density * (Lattice::weight(i) + static_cast<double>(at(from_, i, static_cast<int>(x), static_cast<int>(y))));
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

 private:
  static constexpr int most_steps = 4, width = 9, height = 8, beside = most_steps + 1, pitch = width + 2 * beside;

  /// Returns what is stored of population i: its distance from rest (storage.hpp).
  [[nodiscard]] real distance(int i, double f) const { return static_cast<real>(f / case_.density - Lattice::weight(i)); }
  static int modulo(int a, int n) { return (a % n + n) % n; }
  real& at(std::vector<real>& lattice, int i, int x, int y) {
    return lattice[static_cast<std::size_t>((i * case_.ny + modulo(y, case_.ny)) * case_.nx + modulo(x, case_.nx))];
  }
  /// Population i in column x of the tile and row y, after `step` steps of the sweep.
  real& kept(int step, int i, int x, int y) {
    return rings_[static_cast<std::size_t>(((step * 3 + modulo(y, Choice::rows_kept())) * q + i) * pitch + beside + x)];
  }

  void sweep(int steps) {
    std::vector<double> speeds(static_cast<std::size_t>(steps));
    for (int first = 0; first < case_.ny; first += height)
      for (int tile = 0; tile < case_.nx; tile += width)
        advance_tile(tile, first, std::min(first + height, case_.ny), steps, speeds);
    for (const double sum : speeds)
      history_.push_back(sum / static_cast<double>(case_.fluid_cells()));
    from_.swap(to_);
  }

  void advance_tile(int tile, int first, int last, int steps, std::vector<double>& speeds) {
    std::fill(rings_.begin(), rings_.end(), std::numeric_limits<real>::quiet_NaN());
    const int margin = Choice::margin(steps);
    for (int front = first - steps; front < last + steps; ++front) {
      for (int x = -margin; x < width + margin; ++x)
        for (int i = 0; i < q; ++i)
          kept(0, i, x, front) = at(from_, i, tile + x, front);
      drive(0, tile, front, margin);
      for (int step = 1, y = front - 1; step <= steps && first - (steps - step) <= y; ++step, --y) {
        for (int x = step - steps; x < width + steps - step; ++x) {
          const bool inside = 0 <= x && x < std::min(width, case_.nx - tile);
          const double speed = update(step, steps, tile, x, y, inside);
          if (inside && Choice::counts(y, first, last, step)) speeds[static_cast<std::size_t>(step) - 1] += speed;
        }
        if (step < steps) drive(step, tile, y, steps - step);
      }
    }
  }

  double update(int step, int steps, int tile, int x, int y, bool inside) {
    real f[q], next[q];
    for (int i = 0; i < q; ++i)
      f[i] = next[i] = kept(step - 1, i, x - d2q9_cx[i], y - d2q9_cy[i]);
    const bool solid = case_.is_solid(modulo(tile + x, case_.nx), modulo(y, case_.ny));
    const double speed = solid ? 0 : std::sqrt(static_cast<double>(d2q9_collide(next, static_cast<real>(case_.omega))));
    for (int i = 0; i < q; ++i) {
      const real left = solid ? f[d2q9_opposite[i]] : next[i];
      if (step < steps)
        kept(step, i, x, y) = left;
      else if (inside)
        at(to_, i, tile + x, y) = left;
    }
    return speed;
  }

  /// Drives row y of the tile after `step` steps of the sweep, if it is the driven row.
  void drive(int step, int tile, int y, int margin) {
    if (modulo(y, case_.ny) != case_.accelerated_row() || !Choice::drives(step)) return;
    for (int x = -margin; x < width + margin; ++x) {
      if (case_.is_solid(modulo(tile + x, case_.nx), case_.accelerated_row())) continue;
      real f[q];
      for (int i = 0; i < q; ++i)
        f[i] = kept(step, i, x, y);
      d2q9_accelerate(f, static_cast<real>(case_.w1()), static_cast<real>(case_.w2()));
      for (int i = 0; i < q; ++i)
        kept(step, i, x, y) = f[i];
    }
  }

  const Case case_;
  std::vector<real> from_, to_, rings_;
  std::vector<double> history_;
};

/// The rung for a choice of hooks.
template <class Choice>
Rung tiles_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{9 * real, 9 * real};
              },
          .make = {[](const Case& c, const ladder::Number& number, const ladder::Tuning& t) -> std::unique_ptr<Solver> {
            if (number == ladder::f32) return std::make_unique<Tiles<float, Choice>>(c, t);
            return std::make_unique<Tiles<double, Choice>>(c, t);
          }}};
}

}  // namespace d2q9::mutants
