/* The collision as a plain projection: each of 15 moments is a sum over 37 populations, and each population a sum over 15
 * moments. The host computes the coefficients project[15][37] and expand[37][15], for moments as in collide.h. */

/* Computes the moments m of the populations f. */
LBM_FUNCTION void project_moments(const real* f, real* m, constant const real* project) {
#pragma unroll
  for (int k = 0; k < D2Q37_M; ++k) {
    m[k] = project[37 * k + 36] * f[36];
#pragma unroll
    for (int i = 35; i >= 0; --i)
      m[k] += project[37 * k + i] * f[i];
  }
}

/* Projects and relaxes the populations f; arguments as for d2q37_collide(). */
LBM_FUNCTION void collide_projected(real* f, constant const real* project, constant const real* expand, real omega, real kick,
                                    real warm) {
  real m[D2Q37_M];
  project_moments(f, m, project);
  d2q37_relax(m, omega, kick, warm);
#pragma unroll
  for (int i = 0; i < 37; ++i) {
    f[i] = expand[D2Q37_M * i + 14] * m[14];
#pragma unroll
    for (int k = 13; k >= 0; --k)
      f[i] += expand[D2Q37_M * i + k] * m[k];
  }
}

/* H_n of collide.h at c cells per step. */
LBM_FUNCTION real hermite(int n, real c) {
  const real s = (real)D2Q37_S;
  return n == 0   ? (real)1
         : n == 1 ? c
         : n == 2 ? c * c - s
         : n == 3 ? c * (c * c - (real)3 * s)
                  : c * c * (c * c - (real)6 * s) + (real)3 * s * s;
}

/* Degrees of the moments, in the order of collide.h, and 1 / (a! b! s^(a + b)). */
LBM_TABLE degree_x[D2Q37_M] = {0, 1, 0, 2, 1, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0};
LBM_TABLE degree_y[D2Q37_M] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4};
LBM_FUNCTION real per_norm(int k) {
  const int a = degree_x[k], b = degree_y[k], sum = a + b;
  const real s = (real)D2Q37_S;
  const real power = sum == 0 ? (real)1 : sum == 1 ? s : sum == 2 ? s * s : sum == 3 ? s * s * s : s * s * s * s;
  const real factorials = (a < 2    ? (real)1
                           : a == 2 ? (real)2
                           : a == 3 ? (real)6
                                    : (real)24) *
                          (b < 2    ? (real)1
                           : b == 2 ? (real)2
                           : b == 3 ? (real)6
                                    : (real)24);
  return (real)1 / (power * factorials);
}

/* Like collide_projected(), but the coefficients are constants in the unrolled loops. */
LBM_FUNCTION void collide_unrolled(real* f, real omega, real kick, real warm) {
  real m[D2Q37_M];
#pragma unroll
  for (int k = 0; k < D2Q37_M; ++k) {
    m[k] = 0;
#pragma unroll
    for (int i = 36; i >= 0; --i)
      m[k] += hermite(degree_x[k], d2q37_cx[i]) * hermite(degree_y[k], d2q37_cy[i]) * f[i];
  }
  d2q37_relax(m, omega, kick, warm);
#pragma unroll
  for (int i = 0; i < 37; ++i) {
    f[i] = 0;
#pragma unroll
    for (int k = 14; k >= 0; --k)
      f[i] +=
          (real)D2Q37_WEIGHT(i) * hermite(degree_x[k], d2q37_cx[i]) * hermite(degree_y[k], d2q37_cy[i]) * per_norm(k) * m[k];
  }
}
