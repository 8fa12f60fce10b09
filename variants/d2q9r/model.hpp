#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/d2q9r/collide.h"
#include "variants/lattice/model.hpp"

/// The model d2q9r: regularized BGK on nine velocities in two dimensions, and the Taylor-Green vortex in a periodic box.
namespace d2q9r {

using Lattice = lattice::D2Q9;
inline constexpr int q = Lattice::q;
/// Values that make up the state of a cell: the coefficients in collide.h.
inline constexpr int numbers = D2Q9R_K;

/// Density and velocity of one site.
template <class real>
struct Moments {
  real density, ux, uy;
  real uz = (real)0;     ///< always 0; lattice/vortex.hpp serves three dimensions, too
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

  /// The Taylor-Green vortex at (x, y) after `step` steps, as in d3q27 (docs/d3q27.md).
  [[nodiscard]] Macroscopic vortex(std::int64_t x, std::int64_t y, double step) const;
  /// The populations of a cell at step 0: the equilibrium of the vortex, or the projection of the seeded state on six moments.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z = 0) const;
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
  static constexpr std::string_view name = "d2q9r";
  static constexpr std::string_view observable = "kinetic energy";
  static constexpr bool records = false;
  static constexpr double flag_bytes = 0;
  static constexpr std::string_view stabler = "a smaller speed or a larger tau";
  /// Files that define a case, as option name and meaning, in the order that read_case() takes them.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 1> case_files = {
      {{"params", "one number per line: nx, ny, steps, tau, speed"}}};
  /// Files written by write_results(): velocity and density, one cell per line.
  static constexpr std::array<std::string_view, 1> result_files = {"final_state.dat"};
  static constexpr std::array<std::string_view, 3> series_columns = {"kinetic_energy", "exact_energy", "velocity_error"};

  static std::vector<std::string> case_names() { return {"tgv-64", "tgv-256", "tgv-1024", "tgv-8192"}; }
  /// Small seeded boxes with two different sides, some of them odd. Every rung is checked on them in addition to the requested
  /// case.
  static std::vector<Case> companion_cases();
  /// A generated case such as `tgv-64` or `tgv-48x32`; tau and speed are those of d3q27's case with the same longest side.
  /// @throws ladder::InputError naming the nearest known name
  static Case make_case(std::string_view case_name);
  /// Reads a parameter file. @throws ladder::InputError naming file, line, value and the accepted values
  static Case read_case(std::span<const std::string> files);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  /// The speeds as CSV, `x,y,speed,solid`, subsampled to at most 256 sites per side.
  static std::string picture(const Case& c, const ladder::Populations& plane);
  /// The text that `solve` prints at the end.
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// Values of the series' columns for a state after `step` steps.
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t step) {
    const auto t = static_cast<double>(step);
    return {kinetic_energy(c, state), exact_energy(c, t), velocity_error(c, state, t)};
  }
  /// Floating-point operations of one update in each form, counted by running it.
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The executable's one rung.
extern const Rung rung;

}  // namespace d2q9r
