// Idea:    the starting point (V1): stream, bc and collide are separate kernels
// Layout:  structure of arrays, f[37][y][x], two copies of the lattice; a reaction adds gas[3][y][x]
// Traffic: stream and collide each read and write 37 values; so does bc for the six rows at the walls; a reaction reads 40 more
//          and writes 3
// Source:  Biferale et al., section 5, Figures 5 and 6, code version V1
// Bound:   the double-precision pipe in collide, 1,110 multiply-adds per update; memory bandwidth in stream

/* Streams from f to g; the lattice is periodic. */
kernel work_group void stream(global const real* restrict f, global real* restrict g, int nx, int ny, int pitch, int bottom,
                              ulong slot) {
  const Grid grid = {nx, ny, pitch, bottom, slot};
  const int x = get_global_id(0), n = get_global_id(1);
  if (x >= nx || n >= ny) return;
  real s[37];
  stream_in(s, f, x, n, grid);
  store_cell(s, g, x, n, grid);
}

/* Sets the six rows at the walls in g, given f before streaming. */
kernel work_group void bc(global const real* restrict f, global real* restrict g, int nx, int ny, int pitch, int bottom,
                          ulong slot, real wall_speed, real theta_bottom, real theta_top) {
  const Grid grid = {nx, ny, pitch, bottom, slot};
  const int x = get_global_id(0), wall_row = get_global_id(1);
  if (x >= nx || wall_row >= 6) return;
  real s[37];
  stream_at_wall(s, f, x, wall_row, grid, wall_speed, theta_bottom, theta_top);
  store_cell(s, g, x, row_at_wall(wall_row, ny), grid);
}

/* Collides the populations of g and writes them to f. `is_walled`: there are walls, whose rows do not burn. burn_rate: 1 /
 * tau_R, or 0 without a reaction. per_heat: the increase in `warm` per unit of heat per step. */
kernel work_group void collide(global const real* restrict g, global real* restrict f, global const real* restrict gas,
                               constant const real* project, constant const real* expand, int nx, int ny, int pitch, int bottom,
                               ulong slot, real omega, real kick, real warm, int is_walled, real t_bottom, real t_top,
                               real burn_rate, int compensated, real per_heat) {
  const Grid grid = {nx, ny, pitch, bottom, slot};
  const int x = get_global_id(0), n = get_global_id(1);
  if (x >= nx || n >= ny) return;
  const int cell = cell_at(x, n, grid);
  real s[37];
#pragma unroll
  for (int i = 0; i < 37; ++i)
    s[i] = g[i * slot + cell];
  const bool burns = burn_rate > 0 && (is_walled == 0 || (n >= 3 && n < ny - 3));
  const real added = burns ? per_heat * heat(gas, x, n, grid, t_bottom, t_top, burn_rate, compensated) : 0;
  collide_projected(s, project, expand, omega, kick, warm + added);
  store_cell(s, f, x, n, grid);
}
