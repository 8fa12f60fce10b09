#include "variants/lattice/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/error.hpp"
#include "harness/hash.hpp"
#include "harness/input_file.hpp"
#include "harness/memory.hpp"
#include "harness/random.hpp"
#include "variants/d3q27/textbook.hpp"

namespace d3q27 {
namespace {

namespace fs = std::filesystem;

/// Largest number of cells along a side: a plane has fewer than 2^32.
constexpr int largest_side = 65535;
constexpr std::string_view sizes = "an integer from 3 to 65535";

void require_room(const Case& c, std::string_view what) {
  ladder::require_room(static_cast<double>(c.cells()) * (q * sizeof(float)), std::string(what));
}

constexpr auto is_side = [](double v) { return v >= 3 && v <= largest_side; };

const std::vector<ladder::InputNumber> parameters = {
    {"nx", sizes, true, is_side},
    {"ny", sizes, true, is_side},
    {"nz", sizes, true, is_side},
    {"steps", "an integer from 1 to 1000000000000000", true, [](double v) { return v >= 1 && v <= 1e15; }},
    {"tau", "a number above 1/2: at 1/2 and below the viscosity is not positive, and every flow is unstable", false,
     [](double v) { return v > 0.5; }},
    {"speed", "a number above 0 and below 0.577, the speed of sound", false, [](double v) { return v > 0 && v < 0.577; }}};

}  // namespace

std::string Case::content() const {
  const std::string numbers =
      fmt::format("{} {} {} {} {} {}", nx, ny, nz, tau, speed, start == Start::vortex ? "vortex" : "seeded");
  return fmt::format("{:016x}", ladder::fnv1a(numbers));
}

Macroscopic Case::vortex(std::int64_t x, std::int64_t y, double step) const {
  const double kx = 2 * std::numbers::pi / static_cast<double>(window.whole[0] > 0 ? window.whole[0] : nx);
  const double ky = 2 * std::numbers::pi / static_cast<double>(window.whole[1] > 0 ? window.whole[1] : ny);
  const double decay = std::exp(-viscosity() * (kx * kx + ky * ky) * step);
  const double a = speed * decay;
  const double b = a * kx / ky;
  return {1 - 0.75 * (a * a * std::cos(2 * kx * x) + b * b * std::cos(2 * ky * y)), -a * std::cos(kx * x) * std::sin(ky * y),
          b * std::sin(kx * x) * std::cos(ky * y), 0};
}

Case Case::part(const ladder::Box& box) const {
  Case part = *this;
  part.nx = static_cast<int>(box.extent[0]);
  part.ny = static_cast<int>(box.extent[1]);
  part.nz = static_cast<int>(box.extent[2]);
  part.window = window.part(grid(), box);
  return part;
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  const ladder::Triple place = window({x, y, z});
  const ladder::Box all = {{}, window.whole[0] > 0 ? window.whole : grid()};
  if (start == Start::seeded) {
    const auto cell = static_cast<std::uint64_t>(all.number(place[0], place[1], place[2]));
    for (int i = 0; i < q; ++i)
      f[i] = Lattice::weight(i) * (0.9 + 0.2 * ladder::uniform(cell * q + i));
  } else {
    const Macroscopic m = vortex(place[0], place[1], 0);
    for (int i = 0; i < q; ++i)
      f[i] = equilibrium(i, m);
  }
  return f;
}

Case generate_case(std::string_view name) {
  const auto dash = name.find('-');
  if (dash == std::string_view::npos || name.substr(0, dash) != "tgv")
    throw ladder::InputError(fmt::format("unknown case '{}'{}; accepted are tgv-N and tgv-NXxNYxNZ", name,
                                         ladder::suggestion(name, Model::case_names())));
  const auto sides = lattice::parse_sides(name, 3, largest_side);
  const std::int64_t longest = *std::max_element(sides.begin(), sides.end());
  const Case c{.name = std::string(name),
               .nx = sides[0],
               .ny = sides[1],
               .nz = sides[2],
               .steps = longest * longest,
               .tau = 0.6,
               .speed = 0.4 / static_cast<double>(longest)};
  require_room(c, fmt::format("case '{}'", name));
  return c;
}

Case parse_parameters(const fs::path& path, std::string_view text) {
  const auto numbers = ladder::read_numbers(path, text, parameters);
  return {.name = path.stem().string(),
          .nx = static_cast<int>(numbers[0]),
          .ny = static_cast<int>(numbers[1]),
          .nz = static_cast<int>(numbers[2]),
          .steps = static_cast<std::int64_t>(numbers[3]),
          .tau = numbers[4],
          .speed = numbers[5]};
}

Case read_case(const fs::path& params) {
  const Case c = parse_parameters(params, ladder::read_input(params, "a parameter file of 6 lines"));
  require_room(c, fmt::format("{}: a box of {}x{}x{}", params.string(), c.nx, c.ny, c.nz));
  return c;
}

Case Model::seeded(Case c) {
  c.start = Start::seeded;
  return c;
}

std::vector<Case> Model::companion_cases() {
  return {seeded(generate_case("tgv-7x5x3")), seeded(generate_case("tgv-13x9x11")), seeded(generate_case("tgv-16x4x6"))};
}

}  // namespace d3q27
