#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/d2q37/collide.h"
#include "variants/lattice/model.hpp"

/// The model d2q37: 37 velocities in two dimensions, a compressible thermal gas with gravity between walls of given
/// temperature, and a reaction (docs/d2q37.md). Biferale et al., Computers & Fluids 80 (2013) 55.
///
/// The unit of length is one in which velocities have the variance 1: cells are D2Q37_R wide, a step takes the time 1.
namespace d2q37 {

using Lattice = lattice::D2Q37;
inline constexpr int q = Lattice::q;

/// Density, velocity and temperature of one site.
template <class real>
struct Macroscopic {
  real density, u, v, temperature;
};

/// Arguments of the collision of collide.h for a case: in cells and steps.
template <class real>
struct Relaxation {
  real omega;          ///< 1 / tau
  real kick;           ///< velocity that gravity adds to the equilibrium
  real warm;           ///< temperature that gravity adds to it
  real wall_speed;     ///< velocity, along y, of the populations of a wall row
  real wall_theta[2];  ///< temperature of the bottom and the top wall, less s
};

/// The reaction of a case, of gas from `hot` to `cold`: the progress p = (T - cold) / (hot - cold), cut at 0 and 1, burns
/// (hot - cold) p (1 - p) / time per step.
template <class real>
struct Reaction {
  real hot, cold;  ///< temperatures of the bottom and the top layer
  real time;       ///< tau_R
  bool is_compensated;

  /// Heat in one step, as a temperature. At constant pressure the gas spends half of it on its expansion, T div u: either this
  /// is given back, or twice as much burns. If it is given back, conducted heat is not spent either, and spreads with twice the
  /// thermal diffusivity (docs/d2q37.md).
  [[nodiscard]] LBM_ANYWHERE real heat(real temperature, real divergence) const {
    const real range = hot - cold;
    real progress = (temperature - cold) / range;
    progress = progress < 0 ? real{0} : progress > 1 ? real{1} : progress;
    const real burned = range * progress * (1 - progress) / time;
    return is_compensated ? burned + temperature * divergence : 2 * burned;
  }
};

/// One problem: periodic along x; along y periodic, or between two walls of given temperature. Temperatures are in units of the
/// lattice's reference temperature.
struct Case : lattice::Case<Lattice> {
  double tau = 0;                ///< relaxation time, in steps; above 1/2
  double gravity = 0;            ///< acceleration along -y
  double bottom = 1;             ///< temperature of the lowest layer, and of the bottom wall
  double middle = 1;             ///< of the layer between the interfaces
  double top = 1;                ///< of the highest layer, and of the top wall
  double lower = 0;              ///< height of the lower interface, in cells
  double upper = 0;              ///< of the upper one; equal to `lower`: there is one interface, and no middle layer
  double width = 0;              ///< of an interface, in cells
  double amplitude = 0;          ///< of the interfaces' perturbation, in cells; without walls: largest speed of the waves
  std::int64_t waves = 1;        ///< of the perturbation along x; without walls also along y
  double reaction_time = 0;      ///< tau_R, in steps; 0: no reaction
  std::int64_t compensated = 0;  ///< 1: a heat source of T div u cancels the work of the pressure
  std::int64_t walls = 1;        ///< 1: walls at the bottom and the top, 0: periodic along y

  /// Kinematic viscosity and thermal diffusivity at constant pressure at temperature T, T (tau - 1/2).
  [[nodiscard]] double diffusivity(double temperature) const { return temperature * (tau - 0.5); }
  [[nodiscard]] bool is_reactive() const { return reaction_time > 0; }
  /// The row that lies on the bottom wall; the row before it (or the last) lies on the top wall. In a part of a case it may be
  /// any row, or -1: the part has no such row. Also -1 without walls.
  [[nodiscard]] int bottom_row() const;
  /// Rows at each wall whose populations the wall sets.
  static constexpr int wall_rows = Lattice::reach;

  /// Heat of the reaction in one step, as a temperature, in a cell of this temperature and divergence of the velocity.
  template <class real>
  [[nodiscard]] real heat(real temperature, real divergence) const {
    return reaction<real>().heat(temperature, divergence);
  }
  template <class real>
  [[nodiscard]] Reaction<real> reaction() const {
    return {static_cast<real>(bottom), static_cast<real>(top), static_cast<real>(reaction_time), compensated != 0};
  }

  template <class real>
  [[nodiscard]] Relaxation<real> relaxation() const;

  /// Hash of everything that defines the problem, except its name and number of steps.
  [[nodiscard]] std::string content() const;
  /// Density, velocity and temperature of a cell at step 0 (docs/d2q37.md); those of the gas, see physical().
  [[nodiscard]] Macroscopic<double> start(std::int64_t x, std::int64_t y) const;
  /// The populations of a cell at step 0: the equilibrium of start(), or the seeded state, which is projected onto the 15
  /// Hermite polynomials, as every state after a collision is.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// A case from the text of a parameter file that came from `path`. @throws as Model::read_case()
Case parse_parameters(const std::filesystem::path& path, std::string_view text);

/// Density, velocity and temperature of the gas in a cell: half of a step's gravity is taken from the populations' velocity,
/// Scagliarini et al., Phys. Fluids 22 (2010) 055101.
Macroscopic<double> physical(const Case& c, const ladder::Populations& state, std::int64_t cell);

/// The reference that every rung is compared with: scalar, in double precision, and simple.
class Reference : public lattice::Reference<Case> {
 public:
  using lattice::Reference<Case>::Reference;

 private:
  void step() override;
  /// Turns the populations round that have crossed a wall, and sets the wall rows.
  void walls();
  /// Heat of the reaction in each cell, from the populations before the collision.
  void burn();

  std::vector<double> heat_;  ///< [cell], temperature per step; empty without a reaction
};

/// The description of the model for the harness (docs/add-a-model.md).
struct Model : lattice::Model<Case, Reference> {
  using Numbers = ladder::Stored<double>;  // in single precision the projection's sums round too coarsely
  static constexpr std::string_view observable = "kinetic energy";
  static constexpr bool records = false;
  static constexpr double flag_bytes = 0;
  static constexpr std::string_view stabler = "a smaller gravity, smaller differences of temperature or a larger tau";
  /// Files that define a case, in the order read_case() takes them: option name and meaning.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 1> case_files = {
      {{"params",
        "one number per line: nx, ny, steps, tau, gravity, temperatures of the bottom, the middle and the top layer, heights "
        "of the "
        "lower and the upper interface, width, amplitude, waves, reaction_time, compensated, walls"}}};
  /// Files that write_results() makes: density, velocity and temperature, one cell per line.
  static constexpr std::array<std::string_view, 1> result_files = {"final_state.dat"};
  static constexpr std::array<std::string_view, 3> series_columns = {"kinetic_energy", "temperature", "mixing_height"};

  static constexpr std::array<std::string_view, 2> layer_columns = {"density", "temperature"};

  static std::vector<std::string> case_names() {
    return {"periodic-64", "flame-16x256", "rt2-128x512", "rt2a-128x512", "rt-64x256"};
  }
  /// Small seeded cases with odd sides, with and without walls. Every rung is checked on them in addition to the requested
  /// case.
  static std::vector<Case> companion_cases();
  /// A reaction takes the divergence of the velocity that a step's streaming makes.
  static int reach(const Case& c) { return Lattice::reach + (c.is_reactive() ? 1 : 0); }
  static int bottom_row(const Case& c) { return c.bottom_row(); }
  /// A generated case: `rt-128x512` (docs/d2q37.md). @throws ladder::InputError with the nearest known name
  static Case make_case(std::string_view case_name);
  /// Reads a parameter file. @throws ladder::InputError naming file, line, value and what is accepted
  static Case read_case(std::span<const std::filesystem::path> files);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::filesystem::path& folder);
  /// The cells as CSV, `x,y,speed,solid,temperature,kinetic_energy,vorticity,temperature_gradient`, thinned out to at most 256
  /// cells per side. The kinetic energy is that of a unit of area; the vorticity dv/dx - du/dy and the magnitude of the
  /// gradient are differences over two cells, at a wall over one.
  static std::string picture(const Case& c, const ladder::Populations& plane);
  /// The text that `solve` prints at its end.
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// Values of the series' columns for a state.
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t step);
  /// Means over the cells of row y.
  static std::vector<double> layer(const Case& c, const ladder::Populations& state, std::int64_t y);
  /// Floating-point operations of one update (the collision) in each form, counted by running it.
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The one rung of an executable.
extern const Rung rung;

template <class real>
Relaxation<real> Case::relaxation() const {
  constexpr double r = D2Q37_R;
  return {.omega = static_cast<real>(1 / tau),
          .kick = static_cast<real>(-tau * gravity / r),
          .warm = static_cast<real>(tau * (1 - tau) * gravity * gravity / 2 / (r * r)),
          .wall_speed = static_cast<real>(gravity / 2 / r),
          .wall_theta = {static_cast<real>((bottom - 1) / (r * r)), static_cast<real>((top - 1) / (r * r))}};
}

}  // namespace d2q37
