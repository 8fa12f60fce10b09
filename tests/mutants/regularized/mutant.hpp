#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "variants/regularized/obstacles.hpp"

/// A small correct solver on moments with hooks at the places where a rung with obstacles may go wrong. Each mutant is a rung
/// that gets one of these hooks wrong. Mutants are built and checked like any rung.
namespace regularized::mutants {

/// Every hook, implemented correctly.
struct Correct {
  /// Offset from a cell to the one whose kind decides whether population i arrives from a boundary.
  static lattice::Velocity looked_at(int i) { return -Lattice::c(i); }
  /// Sets `back` to the coefficients of what comes back to a cell with coefficients k.
  template <class real>
  static void return_from(int kind, const real* k, real speed, real* back) {
    regularized::return_from(kind, k, speed, back);
  }
  /// Whether a cell that is not fluid keeps its zeros.
  static bool keeps_zeros() { return true; }
};

/// Two lattices of ten coefficients, [z][y][x].
template <class real, class Choice>
class Mutant final : public Solver, public ladder::TakesObstacles {
 public:
  Mutant(const Case& c, const ladder::Tuning&) : case_(c), from_(static_cast<std::size_t>(c.cells())), to_(from_) {
    ladder::Populations start(q, box_);
    for (std::int64_t n = 0; n < c.cells(); ++n) {
      const auto [x, y, z] = box_.place(n);
      const auto f = c.initial(x, y, z);
      for (int i = 0; i < q; ++i)
        start.at(i, n) = f[static_cast<std::size_t>(i)];
    }
    load(start);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (std::int64_t n = 0; n < case_.cells(); ++n)
        update(n);
      from_.swap(to_);
    }
  }

  void store(ladder::Populations& out) override {
    for (std::int64_t n = 0; n < out.cells(); ++n) {
      const auto [x, y, z] = out.box.place(n);
      double k[numbers], f[q];
      std::copy_n(from_[number(x, y, z)].begin(), numbers, k);
      populations_of(k, f);
      for (int i = 0; i < q; ++i)
        out.at(i, n) = f[i];
    }
  }
  void load(const ladder::Populations& in) override {
    for (std::int64_t n = 0; n < in.cells(); ++n) {
      const auto [x, y, z] = in.box.place(n);
      double f[q], k[numbers];
      for (int i = 0; i < q; ++i)
        f[i] = in.at(i, n);
      project(f, k);
      std::copy_n(k, numbers, from_[number(x, y, z)].begin());
    }
  }
  double conserved() override {
    ladder::Populations all(q, box_);
    store(all);
    return all.total();
  }

 private:
  /// The index of a cell, which may lie one cell beyond the grid.
  [[nodiscard]] std::size_t number(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>(
        box_.number(ladder::wrapped(x, case_.nx), ladder::wrapped(y, case_.ny), ladder::wrapped(z, case_.nz)));
  }

  void update(std::int64_t n) {
    const auto [x, y, z] = box_.place(n);
    const auto& own = from_[static_cast<std::size_t>(n)];
    auto& s = to_[static_cast<std::size_t>(n)];
    if (kind_of(case_, x, y, z) != 0 && Choice::keeps_zeros()) return s.fill(0);
    const auto arriving = [&, x = x, y = y, z = z](auto c) {
      if constexpr (c.index == 0) return population(own.data(), c);
      const lattice::Velocity at = Choice::looked_at(c.index);
      const int kind = kind_of(case_, x + at.x, y + at.y, z + at.z);
      if (kind == 0) return population(from_[number(x - c.x, y - c.y, z - c.z)].data(), c);
      real back[numbers];
      Choice::return_from(kind, own.data(), static_cast<real>(case_.speed), back);
      return population(back, c);
    };
    const auto down = sum_plane<-1>(arriving), level = sum_plane<0>(arriving), up = sum_plane<1>(arriving);
    add_planes(up, add_planes(level, up), down, s.data());
    Relaxation<real>(case_.omega())(s.data(), s.data());
  }

  const Case case_;
  const ladder::Box box_{{}, case_.grid()};
  std::vector<std::array<real, numbers>> from_, to_;
};

/// The rung for a choice of hooks.
template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{numbers * real, numbers * real};
              },
          .make = {[](const Case& c, const ladder::Number& number, const ladder::Tuning& t) -> std::unique_ptr<Solver> {
            if (number == ladder::f32) return std::make_unique<Mutant<float, Choice>>(c, t);
            return std::make_unique<Mutant<double, Choice>>(c, t);
          }}};
}

}  // namespace regularized::mutants
