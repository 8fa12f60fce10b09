#include <fmt/format.h>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "base/random.hpp"
#include "variants/d2q9/model.hpp"
#include "variants/lattice/input.hpp"

namespace d2q9 {
namespace {

constexpr auto is_side = [](double v) { return v >= 3 && v <= INT32_MAX; };

/// The UoB-HPC parameter file.
const std::vector<lattice::Parameter<Case>> parameters = {
    {&Case::nx, "nx", "an integer from 3 to 2147483647", is_side},
    {&Case::ny, "ny", "an integer from 3 to 2147483647", is_side},
    {&Case::steps, "steps", "an integer from 1 to 1000000000000000", [](double v) { return v >= 1 && v <= 1e15; }},
    {&Case::reynolds_dim, "reynolds_dim", "an integer from 1 to 2147483647", [](double v) { return v >= 1 && v <= INT32_MAX; }},
    {&Case::density, "density", "a finite number above 0", [](double v) { return v > 0; }},
    {&Case::accel, "accel", "a finite number from 0", [](double v) { return v >= 0; }},
    {&Case::omega, "omega", "a number between 0 and 2, both excluded", [](double v) { return v > 0 && v < 2; }}};

}  // namespace

int Case::accelerated_row() const {
  const std::int64_t rows = whole()[1];
  const std::int64_t row = ladder::wrapped(rows - 2 - origin[1], rows);
  return row < ny ? static_cast<int>(row) : -1;
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  const std::uint64_t cell = number_in_whole(x, y, z);
  const bool is_driven = is_seeded && y == accelerated_row();
#pragma GCC unroll 9
  for (int i = 0; i < q; ++i) {
    double& population = f[static_cast<std::size_t>(i)];
    population = density * Lattice::weight(i);
    if (!is_seeded) continue;
    const bool is_against = i == 3 || i == 6 || i == 7;
    if (is_driven && is_against && ladder::mixed(cell) % 8 == static_cast<std::uint64_t>(i))
      population = 0.5 * density * (i == 3 ? w1() : w2());
    else
      population *= seeded_factor(cell, i);
  }
  return f;
}

std::string Case::content() const {
  const std::string numbers =
      fmt::format("{} {} {} {} {} {} {}", nx, ny, reynolds_dim, density, accel, omega, is_seeded ? "seeded" : "rest");
  return fmt::format("{:016x}",
                     ladder::fnv1a({reinterpret_cast<const char*>(solid.data()), solid.size()}, ladder::fnv1a(numbers)));
}

Case Model::make_case(std::string_view name) {
  Case c = lattice::named_case<Model>(name, INT32_MAX);
  const bool is_box = name.starts_with("box");
  c.steps = 20'000;
  c.reynolds_dim = c.nx;
  c.density = 0.1;
  c.accel = 0.005;
  c.omega = 1.85;
  // The inputs published with the coursework.
  if (is_box && c.nx == c.ny) {
    if (c.nx == 128) c.steps = 40'000;
    if (c.nx == 256) c.steps = 80'000;
    if (c.nx == 1024) c.accel = 0.01;
    if (c.nx == 128 || c.nx == 256 || c.nx == 1024) c.reynolds_dim = 10;
  }
  ladder::require_room(static_cast<double>(c.cells()) * (2 * q * sizeof(float)), fmt::format("case '{}'", name));
  c.solid.resize(static_cast<std::size_t>(c.cells()));
  lattice::detail::for_each_cell({{}, c.grid()}, 1, [&](std::int64_t x, std::int64_t y, std::int64_t, std::int64_t cell) {
    const bool is_wall = x == 0 || x == c.nx - 1 || y == 0 || y == c.ny - 1;
    const bool is_grain = ladder::uniform(static_cast<std::uint64_t>(cell) + (1ull << 40)) < 0.1;  // one site in ten
    c.solid[static_cast<std::size_t>(cell)] = is_box ? is_wall : is_grain;
  });
  return c;
}

std::vector<Case> Model::companion_cases() {
  Case driven = make_case("porous-27x21");
  driven.name += " driven hard";
  driven.accel = 0.5;
  driven.omega = 1.2;
  return {seeded(make_case("porous-37x23")), seeded(make_case("box-19x41")), seeded(driven)};
}

Case parse_parameters(const std::string& path, std::string_view text) {
  return lattice::parse_parameters(path, text, parameters);
}

void parse_obstacles(const std::string& path, std::string_view text, Case& c) {
  c.solid.assign(static_cast<std::size_t>(c.cells()), 0);
  ladder::InputWords words(path, text);
  const auto take = [&](std::string_view name, std::int64_t least, std::int64_t most, std::string_view accepted) {
    if (words.word().empty()) words.fail(fmt::format("the file ends, but {} is missing ({})", name, accepted));
    const std::int64_t value = words.integer(name, accepted);
    if (value < least || value > most) words.fail(fmt::format("{} is {}; accepted: {}", name, value, accepted));
    words.next();
    return value;
  };
  const std::string accepted_x = fmt::format("an integer from 0 to {}, inside the grid", c.nx - 1);
  const std::string accepted_y = fmt::format("an integer from 0 to {}, inside the grid", c.ny - 1);
  words.next();
  while (!words.word().empty()) {
    const std::int64_t x = take("x", 0, c.nx - 1, accepted_x);
    const std::int64_t y = take("y", 0, c.ny - 1, accepted_y);
    take("the flag", 1, 1, "1");
    c.solid[static_cast<std::size_t>(y * c.nx + x)] = 1;
  }
  if (c.fluid_cells() == 0) throw ladder::InputError(fmt::format("{}: every cell is solid; at least one must be fluid", path));
}

Case Model::read_case(std::span<const std::string> files) {
  const std::string& params = files[0];
  Case c = parse_parameters(params, ladder::read_input(params, "a parameter file of 7 lines"));
  ladder::require_memory(static_cast<double>(c.nx) * c.ny * (2 * q * sizeof(float)),
                         fmt::format("{}: a grid of {}x{}", params, c.nx, c.ny));
  // A file may name a cell more than once, separated by any number of blanks.
  const std::size_t most_bytes = (std::size_t{1} << 20) + 64 * static_cast<std::size_t>(c.cells());
  parse_obstacles(files[1], ladder::read_input(files[1], "an obstacle file of lines `x y 1`", most_bytes), c);
  return c;
}

}  // namespace d2q9
