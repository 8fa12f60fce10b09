// Idea:    temporal blocking in place: an order of rows and planes in which several steps are made while they are in the cache
// Layout:  structure of arrays, f[19][z][y][x], rows start at a cache line, directions padded, one lattice, flags
// Traffic: 19 numbers read and written and a flag read every K steps, and again where tiles and slabs overlap
// Source:  Wellein, Hager, Zeiser, Wittmann, Fehske, COMPSAC 2009 (wavefronts); Bertolacci et al., ICS 2015 (skewed tiles)
// Bound:   arithmetic and the bandwidth of the second-level cache
#include <omp.h>

#include <algorithm>

#include "variants/d3q19/openmp/in_place_rows.hpp"
#include "variants/d3q19/traffic.hpp"

namespace d3q19 {
namespace {

/// Steps of a pass: each shortens a thread's planes by one at either end.
int depth(const Case& c, const ladder::Tuning& tuning) {
  return std::min(tuning.at("steps"), c.nz / omp_get_max_threads() / 2 + 1);
}

/// Tiles of a plane. Each but a single one has enough rows for the first, which all steps shorten at either end.
int tiles(const Case& c, const ladder::Tuning& tuning) {
  return std::max(1, c.ny / std::max(tuning.at("rows"), 2 * tuning.at("steps")));
}

/// A tile moves by a row per step, and so meets that many rows of its neighbour; slabs of threads meet at either end.
std::vector<ladder::Traffic> traffic(double real, const Case& c, const ladder::Tuning& tuning) {
  const double steps = depth(c, tuning), moved = tiles(c, tuning) == 1 ? 0 : steps - 1;
  const double again = (1 + moved * tiles(c, tuning) / c.ny) * (1 + 2 * (steps - 1) * omp_get_max_threads() / c.nz);
  const ladder::Traffic once = fused_traffic(real, c, tuning).front();
  return {{once.read * again / steps, once.write * again / steps}};
}

template <class real>
class Blocked final : public InPlaceRows<real> {
  using InPlaceRows<real>::case_, InPlaceRows<real>::phase_, InPlaceRows<real>::update_row;

 public:
  Blocked(const Case& c, const ladder::Tuning& tuning)
      : InPlaceRows<real>(c), depth_(depth(c, tuning)), tiles_(tiles(c, tuning)) {}

  void advance(std::int64_t steps) override {
#pragma omp parallel
    for (std::int64_t done = 0; done < steps; done += depth_)
      pass(static_cast<int>((phase_ + done) % 2), static_cast<int>(std::min<std::int64_t>(depth_, steps - done)));
    if (steps % 2 == 1) this->turn();
  }

 private:
  /// Advances all cells by some steps, from this phase on. A cell can make a step as soon as it and its neighbours have made
  /// the one before, and before any of them has made the one after. So a thread first makes all steps of its slab, each with a
  /// plane less at either end; after all have done so, it makes up for them where its slab meets the next one.
  void pass(int phase, int steps) {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const int begin = static_cast<int>(std::int64_t{case_.nz} * thread / threads);
    const int end = static_cast<int>(std::int64_t{case_.nz} * (thread + 1) / threads);
    sweep(phase, steps, begin, end, 1);
#pragma omp barrier
    sweep(phase, steps, end, end, -1);
#pragma omp barrier
  }

  /// Makes step s = 0, 1, … in planes from begin + shrinks * s to before end - shrinks * s: tile by tile, where a tile moves by
  /// a row toward those that are done in each step, and the first and last make up for that together; within a tile, each step
  /// a plane behind the one before.
  void sweep(int phase, int steps, int begin, int end, int shrinks) {
    for (int tile = 0; tile < tiles_; ++tile) {
      const int south = case_.ny * tile / tiles_, north = case_.ny * (tile + 1) / tiles_;
      for (int front = begin; front < end + 2 * steps; ++front)
        for (int s = 0; s < steps; ++s) {
          const int z = front - s;
          if (z < begin + shrinks * s || z >= end - shrinks * s) continue;
          for (int y = tile == 0 ? s : south - s; y < (tile == tiles_ - 1 ? north + s : north - s); ++y)
            update_row(static_cast<int>(ladder::wrapped(y, case_.ny)), static_cast<int>(ladder::wrapped(z, case_.nz)),
                       (phase + s) % 2);
        }
    }
  }

  const int depth_, tiles_;
};

}  // namespace
}  // namespace d3q19

const d3q19::Rung d3q19::rung = {
    .follows = "d3q19/openmp/06_inplace",
    .traffic = d3q19::traffic,
    .lattices = 1,
    .tunables = {{.name = "steps", .meaning = "steps of a pass", .values = {1, 2, 3, 4, 5, 6, 8, 10, 12}, .initial = 6},
                 {.name = "rows",
                  .meaning = "rows of a tile, at least; twice the steps if that is more",
                  .values = {4, 8, 12, 16, 24, 32, 64, 128},
                  .initial = 8}},
    .make = ladder::make_solver<d3q19::Blocked, d3q19::Model>};
