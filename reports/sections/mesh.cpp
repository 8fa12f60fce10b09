#include "variants/geometry/mesh.hpp"

#include <fmt/format.h>

#include "reports/sections/common.hpp"

namespace ladder::reports {
namespace {

/// The triangles seen from the front left, with hidden ones behind others. The mesh's z axis points up.
Plot draw(const geometry::Mesh& mesh, int width) {
  Plot plot(width, width * 9 / 16);
  std::vector<std::vector<Datum>> corners;
  for (const geometry::Triangle& triangle : mesh.triangles) {
    for (const int point : triangle) {
      const auto& [x, y, z] = mesh.points[static_cast<std::size_t>(point)];
      corners.push_back({x, y, z});
    }
    corners.emplace_back();  // ends the polygon
  }
  plot.add("set lmargin 0\nset rmargin 0\nset tmargin 0\nset bmargin 0");
  plot.add("unset border\nunset tics\nunset key\nunset colorbox");
  plot.add("set view equal xyz\nset view 68,330,1.9\nset xyplane 0");
  plot.add("set pm3d depthorder border lc rgb '{}' lw 0.3", color::ink);
  plot.add("splot {} using 1:2:3 with polygons fs solid 1 fc rgb '{}'", plot.data(corners), color::light);
  return plot;
}

}  // namespace

void mesh(const Parameters& block, const std::vector<Context>& machines, Section& section) {
  const std::string name = block.text("file");
  const auto path = (machines.front().study.folder / name).lexically_normal();
  const geometry::Mesh mesh = geometry::read_mesh(path);
  const auto side = [&](std::size_t axis) { return mesh.upper[axis] - mesh.lower[axis]; };
  section.add(Figure{.id = "mesh",
                     .title = path.filename().string(),
                     .caption = "",
                     .plot = draw(mesh, 720),
                     .narrow = draw(mesh, 380),
                     .most_width = 720},
              fmt::format("{}. {:.4g} × {:.4g} × {:.4g} units. Read from {}.", mesh.text(), side(0), side(1), side(2), name));
}

}  // namespace ladder::reports
