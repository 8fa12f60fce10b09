#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/hash.hpp"
#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "variants/d2q37/half_way.hpp"
#include "variants/d2q37/textbook.hpp"
#include "variants/lattice/input.hpp"

namespace d2q37 {
namespace {

/// Maximum number of cells along a side: kernels use 32-bit indices for the cells and populations of a row.
constexpr int largest_side = 1 << 24;
constexpr std::string_view sizes = "an integer from 3 to 16777216";
constexpr int least_rows = 2 * Case::wall_rows + 1;

void require_room(const Case& c, std::string_view what) {
  ladder::require_room(static_cast<double>(c.cells()) * (q * sizeof(double)), std::string(what));
}

constexpr auto is_side = [](double v) { return v >= 3 && v <= largest_side; };
constexpr auto is_positive = [](double v) { return v > 0; };
constexpr auto is_not_negative = [](double v) { return v >= 0; };
constexpr auto is_switch = [](double v) { return v == 0 || v == 1; };
constexpr std::string_view above_zero = "a number above 0";

/// The parameters of the file, one per line.
const std::vector<lattice::Parameter<Case>> parameters = {
    {&Case::nx, "nx", sizes, is_side},
    {&Case::ny, "ny", sizes, is_side},
    {&Case::steps, "steps", "an integer from 1 to 1000000000000000", [](double v) { return v >= 1 && v <= 1e15; }},
    {&Case::tau, "tau", "a number above 1/2: at 1/2 and below the viscosity is not positive, and every flow is unstable",
     [](double v) { return v > 0.5; }},
    {&Case::gravity, "gravity", "a number from 0", is_not_negative},
    {&Case::bottom, "temperature of the bottom layer", above_zero, is_positive},
    {&Case::middle, "temperature of the middle layer", above_zero, is_positive},
    {&Case::top, "temperature of the top layer", above_zero, is_positive},
    {&Case::lower, "height of the lower interface", "a number from 0", is_not_negative},
    {&Case::upper, "height of the upper interface", "a number from 0", is_not_negative},
    {&Case::width, "width", "a number above 0", is_positive},
    {&Case::amplitude, "amplitude", "a number from 0", is_not_negative},
    {&Case::waves, "waves", "an integer from 1 to 1000000", [](double v) { return v >= 1 && v <= 1e6; }},
    {&Case::reaction_time, "reaction_time", "a number from 1, or 0 for no reaction", [](double v) { return v == 0 || v >= 1; }},
    {&Case::compensated, "compensated", "0 or 1", is_switch},
    {&Case::walls, "walls", "0, 1, 2 or 3",
     [](double v) { return v == 0 || v == 1 || v == half_way || v == half_way_moving; }}};

/// Line of the file that sets a parameter.
std::size_t line_of(std::string_view name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  return static_cast<std::size_t>(found - parameters.begin()) + 1;
}

/// Checks conditions that involve several parameters. @throws ladder::InputError, locating a parameter with `where(name)`
template <class Where>
void require_sound(const Case& c, Where where) {
  const auto refuse = [](const std::string& what) { throw ladder::InputError(what); };
  if (c.walls != 0 && c.ny < least_rows)
    refuse(fmt::format("{}: ny is {}; accepted: an integer from {}, three rows at each wall and one between them", where("ny"),
                       c.ny, least_rows));
  if (c.walls == 0 && c.gravity != 0)
    refuse(fmt::format("{}: gravity is {}; accepted without walls: 0", where("gravity"), c.gravity));
  if (c.upper < c.lower || c.upper > c.ny)
    refuse(fmt::format("{}: height of the upper interface is {}; accepted: a number from that of the lower one, {}, to ny, {}",
                       where("height of the upper interface"), c.upper, c.lower, c.ny));
  if (c.is_reactive() && has_half_way_walls(c))
    refuse(fmt::format("{}: reaction_time is {}; accepted between half-way walls: 0", where("reaction_time"), c.reaction_time));
  if (c.is_reactive() && c.bottom == c.top)
    refuse(fmt::format("{}: temperature of the top layer is {}; accepted with a reaction: another one than the bottom layer's",
                       where("temperature of the top layer"), c.top));

  // The model is stable as long as no equilibrium population is negative.
  const auto is_stable = [](double u, double v, double t) {
    double f[q];
    equilibrium<double>({1, u, v, t}, f);
    return std::all_of(f, f + q, [](double population) { return population >= 0; });  // false for NaN
  };
  const bool is_gravity_fastest = c.walls != 0 && !(c.walls == half_way_moving && c.amplitude > c.gravity);
  const std::string_view fastest = is_gravity_fastest ? "gravity" : "amplitude";
  const double speed = is_gravity_fastest ? c.gravity : c.amplitude;
  const auto require_stable = [&](std::string_view name, double t) {
    if (!is_stable(0, 0, t))
      refuse(
          fmt::format("{}: {} is {}: a gas of this temperature at rest has negative populations, and is unstable; accepted: "
                      "temperatures from 0.6 to 2.37",
                      where(name), name, t));
    // Without walls, waves of this amplitude also change the temperature.
    const double wave = c.walls != 0 ? 0 : speed;
    bool is_fast = !is_stable(0, 0, t * (1 - wave)) || !is_stable(0, 0, t * (1 + wave));
    for (const double u : {-speed, 0.0, speed})
      for (const double v : {-speed, 0.0, speed})
        is_fast = is_fast || !is_stable(u, v, t);
    if (is_fast)
      refuse(
          fmt::format("{}: {} is {}: a gas of temperature {} and this speed has negative populations, and is "
                      "unstable; accepted: less",
                      where(fastest), fastest, speed, t));
  };
  require_stable("temperature of the bottom layer", c.bottom);
  require_stable("temperature of the middle layer", c.middle);
  require_stable("temperature of the top layer", c.top);
  const double coldest = std::min({c.bottom, c.middle, c.top});
  const double layers = c.gravity * c.ny * D2Q37_R / coldest;
  if (!(layers <= 20))
    refuse(
        fmt::format("{}: gravity is {}; accepted: gravity ny r / T up to 20, here {:.3g}: the density at the top is lower than "
                    "at the bottom by e to that power",
                    where("gravity"), c.gravity, layers));
}

/// The model with the names of all cases. Half-way walls have `h` at the end of the kind.
struct WithHalfWay : Model {
  static std::vector<std::string> case_names() {
    std::vector<std::string> all = Model::case_names();
    all.insert(all.end(), {"rth-64x256", "rt2h-128x512", "rt2ah-128x512", "couette-16x64"});
    return all;
  }
};

/// A smooth step from 0 far below an interface at height 0 to 1 far above it.
double smooth_step(double height, double width) { return (1 + std::tanh(height / width)) / 2; }

}  // namespace

int Case::bottom_row() const {
  if (has_half_way_walls(*this))
    throw ladder::Unavailable(name + ": this rung pins three rows at each wall; it has no half-way walls",
                              ladder::Reason::no_such_case);
  if (walls == 0) return -1;
  const std::int64_t row = ladder::wrapped(-origin[1], whole()[1]);
  return row < ny ? static_cast<int>(row) : -1;
}

std::string Case::content() const {
  const std::string numbers =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", nx, ny, tau, gravity, bottom, middle, top, lower, upper,
                  width, amplitude, waves, reaction_time, compensated, walls, is_seeded ? "seeded" : "start");
  return fmt::format("{:016x}", ladder::fnv1a(numbers));
}

Macroscopic<double> Case::start(std::int64_t x, std::int64_t y) const {
  const ladder::Triple place = in_whole(x, y, 0);
  const double angle_x = 2 * std::numbers::pi * static_cast<double>(waves * place[0]) / static_cast<double>(whole()[0]);
  if (walls == 0) {
    const double angle_y = 2 * std::numbers::pi * static_cast<double>(waves * place[1]) / static_cast<double>(whole()[1]);
    const double t = bottom * (1 + amplitude * std::cos(angle_x) * std::cos(angle_y));
    return {bottom / t, amplitude * std::sin(angle_y), amplitude * std::sin(angle_x), t};
  }
  const double height = static_cast<double>(place[1]) + 0.5;
  double shift = 0;
  constexpr double golden = 0.6180339887498949;
  for (int n = 0; n < 4 && walls != half_way_moving; ++n)
    shift +=
        amplitude / 4 *
        std::cos(angle_x * static_cast<double>(waves + n) / static_cast<double>(waves) + 2 * std::numbers::pi * golden * n);
  const double at_lower = smooth_step(height - lower - shift, width), at_upper = smooth_step(height - upper - shift, width);
  const double t = bottom + (middle - bottom) * at_lower + (top - middle) * at_upper;
  // Hydrostatic pressure of layers with sharp, flat interfaces; 1 at the lower interface.
  const double above = std::max(0.0, std::min(height, upper) - lower) / middle + std::max(0.0, height - upper) / top;
  const double below = std::max(0.0, lower - height) / bottom;
  const double pressure = std::exp(-gravity * D2Q37_R * (above - below));
  return {pressure / t, 0, 0, t};
}

std::array<double, q> Case::initial(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::array<double, q> f{};
  if (is_seeded) {
    const std::uint64_t cell = number_in_whole(x, y, z);
    double a[moments] = {};
    for (int i = 0; i < q; ++i)
      for (int k = 0; k < moments; ++k)
        a[k] += coefficients.project[k][i] * Lattice::weight(i) * seeded_factor(cell, i);
    expand_textbook(a, f.data());
    return f;
  }
  Macroscopic<double> m = start(x, y);
  m.v -= gravity / 2;
  m.temperature -= gravity * gravity / 8;
  equilibrium(m, f.data());
  return f;
}

Case Model::make_case(std::string_view name) {
  Case c = lattice::named_case<WithHalfWay>(name, largest_side);
  std::string_view kind = name.substr(0, name.find('-'));
  if (kind.ends_with('h')) {
    kind.remove_suffix(1);
    c.walls = half_way;
  }
  c.tau = 0.53;
  c.width = 3;
  c.waves = 2;
  c.steps = 100 * std::int64_t{c.ny};
  c.amplitude = c.ny / 64.;
  c.gravity = 0.16 / (c.ny * D2Q37_R);
  c.lower = c.upper = c.ny / 2.;
  const auto set_temperatures = [&](double bottom, double middle, double top) {
    c.bottom = bottom;
    c.middle = middle;
    c.top = top;
  };
  if (kind == "periodic") {
    c.walls = 0;
    c.gravity = 0;
    c.tau = 0.6;
    c.amplitude = 0.05;
    c.waves = 1;
  } else if (kind == "couette") {
    c.walls = half_way_moving;
    c.gravity = 0;
    c.tau = 0.8;
    c.amplitude = 0.05;
  } else if (kind == "rt") {
    set_temperatures(1.05, 0.95, 0.95);
  } else if (kind == "flame") {
    set_temperatures(1.1, 0.9, 0.9);
    c.tau = 0.8;
    c.gravity = 0;
    c.amplitude = 0;
    c.reaction_time = 200;
    c.compensated = 1;
    c.lower = c.upper = c.ny / 4.;
    c.width = 10;
    c.steps = 8 * std::int64_t{c.ny};
  } else {
    c.lower = c.ny / 3.;
    c.upper = c.ny * 2 / 3.;
    set_temperatures(1.1, kind == "rt2" ? 1.0 : 0.95, 0.9);
  }
  require_room(c, fmt::format("case '{}'", name));
  require_sound(c, [&](std::string_view) { return fmt::format("case '{}'", name); });
  return c;
}

Case parse_parameters(const std::string& path, std::string_view text) {
  const Case c = lattice::parse_parameters(path, text, parameters);
  require_sound(c, [&](std::string_view name) { return fmt::format("{}:{}", path, line_of(name)); });
  return c;
}

Case Model::read_case(std::span<const std::string> files) {
  const Case c = parse_parameters(files[0], ladder::read_input(files[0], "a parameter file of 16 lines"));
  require_room(c, fmt::format("{}: a lattice of {}x{}", files[0], c.nx, c.ny));
  return c;
}

std::vector<Case> Model::companion_cases() {
  return {seeded(make_case("periodic-11x13")), seeded(make_case("rt-9x7")), seeded(make_case("rt2a-37x23"))};
}

}  // namespace d2q37
