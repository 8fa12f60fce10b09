#pragma once

#include <algorithm>
#include <cmath>

#include "variants/d2q37/walls.hpp"

/// Walls half a cell below the first row and above the last one. Behind such a wall lie three image rows. The image of a cell
/// is its mirror image: velocity and temperature are extrapolated linearly through those of the wall, the pressure is that of
/// gas at rest, and the part of the populations that is not in equilibrium, which carries stress and heat flux, is the same. It
/// is then scaled: the three images of a column send as many particles through the wall as the column loses. Populations that
/// arrive from beyond the wall come from the images, as if these were rows of the lattice.
///
/// Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366, for the extrapolation of the non-equilibrium part; Tiwari, Vanka, Int. J.
/// Numer. Meth. Fluids 69 (2012) 481, for images. The factor that conserves mass is that of diffuse walls: Ansumali, Karlin,
/// Phys. Rev. E 66 (2002) 026311; Meng, Zhang, Phys. Rev. E 83 (2011) 036704, with several speeds.
namespace d2q37 {

/// Values of Case::walls from which on walls lie half-way, and for a top wall that moves along x at the speed Case::amplitude.
inline constexpr std::int64_t half_way = 2, half_way_moving = 3;

inline bool has_half_way_walls(const Case& c) { return c.walls >= half_way; }
/// The same case with walls that pin three rows each. Solvers with half-way walls pass it to their base class.
inline Case with_pinned_rows(Case c) {
  c.walls = std::min<std::int64_t>(c.walls, 1);
  return c;
}
/// Velocity of a wall along x.
inline double wall_velocity(const Case& c, bool is_top) { return is_top && c.walls == half_way_moving ? c.amplitude : 0; }
/// Pressure of an image relative to that of the original, in the n-th row from a wall: that of a column of gas between them.
inline double image_pressure(const Case& c, bool is_top, int n) {
  const double weight = c.gravity * D2Q37_R * (2 * n + 1);
  return std::exp(is_top ? -weight / c.top : weight / c.bottom);
}

/// What turns cells at a wall into their images, in cells and steps.
template <class real>
struct Mirror {
  real u, v, theta;                ///< sums of the values of a cell and its image
  real pressure[Case::wall_rows];  ///< of the image relative to that of the original, by row from the wall
};

/// Mirrors at the bottom and at the top.
template <class real>
struct Mirrors {
  Mirror<real> of[2];

  explicit Mirrors(const Case& c) {
    for (const bool is_top : {false, true}) {
      constexpr double r = D2Q37_R;
      Mirror<real>& mirror = of[is_top ? 1 : 0];
      mirror.u = static_cast<real>(2 * wall_velocity(c, is_top) / r);
      // The populations of gas at rest have the velocity -g/2, and are colder by g^2/8.
      mirror.v = static_cast<real>(-c.gravity / r);
      mirror.theta = static_cast<real>((2 * ((is_top ? c.top : c.bottom) - 1) - c.gravity * c.gravity / 4) / (r * r));
      for (int n = 0; n < Case::wall_rows; ++n)
        mirror.pressure[n] = static_cast<real>(image_pressure(c, is_top, n));
    }
  }
};

/// Replaces the populations f of a cell in the n-th row from a wall with those of its image, not yet scaled.
template <class real, class T>
LBM_ANYWHERE inline void reflect(const Mirror<real>& mirror, int n, T* f) {
  T m[D2Q37_M], e[D2Q37_M], rho, u, v, theta;
  d2q37_moments(f, m);
  d2q37_macroscopic(m, &rho, &u, &v, &theta);
  d2q37_equilibrium(rho, u, v, theta, e);
  for (int k = 0; k < D2Q37_M; ++k)
    m[k] = m[k] - e[k];
  const T image_theta = T(mirror.theta) - theta, s = T(D2Q37_S);
  const T image_rho = T(mirror.pressure[n]) * rho * (s + theta) / (s + image_theta);
  d2q37_equilibrium(image_rho, T(mirror.u) - u, T(mirror.v) - v, image_theta, e);
  for (int k = 0; k < D2Q37_M; ++k)
    m[k] = m[k] + e[k];
  d2q37_expand(m, f);
}

/// Number of populations of an image row in a lattice with rows of `pitch` cells, at both walls.
constexpr std::size_t image_size(std::int64_t pitch) { return static_cast<std::size_t>(2 * Case::wall_rows * q * pitch); }
/// Index, in rows of the images, of population i of the image of the n-th row from a wall.
LBM_ANYWHERE constexpr std::int64_t image_row(bool is_top, int i, int n) {
  return ((is_top ? Case::wall_rows : 0) + n) * q + i;
}

/// Computes the images of a column behind a wall: `from(i, n)` is population i of its n-th row from the wall, after a
/// collision, and to(i, n, f) takes the population of the image of that row, for those that pass the wall.
template <class T, class real, class From, class To>
LBM_ANYWHERE void reflect_column(const Mirror<real>& mirror, int inward, From from, To to) {
  T image[Case::wall_rows][q], lost = T(0), sent = T(0);
  for (int n = Case::wall_rows - 1; n >= 0; --n) {
    for (int i = 0; i < q; ++i) {
      image[n][i] = from(i, n);
      if (d2q37_cy[i] * -inward > n) lost = lost + image[n][i];
    }
    reflect(mirror, n, image[n]);
    for (int i = 0; i < q; ++i)
      if (d2q37_cy[i] * inward > n) sent = sent + image[n][i];
  }
  const T scale = lost / sent;
  for (int n = 0; n < Case::wall_rows; ++n)
    for (int i = 0; i < q; ++i)
      if (d2q37_cy[i] * inward > n) to(i, n, scale * image[n][i]);
}

}  // namespace d2q37
