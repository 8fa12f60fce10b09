// Idea:    one kernel per step: it pulls, rebounds or collides, adds up speeds and accelerates the driven row for the next one
// Layout:  array of structures, f[y][x][9], two copies of the lattice
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Waugh, section III and Table I, row "Kernel Fusion"
// Bound:   memory bandwidth, poorly used: neighbouring work-items access memory 36 bytes apart; launches on small grids

/* Loops over directions are unrolled: a loop inside a work-item prevents a CPU compiler from vectorizing across work-items. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int nx, int ny) { return 9 * ((size_t)y * nx + x) + i; }

/* Advances f to g; speeds[group] = sum of |u| over the fluid cells of a work-group. The row `driven` (-1 for none) is
 * accelerated for the next step. */
kernel work_group void timestep(global const real* f, global real* g, global real* speeds, int driven,
                                global const uchar* solid, int nx, int ny, real omega, real w1, real w2) {
  local real parts[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny) {
    real s[9];
    pull(s, f, x, y, nx, ny);
    if (solid[(size_t)y * nx + x]) {
      const real t[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
#pragma unroll
      for (int i = 0; i < 9; ++i)
        s[i] = t[i];
    } else {
      speed = sqrt(d2q9_collide(s, omega));
      if (y == driven) d2q9_accelerate(s, w1, w2);
    }
#pragma unroll
    for (int i = 0; i < 9; ++i)
      g[at(i, x, y, nx, ny)] = s[i];
  }
  const real sum = group_sum(parts, speed);
  if (is_first_item()) speeds[group_number()] = sum;
}
