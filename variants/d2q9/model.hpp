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

/// The model d2q9: the lattice, its cases and files (UoB-HPC formats), and what the harness needs to know of it.
namespace d2q9 {

inline constexpr int q = 9;
/// Lattice velocities: 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8 SE.
inline constexpr std::array<int, q> cx = {0, 1, 0, -1, 0, 1, -1, -1, 1};
inline constexpr std::array<int, q> cy = {0, 0, 1, 0, -1, 1, 1, -1, -1};
inline constexpr std::array<int, q> opposite = {0, 3, 4, 1, 2, 7, 8, 5, 6};
inline constexpr std::array<double, q> weight = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

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

  [[nodiscard]] std::int64_t cells() const { return std::int64_t{nx} * ny; }
  [[nodiscard]] std::int64_t fluid_cells() const;
  /// Hash of all that makes the problem but its name and number of steps.
  [[nodiscard]] std::string content() const;
  [[nodiscard]] std::array<std::int64_t, 3> grid() const { return {nx, ny, 1}; }
  /// Row that the driving force acts on.
  [[nodiscard]] int accelerated_row() const { return ny - 2; }
  [[nodiscard]] double w1() const { return density * accel / 9; }
  [[nodiscard]] double w2() const { return density * accel / 36; }
  /// Population i of cell (x, y) at step 0.
  [[nodiscard]] double initial(int i, int x, int y) const;
};

/// Reads a pair of UoB-HPC files. @throws ladder::InputError naming file, line, value and what is accepted.
Case read_case(const std::filesystem::path& params, const std::filesystem::path& obstacles);
/// The two parts of read_case(), of texts that came from `path`: a case without geometry, and its geometry.
Case parse_parameters(const std::filesystem::path& path, std::string_view text);
void parse_obstacles(const std::filesystem::path& path, std::string_view text, Case& c);

/// A generated case: `box-128`, `box-300x200`, `porous-512`, `porous-300x200`.
/// @throws ladder::InputError with the nearest known name.
Case generate_case(std::string_view name);

/// Scalar, double, obvious: the reference every rung is compared with. f[cell * 9 + i], cell = y * nx + x.
class Reference {
 public:
  explicit Reference(const Case& c);

  /// The five parts of one step, in order.
  void accelerate(int row);
  void propagate();
  void rebound();
  void collide();
  [[nodiscard]] double average_speed() const;

  void advance(std::int64_t steps);
  void store(ladder::Populations& out) const;
  [[nodiscard]] std::span<const double> history() const { return history_; }
  /// Populations of cell (x, y), to set up and inspect analytic flows.
  std::span<double, q> cell(int x, int y);

 private:
  Case case_;
  std::int64_t fluid_cells_;
  ladder::Numbers<double> cells_;
  ladder::Numbers<double> propagated_;
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

/// What the harness needs to know of the model.
struct Model {
  using Case = d2q9::Case;
  using Reference = d2q9::Reference;
  static constexpr std::string_view name = "d2q9";
  static constexpr int q = d2q9::q;
  static constexpr std::string_view observable = "average speed";
  /// Whether rungs compute the observable of every step; else it is computed of stored states alone.
  static constexpr bool records = true;
  /// Bytes that a cell has beside its populations.
  static constexpr double flag_bytes = 1;
  /// What makes an unstable flow stable.
  static constexpr std::string_view stabler = "a smaller force or omega";
  /// Files that make a case, in the order read_case() takes them: option name and meaning.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> case_files = {
      {{"params", "UoB-HPC parameters: nx, ny, steps, reynolds_dim, density, accel, omega"},
       {"obstacles", "UoB-HPC obstacles: lines `x y 1`"}}};

  static std::vector<std::string> case_names();
  /// Small odd non-square cases, seeded, on which every rung is checked beside the case asked for. The last is driven so hard
  /// that sites refuse to be accelerated in later steps, too: a rung may fold the driving force into the step before.
  static std::vector<Case> companion_cases();
  static Case make_case(std::string_view case_name) { return generate_case(case_name); }
  static Case read_case(std::span<const std::filesystem::path> files);
  /// Files that write_results() makes.
  static constexpr std::array<std::string_view, 2> result_files = {"av_vels.dat", "final_state.dat"};
  static void write_results(const Case& c, const ladder::Populations& state, std::span<const double> history,
                            const std::filesystem::path& folder) {
    d2q9::write_results(c, state, history, folder);
  }
  /// The velocity field as CSV, `x,y,speed,solid`, thinned out to at most 256 sites a side.
  static std::string picture(const Case& c, const ladder::Populations& state);
  /// What `solve` prints at its end.
  static std::string summary(const Case& c, const ladder::Populations& state, std::span<const double> history);
  /// The observable of a state: mean over fluid cells of |u|.
  static double observe(const Case& c, const ladder::Populations& state);
  /// Columns of a series, and their values of a state after `step` steps.
  static constexpr std::array<std::string_view, 1> series_columns = {"average_speed"};
  static std::vector<double> series(const Case& c, const ladder::Populations& state, std::int64_t) {
    return {observe(c, state)};
  }
  /// Sum that every step conserves (mass), for runs too long to be compared.
  static double conserved(const ladder::Populations& state);
  static double conserved_at_start(const Case& c);
  /// The same case from its seeded state.
  static Case seeded(Case c);
  /// Floating-point operations of one update (collision and speed of a fluid site) in each form, counted by running it.
  static std::vector<ladder::Operations> operations();
};

using Rung = ladder::Rung<Model>;
using Solver = ladder::Solver<Model>;

/// The one rung of an executable.
extern const Rung rung;

/// The command line of a rung's executable; returns its exit code.
int command_line(const Rung& the_rung, const ladder::RungInfo& info, int argc, char** argv);

}  // namespace d2q9
