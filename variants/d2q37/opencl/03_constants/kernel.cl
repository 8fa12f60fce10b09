// Idea:    constants: the coefficients of the projection are in the code, so no kernel loads them
// Layout:  structure of arrays, f[37][y][x], two copies of the lattice
// Traffic: every population read once and written once: 37 values read, 37 written
// Source:  Calore et al., section 5: coefficients and unrolled loops
// Bound:   the double-precision pipe: 1,110 multiply-adds per update

/* Advances the rows at the walls by one step. */
kernel work_group void wall_rows(global const real* restrict f, global real* restrict g, int nx, int ny, int pitch, int bottom,
                                 ulong slot, real omega, real kick, real warm, real wall_speed, real theta_bottom,
                                 real theta_top) {
  const Grid grid = {nx, ny, pitch, bottom, slot};
  const int x = get_global_id(0), wall_row = get_global_id(1);
  if (x >= nx || wall_row >= 6) return;
  real s[37];
  stream_at_wall(s, f, x, wall_row, grid, wall_speed, theta_bottom, theta_top);
  collide_unrolled(s, omega, kick, warm);
  store_cell(s, g, x, row_at_wall(wall_row, ny), grid);
}

/* Advances `rows` rows, starting at row `first`, by one step. */
kernel work_group void inner_rows(global const real* restrict f, global real* restrict g, int first, int rows, int nx, int ny,
                                  int pitch, int bottom, ulong slot, real omega, real kick, real warm) {
  const Grid grid = {nx, ny, pitch, bottom, slot};
  const int x = get_global_id(0), row = get_global_id(1);
  if (x >= nx || row >= rows) return;
  real s[37];
  stream_in(s, f, x, first + row, grid);
  collide_unrolled(s, omega, kick, warm);
  store_cell(s, g, x, first + row, grid);
}
