#pragma once

#include <cstdint>
#include <span>

#include "base/parallel.hpp"
#include "variants/d3q19/model.hpp"
#include "variants/lattice/places.hpp"
#include "variants/lattice/storage.hpp"

namespace d3q19 {

/// Gives the boundary cells around a fluid cell the populations that come back to it in the next step. `places`: locations
/// before that step, for any layout and pattern.
template <class real>
void return_populations(real* f, const lattice::Places& places, const Case& c, std::int64_t x, std::int64_t y, std::int64_t z) {
  using Storage = lattice::Storage<real>;
  using Compute = typename Storage::Compute;
  Compute site[q];
  for (int i = 0; i < q; ++i)
    site[i] = Storage::load(f[places(i, x, y, z)]);
  for (int i = 1; i < q; ++i) {
    const std::int64_t bx = ladder::wrapped(x + d3q19_cx[i], c.nx), by = ladder::wrapped(y + d3q19_cy[i], c.ny),
                       bz = ladder::wrapped(z + d3q19_cz[i], c.nz);
    if (const int kind = c.kind(bx, by, bz); kind != 0)
      f[places(d3q19_opposite[i], bx, by, bz)] = Storage::store(d3q19_returned(site, i, kind, static_cast<Compute>(c.speed)));
  }
}

/// The same for all cells in `near`, which holds the indices from near_cells(), on several threads. For use before the first
/// step.
template <class real>
void fill_boundaries(real* f, const lattice::Places& places, const Case& c, std::span<const std::uint32_t> near) {
  const ladder::Box box{{}, c.grid()};
  ladder::in_parts(std::ssize(near), ladder::worth_a_thread / q, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      const auto [x, y, z] = box.place(near[static_cast<std::size_t>(k)]);
      return_populations(f, places, c, x, y, z);
    }
  });
}

}  // namespace d3q19
