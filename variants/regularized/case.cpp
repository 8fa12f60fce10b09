#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/hash.hpp"
#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "variants/lattice/input.hpp"
#include "variants/regularized/moments.hpp"
#include "variants/regularized/textbook.hpp"

namespace regularized {
namespace {

/// Maximum number of cells along a side, so that a plane has fewer than 2^32.
constexpr int largest_side = 65535;
constexpr std::string_view sizes = "an integer from 3 to 65535";

void require_room(const Case& c, std::string_view what) {
  ladder::require_room(static_cast<double>(c.cells()) * (numbers * sizeof(float)), std::string(what));
}

constexpr auto is_side = [](double v) { return v >= 3 && v <= largest_side; };

const std::vector<lattice::Parameter<Case>> parameters = {
    {&Case::nx, "nx", sizes, is_side},
    {&Case::ny, "ny", sizes, is_side},
    {&Case::nz, "nz", sizes, is_side},
    {&Case::steps, "steps", "an integer from 1 to 1000000000000000", [](double v) { return v >= 1 && v <= 1e15; }},
    {&Case::tau, "tau", "a number above 1/2: at 1/2 and below the viscosity is not positive, and every flow is unstable",
     [](double v) { return v > 0.5; }},
    {&Case::speed, "speed", "a number above 0 and below 0.577, the speed of sound",
     [](double v) { return v > 0 && v < 0.577; }}};

}  // namespace

std::string Case::content() const {
  const std::string text = fmt::format("{} {} {} {} {} {}", nx, ny, nz, tau, speed, is_seeded ? "seeded" : "vortex");
  return fmt::format("{:016x}", ladder::fnv1a(text));
}

Macroscopic Case::vortex(std::int64_t x, std::int64_t y, double step) const {
  const double kx = 2 * std::numbers::pi / static_cast<double>(whole()[0]);
  const double ky = 2 * std::numbers::pi / static_cast<double>(whole()[1]);
  const double decay = std::exp(-viscosity() * (kx * kx + ky * ky) * step);
  const double a = speed * decay;
  const double b = a * kx / ky;
  return {1 - 0.75 * (a * a * std::cos(2 * kx * x) + b * b * std::cos(2 * ky * y)), -a * std::cos(kx * x) * std::sin(ky * y),
          b * std::sin(kx * x) * std::cos(ky * y), 0};
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  if (!is_seeded) {
    const ladder::Triple place = in_whole(x, y, z);
    const Macroscopic m = vortex(place[0], place[1], 0);
    for (int i = 0; i < q; ++i)
      f[i] = equilibrium(i, m);
    return f;
  }
  const std::uint64_t cell = number_in_whole(x, y, z);
  for (int i = 0; i < q; ++i)
    f[i] = Lattice::weight(i) * seeded_factor(cell, i);
  double k[numbers];
  project(f.data(), k);
  populations_of(k, f.data());
  return f;
}

Case Model::make_case(std::string_view name) {
  Case c = lattice::named_case<Model>(name, largest_side);
  const std::int64_t longest = std::max({c.nx, c.ny, c.nz});
  c.steps = longest * longest;
  c.tau = 0.6;
  c.speed = 0.4 / static_cast<double>(longest);
  require_room(c, fmt::format("case '{}'", name));
  return c;
}

Case parse_parameters(const std::string& path, std::string_view text) {
  return lattice::parse_parameters(path, text, parameters);
}

Case Model::read_case(std::span<const std::string> files) {
  const Case c = parse_parameters(files[0], ladder::read_input(files[0], "a parameter file of 6 lines"));
  require_room(c, fmt::format("{}: a box of {}x{}x{}", files[0], c.nx, c.ny, c.nz));
  return c;
}

std::vector<Case> Model::companion_cases() {
  return {seeded(make_case("tgv-7x5x3")), seeded(make_case("tgv-13x9x11")), seeded(make_case("tgv-16x4x6"))};
}

}  // namespace regularized
