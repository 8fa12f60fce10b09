#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "variants/d2q9/collide.h"
#include "variants/lattice/model.hpp"

/// The model d2q9: single-relaxation-time collision, obstacles, a driven row; files in the UoB-HPC formats.
namespace d2q9 {

using Lattice = lattice::D2Q9;
inline constexpr int q = Lattice::q;

/// A problem: grid, obstacles, physical parameters (lattice units) and number of steps.
struct Case : lattice::Case<Lattice> {
  int reynolds_dim = 0;
  double density = 0;
  double accel = 0;
  double omega = 0;

  /// Returns a hash of everything that defines the problem, except its name and number of steps.
  [[nodiscard]] std::string content() const;
  /// Returns the row that the driving force acts on, or -1 in a part of a case without that row.
  [[nodiscard]] int accelerated_row() const;
  /// The driving force: what is added to the populations of a driven site along the axes and the diagonals, relative to the
  /// density at rest.
  [[nodiscard]] double w1() const { return accel / 9; }
  [[nodiscard]] double w2() const { return accel / 36; }
  [[nodiscard]] bool starts_alike() const { return !is_seeded; }
  /// Returns the populations of cell (x, y) at step 0: density * weight. In a seeded case every population differs from its
  /// neighbours, and some cells of the accelerated row have a population that is too small for the cell to be accelerated.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z = 0) const;
};

/// The two halves of Model::read_case(), for texts read from `path`: a case without geometry, and its geometry.
Case parse_parameters(const std::string& path, std::string_view text);
void parse_obstacles(const std::string& path, std::string_view text, Case& c);

/// The reference that every rung is compared with: scalar, in double precision, and simple.
class Reference : public lattice::Reference<Case> {
 public:
  using lattice::Reference<Case>::Reference;

  /// The parts of a step, in order: accelerate, propagate, rebound, collide. A row of -1 means none.
  void accelerate(int row);
  void rebound();
  void collide();
  [[nodiscard]] double average_speed() const;

 private:
  void step() override;
};

/// Returns the Reynolds number, average speed * reynolds_dim / viscosity, where viscosity = (2/omega - 1)/6.
double reynolds_number(const Case& c, double average_speed);

/// Describes the model to the harness (docs/add-a-model.md).
struct Model : lattice::Model<Case, Reference> {
  static constexpr std::string_view observable = "average speed";
  static constexpr bool records = true;
  static constexpr double flag_bytes = 1;
  static constexpr std::string_view stabler = "a smaller force or omega";
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> case_files = {
      {{"params", "UoB-HPC parameters: nx, ny, steps, reynolds_dim, density, accel, omega"},
       {"obstacles", "UoB-HPC obstacles: lines `x y 1`"}}};
  static constexpr std::array<std::string_view, 2> result_files = {"av_vels.dat", "final_state.dat"};
  static constexpr std::array<std::string_view, 1> series_columns = {"average_speed"};

  static double density(const Case& c) { return c.density; }
  static std::vector<std::string> case_names() { return {"box-128", "box-256", "box-1024", "porous-256"}; }
  /// The force in the last case is so strong that some sites cannot be accelerated in later steps either. This tests rungs that
  /// apply the driving force in the previous step.
  static std::vector<Case> companion_cases();
  /// Creates a generated case: `box-128`, `box-300x200`, `porous-512`, `porous-300x200`.
  /// @throws ladder::InputError naming the nearest known name.
  static Case make_case(std::string_view case_name);
  /// Reads a pair of UoB-HPC files. @throws ladder::InputError naming the file, line, value and what is accepted.
  static Case read_case(std::span<const std::string> files);
  /// Writes av_vels.dat and final_state.dat into `folder`, atomically.
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::string& folder);
  static std::string picture(const Case& c, const ladder::Populations& plane);
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// Returns the contribution of a box's cells to the mean of |u| over the case's `fluid_cells`, which take long to count.
  static double observe(const Case& c, const ladder::Populations& state, std::int64_t fluid_cells);
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t) {
    return {observe(c, state, c.fluid_cells())};
  }
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The executable's only rung.
extern const Rung rung;

}  // namespace d2q9
