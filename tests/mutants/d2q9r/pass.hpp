#pragma once

#include "variants/d2q9r/openmp/rows.hpp"

/// A small correct solver that takes several steps per pass, with hooks at the places where such a rung may go wrong. Each
/// mutant is a rung that gets one of these hooks wrong. Mutants are built and checked like any rung.
namespace d2q9r::mutants {

/// Every hook, implemented correctly.
struct Correct {
  /// Columns to compute on each side of a tile so that `later` more steps can follow.
  static int beside(int later) { return later; }
  /// The row south of row y before `step`.
  template <class real>
  static const real* south(Rows<real>& rows, int step, int y) {
    return rows.row(step - 1, y - 1);
  }
  /// Rows by which a step must lag behind the row just fetched, so that the row to the north is complete.
  static int lag(int step) { return step; }
  /// Number of steps for which rows are kept if a pass takes `steps`.
  static int kept(int steps) { return steps; }
};

template <class real, class Choice>
class Mutant final : public MomentSolver<real> {
  using Base = MomentSolver<real>;
  using Base::case_, Base::layout_, Base::f_, Base::g_, Base::relaxation_;
  using V = ladder::Vector<real>;

 public:
  Mutant(const Case& c, const ladder::Tuning&) : Base(c) {}

  void advance(std::int64_t steps) override {
    Rows<real> rows(Choice::kept(most_steps), case_.nx, most_steps);
    for (std::int64_t done = 0; done < steps; done += most_steps) {
      const int count = static_cast<int>(std::min<std::int64_t>(most_steps, steps - done));
      for (int front = -count; front < case_.ny + count; ++front) {
        rows.fetch(0, front, f_.data(), layout_, 0, case_.nx, case_);
        for (int step = 1; step <= count; ++step)
          if (const int y = front - Choice::lag(step); y >= step - count) update(rows, step, y, count - step);
      }
      f_.swap(g_);
    }
  }

 private:
  static constexpr int most_steps = 3;

  void update(Rows<real>& rows, int step, int y, int later) {
    const real* const around[3] = {Choice::south(rows, step, y), rows.row(step - 1, y), rows.row(step - 1, y + 1)};
    const int beside = Rows<real>::rounded(Choice::beside(later));
    update_row(around, -beside, case_.nx + beside, relaxation_, [&](int x, const V* k) {
      for (int i = 0; i < numbers; ++i)
        if (later > 0)
          k[i].store_aligned(rows.row(step, y) + Rows<real>::place(i, x));
        else if (y >= 0 && y < case_.ny)
          k[i].store_aligned(g_.data() + layout_(i, x, y));
    });
  }
};

template <class Choice>
struct With {
  template <class real>
  using Solver = Mutant<real, Choice>;
};

template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic =
              [](double real) {
                return ladder::Traffic{numbers * real, numbers * real};
              },
          .lattices = 2.0 * numbers / q,
          .make = ladder::make_solver<With<Choice>::template Solver, Model>};
}

}  // namespace d2q9r::mutants
