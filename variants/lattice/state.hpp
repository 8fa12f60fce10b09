#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.hpp"
#include "base/summation.hpp"
#include "harness/bench/rung.hpp"
#include "variants/lattice/places.hpp"
#include "variants/lattice/storage.hpp"

/// A state in host memory, read and written through its places (places.hpp), box by box.
namespace lattice {

namespace detail {

/// Calls visit(x, y, z, n) for each cell of a box and its index n in the box, in parallel on the CPU.
template <class Visit>
void for_each_cell(const ladder::Box& box, int q, Visit visit) {
  const std::int64_t nx = box.extent[0], ny = box.extent[1], nz = box.extent[2];
  ladder::in_parts(ny * nz, ladder::worth_a_thread / std::max<std::int64_t>(1, q * nx),
                   [&](std::int64_t first, std::int64_t last) {
                     for (std::int64_t row = first; row < last; ++row)
                       for (std::int64_t x = 0; x < nx; ++x)
                         visit(box.origin[0] + x, box.origin[1] + row % ny, box.origin[2] + row / ny, row * nx + x);
                   });
}

}  // namespace detail

/// Copies the populations of the cells in `out.box` from `f`.
template <class real>
void store(const real* f, const Places& places, ladder::Populations& out) {
  detail::for_each_cell(out.box, places.q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    const bool has_state = places.has_state(x, y, z);
    for (int i = 0; i < places.q; ++i)
      out.at(i, n) = places.population(i, has_state ? f[places(i, x, y, z)] : real{});
  });
}

/// Copies the populations of the cells in `in.box` to `f`.
template <class real>
void load(real* f, const Places& places, const ladder::Populations& in) {
  detail::for_each_cell(in.box, places.q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (!places.has_state(x, y, z)) return;
    for (int i = 0; i < places.q; ++i)
      f[places(i, x, y, z)] = places.template stored<real>(i, in.at(i, n));
  });
}

/// Returns the compensated sum of all populations of all cells that have a state.
template <class real>
double sum(const real* f, const Places& places) {
  const Extents n = places.extents;
  return ladder::total(
      ladder::in_parts(n.y * n.z, ladder::worth_a_thread / (places.q * n.x), [&](std::int64_t first, std::int64_t last) {
        ladder::Sum part;
        for (std::int64_t row = first; row < last; ++row)
          for (std::int64_t x = 0; x < n.x; ++x)
            for (int i = 0; i < places.q && places.has_state(x, row % n.y, row / n.y); ++i)
              part.add(places.population(i, f[places(i, x, row % n.y, row / n.y)]));
        return part.value();
      }));
}

/// Sets `state` to the initial populations of the cells in `box`.
template <class Model>
void set_initial(const typename Model::Case& c, const ladder::Box& box, ladder::Populations& state) {
  state.reset(Model::q, box);
  detail::for_each_cell(box, Model::q, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    const auto f = c.initial(x, y, z);
    for (int i = 0; i < Model::q; ++i)
      state.at(i, n) = f[static_cast<std::size_t>(i)];
  });
}

/// Calls visit(box) for consecutive slabs of the lattice, each a few rows or planes. A copy of a slab has at most `numbers`
/// populations, or one row.
template <class Visit>
void for_each_slab(const Extents& n, int q, std::int64_t numbers, Visit visit) {
  const std::int64_t planes = std::clamp<std::int64_t>(numbers / (q * n.x * n.y), 0, n.z);
  if (planes > 0) {
    for (std::int64_t z = 0; z < n.z; z += planes)
      visit(ladder::Box{{0, 0, z}, {n.x, n.y, std::min(planes, n.z - z)}});
    return;
  }
  const std::int64_t rows = std::clamp<std::int64_t>(numbers / (q * n.x), 1, n.y);
  for (std::int64_t z = 0; z < n.z; ++z)
    for (std::int64_t y = 0; y < n.y; y += rows)
      visit(ladder::Box{{0, y, z}, {n.x, std::min(rows, n.y - y), 1}});
}

/// Calls load(state) with the initial populations of consecutive slabs of the lattice, which share the same memory.
template <class Model, class Load>
void load_initial(const typename Model::Case& c, Load load) {
  constexpr std::int64_t numbers = std::int64_t{8} << 20;
  ladder::Populations state;
  for_each_slab(extents(c), Model::q, numbers, [&](const ladder::Box& slab) {
    if (c.starts_alike() && c.solid.empty() && state.box.extent == slab.extent)
      state.box = slab;
    else
      set_initial<Model>(c, slab, state);
    load(state);
  });
}

/// The same, but if all planes (in two dimensions: all rows) start alike, calls load(state, repeats) only once: `state` holds
/// the first plane as if it had no obstacles, and `repeats` is the number of planes. Otherwise, `repeats` is 1.
template <class Model, class Load>
void load_initial_planes(const typename Model::Case& c, Load load) {
  if (!c.starts_alike()) {
    load_initial<Model>(c, [&](const ladder::Populations& state) { load(state, 1); });
    return;
  }
  typename Model::Case open = c;
  open.solid.clear();
  const auto [nx, ny, nz] = c.grid();
  ladder::Populations plane;
  set_initial<Model>(open, {{}, {nx, nz > 1 ? ny : 1, 1}}, plane);
  load(plane, nz > 1 ? nz : ny);
}

}  // namespace lattice
