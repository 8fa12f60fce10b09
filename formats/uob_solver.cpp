#include "formats/uob_solver.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "variants/d2q9/collide.h"
#include "variants/d2q9/textbook.hpp"

namespace ladder {
namespace {

constexpr int q = d2q9::q;
using Rows = std::array<double*, q>;  // one row of each population

/// Distances from rest (collide.h), f[i][y][x], each row between a copy of its last site and one of its first.
class Lattice {
 public:
  explicit Lattice(const d2q9::Case& c)
      : nx_(c.nx), ny_(c.ny), values_(static_cast<std::size_t>(q) * ny_ * static_cast<std::size_t>(nx_ + 2)) {}

  [[nodiscard]] double* row(int i, int y) {
    const int inside = y < 0 ? y + ny_ : y >= ny_ ? y - ny_ : y;
    return values_.data() + (static_cast<std::ptrdiff_t>(i) * ny_ + inside) * (nx_ + 2) + 1;
  }
  [[nodiscard]] Rows rows(int y) {
    Rows all{};
    for (int i = 0; i < q; ++i)
      all[static_cast<std::size_t>(i)] = row(i, y);
    return all;
  }
  void close(int y) {
    for (double* f : rows(y)) {
      f[-1] = f[nx_ - 1];
      f[nx_] = f[0];
    }
  }

 private:
  int nx_, ny_;
  std::vector<double> values_;
};

void accelerate(const d2q9::Case& c, Lattice& lattice) {
  const int y = c.accelerated_row();
  const Rows f = lattice.rows(y);
  for (int x = 0; x < c.nx; ++x) {
    if (c.is_solid(x, y)) continue;
    double site[q];
    for (int i = 0; i < q; ++i)
      site[i] = f[static_cast<std::size_t>(i)][x];
    d2q9_accelerate(site, c.w1(), c.w2());
    for (int i = 0; i < q; ++i)
      f[static_cast<std::size_t>(i)][x] = site[i];
  }
  lattice.close(y);
}

/// Advances a row by one step and returns the sum of its speeds. `from`: rows that start at the site each population comes
/// from.
double advance_row(const Rows& from, const Rows& to, const std::uint8_t* solid, int nx, double omega) {
  double speeds = 0;
#pragma omp simd reduction(+ : speeds)
  for (int x = 0; x < nx; ++x) {
    const double f[q] = {from[0][x], from[1][x], from[2][x], from[3][x], from[4][x],
                         from[5][x], from[6][x], from[7][x], from[8][x]};
    double g[q] = {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]};
    const double square = d2q9_collide(g, omega);
    const bool is_solid = solid[x] != 0;
    for (int i = 0; i < q; ++i)
      to[static_cast<std::size_t>(i)][x] = is_solid ? f[d2q9_opposite[i]] : g[i];
    speeds += is_solid ? 0 : std::sqrt(square);
  }
  return speeds;
}

}  // namespace

UobResults solve_uob(const d2q9::Case& c) {
  const auto nx = static_cast<std::size_t>(c.nx);
  std::vector<std::uint8_t> solid = c.solid;
  solid.resize(nx * static_cast<std::size_t>(c.ny));
  std::array lattices = {Lattice(c), Lattice(c)};
  accelerate(c, lattices[0]);

  UobResults results;
  const auto fluid = static_cast<double>(c.fluid_cells());
  constexpr std::int64_t least_sites = 4096;  // fewer are not worth a barrier per step
  const std::int64_t parts = std::clamp<std::int64_t>(c.cells() / least_sites, 1, std::min(processors(), c.ny));
  std::vector<double> sums(static_cast<std::size_t>(parts));
  std::barrier step_end(parts,
                        [&]() noexcept { results.speeds.push_back(std::accumulate(sums.begin(), sums.end(), 0.0) / fluid); });
  results.speeds.reserve(static_cast<std::size_t>(c.steps));
  const auto advance = [&](std::int64_t part) {
    const auto first = static_cast<int>(c.ny * part / parts), last = static_cast<int>(c.ny * (part + 1) / parts);
    for (std::int64_t step = 0; step < c.steps; ++step) {
      Lattice& before = lattices[static_cast<std::size_t>(step % 2)];
      Lattice& after = lattices[static_cast<std::size_t>((step + 1) % 2)];
      double sum = 0;
      for (int y = first; y < last; ++y) {
        Rows from{};
        for (int i = 0; i < q; ++i)
          from[static_cast<std::size_t>(i)] = before.row(i, y - d2q9_cy[i]) - d2q9_cx[i];
        sum += advance_row(from, after.rows(y), solid.data() + static_cast<std::size_t>(y) * nx, c.nx, c.omega);
        after.close(y);
        if (y == c.accelerated_row() && step + 1 < c.steps) accelerate(c, after);  // of the next step
      }
      sums[static_cast<std::size_t>(part)] = sum;
      step_end.arrive_and_wait();
    }
  };
  detail::on_threads(
      parts, [](void* work, std::int64_t part) { (*static_cast<decltype(advance)*>(work))(part); },
      const_cast<void*>(static_cast<const void*>(&advance)));

  Lattice& end = lattices[static_cast<std::size_t>(c.steps % 2)];
  for (int y = 0; y < c.ny; ++y)
    for (int x = 0; x < c.nx; ++x) {
      d2q9::Macroscopic m = {1, 0, 0};  // relative to the density at rest
      double f[q];
      for (int i = 0; i < q; ++i)
        f[i] = end.row(i, y)[x];
      if (!c.is_solid(x, y)) m = d2q9::moments(f, 1.0);
      results.sites.push_back({m.ux, m.uy, std::hypot(m.ux, m.uy), c.density * m.density / 3});
      results.solid.push_back(c.is_solid(x, y));
    }
  return results;
}

}  // namespace ladder
