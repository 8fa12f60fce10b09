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
