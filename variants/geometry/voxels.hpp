#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/domain.hpp"
#include "variants/geometry/mesh.hpp"

namespace geometry {

/// A lattice of cubic cells in a mesh's coordinate system.
struct Grid {
  ladder::Triple sides = {0, 0, 0};  ///< cells along each axis
  Point first{};                     ///< centre of cell (0,0,0), in the mesh's units
  double side = 1;                   ///< side of a cell, in the mesh's units
  bool has_ground = false;           ///< surfaces stand on a ground at their lowest y and may be open toward it
};

/// The cells of a grid whose centres lie inside a mesh.
struct Voxels {
  std::vector<std::uint8_t> inside;  ///< [(z*ny+y)*nx+x]: 1 inside, else 0
  std::int64_t cells = 0;            ///< number of cells inside
  std::int64_t oriented = 0;         ///< parts decided by winding number
  std::int64_t turned = 0;           ///< parts that were reversed, a subset of `oriented`
  std::int64_t mixed = 0;            ///< parts decided by the parity of crossings
  std::int64_t open = 0;             ///< parts decided by the vote of rays
  std::int64_t rays = 6;             ///< number of these rays
  std::int64_t contested = 0;        ///< cells about which these rays disagreed
  std::int64_t majority = 0;         ///< of these, those that only a majority of the rays puts inside
  std::int64_t without_cells = 0;    ///< closed parts that contain no cell centre because they are thin, small or outside the
                                     ///< grid; plus all open parts if none of them contains one

  /// Describes the tests that decided and the contested cells in one or two sentences.
  [[nodiscard]] std::string text() const;
};

/// Maximum distance of a mesh's points from cell (0,0,0), in cells.
constexpr double farthest_point = 1 << 20;

/// Finds the cells of `grid` inside `mesh`, in time proportional to the number of triangles plus the number of cells.
///
/// Points are rounded to 1/65536 of a cell's side; from there on, the result is exact. A ray along each row of cells crosses
/// the triangles. If a ray hits an edge or a point, or if a centre lies on a triangle, the decision is made as if all centres
/// were displaced by (e, e^2, e^3) for an infinitesimal e (simulation of simplicity: H. Edelsbrunner, E. P. Mücke, ACM Trans.
/// Graph. 9, 66-104, 1990; applied to the ray only). A ray thus crosses a closed surface equally often inwards and outwards,
/// and a centre on the boundary between touching bodies lies in exactly one of them.
///
/// * Oriented closed parts: a centre is inside if the sum of their winding numbers around it is not 0, which unites overlapping
///   bodies. A part oriented against the largest part is a cavity if all its cells lie in parts oriented like the largest;
///   otherwise it is a body, for example a mirrored one, and is reversed.
/// * Other closed parts: a centre is inside if the number of crossings with the part is odd; united with all other parts.
/// * All open parts together: a centre casts rays along +-x, +-y and +-z (not -y if there is a ground), and is inside if more
///   than half of them cross an odd number of triangles (parity vote as in F. S. Nooruddin, G. Turk, IEEE Trans. Vis. Comput.
///   Graph. 9, 191-205, 2003); united with all other parts.
/// @throws ladder::InputError for sides < 1, a cell side that is not a positive number, or a mesh with points farther than
/// `farthest_point`; ladder::Refused if the cells exceed the memory
Voxels voxelise(const Mesh& mesh, const Grid& grid);

}  // namespace geometry
