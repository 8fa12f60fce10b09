#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/error.hpp"
#include "harness/hash.hpp"
#include "harness/memory.hpp"
#include "harness/random.hpp"
#include "variants/d2q9/model.hpp"

namespace d2q9 {

using ladder::mixed;
using ladder::uniform;

namespace {

void wall(Case& c) {
  for (int x = 0; x < c.nx; ++x)
    c.solid[x] = c.solid[static_cast<std::size_t>(c.ny - 1) * c.nx + x] = 1;
  for (int y = 0; y < c.ny; ++y)
    c.solid[static_cast<std::size_t>(y) * c.nx] = c.solid[static_cast<std::size_t>(y) * c.nx + c.nx - 1] = 1;
}

/// One site in ten is solid, at places drawn from a fixed seed.
void scatter(Case& c) {
  for (std::size_t cell = 0; cell < c.solid.size(); ++cell)
    c.solid[cell] = uniform(cell + (1ull << 40)) < 0.1 ? 1 : 0;
}

struct Size {
  int nx, ny;
};

/// `128` or `300x200`.
Size parse_size(std::string_view name, std::string_view text) {
  const auto number = [&](std::string_view digits) {
    int value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || stop != digits.data() + digits.size() || value < 3)
      throw ladder::InputError(fmt::format(
          "case '{}': '{}' is not a size; accepted are integers from 3 to 2147483647, as N or NXxNY", name, digits));
    return value;
  };
  const auto x = text.find('x');
  if (x == std::string_view::npos) return {number(text), number(text)};
  return {number(text.substr(0, x)), number(text.substr(x + 1))};
}

}  // namespace

std::int64_t Case::fluid_cells() const { return cells() - std::count(solid.begin(), solid.end(), std::uint8_t{1}); }

double Case::initial(int i, int x, int y) const {
  const double rest = density * weight[i];
  if (start == Start::rest) return rest;
  const auto cell = static_cast<std::uint64_t>(y) * nx + x;
  if (y == accelerated_row() && (i == 3 || i == 6 || i == 7) && mixed(cell) % 8 == static_cast<std::uint64_t>(i))
    return 0.5 * (i == 3 ? w1() : w2());
  return rest * (0.9 + 0.2 * uniform(cell * q + i));
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
  const Size size = parse_size(name, name.substr(dash + 1));

  Case c{.name = std::string(name),
         .nx = size.nx,
         .ny = size.ny,
         .steps = 20'000,
         .reynolds_dim = size.nx,
         .density = 0.1,
         .accel = 0.005,
         .omega = 1.85};
  // The inputs published with the coursework.
  if (kind == "box" && size.nx == size.ny) {
    if (size.nx == 128) c.steps = 40'000;
    if (size.nx == 256) c.steps = 80'000;
    if (size.nx == 1024) c.accel = 0.01;
    if (size.nx == 128 || size.nx == 256 || size.nx == 1024) c.reynolds_dim = 10;
  }
  ladder::require_room(static_cast<double>(size.nx) * size.ny * (2 * q * sizeof(float)), fmt::format("case '{}'", name));
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  if (kind == "box")
    wall(c);
  else
    scatter(c);
  return c;
}

std::vector<Case> Model::companion_cases() {
  Case driven = generate_case("porous-27x21");
  driven.name += " driven hard";
  driven.accel = 0.5;
  driven.omega = 1.2;
  return {seeded(generate_case("porous-37x23")), seeded(generate_case("box-19x41")), seeded(driven)};
}

std::vector<std::string> Model::case_names() { return {"box-128", "box-256", "box-1024", "porous-256"}; }

}  // namespace d2q9
