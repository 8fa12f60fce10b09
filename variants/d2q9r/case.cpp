#include "variants/d2q9r/moments.hpp"
#include "variants/d2q9r/textbook.hpp"
#include "variants/lattice/vortex.hpp"

namespace d2q9r {
namespace {

constexpr double bytes_per_cell = numbers * sizeof(float);  ///< minimum size of a lattice

constexpr std::string_view sizes = "an integer from 3 to 65535";
constexpr auto is_side = [](double v) { return v >= 3 && v <= lattice::vortex::largest_side; };

const std::vector<lattice::Parameter<Case>> parameters = {
    {&Case::nx, "nx", sizes, is_side},
    {&Case::ny, "ny", sizes, is_side},
    {&Case::steps, "steps", "an integer from 1 to 1000000000000000", [](double v) { return v >= 1 && v <= 1e15; }},
    {&Case::tau, "tau", "a number above 1/2: at 1/2 and below the viscosity is not positive, and every flow is unstable",
     [](double v) { return v > 0.5; }},
    {&Case::speed, "speed", "a number above 0 and below 0.577, the speed of sound",
     [](double v) { return v > 0 && v < 0.577; }}};

}  // namespace

std::string Case::content() const { return lattice::vortex::content(*this); }

Macroscopic Case::vortex(std::int64_t x, std::int64_t y, double step) const {
  return lattice::vortex::exact<Macroscopic>(*this, x, y, step);
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  if (!is_seeded) {
    const ladder::Triple place = in_whole(x, y, z);
    const Macroscopic m = vortex(place[0], place[1], 0);
    for (int i = 0; i < q; ++i)
      f[static_cast<std::size_t>(i)] = equilibrium(i, m);
    return f;
  }
  const std::uint64_t cell = number_in_whole(x, y, z);
  for (int i = 0; i < q; ++i)
    f[static_cast<std::size_t>(i)] = Lattice::weight(i) * seeded_factor(cell, i);
  double k[numbers];
  project(f.data(), k);
  populations_of(k, f.data());
  return f;
}

Case Model::make_case(std::string_view name) { return lattice::vortex::make_case<Model>(name, bytes_per_cell); }

Case parse_parameters(const std::string& path, std::string_view text) {
  const Case c = lattice::parse_parameters(path, text, parameters);
  lattice::vortex::require_subsonic(c, fmt::format("{}:{}", path, parameters.size()));
  return c;
}

Case Model::read_case(std::span<const std::string> files) {
  const Case c = parse_parameters(files[0], ladder::read_input(files[0], "a parameter file of 5 lines"));
  lattice::vortex::require_room(c, bytes_per_cell, fmt::format("{}: a box of {}x{}", files[0], c.nx, c.ny));
  return c;
}

std::vector<Case> Model::companion_cases() {
  return {seeded(make_case("tgv-7x5")), seeded(make_case("tgv-37x23")), seeded(make_case("tgv-16x41"))};
}

}  // namespace d2q9r
