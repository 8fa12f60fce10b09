#pragma once

#include <concepts>
#include <string_view>

#include "variants/lattice/d2q1.h"
#include "variants/lattice/d2q37.h"
#include "variants/lattice/d2q9.h"
#include "variants/lattice/d3q19.h"
#include "variants/lattice/d3q27.h"

#if defined(__CUDACC__)
#define LBM_ANYWHERE __host__ __device__
#else
#define LBM_ANYWHERE
#endif

/// Velocity sets, layouts and streaming patterns, shared by all models. A model is a lattice plus its physics; a rung is a
/// layout, a pattern and a way to launch.
namespace lattice {

/// The number of cells that a population moves in one step, or the distance of an access.
struct Velocity {
  int x = 0, y = 0, z = 0;

  LBM_ANYWHERE constexpr Velocity operator-() const { return {-x, -y, -z}; }
  LBM_ANYWHERE constexpr Velocity operator+(const Velocity& o) const { return {x + o.x, y + o.y, z + o.z}; }
  constexpr bool operator==(const Velocity&) const = default;
};

/// A velocity set. Direction 0 is at rest.
template <class L>
concept Lattice = requires(int i) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::dimensions } -> std::convertible_to<int>;
  { L::q } -> std::convertible_to<int>;
  { L::reach } -> std::convertible_to<int>;             ///< maximum distance of a move along an axis per step, in cells
  { L::c(i) } -> std::same_as<Velocity>;                ///< velocity of direction i
  { L::opposite(i) } -> std::same_as<int>;              ///< the opposite direction
  { L::weight(i) } -> std::same_as<double>;             ///< quadrature weight
  { L::rest(i) } -> std::same_as<double>;               ///< subtracted from population i when it is stored
  { L::sound_squared } -> std::convertible_to<double>;  ///< squared speed of sound, in units of cells and steps
};

/// One value per point, with no velocity and hence no speed of sound.
struct D2Q1 {
  static constexpr std::string_view name = "d2q1";
  static constexpr int dimensions = 2, q = D2Q1_Q, reach = D2Q1_REACH;
  static constexpr double sound_squared = 0;
  LBM_ANYWHERE static constexpr Velocity c(int) { return {}; }
  LBM_ANYWHERE static constexpr int opposite(int) { return 0; }
  LBM_ANYWHERE static constexpr double weight(int) { return 1; }
  LBM_ANYWHERE static constexpr double rest(int) { return 0; }
};

struct D2Q9 {
  static constexpr std::string_view name = "d2q9";
  static constexpr int dimensions = 2, q = D2Q9_Q, reach = D2Q9_REACH;
  static constexpr double sound_squared = 1.0 / 3.0;
  LBM_ANYWHERE static constexpr Velocity c(int i) { return {d2q9_cx[i], d2q9_cy[i], d2q9_cz[i]}; }
  LBM_ANYWHERE static constexpr int opposite(int i) { return d2q9_opposite[i]; }
  LBM_ANYWHERE static constexpr double weight(int i) { return D2Q9_WEIGHT(i); }
  LBM_ANYWHERE static constexpr double rest(int i) { return weight(i); }
};

struct D3Q19 {
  static constexpr std::string_view name = "d3q19";
  static constexpr int dimensions = 3, q = D3Q19_Q, reach = D3Q19_REACH;
  static constexpr double sound_squared = 1.0 / 3.0;
  LBM_ANYWHERE static constexpr Velocity c(int i) { return {d3q19_cx[i], d3q19_cy[i], d3q19_cz[i]}; }
  LBM_ANYWHERE static constexpr int opposite(int i) { return d3q19_opposite[i]; }
  LBM_ANYWHERE static constexpr double weight(int i) { return D3Q19_WEIGHT(i); }
  LBM_ANYWHERE static constexpr double rest(int i) { return weight(i); }
};

struct D3Q27 {
  static constexpr std::string_view name = "d3q27";
  static constexpr int dimensions = 3, q = D3Q27_Q, reach = D3Q27_REACH;
  static constexpr double sound_squared = 1.0 / 3.0;
  LBM_ANYWHERE static constexpr Velocity c(int i) { return {d3q27_cx[i], d3q27_cy[i], d3q27_cz[i]}; }
  LBM_ANYWHERE static constexpr int opposite(int i) { return d3q27_opposite[i]; }
  LBM_ANYWHERE static constexpr double weight(int i) { return D3Q27_WEIGHT(i); }
  LBM_ANYWHERE static constexpr double rest(int i) { return weight(i); }
};

struct D2Q37 {
  static constexpr std::string_view name = "d2q37";
  static constexpr int dimensions = 2, q = D2Q37_Q, reach = D2Q37_REACH;
  static constexpr double sound_squared = 1.0 / (D2Q37_R * D2Q37_R);
  LBM_ANYWHERE static constexpr Velocity c(int i) { return {d2q37_cx[i], d2q37_cy[i], d2q37_cz[i]}; }
  LBM_ANYWHERE static constexpr int opposite(int i) { return d2q37_opposite[i]; }
  LBM_ANYWHERE static constexpr double weight(int i) { return D2Q37_WEIGHT(i); }
  LBM_ANYWHERE static constexpr double rest(int) { return 0; }
};

}  // namespace lattice
