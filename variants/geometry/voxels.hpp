#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/bench/domain.hpp"
#include "variants/geometry/mesh.hpp"

namespace geometry {

/// A lattice of cubic cells in the space of a mesh.
struct Grid {
  ladder::Triple sides = {0, 0, 0};  ///< numbers of cells
  Point first{};                     ///< centre of cell (0,0,0), in the mesh's units
  double side = 1;                   ///< side of a cell, in the mesh's units
};

/// The cells of a grid whose centres lie inside a mesh.
struct Voxels {
  std::vector<std::uint8_t> inside;  ///< [(z*ny+y)*nx+x]: 1 inside, else 0
  std::int64_t cells = 0;            ///< cells inside
  std::int64_t oriented = 0;         ///< parts whose cells were found by winding number,
  std::int64_t turned = 0;           ///< of these, parts that were turned around
  std::int64_t mixed = 0;            ///< by the parity of crossings,
  std::int64_t open = 0;             ///< and by the vote of six rays
  std::int64_t contested = 0;        ///< cells about which the six rays disagreed
  std::int64_t without_cells = 0;  ///< closed parts that contain no cell's centre, as they are thin, small or outside the grid;
                                   ///< open parts count if they have no cell all together

  /// The test that decided, and the contested cells, in a sentence or two.
  [[nodiscard]] std::string text() const;
};

/// Largest distance of a mesh's points from cell (0,0,0), in cells.
constexpr double farthest_point = 1 << 20;

/// Finds the cells of `grid` inside `mesh`. The time is of the order of the triangles and the cells.
///
/// Points are rounded to 1/65536 of a cell's side; after that, the result is exact. Along each row of cells, a ray crosses the
/// triangles. A ray that hits an edge or a point, or a centre that lies on a triangle, is decided as if all centres were moved
/// by (e, e^2, e^3) for an infinitely small e (simulation of simplicity: H. Edelsbrunner, E. P. Mücke, ACM Trans. Graph. 9,
/// 66-104, 1990; applied to the ray alone). So a ray crosses a closed surface as often inwards as outwards, and of several
/// bodies that touch, each centre is in one.
///
/// * Closed parts that are oriented: inside where the sum of their winding numbers is not 0, so overlapping bodies are united.
/// A
///   part that is turned against the largest part is a cavity if all its cells lie in parts that are turned like the largest;
///   else it is a body (a mirrored one, say), and is turned around.
/// * Closed parts that are not: inside where the number of crossings with the part is odd; united with all others.
/// * Open parts, all together: a centre sends rays along +-x, +-y and +-z, and is inside if more than three of them cross an
///   odd number of triangles (as F. S. Nooruddin, G. Turk, IEEE Trans. Vis. Comput. Graph. 9, 191-205, 2003, vote by parity);
///   united with all others.
/// @throws ladder::InputError for sides < 1, a side of a cell that is not a positive number, and a mesh with points farther
///         than `farthest_point`; ladder::Refused if the cells exceed the memory
Voxels voxelise(const Mesh& mesh, const Grid& grid);

}  // namespace geometry
