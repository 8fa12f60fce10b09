#include "variants/regularized/obstacles.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/parallel.hpp"
#include "variants/d3q19/model.hpp"

namespace regularized {
namespace {

static_assert(Kind::wall == D3Q19_WALL && Kind::velocity == D3Q19_VELOCITY && Kind::pressure == D3Q19_PRESSURE);

/// In plane z, marks fluid cells with a neighbour in plane z + dz that is not fluid and, if dz is 0, cells that are not fluid.
void mark_plane(const Case& c, std::int64_t z, int dz, std::uint32_t near, std::vector<std::uint32_t>& codes) {
  const std::int64_t plane = std::int64_t{c.nx} * c.ny;
  const std::uint8_t* const kinds = c.solid.data() + ladder::wrapped(z + dz, c.nz) * plane;
  const std::uint8_t* const own_kinds = c.solid.data() + z * plane;
  std::uint32_t* const own = codes.data() + z * plane;
  for (std::int64_t n = 0; n < plane; ++n) {
    if (kinds[n] == 0) continue;
    if (dz == 0) own[n] = Neighbourhoods::solid;
    for (int i = 1; i < q; ++i) {
      const lattice::Velocity v = Lattice::c(i);
      if (v.z != dz) continue;
      const std::int64_t to = ladder::wrapped(n / c.nx - v.y, c.ny) * c.nx + ladder::wrapped(n % c.nx - v.x, c.nx);
      if (own_kinds[to] == 0) own[to] = near;
    }
  }
}

/// The populations that come back to a fluid cell: those that arrive from cells that are not fluid.
Links links_of(const Case& c, const ladder::Triple& cell) {
  Links links;
  for (int i = 1; i < q; ++i) {
    const lattice::Velocity v = Lattice::c(i);
    const int kind = kind_of(c, cell[0] - v.x, cell[1] - v.y, cell[2] - v.z);
    if (kind != 0) links.from[kind == Kind::velocity ? 1 : kind == Kind::pressure ? 2 : 0] |= std::uint32_t{1} << i;
  }
  return links;
}

}  // namespace

std::vector<std::string> obstacle_case_names() {
  std::vector<std::string> names = d3q19::Model::case_names();
  std::erase_if(names, [](const std::string& name) { return name.starts_with("box-"); });
  return names;
}

std::optional<Case> make_obstacle_case(std::string_view name) {
  const std::vector<std::string> known = obstacle_case_names();
  const std::string_view kind = name.substr(0, name.find('-') + 1);
  if (std::ranges::none_of(known, [&](const std::string& example) { return !kind.empty() && example.starts_with(kind); }))
    return std::nullopt;
  d3q19::Case from = d3q19::Model::make_case(name);
  Case c;
  c.name = from.name;
  c.nx = from.nx;
  c.ny = from.ny;
  c.nz = from.nz;
  c.steps = from.steps;
  c.solid = std::move(from.solid);
  c.tau = from.tau;
  c.speed = from.speed;
  return c;
}

int kind_of(const Case& c, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (c.solid.empty()) return 0;
  const ladder::Box box{{}, c.grid()};
  return c.solid[static_cast<std::size_t>(
      box.number(ladder::wrapped(x, c.nx), ladder::wrapped(y, c.ny), ladder::wrapped(z, c.nz)))];
}

bool conserves_mass(const Case& c) {
  return std::ranges::none_of(c.solid, [](std::uint8_t kind) { return kind == Kind::velocity || kind == Kind::pressure; });
}

Neighbourhoods::Neighbourhoods(const Case& c) : links(2) {
  if (c.solid.empty()) return;
  constexpr std::uint32_t near = 0xffffffff;
  codes.assign(static_cast<std::size_t>(c.cells()), plain);
  // Looks at neighbours only around cells that are not fluid, because there are usually few of them.
  ladder::in_parts(c.nz, ladder::worth_a_thread / (std::int64_t{c.nx} * c.ny), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t z = first; z < last; ++z)
      for (int dz = -1; dz <= 1; ++dz)
        mark_plane(c, z, dz, near, codes);
  });
  const ladder::Box box{{}, c.grid()};
  std::map<std::array<std::uint32_t, Links::kinds>, std::uint32_t> known;
  for (std::int64_t n = 0; n < c.cells(); ++n) {
    std::uint32_t& code = codes[static_cast<std::size_t>(n)];
    if (code != near) continue;
    const Links own = links_of(c, box.place(n));
    const auto [entry, is_new] = known.try_emplace(std::to_array(own.from), static_cast<std::uint32_t>(links.size()));
    if (is_new) links.push_back(own);
    code = entry->second;
  }
}

}  // namespace regularized
