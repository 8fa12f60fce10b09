#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "base/hash.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "variants/d3q19/body.hpp"
#include "variants/d3q19/open.h"
#include "variants/d3q19/results.hpp"
#include "variants/d3q19/textbook.hpp"
#include "variants/lattice/input.hpp"
#include "variants/lattice/layers.hpp"

namespace d3q19 {
namespace {

/// Maximum number of cells along a side, so that a plane has fewer than 2^32.
constexpr int largest_side = 65535;

/// Sets the kinds of all cells to kind(x, y, z).
template <class Kind>
void set_kinds(Case& c, Kind kind) {
  c.solid.resize(static_cast<std::size_t>(c.cells()));
  lattice::detail::for_each_cell({{}, c.grid()}, 1, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    c.solid[static_cast<std::size_t>(n)] = kind(x, y, z);
  });
}

void make_vortex(Case& c) {
  const std::int64_t longest = std::max({c.nx, c.ny, c.nz});
  c.flow = Flow::vortex;
  c.steps = longest * longest;
  c.tau = 0.6;
  c.speed = 0.4 / static_cast<double>(longest);
}

void make_couette(Case& c) {
  c.flow = Flow::couette;
  c.tau = 1;
  c.magic = 3. / 16;
  c.speed = 0.05;
  c.steps = std::int64_t{12} * c.ny * c.ny;
  set_kinds(c, [&](std::int64_t, std::int64_t y, std::int64_t) -> std::uint8_t {
    return y == 0 ? D3Q19_WALL : y == c.ny - 1 ? D3Q19_VELOCITY : 0;
  });
}

/// Reynolds number 10, based on the mean speed and the side: the flow stops depending on x one side behind the inlet.
void make_duct(Case& c) {
  const double side = c.ny - 2;
  c.flow = Flow::duct;
  c.magic = 3. / 16;
  c.speed = 0.6 / side;
  c.tau = 0.5 + 3 * c.speed * side / 10;
  c.steps = static_cast<std::int64_t>(side * side / c.viscosity());
  set_kinds(c, [&](std::int64_t x, std::int64_t y, std::int64_t z) -> std::uint8_t {
    // Links across the edges of the inflow carry 2 / (3 side) of the flow.
    if (x > 0 && (y == 0 || y == c.ny - 1 || z == 0 || z == c.nz - 1)) return D3Q19_WALL;
    return tunnel_border(c, x, y, z);
  });
}

/// One cell in ten is a wall.
void make_porous(Case& c) {
  c.tau = 0.6;
  c.magic = 3. / 16;
  c.speed = 0.05;
  c.steps = 1000;
  set_kinds(c, [&](std::int64_t x, std::int64_t y, std::int64_t z) -> std::uint8_t {
    return ladder::uniform(c.number_in_whole(x, y, z) + (1ull << 40)) < 0.1 ? D3Q19_WALL : 0;
  });
  mark_inside(c);
}

/// A sphere in a wind tunnel `height` diameters high, at this share of the tunnel's length. At these Reynolds numbers, the flow
/// is steady after travelling sixty diameters. With a Reynolds number per cell of 12.5, flows diverge at the inflow within a
/// quarter of that; with 10, they do not. For that reason, a sphere in a low tunnel is larger, up to a quarter of the height.
void make_sphere(Case& c, double reynolds, double height = 10, double share = 0.4) {
  const double diameter = std::max(c.ny / height, std::min(reynolds / 10, c.ny / 4.));
  const std::array<double, 3> centre = {share * c.nx, 0.5 * (c.ny - 1), 0.5 * (c.nz - 1)};
  c.magic = 3. / 16;
  c.speed = 0.05;
  c.tau = 0.5 + 3 * c.speed * diameter / reynolds;
  c.steps = static_cast<std::int64_t>(60 * diameter / c.speed);
  c.length = diameter;
  c.area = std::numbers::pi / 4 * diameter * diameter;
  set_kinds(c, [&](std::int64_t x, std::int64_t y, std::int64_t z) -> std::uint8_t {
    if (const auto kind = tunnel_border(c, x, y, z); kind != 0) return kind;
    const double dx = static_cast<double>(x) - centre[0], dy = static_cast<double>(y) - centre[1],
                 dz = static_cast<double>(z) - centre[2];
    return 4 * (dx * dx + dy * dy + dz * dz) < diameter * diameter ? D3Q19_WALL : 0;
  });
  mark_inside(c);
}

/// Makes a tunnel's boundaries open: VELOCITY cells become INFLOW cells and, if `outflow` is set, PRESSURE cells become
/// OUTFLOW cells.
void open_tunnel(Case& c, bool outflow) {
  for (std::uint8_t& kind : c.solid)
    if (kind == D3Q19_VELOCITY)
      kind = D3Q19_INFLOW;
    else if (outflow && kind == D3Q19_PRESSURE)
      kind = D3Q19_OUTFLOW;
}

/// The model with the names of all its cases, for messages.
struct AllNames : Model {
  static std::vector<std::string> case_names() {
    std::vector<std::string> all = Model::case_names();
    for (const char* kind : {"inflow20", "inflow50", "inflow100", "open20", "open50", "open100", "wide100"})
      all.push_back(std::string(kind) + "-128x80x80");
    all.emplace_back(lattice::layers::example);
    return all;
  }
};

/// Reynolds number in the name of a case such as `sphere20-64`.
double sphere_reynolds(std::string_view name) { return std::stod(std::string(name.substr(name.find_first_of("0123456789")))); }

/// @throws ladder::InputError unless the flow starts slower than sound
void require_subsonic(const Case& c) {
  const double sound = std::sqrt(Lattice::sound_squared);
  const double speed = c.flow == Flow::vortex ? c.speed * std::max(1., static_cast<double>(c.ny) / c.nx) : c.speed;
  if (!(speed < sound))
    throw ladder::InputError(fmt::format(
        "case '{}': the flow starts at a speed of {:.4g}; accepted: below {:.4g}, the speed of sound, thus more cells along y",
        c.name, speed, sound));
}

/// Sets the flags in plane z that depend on the non-fluid cells of plane z + dz.
void mark_plane(const Case& c, std::int64_t z, int dz, std::vector<std::uint8_t>& flags) {
  const std::int64_t plane = std::int64_t{c.nx} * c.ny;
  const std::uint8_t* const kinds = c.solid.data() + ladder::wrapped(z + dz, c.nz) * plane;
  std::uint8_t* const marked = flags.data() + z * plane;
  for (std::int64_t n = 0; n < plane; ++n) {
    if (kinds[n] == 0) continue;
    if (dz == 0) marked[n] = kinds[n];
    for (int i = 1; i < q; ++i) {
      const std::int64_t x = ladder::wrapped(n % c.nx - d3q19_cx[i], c.nx), y = ladder::wrapped(n / c.nx - d3q19_cy[i], c.ny);
      if (d3q19_cz[i] != dz) continue;
      if (std::uint8_t& flag = marked[y * c.nx + x]; c.solid[static_cast<std::size_t>(z * plane + y * c.nx + x)] == 0)
        flag = D3Q19_FLUID | D3Q19_NEAR;
    }
  }
}

}  // namespace

bool Case::is_near(std::int64_t x, std::int64_t y, std::int64_t z) const {
  for (int i = 1; i < q; ++i)
    if (kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]) != 0) return true;
  return false;
}

std::vector<std::uint8_t> flags(const Case& c) {
  std::vector<std::uint8_t> all(static_cast<std::size_t>(c.cells()), D3Q19_FLUID);
  if (c.solid.empty()) return all;
  // Only non-fluid cells are looked at closely, because there are few of them.
  ladder::in_parts(c.nz, ladder::worth_a_thread / (std::int64_t{c.nx} * c.ny), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t z = first; z < last; ++z)
      for (int dz = -1; dz <= 1; ++dz)
        mark_plane(c, z, dz, all);
  });
  return all;
}

std::vector<std::uint32_t> near_cells(std::span<const std::uint8_t> flags) {
  std::vector<std::uint32_t> cells;
  for (std::size_t n = 0; n < flags.size(); ++n)
    if ((flags[n] & D3Q19_NEAR) != 0) cells.push_back(static_cast<std::uint32_t>(n));
  return cells;
}

std::vector<std::uint32_t> near_cells(const Case& c) {
  return c.solid.empty() ? std::vector<std::uint32_t>{} : near_cells(flags(c));
}

void mark_inside(Case& c) {
  std::vector<std::uint8_t> marked = c.solid;
  lattice::detail::for_each_cell({{}, c.grid()}, 1, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t n) {
    if (c.solid[static_cast<std::size_t>(n)] != D3Q19_WALL) return;
    for (int i = 1; i < q; ++i)
      if (c.kind(x + d3q19_cx[i], y + d3q19_cy[i], z + d3q19_cz[i]) == 0) return;
    marked[static_cast<std::size_t>(n)] = D3Q19_INSIDE;
  });
  c.solid = std::move(marked);
}

std::string Case::content() const {
  const std::string numbers = fmt::format("{} {} {} {} {} {} {} {} {} {}", nx, ny, nz, static_cast<int>(flow), tau, magic,
                                          speed, area, length, is_seeded ? "seeded" : "own");
  return fmt::format("{:016x}",
                     ladder::fnv1a({reinterpret_cast<const char*>(solid.data()), solid.size()}, ladder::fnv1a(numbers)));
}

Macroscopic Case::exact(std::int64_t x, std::int64_t y, std::int64_t z, double step) const {
  constexpr double pi = std::numbers::pi;
  const ladder::Triple sides = whole();
  if (flow == Flow::couette) {
    const auto gap = static_cast<double>(sides[1] - 2);
    return {1, speed * (static_cast<double>(y) - 0.5) / gap, 0, 0};
  }
  if (flow == Flow::duct) {
    // Coordinates range from -1 to 1 between the walls. Each term is divided by its largest cosh, which would overflow.
    const auto a = static_cast<double>(sides[1] - 2) / 2, b = static_cast<double>(sides[2] - 2) / 2;
    const double eta = (static_cast<double>(y) - 0.5) / a - 1, zeta = (static_cast<double>(z) - 0.5) / b - 1;
    double velocity = 0, mean = 1. / 3;
    for (int n = 1; n < 200; n += 2) {
      const double k = n * pi / 2, width = k * b / a;
      const double sign = n % 4 == 1 ? 1 : -1;
      const double ratio =
          (std::exp(width * (std::abs(zeta) - 1)) + std::exp(-width * (std::abs(zeta) + 1))) / (1 + std::exp(-2 * width));
      velocity += sign * (1 - ratio) * std::cos(k * eta) / (n * n * n);
      mean -= 64 / std::pow(pi * n, 5) * a / b * std::tanh(width);
    }
    // The velocity series, multiplied by 16 / pi^3, is in units of (a^2 / viscosity) times the pressure gradient; its mean is
    // the discharge, equation 3-48, divided by the area.
    return {1, speed * 16 / (pi * pi * pi) * velocity / mean, 0, 0};
  }
  if (flow != Flow::vortex) return {1, speed, 0, 0};
  const double kx = 2 * pi / static_cast<double>(sides[0]), ky = 2 * pi / static_cast<double>(sides[1]);
  const double amplitude = speed * std::exp(-viscosity() * (kx * kx + ky * ky) * step);
  const double across = amplitude * kx / ky;
  const auto px = kx * static_cast<double>(x), py = ky * static_cast<double>(y);
  return {1 - 0.75 * (amplitude * amplitude * std::cos(2 * px) + across * across * std::cos(2 * py)),
          -amplitude * std::cos(px) * std::sin(py), across * std::sin(px) * std::cos(py), 0};
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  const bool is_fluid = kind(x, y, z) == 0;
  if (is_seeded || !is_fluid) {
    const std::uint64_t cell = number_in_whole(x, y, z);
#pragma GCC unroll 19
    for (int i = 0; i < q; ++i)
      f[i] = Lattice::weight(i) * (is_fluid ? seeded_factor(cell, i) : 1);
    return f;
  }
  const ladder::Triple place = in_whole(x, y, z);
  const bool rests = flow == Flow::couette;
  Macroscopic start = flow == Flow::vortex ? exact(place[0], place[1], place[2], 0) : Macroscopic{1, rests ? 0 : speed, 0, 0};
  if (lattice::layers::has_layers(*this)) start = lattice::layers::start<Macroscopic>(*this, place[0], place[1]);
  for (int i = 0; i < q; ++i)
    f[i] = equilibrium(i, start);
  return f;
}

Case Model::make_case(std::string_view name) {
  const bool has_layers = lattice::layers::is_name(name);
  Case c =
      has_layers ? lattice::layers::make_case<Model>(name, largest_side) : lattice::named_case<AllNames>(name, largest_side);
  ladder::require_room(static_cast<double>(c.cells()) * (q * 2 + 1), fmt::format("case '{}'", name));
  if (has_layers) return c;
  const auto is = [&](std::string_view kind) { return name.starts_with(kind); };
  if (is("box-"))
    make_vortex(c);
  else if (is("couette-"))
    make_couette(c);
  else if (is("duct-"))
    make_duct(c);
  else if (is("porous-"))
    make_porous(c);
  else if (is("street-"))
    make_street(c);
  else if (is("wide100-"))
    make_sphere(c, 100, 16, 0.475);
  else if (is("car-"))
    make_car(c);
  else {
    make_sphere(c, sphere_reynolds(name));
    if (!is("sphere")) open_tunnel(c, is("open"));
  }
  require_subsonic(c);
  return c;
}

bool Model::conserves(const Case& c) {
  constexpr int changing = D3Q19_VELOCITY | D3Q19_PRESSURE | D3Q19_INFLOW | D3Q19_OUTFLOW;
  return std::ranges::none_of(c.solid, [](std::uint8_t kind) { return (kind & changing) != 0; });
}

bool has_open_boundaries(const Case& c) {
  return std::ranges::any_of(c.solid, [](std::uint8_t kind) { return (kind & (D3Q19_INFLOW | D3Q19_OUTFLOW)) != 0; });
}

std::vector<Case> Model::companion_cases() {
  Case mixed = seeded(make_case("porous-13x9x11"));
  mixed.name += " of all kinds";
  for (std::size_t n = 0; n < mixed.solid.size(); ++n)
    if (mixed.solid[n] != 0) mixed.solid[n] = static_cast<std::uint8_t>(1 << ladder::mixed(n) % 3);
  Case block = seeded(make_case("porous-20x9x8"));
  block.name += " with a block";
  for (std::int64_t n = 0; n < block.cells(); ++n) {
    const auto [x, y, z] = ladder::Box{{}, block.grid()}.place(n);
    if (x >= 3 && x < 12 && y >= 2 && y < 7 && z >= 1 && z < 6) block.solid[static_cast<std::size_t>(n)] = D3Q19_WALL;
  }
  mark_inside(block);
  // All kinds of cells, with outflow cells on all sides of fluid cells.
  Case open = seeded(make_case("porous-14x8x9"));
  open.name += " of all kinds, also open ones";
  constexpr std::uint8_t kinds[] = {D3Q19_WALL, D3Q19_VELOCITY, D3Q19_PRESSURE, D3Q19_INFLOW, D3Q19_OUTFLOW, D3Q19_OUTFLOW};
  for (std::size_t n = 0; n < open.solid.size(); ++n)
    if (open.solid[n] != 0) open.solid[n] = kinds[ladder::mixed(n) % std::size(kinds)];
  return {seeded(make_case("box-7x5x3")),
          seeded(make_case("porous-16x4x6")),
          mixed,
          seeded(make_case("sphere20-18x40x40")),
          block,
          open,
          seeded(make_case("open20-17x12x11"))};
}

}  // namespace d3q19
