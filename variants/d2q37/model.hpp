#pragma once

#include <array>
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
/// The unit of length is chosen so that velocities have variance 1: cells are D2Q37_R wide, and a step takes time 1.
namespace d2q37 {

using Lattice = lattice::D2Q37;
inline constexpr int q = Lattice::q;

/// Density, velocity and temperature of one site.
template <class real>
struct Macroscopic {
  real density, u, v, temperature;
};

/// Arguments of the collision in collide.h for a case, in cells and steps.
template <class real>
struct Relaxation {
  real omega;          ///< 1 / tau
  real kick;           ///< velocity added to the equilibrium by gravity
  real warm;           ///< temperature added to the equilibrium by gravity
  real wall_speed;     ///< velocity along y of the populations in a wall row
  real wall_theta[2];  ///< temperatures of the bottom and top walls, minus s
};

/// The reaction of a case, for gas at temperatures between `cold` and `hot`. Progress p = (T - cold) / (hot - cold) is clamped
/// to [0, 1]; the reaction burns (hot - cold) p (1 - p) / time per step.
template <class real>
struct Reaction {
  real hot, cold;  ///< temperatures of the bottom and top layers
  real time;       ///< tau_R
  bool is_compensated;

  /// Heat released in one step, as a temperature. At constant pressure, the gas spends half of it on its expansion, T div u.
  /// Either this half is given back, or twice as much is burnt. If it is given back, conducted heat is not spent on expansion
  /// either, and spreads with twice the thermal diffusivity (docs/d2q37.md).
  [[nodiscard]] LBM_ANYWHERE real heat(real temperature, real divergence) const {
    const real range = hot - cold;
    real progress = (temperature - cold) / range;
    progress = progress < 0 ? real{0} : progress > 1 ? real{1} : progress;
    const real burned = range * progress * (1 - progress) / time;
    return is_compensated ? burned + temperature * divergence : 2 * burned;
  }
};

/// One problem: periodic along x, and along y either periodic or between two walls of given temperature. Temperatures are in
/// units of the lattice's reference temperature.
struct Case : lattice::Case<Lattice> {
  double tau = 0;            ///< relaxation time, in steps; above 1/2
  double gravity = 0;        ///< acceleration along -y
  double bottom = 1;         ///< temperature of the bottom layer and of the bottom wall
  double middle = 1;         ///< temperature of the layer between the interfaces
  double top = 1;            ///< temperature of the top layer and of the top wall
  double lower = 0;          ///< height of the lower interface, in cells
  double upper = 0;          ///< height of the upper interface; if equal to `lower`, there is one interface and no middle layer
  double width = 0;          ///< width of an interface, in cells
  double amplitude = 0;      ///< amplitude of the interface perturbation, in cells; without walls: maximum speed of the waves
  std::int64_t waves = 1;    ///< waves of the perturbation along x; without walls also along y
  double reaction_time = 0;  ///< tau_R, in steps; 0: no reaction
  std::int64_t compensated = 0;  ///< 1: a heat source of T div u cancels the pressure work
  /// 0: periodic along y; 1: each wall pins the three rows next to it; 2: half-way walls, half a cell outside the first and
  /// last row (half_way.hpp); 3: the same, and the top wall moves along x at the speed `amplitude`.
  std::int64_t walls = 1;

  /// Kinematic viscosity and thermal diffusivity at constant pressure and temperature T, T (tau - 1/2).
  [[nodiscard]] double diffusivity(double temperature) const { return temperature * (tau - 0.5); }
  [[nodiscard]] bool is_reactive() const { return reaction_time > 0; }
  /// The row next to the bottom wall; the preceding row, or the last one, is next to the top wall. In a part of a case it may
  /// be any row, or -1 if the part does not contain it. Also -1 without walls. @throws ladder::Unavailable for half-way walls,
  /// unless a solver replaced them (with_pinned_rows())
  [[nodiscard]] int bottom_row() const;
  /// Rows at each wall whose populations are set by the wall.
  static constexpr int wall_rows = Lattice::reach;

  /// Heat of the reaction in one step, as a temperature, in a cell with this temperature and velocity divergence.
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
  /// Density, velocity and temperature of a cell at step 0 (docs/d2q37.md). For the gas properties, see physical().
  [[nodiscard]] Macroscopic<double> start(std::int64_t x, std::int64_t y) const;
  /// The populations of a cell at step 0: the equilibrium of start(), or the seeded state. The latter is projected onto the 15
  /// Hermite polynomials, like every post-collision state.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// Parses the text of a parameter file; `path` is used in messages. @throws as Model::read_case()
Case parse_parameters(const std::string& path, std::string_view text);

/// Density, velocity and temperature of the gas in a cell: half a step of gravity is subtracted from the populations' velocity,
/// Scagliarini et al., Phys. Fluids 22 (2010) 055101.
Macroscopic<double> physical(const Case& c, const ladder::Populations& state, std::int64_t cell);

/// The reference that every rung is compared with: scalar, double-precision and simple.
class Reference : public lattice::Reference<Case> {
 public:
  using lattice::Reference<Case>::Reference;

 private:
  void step() override;
  /// Reverses the populations that have crossed a wall, and sets the wall rows.
  void walls();
  /// Heat of the reaction in each cell, from the pre-collision populations.
  void burn();

  std::vector<double> heat_;  ///< [cell], as a temperature per step; empty without a reaction
};

/// The description of the model for the harness (docs/add-a-model.md).
struct Model : lattice::Model<Case, Reference> {
  using Numbers = ladder::Stored<double>;  // in single precision, the sums of the projection round too coarsely
  static constexpr std::string_view observable = "kinetic energy";
  static constexpr bool records = false;
  static constexpr double flag_bytes = 0;
  static constexpr std::string_view stabler = "a smaller gravity, smaller differences of temperature or a larger tau";
  /// Files that define a case, as option name and meaning, in the order that read_case() takes them.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 1> case_files = {
      {{"params",
        "one number per line: nx, ny, steps, tau, gravity, temperatures of the bottom, the middle and the top layer, heights "
        "of the "
        "lower and the upper interface, width, amplitude, waves, reaction_time, compensated, walls"}}};
  /// Files written by write_results(): density, velocity and temperature, one cell per line.
  static constexpr std::array<std::string_view, 1> result_files = {"final_state.dat"};
  static constexpr std::array<std::string_view, 3> series_columns = {"kinetic_energy", "temperature", "mixing_height"};

  static constexpr std::array<std::string_view, 2> layer_columns = {"density", "temperature"};

  static std::vector<std::string> case_names() {
    return {"periodic-64", "flame-16x256", "rt2-128x512", "rt2a-128x512", "rt-64x256"};
  }
  /// Small seeded cases with odd sides, with and without walls. Every rung is checked on them in addition to the requested
  /// case.
  static std::vector<Case> companion_cases();
  /// A reaction needs the velocity divergence that results from the streaming of the current step.
  static int reach(const Case& c) { return Lattice::reach + (c.is_reactive() ? 1 : 0); }
  static int bottom_row(const Case& c) { return c.bottom_row(); }
  /// A generated case such as `rt-128x512` (docs/d2q37.md). @throws ladder::InputError naming the nearest known name
  static Case make_case(std::string_view case_name);
  /// Reads a parameter file. @throws ladder::InputError naming file, line, value and the accepted values
  static Case read_case(std::span<const std::string> files);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  /// The cells as CSV, `x,y,speed,solid,temperature,kinetic_energy,vorticity,temperature_gradient`, subsampled to at most 256
  /// cells per side. The kinetic energy is per unit area. The vorticity dv/dx - du/dy and the magnitude of the gradient are
  /// differences over two cells, or over one next to a wall.
  static std::string picture(const Case& c, const ladder::Populations& plane);
  /// The text that `solve` prints at the end.
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

/// The executable's one rung.
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
