#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/d3q19/collide.h"
#include "variants/lattice/model.hpp"

/// The model d3q19: 19 velocities in three dimensions, two relaxation times, and obstacles with half-way boundaries: walls,
/// prescribed velocity, prescribed pressure; bodies from meshes in a wind tunnel.
///
/// The state consists of the fluid cells' populations after collision. In a step, each population that leaves a fluid cell
/// toward a boundary cell comes back as given by d3q19_returned(). That is equivalent to the boundary cell holding it: rungs
/// keep the returned populations in boundary cells, in the slots of those that leave toward fluid neighbours, so that streaming
/// does not depend on the kinds of cells. Non-fluid cells have no state and count as at rest.
namespace d3q19 {

using Lattice = lattice::D3Q19;
inline constexpr int q = Lattice::q;

/// Density and velocity of one site.
template <class real>
struct Moments {
  real density, ux, uy, uz;
  real level = (real)1;  ///< 1 - rest / density (textbook.hpp)
};
using Macroscopic = Moments<double>;

/// Flows with an exact solution.
enum class Flow {
  vortex,   ///< decaying Taylor-Green vortex in a periodic box
  couette,  ///< steady, between a wall and a moving plane
  duct,     ///< steady far from the ends of a square duct
  other     ///< no exact solution known
};

/// One problem in lattice units. `solid` holds the kinds of the cells: 0 for fluid, else D3Q19_WALL, …
struct Case : lattice::Case<Lattice> {
  Flow flow = Flow::other;
  double tau = 0;     ///< relaxation time of the even part, in steps; above 1/2
  double magic = 0;   ///< (tau - 1/2)(tau_minus - 1/2), which sets the odd part; 0: tau_minus = tau, the BGK collision
  double speed = 0;   ///< of inflow and moving walls, or of the vortex
  double area = 0;    ///< frontal area of the body, seen along x, in cells; 0 without a body
  double length = 0;  ///< length of the body along x, in cells; 0 without a body
  std::string note;   ///< user-facing report on a mesh and its voxels

  [[nodiscard]] double omega() const { return 1 / tau; }
  [[nodiscard]] double omega_minus() const { return magic > 0 ? 1 / (0.5 + magic / (tau - 0.5)) : omega(); }
  /// Kinematic viscosity, (tau - 1/2) / 3.
  [[nodiscard]] double viscosity() const { return (tau - 0.5) / 3; }
  /// The kind of a cell, 0 for fluid. Coordinates may lie one cell beyond the grid, which is periodic.
  [[nodiscard]] int kind(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (solid.empty()) return 0;
    return solid[static_cast<std::size_t>((ladder::wrapped(z, nz) * ny + ladder::wrapped(y, ny)) * nx +
                                          ladder::wrapped(x, nx))];
  }
  /// Whether a fluid cell has a non-fluid neighbour.
  [[nodiscard]] bool is_near(std::int64_t x, std::int64_t y, std::int64_t z) const;
  /// Hash of everything that defines the problem, except its name and number of steps.
  [[nodiscard]] std::string content() const;
  /// The exact solution at the centre of a cell after `step` steps: Couette flow; Taylor-Green vortex (as in d3q27); or, far
  /// from the ends of a square duct, White, Viscous Fluid Flow, 3rd ed., equation 3-48, scaled to the mean speed of the inflow.
  [[nodiscard]] Macroscopic exact(std::int64_t x, std::int64_t y, std::int64_t z, double step) const;
  [[nodiscard]] bool starts_alike() const { return !is_seeded; }
  /// The populations of a cell at step 0: equilibrium or the seeded state; for a non-fluid cell, those at rest.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// Flags of the cells for kernels, [(z * ny + y) * nx + x]: the kind of a non-fluid cell; D3Q19_FLUID or D3Q19_FLUID |
/// D3Q19_NEAR for a fluid cell.
std::vector<std::uint8_t> flags(const Case& c);
/// Indices of the fluid cells that have a non-fluid neighbour, ascending.
std::vector<std::uint32_t> near_cells(const Case& c);
/// The same, given the cells' flags().
std::vector<std::uint32_t> near_cells(std::span<const std::uint8_t> flags);
/// Marks walls without fluid neighbours as D3Q19_INSIDE.
void mark_inside(Case& c);

/// Force of the fluid cells in a state's box on cells of kind WALL, by momentum exchange: Ladd (collide.h). Each population
/// that leaves toward a wall at rest is reflected, and thus transfers its momentum twice. The pressure of fluid at rest at
/// density 1 is subtracted, because it does not act on all sides of a body that stands on the ground.
std::array<double, 3> force(const Case& c, const ladder::Populations& state);
/// Error of a state after `step` steps: the 2-norm over fluid cells of the difference between its velocity and the exact one,
/// divided by the 2-norm of the exact one. Cells for which `counts` is false are skipped.
double velocity_error(const Case& c, const ladder::Populations& state, double step,
                      bool (*counts)(const Case&, std::int64_t x) = nullptr);
/// Drag coefficient of a sphere at Reynolds numbers from 0.01 to 260: R. Clift, J. Grace, M. Weber, Bubbles, Drops and
/// Particles, Academic Press 1978, table 5.2.
double sphere_drag(double reynolds);

/// The reference that every rung is compared with: scalar, double-precision and simple.
class Reference : public lattice::Reference<Case> {
 public:
  using lattice::Reference<Case>::Reference;

 private:
  void step() override;
};

/// The description of the model for the harness (docs/add-a-model.md).
struct Model : lattice::Model<Case, Reference> {
  static constexpr std::string_view observable = "drag";
  static constexpr bool records = false;
  static constexpr bool solid_has_state = false;
  static constexpr double flag_bytes = 1;
  static constexpr std::string_view stabler = "a smaller speed, a larger tau or more cells";
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> case_files = {
      {{"mesh", "closed surface of a body, OBJ: x along the wind, z up (y in the lattice)"},
       {"params", "optional; one number per line: cells along the body, cells of a block's side, tau, speed"}}};
  static constexpr std::size_t required_case_files = 1;
  static constexpr std::array<std::string_view, 2> result_files = {"flow.vti", "slice.ppm"};
  static constexpr std::array<std::string_view, 4> series_columns = {"drag", "lift", "drag_coefficient", "sphere_coefficient"};

  static std::vector<std::string> case_names() {
    return {"box-64",
            "box-256",
            "car-128x64x64",
            "couette-32",
            "duct-96x33x33",
            "porous-64",
            "sphere20-128x80x80",
            "sphere50-128x80x80",
            "sphere100-128x80x80",
            "street-64x32x32"};
  }
  /// Small seeded cases with all kinds of cells. Every rung is checked on them in addition to the requested case.
  static std::vector<Case> companion_cases();
  /// A generated case such as `box-64` or `duct-96x33x33`. @throws ladder::InputError naming the nearest known name
  static Case make_case(std::string_view case_name);
  /// A body from a mesh in a wind tunnel, with parameters from an optional second file.
  /// @throws ladder::InputError naming file, line, value and the accepted values
  static Case read_case(std::span<const std::string> files);
  /// Inflow and outflow change the mass.
  static bool conserves(const Case& c);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  /// Bodies stand on planes of constant y, so the middle plane along z shows them from the side.
  static std::int64_t picture_plane(const Case& c) { return c.nz / 2; }
  static std::string picture(const Case& c, const ladder::Populations& plane);
  /// The text that `solve` prints at the end.
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// The cells that series() needs.
  static ladder::Box series_box(const Case& c);
  /// Values of the series' columns for a state after `step` steps: drag, lift, the body's drag coefficient, and the drag
  /// coefficient of a sphere with the same frontal area (0 beyond the range of sphere_drag()).
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t step);
  /// Floating-point operations of one update (the collision) in each form, counted by running it.
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The executable's one rung.
extern const Rung rung;

}  // namespace d3q19
