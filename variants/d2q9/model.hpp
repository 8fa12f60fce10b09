#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/rung.hpp"
#include "roofline/counting.hpp"
#include "variants/d2q9/collide.h"
#include "variants/lattice/reference.hpp"
#include "variants/lattice/window.hpp"

/// The model d2q9: single-relaxation-time collision, obstacles, a driven row; files in the UoB-HPC formats.
namespace d2q9 {

using Lattice = lattice::D2Q9;
inline constexpr int q = Lattice::q;

/// State that a run starts from. `rest`: density * weight in every cell. `seeded`: every population differs from its
/// neighbours, and in some cells of the accelerated row a population is too small to be accelerated; checks start here.
enum class Start { rest, seeded };

/// One problem: grid, geometry, physical parameters (lattice units) and number of steps.
struct Case {
  std::string name;
  int nx = 0;
  int ny = 0;
  std::int64_t steps = 0;
  int reynolds_dim = 0;
  double density = 0;
  double accel = 0;
  double omega = 0;
  std::vector<std::uint8_t> solid = {};  ///< [y * nx + x]: 1 solid, 0 fluid
  Start start = Start::rest;
  lattice::Window window = {};

  [[nodiscard]] std::int64_t cells() const { return std::int64_t{nx} * ny; }
  [[nodiscard]] std::int64_t fluid_cells() const;
  [[nodiscard]] bool is_solid(std::int64_t x, std::int64_t y) const { return solid[static_cast<std::size_t>(y * nx + x)] != 0; }
  /// Hash of everything that makes the problem but its name and number of steps.
  [[nodiscard]] std::string content() const;
  [[nodiscard]] ladder::Triple grid() const { return {nx, ny, 1}; }
  /// A box of the case, which may reach beyond the grid and wraps, as a periodic case of its own.
  [[nodiscard]] Case part(const ladder::Box& box) const;
  /// The row that the driving force acts on; -1 in a part of a case without that row.
  [[nodiscard]] int accelerated_row() const;
  [[nodiscard]] double w1() const { return density * accel / 9; }
  [[nodiscard]] double w2() const { return density * accel / 36; }
  /// The populations of cell (x, y) at step 0.
  [[nodiscard]] std::array<double, q> initial(std::int64_t x, std::int64_t y, std::int64_t z = 0) const;
};

/// Reads a pair of UoB-HPC files. @throws ladder::InputError naming file, line, value and what is accepted.
Case read_case(const std::filesystem::path& params, const std::filesystem::path& obstacles);
/// The two parts of read_case(), of texts that came from `path`: a case without geometry, and its geometry.
Case parse_parameters(const std::filesystem::path& path, std::string_view text);
void parse_obstacles(const std::filesystem::path& path, std::string_view text, Case& c);

/// A generated case: `box-128`, `box-300x200`, `porous-512`, `porous-300x200`.
/// @throws ladder::InputError with the nearest known name.
Case generate_case(std::string_view name);

/// Scalar, double, obvious: the reference that every rung is compared with.
class Reference : public lattice::Reference<Lattice, Case> {
 public:
  explicit Reference(const Case& c) : lattice::Reference<Lattice, Case>(c), fluid_cells_(c.fluid_cells()) {}

  /// The parts of one step, in order: accelerate, propagate, rebound, collide. A row of -1 is none.
  void accelerate(int row);
  void rebound();
  void collide();
  [[nodiscard]] double average_speed() const;

  void advance(std::int64_t steps);
  /// The average speed after each step.
  [[nodiscard]] std::span<const double> history() const { return history_; }

 private:
  std::int64_t fluid_cells_;
  std::vector<double> history_;
};

/// Macroscopic fields of one site.
struct Macroscopic {
  double density, ux, uy;
};
Macroscopic macroscopic(std::span<const double, q> f);

/// Reynolds number = average speed * reynolds_dim / viscosity, viscosity = (2/omega - 1)/6.
double reynolds_number(const Case& c, double average_speed);

/// Writes av_vels.dat and final_state.dat into `folder`, whole or not at all.
void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                   const std::filesystem::path& folder);

/// What the harness needs to know of the model (docs/add-a-model.md).
struct Model {
  using Case = d2q9::Case;
  using Reference = d2q9::Reference;
  using Lattice = d2q9::Lattice;
  using Numbers = ladder::Stored<float, double>;
  static constexpr std::string_view name = Lattice::name;
  static constexpr int q = d2q9::q;
  static constexpr std::string_view observable = "average speed";
  static constexpr bool records = true;
  static constexpr double flag_bytes = 1;
  static constexpr std::string_view stabler = "a smaller force or omega";
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> case_files = {
      {{"params", "UoB-HPC parameters: nx, ny, steps, reynolds_dim, density, accel, omega"},
       {"obstacles", "UoB-HPC obstacles: lines `x y 1`"}}};
  static constexpr std::array<std::string_view, 2> result_files = {"av_vels.dat", "final_state.dat"};
  static constexpr std::array<std::string_view, 1> series_columns = {"average_speed"};

  static std::vector<std::string> case_names() { return {"box-128", "box-256", "box-1024", "porous-256"}; }
  /// The last is driven so hard that sites refuse to be accelerated in later steps, too: a rung may fold the driving force into
  /// the step before.
  static std::vector<Case> companion_cases();
  static Case make_case(std::string_view case_name) { return generate_case(case_name); }
  static Case read_case(std::span<const std::filesystem::path> files) { return d2q9::read_case(files[0], files[1]); }
  static Case seeded(Case c);
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::filesystem::path& folder) {
    d2q9::write_results(c, state, history, folder);
  }
  static std::string picture(const Case& c, const ladder::Populations& plane);
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// What the cells of a box contribute to the mean over fluid cells of |u|.
  static double observe(const Case& c, const ladder::Populations& state);
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t) {
    return {observe(c, state)};
  }
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The one rung of an executable.
extern const Rung rung;

}  // namespace d2q9
