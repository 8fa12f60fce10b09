// Idea:    masks instead of branches: each cell computes both rebound and collision and selects one
// Layout:  structure of arrays, f[9][y][x], two copies of the lattice
// Traffic: every population is read once and written once: 9 values and a flag read, 9 values written
// Source:  Waugh, section V and Table I, row "Branch Divergence"
// Bound:   memory bandwidth; waiting for the host to add up the sums after each step

/* Loops over directions are unrolled: a loop inside a work-item prevents a CPU compiler from vectorizing across work-items. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int nx, int ny) { return ((size_t)i * ny + y) * nx + x; }

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
    const bool fluid = !solid[(size_t)y * nx + x];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, omega);
    speed = fluid ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && d2q9_can_drive(s, w1, w2);
    const real along[9] = {0, w1, 0, -w1, 0, w2, -w2, -w2, w2};
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      g[at(i, x, y, nx, ny)] = s[i];
  }
  const real sum = group_sum(parts, speed);
  if (is_first_item()) speeds[group_number()] = sum;
}
