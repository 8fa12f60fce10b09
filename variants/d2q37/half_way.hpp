#pragma once

#include <algorithm>
#include <cmath>

#include "variants/d2q37/walls.hpp"

/// Walls half a cell below the first row and above the last one. Behind such a wall lie three image rows. The image of a cell
/// is its mirror image: velocity and temperature are extrapolated linearly through the wall's values, the pressure follows from
/// hydrostatic balance, and the non-equilibrium part of the populations, which carries stress and heat flux, is the same. The
/// images are then scaled, so that the three images of a column send as many particles through the wall as the column loses.
/// Populations that arrive from beyond the wall come from the images, as if these were rows of the lattice.
///
/// Guo, Zheng, Shi, Chinese Phys. 11 (2002) 366, for the extrapolation of the non-equilibrium part; Tiwari, Vanka, Int. J.
/// Numer. Meth. Fluids 69 (2012) 481, for images. Diffuse walls conserve mass with the same factor: Ansumali, Karlin,
/// Phys. Rev. E 66 (2002) 026311; Meng, Zhang, J. Comput. Phys. 258 (2014) 601, for populations that skip rows.
namespace d2q37 {

/// Values of Case::walls: half-way walls at rest, and a top wall that moves along x at the speed Case::amplitude.
inline constexpr std::int64_t half_way = 2, half_way_moving = 3;

inline bool has_half_way_walls(const Case& c) { return c.walls >= half_way; }
/// The same case, with the same start, but with walls that pin three rows each. Solvers with half-way walls pass it to their
/// base class.
inline Case with_pinned_rows(Case c) {
  if (c.walls == half_way_moving) c.amplitude = 0;  // the wall's speed, not a perturbation
  c.walls = std::min<std::int64_t>(c.walls, 1);
  return c;
}
/// Velocity of a wall along x.
inline double wall_velocity(const Case& c, bool is_top) { return is_top && c.walls == half_way_moving ? c.amplitude : 0; }

/// How cells at a wall are mirrored, in units of cells and steps.
template <class real>
struct Mirror {
  real u, v, theta;                ///< sums of the values of a cell and its image
  real pressure[Case::wall_rows];  ///< of the image, divided by the original's, by row from the wall
};

/// The mirror of a wall that moves along x at the velocity u.
template <class real>
LBM_ANYWHERE inline Mirror<real> mirror_of(const Relaxation<real>& r, bool is_top, real u) {
  const real theta = r.wall_theta[is_top ? 1 : 0];
  // The populations of gas at rest have the velocity -g/2, and are colder by g^2/8; wall_speed is g/2.
  Mirror<real> mirror{2 * u, -2 * r.wall_speed, 2 * theta - r.wall_speed * r.wall_speed, {}};
  for (int n = 0; n < Case::wall_rows; ++n) {
    const real weight = 2 * r.wall_speed * static_cast<real>(2 * n + 1) / (static_cast<real>(D2Q37_S) + theta);
    mirror.pressure[n] = std::exp(is_top ? -weight : weight);
  }
  return mirror;
}

/// Mirrors at the bottom and at the top.
template <class real>
struct Mirrors {
  Mirror<real> of[2];

  explicit Mirrors(const Case& c) {
    for (const bool is_top : {false, true})
      of[is_top ? 1 : 0] = mirror_of(c.relaxation<real>(), is_top, static_cast<real>(wall_velocity(c, is_top) / D2Q37_R));
  }
};

/// Replaces the moments m of a cell in the n-th row from a wall with those of its image, not yet scaled.
template <class real, class T>
LBM_ANYWHERE inline void reflect(const Mirror<real>& mirror, int n, T* m) {
  T e[D2Q37_M], rho, u, v, theta;
  d2q37_macroscopic(m, &rho, &u, &v, &theta);
  d2q37_equilibrium(rho, u, v, theta, e);
  for (int k = 0; k < D2Q37_M; ++k)
    m[k] = m[k] - e[k];
  const T image_theta = T(mirror.theta) - theta, s = T(D2Q37_S);
  const T image_rho = T(mirror.pressure[n]) * rho * (s + theta) / (s + image_theta);
  d2q37_equilibrium(image_rho, T(mirror.u) - u, T(mirror.v) - v, image_theta, e);
  for (int k = 0; k < D2Q37_M; ++k)
    m[k] = m[k] + e[k];
}

/// Sum of the populations f of the n-th row on one side of a wall that pass it, in the direction `sign` along y.
template <class T>
LBM_ANYWHERE inline T passing(const T* f, int sign, int n) {
  T sum = T(0);
  for (int i = q - 1; i >= 0; --i)
    if (d2q37_cy[i] * sign > n) sum = sum + f[i];
  return sum;
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
    T m[D2Q37_M];
    for (int i = 0; i < q; ++i)
      image[n][i] = from(i, n);
    lost = lost + passing(image[n], -inward, n);
    d2q37_moments(image[n], m);
    reflect(mirror, n, m);
    d2q37_expand(m, image[n]);
    sent = sent + passing(image[n], inward, n);
  }
  const T scale = lost / sent;
  for (int n = 0; n < Case::wall_rows; ++n)
    for (int i = 0; i < q; ++i)
      if (d2q37_cy[i] * inward > n) to(i, n, scale * image[n][i]);
}

}  // namespace d2q37
