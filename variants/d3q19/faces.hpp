#pragma once

#include <cstdint>
#include <vector>

#include "variants/d3q19/model.hpp"

namespace d3q19 {

/// Bits of a flag above its face: 1 + 2 · axis for the five directions toward the lower end of an axis, 2 + 2 · axis toward the
/// upper end; 0 for none.
inline constexpr int face_shift = 5;

/// The flags of a case, flags(c), modified for kernels that treat flat boundaries separately: if the boundary cells around a
/// fluid cell are exactly the five neighbours in one direction, all of one kind, its flag also holds this kind and the face.
inline std::vector<std::uint8_t> flags_with_faces(const Case& c) {
  std::vector<std::uint8_t> all = flags(c);
  for (const std::uint32_t n : near_cells(all)) {
    const auto [x, y, z] = ladder::Box{{}, c.grid()}.place(n);
    int beyond[6] = {}, boundaries = 0, kinds = 0;  // boundary neighbours: beyond each face, in all; their kinds
    for (int i = 1; i < q; ++i) {
      const int kind = c.kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]);
      if (kind == 0) continue;
      ++boundaries;
      kinds |= kind;
      const int away[3] = {d3q19_cx[i], d3q19_cy[i], d3q19_cz[i]};
      for (int axis = 0; axis < 3; ++axis)
        if (away[axis] != 0) ++beyond[2 * axis + (away[axis] > 0)];
    }
    for (int face = 0; face < 6; ++face)
      if (boundaries == 5 && beyond[face] == 5 && (kinds == D3Q19_WALL || kinds == D3Q19_VELOCITY || kinds == D3Q19_PRESSURE))
        all[n] = static_cast<std::uint8_t>(all[n] | kinds | (face + 1) << face_shift);
  }
  return all;
}

}  // namespace d3q19
