#include "variants/d2q9/model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numeric>

#include "harness/parallel.hpp"
#include "harness/summation.hpp"
#include "variants/d2q9/textbook.hpp"

namespace d2q9 {

using ladder::in_parts;
using ladder::Sum;
using ladder::total;
using ladder::worth_a_thread;

Macroscopic macroscopic(std::span<const double, q> f) {
  const auto m = moments(f.data());
  return {m.density, m.ux, m.uy};
}

double reynolds_number(const Case& c, double average_speed) {
  const double viscosity = (2 / c.omega - 1) / 6;
  return average_speed * c.reynolds_dim / viscosity;
}

std::string Model::summary(const Case& c, const ladder::Populations&, std::span<const double> history) {
  return fmt::format("case: {} ({}x{}), {} steps\naverage speed: {:.12E}\nReynolds number: {:.12E}\n", c.name, c.nx, c.ny,
                     history.size(), history.back(), reynolds_number(c, history.back()));
}

double Model::observe(const Case& c, const ladder::Populations& state) {
  const auto sums = in_parts(c.cells(), worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    double sum = 0;
    for (std::int64_t cell = first; cell < last; ++cell)
      if (!c.solid[static_cast<std::size_t>(cell)]) {
        std::array<double, q> f{};
        for (int i = 0; i < q; ++i)
          f[i] = state.at(i, cell);
        const auto m = macroscopic(f);
        sum += std::sqrt(m.ux * m.ux + m.uy * m.uy);
      }
    return sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(c.fluid_cells());
}

double Model::conserved(const ladder::Populations& state) {
  return total(in_parts(std::ssize(state.f), worth_a_thread, [&](std::int64_t first, std::int64_t last) {
    Sum mass;
    for (std::int64_t i = first; i < last; ++i)
      mass.add(state.f[static_cast<std::size_t>(i)]);
    return mass.value();
  }));
}

double Model::conserved_at_start(const Case& c) {
  const int rows = c.start == Start::rest ? 1 : c.ny;  // at rest all are the same
  const double mass = total(in_parts(rows, worth_a_thread / (q * c.nx), [&](std::int64_t first, std::int64_t last) {
    Sum part;
    for (auto y = static_cast<int>(first); y < last; ++y)
      for (int x = 0; x < c.nx; ++x)
        for (int i = 0; i < q; ++i)
          part.add(c.initial(i, x, y));
    return part.value();
  }));
  return c.ny / rows * mass;
}

Case Model::seeded(Case c) {
  c.start = Start::seeded;
  return c;
}

std::vector<ladder::Operations> Model::operations() {
  using ladder::Counting;
  Counting f[q];
  for (int i = 0; i < q; ++i)
    f[i] = weight[i];
  return {ladder::count("textbook",
                        [&] {
                          collide_textbook(f, Counting(1.85));
                          const auto m = moments(f);
                          sqrt(m.ux * m.ux + m.uy * m.uy);
                        }),
          ladder::count("factored", [&] { sqrt(d2q9_collide(f, Counting(1.85))); })};
}

}  // namespace d2q9
