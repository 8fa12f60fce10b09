#include "variants/lattice/case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/error.hpp"
#include "harness/hash.hpp"
#include "harness/memory.hpp"
#include "harness/random.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {

std::int64_t Case::fluid_cells() const { return cells() - std::count(solid.begin(), solid.end(), std::uint8_t{1}); }

Case Case::part(const ladder::Box& box) const {
  Case part = *this;
  part.nx = static_cast<int>(box.extent[0]);
  part.ny = static_cast<int>(box.extent[1]);
  part.window = window.part(grid(), box);
  part.solid.clear();
  for (std::int64_t n = 0; n < box.cells(); ++n) {
    const ladder::Triple place = box.place(n);
    part.solid.push_back(solid[static_cast<std::size_t>(ladder::wrapped(place[1], ny) * nx + ladder::wrapped(place[0], nx))]);
  }
  return part;
}

int Case::accelerated_row() const {
  const bool is_whole = window.whole[1] == 0;
  if (is_whole) return ny - 2;
  const auto row = ladder::wrapped(window.whole[1] - 2 - window.origin[1], window.whole[1]);
  return row < ny ? static_cast<int>(row) : -1;
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t) const {
  std::array<double, q> f{};
  const ladder::Triple place = window({x, y, 0});
  const auto cell = static_cast<std::uint64_t>(place[1] * (window.whole[0] > 0 ? window.whole[0] : nx) + place[0]);
  for (int i = 0; i < q; ++i) {
    double& population = f[static_cast<std::size_t>(i)];
    population = density * Lattice::weight(i);
    if (start == Start::rest) continue;
    const bool is_against = i == 3 || i == 6 || i == 7;
    if (y == accelerated_row() && is_against && ladder::mixed(cell) % 8 == static_cast<std::uint64_t>(i))
      population = 0.5 * (i == 3 ? w1() : w2());
    else
      population *= 0.9 + 0.2 * ladder::uniform(cell * q + static_cast<std::uint64_t>(i));
  }
  return f;
}

std::string Case::content() const {
  const std::string numbers = fmt::format("{} {} {} {} {} {} {}", nx, ny, reynolds_dim, density, accel, omega,
                                          start == Start::rest ? "rest" : "seeded");
  return fmt::format("{:016x}",
                     ladder::fnv1a({reinterpret_cast<const char*>(solid.data()), solid.size()}, ladder::fnv1a(numbers)));
}

Case generate_case(std::string_view name) {
  const auto dash = name.find('-');
  const auto kind = name.substr(0, dash);
  if (dash == std::string_view::npos || (kind != "box" && kind != "porous"))
    throw ladder::InputError(fmt::format("unknown case '{}'{}; accepted are box-N, box-NXxNY, porous-N and porous-NXxNY", name,
                                         ladder::suggestion(name, Model::case_names())));
  const auto sides = lattice::parse_sides(name, 2, INT32_MAX);
  Case c{.name = std::string(name),
         .nx = sides[0],
         .ny = sides[1],
         .steps = 20'000,
         .reynolds_dim = sides[0],
         .density = 0.1,
         .accel = 0.005,
         .omega = 1.85};
  // The inputs published with the coursework.
  if (kind == "box" && c.nx == c.ny) {
    if (c.nx == 128) c.steps = 40'000;
    if (c.nx == 256) c.steps = 80'000;
    if (c.nx == 1024) c.accel = 0.01;
    if (c.nx == 128 || c.nx == 256 || c.nx == 1024) c.reynolds_dim = 10;
  }
  ladder::require_room(static_cast<double>(c.cells()) * (2 * q * sizeof(float)), fmt::format("case '{}'", name));
  c.solid.resize(static_cast<std::size_t>(c.cells()));
  for (std::size_t cell = 0; cell < c.solid.size(); ++cell) {
    const auto x = static_cast<int>(cell % c.nx), y = static_cast<int>(cell / c.nx);
    const bool is_wall = x == 0 || x == c.nx - 1 || y == 0 || y == c.ny - 1;
    const bool is_grain = ladder::uniform(cell + (1ull << 40)) < 0.1;  // one site in ten
    c.solid[cell] = (kind == "box" ? is_wall : is_grain) ? 1 : 0;
  }
  return c;
}

Case Model::seeded(Case c) {
  c.start = Start::seeded;
  return c;
}

std::vector<Case> Model::companion_cases() {
  Case driven = generate_case("porous-27x21");
  driven.name += " driven hard";
  driven.accel = 0.5;
  driven.omega = 1.2;
  return {seeded(generate_case("porous-37x23")), seeded(generate_case("box-19x41")), seeded(driven)};
}

}  // namespace d2q9
