#pragma once

#include <cstdint>
#include <memory>

#include "variants/logistic/processor.hpp"

/// A small correct solver with hooks at the places where a rung of the toy case may go wrong. Each mutant is a rung that gets
/// one of these hooks wrong. Mutants are built and checked like any rung.
namespace logistic::mutants {

/// Every hook, implemented correctly.
struct Correct {
  /// Whether the words of an element differ.
  static bool differ(std::uint32_t a, std::uint32_t b) { return a != b; }
  /// Number of elements, out of `count`, that a step advances.
  static std::int64_t advanced(std::int64_t count) { return count; }
  /// x after one step.
  static double map(double r, double x) { return logistic_map(r, x); }
};

template <class Choice>
class Mutant final : public Elements<double> {
 public:
  Mutant(const Case& c) : Elements<double>(c) {
    for (int y = 0; y < c.ny; ++y)
      initialize_row(y);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t n = 0; n < Choice::advanced(count_); ++n)
      for (std::int64_t step = 0; step < steps; ++step)
        f_[n] = Choice::map(Choice::differ(a_[n], b_[n]) ? LOGISTIC_DIFFERENT : LOGISTIC_EQUAL, f_[n]);
  }
};

/// The rung for a choice of hooks.
template <class Choice>
Rung rung_of() {
  return {.follows = "",
          .traffic = once_a_pass,
          .lattices = 1,
          .make = {[](const Case& c, const ladder::Number&, const ladder::Tuning&) -> std::unique_ptr<Solver> {
            return std::make_unique<Mutant<Choice>>(c);
          }}};
}

}  // namespace logistic::mutants
