#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/d3q27/collide.h"
#include "variants/lattice/model.hpp"

/// The model d3q27: 27 velocities in three dimensions, BGK, and the Taylor-Green vortex in a periodic box.
namespace d3q27 {

using Lattice = lattice::D3Q27;
inline constexpr int q = Lattice::q;

/// Density and velocity of one site.
template <class real>
struct Moments {
  real density, ux, uy, uz;
  real level = (real)1;  ///< 1 - rest / density (textbook.hpp)
};
using Macroscopic = Moments<double>;

/// One problem: a periodic box of fluid with a decaying vortex, in lattice units.
struct Case : lattice::Case<Lattice> {
  double tau = 0;    ///< relaxation time, in steps; above 1/2
  double speed = 0;  ///< initial maximum speed of the vortex along x

  [[nodiscard]] double omega() const { return 1 / tau; }
  /// Kinematic viscosity, (tau - 1/2) / 3.
  [[nodiscard]] double viscosity() const { return (tau - 0.5) / 3; }
  /// Hash of everything that defines the problem, except its name and number of steps.
  [[nodiscard]] std::string content() const;

  /// The Taylor-Green vortex at (x, y, any z) after `step` steps: Taylor and Green, Proc. R. Soc. A 158 (1937) 499, in the form
  /// of Kruger et al., The Lattice Boltzmann Method, Springer 2017, appendix A.3. With kx = 2 pi / nx, ky = 2 pi / ny:
  ///   ux = -speed cos(kx x) sin(ky y) d,  uy = speed kx / ky sin(kx x) cos(ky y) d,  uz = 0,  d = exp(-nu (kx^2 + ky^2) t),
  ///   density = 1 - 3/4 speed^2 (cos(2 kx x) + (kx / ky)^2 cos(2 ky y)) d^2.
  /// It solves the Navier-Stokes equations for constant density, and thus describes this fluid in the limit of small speeds.
  [[nodiscard]] Macroscopic vortex(std::int64_t x, std::int64_t y, double step) const;
  [[nodiscard]] bool starts_alike() const { return !is_seeded; }
  /// The populations of a cell at step 0: the equilibrium of the vortex, or the seeded state.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// Parses the text of a parameter file; `path` is used in messages. @throws as Model::read_case()
Case parse_parameters(const std::string& path, std::string_view text);

/// Mean over cells of u^2 / 2.
double kinetic_energy(const Case& c, const ladder::Populations& state);
/// The same for the vortex after `step` steps.
double exact_energy(const Case& c, double step);
/// Error of a state after `step` steps: the 2-norm over cells of the difference between its velocity and the vortex's, divided
/// by the 2-norm of the vortex's velocity at the same time.
double velocity_error(const Case& c, const ladder::Populations& state, double step);

/// The reference that every rung is compared with: scalar, double-precision and simple.
class Reference : public lattice::Reference<Case> {
 public:
  using lattice::Reference<Case>::Reference;

 private:
  void step() override;
};

/// The description of the model for the harness (docs/add-a-model.md).
struct Model : lattice::Model<Case, Reference> {
  static constexpr std::string_view observable = "kinetic energy";
  static constexpr bool records = false;
  static constexpr double flag_bytes = 0;
  static constexpr std::string_view stabler = "a smaller speed or a larger tau";
  /// Files that define a case, as option name and meaning, in the order that read_case() takes them.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 1> case_files = {
      {{"params", "one number per line: nx, ny, nz, steps, tau, speed"}}};
  /// Files written by write_results(): velocity and density, one cell per line.
  static constexpr std::array<std::string_view, 1> result_files = {"final_state.dat"};
  static constexpr std::array<std::string_view, 3> series_columns = {"kinetic_energy", "exact_energy", "velocity_error"};

  static std::vector<std::string> case_names() { return {"tgv-16", "tgv-32", "tgv-64", "tgv-256"}; }
  /// Small seeded boxes with three different sides, some of them odd. Every rung is checked on them in addition to the
  /// requested case.
  static std::vector<Case> companion_cases();
  /// A generated case such as `tgv-32` or `tgv-48x32x16`. Its tau and speed are those of the acceptance test (docs/d3q27.md); a
  /// run takes as many steps as its longest side squared. @throws ladder::InputError naming the nearest known name
  static Case make_case(std::string_view case_name);
  /// Reads a parameter file. @throws ladder::InputError naming file, line, value and the accepted values
  static Case read_case(std::span<const std::string> files);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  /// The speeds in the plane z = 0 as CSV, `x,y,speed,solid`, subsampled to at most 256 sites per side.
  static std::string picture(const Case& c, const ladder::Populations& plane);
  /// The text that `solve` prints at the end.
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// Values of the series' columns for a state after `step` steps.
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t step) {
    const auto t = static_cast<double>(step);
    return {kinetic_energy(c, state), exact_energy(c, t), velocity_error(c, state, t)};
  }
  /// Floating-point operations of one update (the collision) in each form, counted by running it.
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The executable's one rung.
extern const Rung rung;

}  // namespace d3q27
