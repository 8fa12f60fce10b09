/* Computes gas[3]: the velocity of each cell of g in cells per step, and its temperature above s (collide.h). */
kernel work_group void find_gas(global const real* restrict g, global real* restrict gas, constant const real* project, int nx,
                                int ny, int pitch, int bottom, ulong slot) {
  const Grid grid = {nx, ny, pitch, bottom, slot};
  const int x = get_global_id(0), n = get_global_id(1);
  if (x >= nx || n >= ny) return;
  const int cell = cell_at(x, n, grid);
  real s[37], m[D2Q37_M], rho, u, v, theta;
#pragma unroll
  for (int i = 0; i < 37; ++i)
    s[i] = g[i * slot + cell];
  project_moments(s, m, project);
  d2q37_macroscopic(m, &rho, &u, &v, &theta);
  gas[cell] = u;
  gas[slot + cell] = v;
  gas[2 * slot + cell] = theta;
}

/* Heat of the reaction per step, as a temperature, in the cell at column x and row n; see Case::heat(). */
LBM_FUNCTION real heat(global const real* restrict gas, int x, int n, Grid grid, real t_bottom, real t_top, real burn_rate,
                       int compensated) {
  const global real* const u = gas;
  const global real* const v = gas + grid.slot;
  const real divergence = (real)0.5 * (u[cell_at(x + 1, n, grid)] - u[cell_at(x - 1, n, grid)] + v[cell_at(x, n + 1, grid)] -
                                       v[cell_at(x, n - 1, grid)]);
  const real t = (real)1 + (real)(1 / D2Q37_S) * gas[2 * grid.slot + cell_at(x, n, grid)];
  const real progress = clamp((t - t_top) / (t_bottom - t_top), (real)0, (real)1);
  const real burned = (t_bottom - t_top) * progress * ((real)1 - progress) * burn_rate;
  return compensated != 0 ? burned + t * divergence : (real)2 * burned;
}
