#include "variants/d3q19/body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "variants/geometry/mesh.hpp"
#include "variants/geometry/voxels.hpp"

namespace d3q19 {
namespace {

namespace fs = std::filesystem;

/// Position of a body in the lattice, in cells.
struct Place {
  double length;  ///< length of the body along x
  double front;   ///< position of its windward end
};

geometry::Point turned(const geometry::Point& p, char up) {
  const auto [x, y, z] = p;
  return up == 'x' ? geometry::Point{y, x, -z} : up == 'y' ? p : geometry::Point{x, z, -y};
}

/// The mesh in the lattice's axes: x along the wind, y up. The axis `up` of the mesh points up; the wind blows along its x
/// axis, or along its y axis if x points up.
geometry::Mesh upright(geometry::Mesh mesh, char up = 'z') {
  for (geometry::Point* p : {&mesh.lower, &mesh.upper})
    *p = turned(*p, up);
  for (std::size_t a = 0; a < 3; ++a)
    if (mesh.lower[a] > mesh.upper[a]) std::swap(mesh.lower[a], mesh.upper[a]);
  for (geometry::Point& p : mesh.points)
    p = turned(p, up);
  return mesh;
}

/// The cells inside the body, which stands on the plane halfway between the first two rows and is centred along z.
geometry::Voxels voxels_of(const geometry::Mesh& mesh, const ladder::Triple& sides, const Place& place) {
  const double side = (mesh.upper[0] - mesh.lower[0]) / place.length;
  geometry::Grid grid{.sides = sides, .side = side, .has_ground = true};
  grid.first = {mesh.lower[0] - place.front * side, mesh.lower[1] - 0.5 * side,
                (mesh.lower[2] + mesh.upper[2] - static_cast<double>(sides[2] - 1) * side) / 2};
  return geometry::voxelise(mesh, grid);
}

/// Puts a body into a wind tunnel whose far field and ground move with the wind.
void fill_tunnel(Case& c, const geometry::Mesh& mesh, const Place& place, const std::string& name) {
  const geometry::Voxels voxels = voxels_of(mesh, c.grid(), place);
  if (voxels.cells == 0)
    throw ladder::InputError(fmt::format(
        "{}: no cell's centre lies in the body ({}); accepted are more cells, or a thicker body", name, mesh.text()));
  if (voxels.contested > voxels.cells - voxels.majority)
    throw ladder::InputError(
        fmt::format("{}: {} cells lie in the body for certain, but {} are uncertain because it is open ({}); accepted: a "
                    "closed surface, or one "
                    "that is open only toward the ground (--up x|y|z names the axis that points up)",
                    name, voxels.cells - voxels.majority, voxels.contested, mesh.text()));
  c.solid.resize(static_cast<std::size_t>(c.cells()));
  const ladder::Box box{{}, c.grid()};
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    const auto [x, y, z] = box.place(n);
    const bool in_body = voxels.inside[static_cast<std::size_t>(n)] != 0;
    const std::uint8_t kind = tunnel_border(c, x, y, z);
    if (in_body && (kind != 0 || x == 1))
      throw ladder::InputError(
          fmt::format("{}: the body reaches cell ({}, {}, {}) at the {} of the wind tunnel of {}x{}x{} cells; "
                      "accepted is a body that leaves the sides free",
                      name, x, y, z, x <= 1 ? "inflow" : "border", c.nx, c.ny, c.nz));
    c.solid[static_cast<std::size_t>(n)] = in_body ? D3Q19_WALL : kind;
  }
  c.length = place.length;
  c.area = frontal_area(c);
  c.note = fmt::format("{}: {}\n{}\n", name, mesh.text(), voxels.text());
  mark_inside(c);
}

const geometry::Mesh& sedan() {
  static const geometry::Mesh mesh = upright(geometry::parse_mesh("sedan.obj", geometry::sedan));
  return mesh;
}

/// The contents of a mesh's parameter file.
struct Tunnel {
  double cells = 64;  ///< along the body
  int block = 16;
  double tau = 0.53, speed = 0.05;
};

const std::vector<ladder::InputNumber> tunnel_numbers = {
    {"cells", "a number of cells along the body from 4 to 16384", false, [](double v) { return v >= 4 && v <= 16384; }},
    {"block", "an integer from 4 to 1024, cells of a block's side", true, [](double v) { return v >= 4 && v <= 1024; }},
    {"tau", "a number above 1/2: at 1/2 and below the viscosity is not positive, and every flow is unstable", false,
     [](double v) { return v > 0.5; }},
    {"speed", "a number above 0 and up to 0.1732, Mach 0.3", false, [](double v) { return v > 0 && v <= 0.1732; }}};

}  // namespace

std::uint8_t tunnel_border(const Case& c, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (y == 0 || y == c.ny - 1 || z == 0 || z == c.nz - 1 || x == 0) return D3Q19_VELOCITY;
  return x == c.nx - 1 ? D3Q19_PRESSURE : 0;
}

double frontal_area(const Case& c) {
  std::int64_t area = 0;
  for (std::int64_t row = 0; row < std::int64_t{c.ny} * c.nz; ++row) {
    const auto first = c.solid.begin() + row * c.nx;
    area += std::find(first, first + c.nx, D3Q19_WALL) != first + c.nx;
  }
  return static_cast<double>(area);
}

void make_car(Case& c) {
  c.magic = 3. / 16;
  c.tau = 0.53;
  c.speed = 0.05;
  c.steps = static_cast<std::int64_t>(4 * c.nx / c.speed);
  // A third of the tunnel's length, or less if the body would be too wide or too high.
  const geometry::Mesh& mesh = sedan();
  const double long_side = mesh.upper[0] - mesh.lower[0];
  const double length = std::min({c.nx / 3., 0.4 * c.ny * long_side / (mesh.upper[1] - mesh.lower[1]),
                                  0.4 * c.nz * long_side / (mesh.upper[2] - mesh.lower[2])});
  fill_tunnel(c, mesh, {.length = length, .front = 0.25 * c.nx}, fmt::format("case '{}'", c.name));
}

void make_street(Case& c) {
  constexpr double share = 1 - 734.668 / 739.293;
  const double wanted = share * static_cast<double>(c.cells());
  c.magic = 3. / 16;
  c.tau = 0.6;
  c.speed = 0.05;
  c.steps = 1000;
  const auto at_length = [&](double length) {
    return voxels_of(sedan(), c.grid(), {.length = length, .front = (c.nx - length) / 2});
  };
  // The number of cells grows stepwise with the length, so bisect until it is close enough.
  double shorter = 1, longer = c.nx;
  geometry::Voxels best = at_length(shorter);
  for (int n = 0; n < 30 && std::abs(static_cast<double>(best.cells) - wanted) > 1 + 0.001 * wanted; ++n) {
    const double length = (shorter + longer) / 2;
    geometry::Voxels next = at_length(length);
    (static_cast<double>(next.cells) < wanted ? shorter : longer) = length;
    if (std::abs(static_cast<double>(next.cells) - wanted) <= std::abs(static_cast<double>(best.cells) - wanted)) {
      best = std::move(next);
      c.length = length;
    }
  }
  c.solid = best.inside;
  static_assert(D3Q19_WALL == 1);
  c.area = frontal_area(c);
  mark_inside(c);
}

Case Model::read_case(std::span<const std::string> files) {
  Tunnel tunnel;
  if (files.size() > 1 && !files[1].empty()) {
    const auto numbers =
        ladder::read_numbers(files[1], ladder::read_input(files[1], "a parameter file of 4 lines"), tunnel_numbers);
    tunnel = {numbers[0], static_cast<int>(numbers[1]), numbers[2], numbers[3]};
  }
  const std::string& path = files[0];
  const geometry::Mesh mesh = upright(geometry::read_mesh(path), files.size() > 2 ? files[2][0] : 'z');
  // Leave one length in front of the body and two behind it, two heights above it, and one width on either side.
  const double per_cell = (mesh.upper[0] - mesh.lower[0]) / tunnel.cells;
  if (!(per_cell > 0)) throw ladder::InputError(path + ": the body has no length along x; accepted is a body with a volume");
  ladder::Triple sides{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double body = (mesh.upper[a] - mesh.lower[a]) / per_cell;
    const double wanted = (a == 0 ? 4 : 3) * body + 2;
    const double whole = std::ceil(wanted / tunnel.block) * tunnel.block;  // whole blocks
    if (!(whole < 65536))
      throw ladder::InputError(
          fmt::format("{}: {:.6g} cells along the body make a wind tunnel of {:.6g} cells along {}; accepted are up to 65535",
                      path, tunnel.cells, whole, "xyz"[a]));
    sides[a] = static_cast<std::int64_t>(whole);
  }
  Case c;
  c.name = fs::path(path).stem().string();
  c.nx = static_cast<int>(sides[0]);
  c.ny = static_cast<int>(sides[1]);
  c.nz = static_cast<int>(sides[2]);
  c.steps = 1000;
  c.magic = 3. / 16;
  c.tau = tunnel.tau;
  c.speed = tunnel.speed;
  ladder::require_room(static_cast<double>(c.cells()) * (q * 2 + 1),
                       fmt::format("{}: a wind tunnel of {}x{}x{} cells", path, c.nx, c.ny, c.nz));
  fill_tunnel(c, mesh, {.length = tunnel.cells, .front = 1 + tunnel.cells}, path);
  return c;
}

}  // namespace d3q19
