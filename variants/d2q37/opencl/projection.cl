/* The collision as a plain projection: each of 15 moments is a sum over 37 populations, each population a sum over 15 moments.
 * The host computes the coefficients project[15][37] and expand[37][15], for moments as in collide.h. */

/* m = the moments of the populations f. */
LBM_FUNCTION void project_moments(const real* f, real* m, constant const real* project) {
#pragma unroll
  for (int k = 0; k < D2Q37_M; ++k) {
    m[k] = project[37 * k + 36] * f[36];
#pragma unroll
    for (int i = 35; i >= 0; --i)
      m[k] += project[37 * k + i] * f[i];
  }
}

/* Projects and relaxes the populations f, with the arguments of d2q37_collide(). */
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
