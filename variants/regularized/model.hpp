#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/lattice/model.hpp"
#include "variants/regularized/collide.h"

/// The models d3q19r and d3q27r: regularized BGK on 19 or 27 velocities in three dimensions, with the Taylor-Green vortex in
/// a periodic box and flows around obstacles (obstacles.hpp). Both are built from these sources, with REGULARIZED_LATTICE as
/// the lattice.
namespace regularized {

using Lattice = lattice::REGULARIZED_LATTICE;
inline constexpr int q = Lattice::q;
/// Values that make up the state of a cell: the coefficients in collide.h.
inline constexpr int numbers = REGULARIZED_K;

/// The id of this model's rung `rung`, a literal such as "cuda/01_populations".
#define REGULARIZED_RUNG(rung) (regularized::q == 19 ? "d3q19r/" rung : "d3q27r/" rung)

/// Density and velocity of one site.
template <class real>
struct Moments {
  real density, ux, uy, uz;
  real level = (real)1;  ///< 1 - rest / density (textbook.hpp)
};
using Macroscopic = Moments<double>;

/// One problem: a periodic box with a decaying vortex or with obstacles, in lattice units.
struct Case : lattice::Case<Lattice> {
  double tau = 0;    ///< relaxation time, in steps; above 1/2
  double speed = 0;  ///< initial maximum speed of the vortex along x; with obstacles, speed of the flow

  [[nodiscard]] double omega() const { return 1 / tau; }
  /// Kinematic viscosity, (tau - 1/2) / 3.
  [[nodiscard]] double viscosity() const { return (tau - 0.5) / 3; }
  /// Hash of everything that defines the problem, except its name and number of steps.
  [[nodiscard]] std::string content() const;

  /// The Taylor-Green vortex at (x, y, any z) after `step` steps, as in d3q27 (docs/d3q27.md).
  [[nodiscard]] Macroscopic vortex(std::int64_t x, std::int64_t y, double step) const;
  [[nodiscard]] bool starts_alike() const { return !is_seeded && solid.empty(); }
  /// The populations of a cell at step 0: the equilibrium of the flow, or the projection of the seeded state on ten moments.
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
  static constexpr std::string_view name = q == 19 ? "d3q19r" : "d3q27r";
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
  /// Small seeded boxes with three different sides, some of them odd, without and with obstacles. Rungs are checked on them in
  /// addition to the requested case.
  static std::vector<Case> companion_cases();
  /// A generated case such as `tgv-32` or `tgv-48x32x16`, with the tau and speed of d3q27's case of that name.
  /// @throws ladder::InputError naming the nearest known name
  static Case make_case(std::string_view case_name);
  /// Reads a parameter file. @throws ladder::InputError naming file, line, value and the accepted values
  static Case read_case(std::span<const std::string> files);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  /// The plane shown in pictures. Bodies stand on a plane of constant y, so the middle plane along z shows them from the side,
  /// as in d3q19.
  static std::int64_t picture_plane(const Case& c) { return c.solid.empty() ? 0 : c.nz / 2; }
  /// The speeds in picture_plane() as CSV, `x,y,speed,solid`, subsampled to at most 256 sites per side.
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

}  // namespace regularized
