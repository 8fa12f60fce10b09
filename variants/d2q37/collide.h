/* D2Q37 thermal BGK collision in the common subset of C++, CUDA and OpenCL C: populations are projected onto the 15
 * Hermite polynomials of degree 0 to 4, and the moments relax. Shan, Yuan, Chen, J. Fluid Mech. 550 (2006) 413; Scagliarini et
 * al., Phys. Fluids 22 (2010) 055101.
 *
 * f[0..36]: populations of one site, in the order of variants/lattice/d2q37.h.
 * m[0..14]: its moments, sums of f times H_a(x) H_b(y), (a, b) = (0,0), (1,0), (0,1), (2,0), (1,1), (0,2), (3,0), (2,1), (1,2),
 * (0,3), (4,0), (3,1), (2,2), (1,3), (0,4). x and y are velocities in cells per step. H are the Hermite polynomials for the
 * weight's variance s = 1 / D2Q37_R^2: H_0 = 1, H_1 = x, H_2 = x^2 - s, H_3 = x^3 - 3 s x, H_4 = x^4 - 6 s x^2 + 3 s^2.
 *
 * The sums are factored: populations with equal |x| and |y| are added and subtracted first, so that each moment sums only the
 * terms of its own parity.
 */
#if !defined(__OPENCL_VERSION__)
#pragma once
#include "variants/lattice/d2q37.h"
#endif

#define D2Q37_M 15 /* number of moments */

/* s: variance of the weights; also temperature 1, in cells and steps. */
#define D2Q37_S 0.697953322019683088238

/* Sums of the four populations i to i + 3, which move by (x, y), (-x, -y), (x, -y), (-x, y): unsigned, and with the signs of x,
 * y and xy. */
#define D2Q37_FOUR(i, ee, oe, eo, oo)           \
  const real ee##_along = f[i] + f[i + 1];      \
  const real ee##_across = f[i + 2] + f[i + 3]; \
  const real oe##_along = f[i] - f[i + 1];      \
  const real oe##_across = f[i + 2] - f[i + 3]; \
  const real ee = ee##_along + ee##_across;     \
  const real oo = ee##_along - ee##_across;     \
  const real oe = oe##_along + oe##_across;     \
  const real eo = oe##_along - oe##_across;

/* Computes the moments m of the populations f. */
LBM_FUNCTION void d2q37_moments(const real* f, real* m) {
  const real s = (real)D2Q37_S;
  D2Q37_FOUR(5, ee11, oe11, eo11, oo11)
  D2Q37_FOUR(13, ee21, oe21, eo21, oo21)
  D2Q37_FOUR(17, ee12, oe12, eo12, oo12)
  D2Q37_FOUR(21, ee22, oe22, eo22, oo22)
  D2Q37_FOUR(29, ee31, oe31, eo31, oo31)
  D2Q37_FOUR(33, ee13, oe13, eo13, oo13)
  const real e01 = f[3] + f[4], e02 = f[11] + f[12], e03 = f[27] + f[28];

  /* Even in x and y. x1 sums the populations with |x| = 1, and so on. */
  const real x1 = ((f[1] + f[2]) + ee11) + (ee12 + ee13);
  const real x2 = (f[9] + f[10]) + (ee21 + ee22);
  const real x3 = (f[25] + f[26]) + ee31;
  const real y1 = (e01 + ee11) + (ee21 + ee31);
  const real y2 = e02 + (ee12 + ee22);
  const real y3 = e03 + ee13;
  const real density = (f[0] + ((e01 + e02) + e03)) + ((x1 + x2) + x3);
  const real xx = x1 + (real)4 * x2 + (real)9 * x3;
  const real yy = y1 + (real)4 * y2 + (real)9 * y3;
  const real xxyy = ee11 + (real)4 * (ee21 + ee12) + (real)9 * (ee31 + ee13) + (real)16 * ee22;
  m[0] = density;
  m[3] = xx - s * density;
  m[5] = yy - s * density;
  m[10] = (x1 + (real)16 * x2 + (real)81 * x3) - (real)(6 * D2Q37_S) * xx + (real)(3 * D2Q37_S * D2Q37_S) * density;
  m[14] = (y1 + (real)16 * y2 + (real)81 * y3) - (real)(6 * D2Q37_S) * yy + (real)(3 * D2Q37_S * D2Q37_S) * density;
  m[12] = xxyy - s * (m[3] + m[5]) - (real)(D2Q37_S * D2Q37_S) * density;

  /* Odd in x. */
  const real ox1 = ((f[1] - f[2]) + oe11) + (oe12 + oe13);
  const real ox2 = (f[9] - f[10]) + (oe21 + oe22);
  const real ox3 = (f[25] - f[26]) + oe31;
  m[1] = ox1 + (real)2 * ox2 + (real)3 * ox3;
  m[6] = (ox1 + (real)8 * ox2 + (real)27 * ox3) - (real)(3 * D2Q37_S) * m[1];
  m[8] = (oe11 + (real)2 * oe21 + (real)3 * oe31 + (real)4 * oe12 + (real)8 * oe22 + (real)9 * oe13) - s * m[1];

  /* Odd in y. */
  const real oy1 = ((f[3] - f[4]) + eo11) + (eo21 + eo31);
  const real oy2 = (f[11] - f[12]) + (eo12 + eo22);
  const real oy3 = (f[27] - f[28]) + eo13;
  m[2] = oy1 + (real)2 * oy2 + (real)3 * oy3;
  m[9] = (oy1 + (real)8 * oy2 + (real)27 * oy3) - (real)(3 * D2Q37_S) * m[2];
  m[7] = (eo11 + (real)2 * eo12 + (real)3 * eo13 + (real)4 * eo21 + (real)8 * eo22 + (real)9 * eo31) - s * m[2];

  /* Odd in both. */
  m[4] = oo11 + (real)2 * (oo21 + oo12) + (real)3 * (oo31 + oo13) + (real)4 * oo22;
  m[11] = (oo11 + (real)2 * oo12 + (real)3 * oo13 + (real)8 * oo21 + (real)16 * oo22 + (real)27 * oo31) -
          (real)(3 * D2Q37_S) * m[4];
  m[13] = (oo11 + (real)2 * oo21 + (real)3 * oo31 + (real)8 * oo12 + (real)16 * oo22 + (real)27 * oo13) -
          (real)(3 * D2Q37_S) * m[4];
}

/* Computes the moments of the equilibrium with density `rho`, velocity (u, v) and temperature s + theta, in cells and steps. */
LBM_FUNCTION void d2q37_equilibrium(const real rho, const real u, const real v, const real theta, real* m) {
  const real uu = u * u, vv = v * v;
  const real xx = uu + theta, yy = vv + theta;
  const real xxx = u * (xx + (real)2 * theta), yyy = v * (yy + (real)2 * theta);
  const real momentum_x = rho * u, momentum_y = rho * v;
  m[0] = rho;
  m[1] = momentum_x;
  m[2] = momentum_y;
  m[3] = rho * xx;
  m[4] = momentum_x * v;
  m[5] = rho * yy;
  m[6] = rho * xxx;
  m[7] = m[3] * v;
  m[8] = m[5] * u;
  m[9] = rho * yyy;
  m[10] = rho * (u * xxx + (real)3 * theta * xx);
  m[11] = m[6] * v;
  m[12] = m[3] * yy;
  m[13] = m[9] * u;
  m[14] = rho * (v * yyy + (real)3 * theta * yy);
}

/* Computes density, velocity and theta from moments, in cells and steps; the temperature is s + theta. */
LBM_FUNCTION void d2q37_macroscopic(const real* m, real* rho, real* u, real* v, real* theta) {
  const real per_rho = (real)1 / m[0];
  *rho = m[0];
  *u = m[1] * per_rho;
  *v = m[2] * per_rho;
  *theta = (real)0.5 * ((m[3] + m[5]) * per_rho - (*u * *u + *v * *v));
}

/* Relaxes moments with rate `omega` toward the equilibrium with velocity v + kick and temperature s + theta + warm, where kick
 * and warm are the contributions of the force and the heat. */
LBM_FUNCTION void d2q37_relax(real* m, const real omega, const real kick, const real warm) {
  real rho, u, v, theta;
  d2q37_macroscopic(m, &rho, &u, &v, &theta);
  real e[D2Q37_M];
  d2q37_equilibrium(omega * rho, u, v + kick, theta + warm, e);
  const real keep = (real)1 - omega;
  m[2] = m[2] + omega * rho * kick;
#if defined(__CUDA_ARCH__) || defined(__OPENCL_VERSION__)
#pragma unroll
#endif
  for (int k = 3; k < D2Q37_M; ++k)
    m[k] = keep * m[k] + e[k];
}

/* Writes the pair f[i], f[i + 1], for directions c and -c. */
#define D2Q37_PAIR(i, even, odd)          \
  {                                       \
    const real w = (real)D2Q37_WEIGHT(i); \
    const real shared = w * (even);       \
    const real differing = w * (odd);     \
    f[i] = shared + differing;            \
    f[i + 1] = shared - differing;        \
  }

/* Writes the four populations of D2Q37_FOUR, given the sums of their terms by parity. */
#define D2Q37_WRITE_FOUR(i, ee, oe, eo, oo) \
  {                                         \
    const real w = (real)D2Q37_WEIGHT(i);   \
    const real even = w * (ee);             \
    const real odd = w * (oe);              \
    const real along = even + w * (oo);     \
    const real across = even - w * (oo);    \
    const real odd_along = odd + w * (eo);  \
    const real odd_across = odd - w * (eo); \
    f[i] = along + odd_along;               \
    f[i + 1] = along - odd_along;           \
    f[i + 2] = across + odd_across;         \
    f[i + 3] = across - odd_across;         \
  }

/* H_2, H_3 / n and H_4 at n cells per step. */
#define D2Q37_H2(n) ((n) * (n)-D2Q37_S)
#define D2Q37_H3_PER(n) ((n) * (n)-3 * D2Q37_S)
#define D2Q37_H4(n) ((n) * (n) * (n) * (n)-6 * D2Q37_S * (n) * (n) + 3 * D2Q37_S * D2Q37_S)

/* The terms of the polynomial by parity, at (x, y). */
#define D2Q37_EVEN(x, y) (even_x##x + even_y##y + (real)(D2Q37_H2(x) * D2Q37_H2(y)) * c22)
#define D2Q37_ODD_X(x, y) ((real)(x)*odd_x##x + (real)((x)*D2Q37_H2(y)) * c12)
#define D2Q37_ODD_Y(x, y) ((real)(y)*odd_y##y + (real)((y)*D2Q37_H2(x)) * c21)
#define D2Q37_ODD(x, y) \
  ((real)((x) * (y)) * c11 + (real)((x) * (y)*D2Q37_H3_PER(x)) * c31 + (real)((x) * (y)*D2Q37_H3_PER(y)) * c13)
#define D2Q37_EXPAND_FOUR(i, x, y) D2Q37_WRITE_FOUR(i, D2Q37_EVEN(x, y), D2Q37_ODD_X(x, y), D2Q37_ODD_Y(x, y), D2Q37_ODD(x, y))

/* Computes the populations with moments m: f_i = w_i sum of m_ab H_a H_b / (a! b! s^(a + b)). */
LBM_FUNCTION void d2q37_expand(const real* m, real* f) {
  const real c10 = (real)(1 / D2Q37_S) * m[1], c01 = (real)(1 / D2Q37_S) * m[2];
  const real c20 = (real)(0.5 / (D2Q37_S * D2Q37_S)) * m[3], c02 = (real)(0.5 / (D2Q37_S * D2Q37_S)) * m[5];
  const real c11 = (real)(1 / (D2Q37_S * D2Q37_S)) * m[4];
  const real third = (real)(1 / (6 * D2Q37_S * D2Q37_S * D2Q37_S)), mixed = (real)(0.5 / (D2Q37_S * D2Q37_S * D2Q37_S));
  const real c30 = third * m[6], c21 = mixed * m[7], c12 = mixed * m[8], c03 = third * m[9];
  const real fourth = (real)(1 / (24 * D2Q37_S * D2Q37_S * D2Q37_S * D2Q37_S));
  const real c40 = fourth * m[10], c31 = (real)4 * (fourth * m[11]), c22 = (real)6 * (fourth * m[12]);
  const real c13 = (real)4 * (fourth * m[13]), c04 = fourth * m[14];

  const real even_x0 = m[0] + (real)D2Q37_H2(0) * c20 + (real)D2Q37_H4(0) * c40;
  const real even_x1 = m[0] + (real)D2Q37_H2(1) * c20 + (real)D2Q37_H4(1) * c40;
  const real even_x2 = m[0] + (real)D2Q37_H2(2) * c20 + (real)D2Q37_H4(2) * c40;
  const real even_x3 = m[0] + (real)D2Q37_H2(3) * c20 + (real)D2Q37_H4(3) * c40;
  const real even_y0 = (real)D2Q37_H2(0) * c02 + (real)D2Q37_H4(0) * c04;
  const real even_y1 = (real)D2Q37_H2(1) * c02 + (real)D2Q37_H4(1) * c04;
  const real even_y2 = (real)D2Q37_H2(2) * c02 + (real)D2Q37_H4(2) * c04;
  const real even_y3 = (real)D2Q37_H2(3) * c02 + (real)D2Q37_H4(3) * c04;
  const real odd_x1 = c10 + (real)D2Q37_H3_PER(1) * c30, odd_y1 = c01 + (real)D2Q37_H3_PER(1) * c03;
  const real odd_x2 = c10 + (real)D2Q37_H3_PER(2) * c30, odd_y2 = c01 + (real)D2Q37_H3_PER(2) * c03;
  const real odd_x3 = c10 + (real)D2Q37_H3_PER(3) * c30, odd_y3 = c01 + (real)D2Q37_H3_PER(3) * c03;

  f[0] = (real)D2Q37_WEIGHT(0) * D2Q37_EVEN(0, 0);
  D2Q37_PAIR(1, D2Q37_EVEN(1, 0), D2Q37_ODD_X(1, 0))
  D2Q37_PAIR(3, D2Q37_EVEN(0, 1), D2Q37_ODD_Y(0, 1))
  D2Q37_EXPAND_FOUR(5, 1, 1)
  D2Q37_PAIR(9, D2Q37_EVEN(2, 0), D2Q37_ODD_X(2, 0))
  D2Q37_PAIR(11, D2Q37_EVEN(0, 2), D2Q37_ODD_Y(0, 2))
  D2Q37_EXPAND_FOUR(13, 2, 1)
  D2Q37_EXPAND_FOUR(17, 1, 2)
  D2Q37_EXPAND_FOUR(21, 2, 2)
  D2Q37_PAIR(25, D2Q37_EVEN(3, 0), D2Q37_ODD_X(3, 0))
  D2Q37_PAIR(27, D2Q37_EVEN(0, 3), D2Q37_ODD_Y(0, 3))
  D2Q37_EXPAND_FOUR(29, 3, 1)
  D2Q37_EXPAND_FOUR(33, 1, 3)
}

/* Projects and relaxes a site's populations f; arguments as for d2q37_relax(). */
LBM_FUNCTION void d2q37_collide(real* f, const real omega, const real kick, const real warm) {
  real m[D2Q37_M];
  d2q37_moments(f, m);
  d2q37_relax(m, omega, kick, warm);
  d2q37_expand(m, f);
}

/* Replaces the populations f of a site in a wall row with the equilibrium at the same density, with velocity (0, v) and
 * temperature s + theta. */
LBM_FUNCTION void d2q37_wall(real* f, const real v, const real theta) {
  real m[D2Q37_M];
  real rho = f[D2Q37_Q - 1]; /* smallest first, which minimizes rounding */
#if defined(__CUDA_ARCH__) || defined(__OPENCL_VERSION__)
#pragma unroll
#endif
  for (int i = D2Q37_Q - 2; i >= 0; --i)
    rho = rho + f[i];
  d2q37_equilibrium(rho, (real)0, v, theta, m);
  d2q37_expand(m, f);
}
