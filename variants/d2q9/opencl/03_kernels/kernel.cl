// Idea:    every loop is a kernel: the lattice stays on the device, which sends back only one sum of speeds per work-group
// Layout:  array of structures, f[y][x][9], two copies of the lattice
// Traffic: propagate and collide each read and write 9 values per update, the average speed reads them again; rebound, collide
//          and average each read one flag: 27 values and 3 bytes read, 18 values written
// Source:  Waugh, section II and Table I, row "Kernels and Reductions"
// Bound:   memory bandwidth, poorly used: neighbouring work-items access memory 36 bytes apart; launches on small grids

/* Loops over directions are unrolled: a loop inside a work-item prevents a CPU compiler from vectorizing across work-items. */

/* Returns the index of population i of cell (x, y). */
size_t at(int i, int x, int y, int nx, int ny) { return 9 * ((size_t)y * nx + x) + i; }

/* g = f with each population moved by one cell in its direction; both axes wrap around. */
kernel work_group void propagate(global const real* f, global real* g, int nx, int ny) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny) return;
  real s[9];
  pull(s, f, x, y, nx, ny);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, nx, ny)] = s[i];
}

/* Solid cells: f = g with every direction reversed. */
kernel work_group void rebound(global const real* g, global real* f, global const uchar* solid, int nx, int ny) {
  const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny || !solid[(size_t)y * nx + x]) return;
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, nx, ny)] = g[at(opposite[i], x, y, nx, ny)];
}

/* Fluid cells: f = g after relaxation. */
kernel work_group void collide(global const real* g, global real* f, global const uchar* solid, int nx, int ny, real omega) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny || solid[(size_t)y * nx + x]) return;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = g[at(i, x, y, nx, ny)];
  d2q9_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, nx, ny)] = s[i];
}

/* speeds[group] = sum of |u| over the fluid cells of a work-group. */
kernel work_group void average(global const real* f, global real* speeds, global const uchar* solid, int nx, int ny) {
  local real parts[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny && !solid[(size_t)y * nx + x]) {
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = f[at(i, x, y, nx, ny)];
    const real density = 1 + s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7] + s[8];
    const real mx = s[1] + s[5] + s[8] - (s[3] + s[6] + s[7]);
    const real my = s[2] + s[5] + s[6] - (s[4] + s[7] + s[8]);
    speed = sqrt(mx * mx + my * my) / density;
  }
  const real sum = group_sum(parts, speed);
  if (is_first_item()) speeds[group_number()] = sum;
}
