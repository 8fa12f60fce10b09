#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Bodies given as triangles, and the cells of a lattice that lie inside. Knows no lattice Boltzmann model.
namespace geometry {

/// x, y, z in the units of the mesh.
using Point = std::array<double, 3>;
/// Numbers of a triangle's points.
using Triangle = std::array<int, 3>;

/// How the faces of a part, which are connected by edges, enclose a volume.
enum class Closure : std::uint8_t {
  oriented,  ///< each edge is passed as often in one direction as in the other: the surface has an inner and an outer side
  mixed,     ///< each edge has an even number of faces, but these do not agree about the outer side
  open       ///< an edge has an odd number of faces
};

/// Findings in a mesh, and removals from it.
struct Report {
  std::int64_t points = 0;              ///< as given
  std::int64_t faces = 0;               ///< as given, of any number of corners
  std::int64_t merged = 0;              ///< points that equal another one
  std::int64_t degenerate = 0;          ///< triangles that were removed because they name a point twice or have no area
  std::int64_t duplicated = 0;          ///< triangles that were removed because others have the same points
  std::int64_t open_edges = 0;          ///< edges with an odd number of triangles
  std::int64_t holes = 0;               ///< sets of open edges that points connect: borders of holes, or of the whole surface
  std::int64_t mixed_edges = 0;         ///< edges with an even number of triangles, which do not agree about the outer side
  std::int64_t non_manifold_edges = 0;  ///< edges with more than two triangles

  [[nodiscard]] bool closed() const { return open_edges == 0; }
};

/// Triangles in space. Points with equal coordinates are one point; every triangle has three different points, and no two
/// triangles have the same three.
struct Mesh {
  std::vector<Point> points;
  std::vector<Triangle> triangles;
  std::vector<int> part_of;    ///< for each triangle, the number of its part
  std::vector<Closure> parts;  ///< for each part, i.e. triangles connected by edges, how it encloses a volume
  Point lower{}, upper{};      ///< corners of the bounding box of the triangles
  Report report;

  /// The report in a sentence or two, e.g. "1240 triangles in closed surfaces (5 parts); 2 degenerate triangles removed".
  [[nodiscard]] std::string text() const;
};

/// Largest magnitude of a coordinate.
constexpr double largest_coordinate = 1e30;

/// A mesh of `triangles`, whose numbers are those of `points`.
///
/// Of triangles with the same points one remains, on the side of the majority. Two that face each other are a wall without a
/// thickness: both are removed, unless the whole part consists of such pairs (a body whose faces are given for both sides).
/// A triangle without an area is removed where that closes edges; others close the gap between a long edge and two short ones,
/// and stay: no ray crosses them.
/// @throws ladder::InputError if no triangle has an area; the message starts with `name`
Mesh make_mesh(const std::string& name, const std::vector<Point>& points, const std::vector<Triangle>& triangles);

/// The mesh of an OBJ file's text, which came from `path`: its lines `v` and `f` (polygons, negative numbers, texture and
/// normal numbers, any line ends, lines continued after a backslash); objects and groups are joined, all else is ignored. A
/// polygon becomes a fan around its first corner, which rays cross, counted with sign, as often as any other triangulation of
/// it.
/// @throws ladder::InputError with the file, line and value for coordinates that are not finite numbers of up to
///         `largest_coordinate`, faces of fewer than three points or of points that do not precede them, or no faces
Mesh parse_mesh(const std::filesystem::path& path, std::string_view text);

/// The mesh of an OBJ file. @throws ladder::InputError as parse_mesh() does, and if the file cannot be read
Mesh read_mesh(const std::filesystem::path& path);

/// OBJ texts that scripts/make-meshes makes.
///
/// A sedan of 4.5 m length: x from its front (0) to its rear, y from side to side (-0.9 to 0.9), z from the ground (0) to its
/// roof (1.42), in metres. Closed parts that overlap: body and cabin, and four wheels.
extern const std::string_view sedan;
/// A sphere of radius 1 around the origin: 1280 triangles with their points on the sphere.
extern const std::string_view sphere;

}  // namespace geometry
