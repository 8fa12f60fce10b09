// An OBJ file and the voxels of its body.
#include "variants/geometry/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tests/fuzz/fuzz.hpp"
#include "variants/geometry/voxels.hpp"

using namespace ladder::fuzz;

LADDER_FUZZ(input) {
  geometry::Mesh mesh;
  if (!accepts([&] { mesh = geometry::parse_mesh("body.obj", input); })) return;
  require(!mesh.triangles.empty() && mesh.part_of.size() == mesh.triangles.size(), "there are triangles, each in a part");
  require(mesh.report.closed() == (std::ranges::count(mesh.parts, geometry::Closure::open) == 0),
          "a mesh is open if one of its parts is");
  require(!mesh.text().empty(), "there is a text");

  std::string written;
  for (const auto& p : mesh.points)
    written += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  for (const auto& t : mesh.triangles)
    written += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  const geometry::Mesh back = geometry::parse_mesh("body.obj", written);
  require(back.points == mesh.points && back.triangles == mesh.triangles && back.parts == mesh.parts,
          "what is written again parses to the same");

  double extent = 0;
  for (std::size_t a = 0; a < 3; ++a)
    extent = std::max(extent, mesh.upper[a] - mesh.lower[a]);
  geometry::Grid grid = {{8, 9, 10}, mesh.lower, extent / 8};
  for (double& c : grid.first)
    c -= grid.side / 2;
  geometry::Voxels voxels;
  if (!accepts([&] { voxels = geometry::voxelise(mesh, grid); })) return;
  require(voxels.cells == std::ranges::count(voxels.inside, 1), "the count of cells is right");
  for (std::size_t a = 0; a < 3; ++a)
    if (!(mesh.lower[a] - grid.first[a] > grid.side / 4)) return;  // coordinates too large for cells of this size
  for (std::size_t n = 0; n < voxels.inside.size(); ++n)
    require(voxels.inside[n] == 0 || (n % 8 > 0 && n / 8 % 9 > 0 && n / 72 > 0),
            "cells outside the bounding box are outside the body");
}
