// Idea:    every loop is a kernel: the lattice stays on the device, which sends back one sum of speeds a work-group
// Layout:  array of structures, f[y][x][9], two lattices
// Traffic: propagate and collide each read and write 9 numbers an update, the average speed reads them again; rebound,
//          collide and average read one flag each: 27 numbers and 3 bytes read, 18 numbers written
// Source:  Waugh, section II and Table I, row "Kernels and Reductions"
// Bound:   memory bandwidth, badly used: neighbouring work-items are 36 bytes apart; launches of small grids

/* Loops over directions are unrolled: one left inside a work-item keeps a CPU's compiler from making vectors of work-items. */

/* Where population i of cell (x, y) lies. */
size_t at(int i, int x, int y, int nx, int ny) { return 9 * ((size_t)y * nx + x) + i; }

/* Drives the row ny - 2, for the work-groups of the first row. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void accelerate(global real* f, global const uchar* solid, int nx,
                                                                        int ny, real w1, real w2) {
  const int y = ny - 2;
  const int x = get_global_id(0);
  if (x >= nx || get_global_id(1) > 0) return;
  if (solid[(size_t)y * nx + x]) return;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, nx, ny)];
  d2q9_accelerate(s, w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, nx, ny)] = s[i];
}

/* g = f moved by one cell, each population in its direction; both grids wrap around. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void propagate(global const real* f, global real* g, int nx, int ny) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny) return;
  const int west = x > 0 ? x - 1 : nx - 1;
  const int east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1;
  const int north = y < ny - 1 ? y + 1 : 0;
  g[at(0, x, y, nx, ny)] = f[at(0, x, y, nx, ny)];
  g[at(1, x, y, nx, ny)] = f[at(1, west, y, nx, ny)];
  g[at(2, x, y, nx, ny)] = f[at(2, x, south, nx, ny)];
  g[at(3, x, y, nx, ny)] = f[at(3, east, y, nx, ny)];
  g[at(4, x, y, nx, ny)] = f[at(4, x, north, nx, ny)];
  g[at(5, x, y, nx, ny)] = f[at(5, west, south, nx, ny)];
  g[at(6, x, y, nx, ny)] = f[at(6, east, south, nx, ny)];
  g[at(7, x, y, nx, ny)] = f[at(7, east, north, nx, ny)];
  g[at(8, x, y, nx, ny)] = f[at(8, west, north, nx, ny)];
}

/* Solid cells: f = g with every direction turned round. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void rebound(global const real* g, global real* f,
                                                                     global const uchar* solid, int nx, int ny) {
  const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny) return;
  if (!solid[(size_t)y * nx + x]) return;
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, nx, ny)] = g[at(opposite[i], x, y, nx, ny)];
}

/* Fluid cells: f = g relaxed. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void collide(global const real* g, global real* f,
                                                                     global const uchar* solid, int nx, int ny, real omega) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= nx || y >= ny) return;
  if (solid[(size_t)y * nx + x]) return;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = g[at(i, x, y, nx, ny)];
  d2q9_collide(s, omega);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, nx, ny)] = s[i];
}

/* Sum of `value` over the work-group, for its first work-item: a tree in local memory, halved at each barrier. */
real group_sum(local real* sums, real value) {
  const int item = get_local_id(1) * wx + get_local_id(0);
  sums[item] = value;
  for (int half_size = wx * wy / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) sums[item] += sums[item + half_size];
  }
  return sums[item];
}

/* speeds[group] = sum of |u| over the fluid cells of a work-group. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void average(global const real* f, global real* speeds,
                                                                     global const uchar* solid, int nx, int ny) {
  local real sums[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny && !solid[(size_t)y * nx + x]) {
    real s[9];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = f[at(i, x, y, nx, ny)];
    real density = s[0];
#pragma unroll
    for (int i = 1; i < 9; ++i)
      density += s[i];
    const real mx = s[1] + s[5] + s[8] - (s[3] + s[6] + s[7]);
    const real my = s[2] + s[5] + s[6] - (s[4] + s[7] + s[8]);
    speed = sqrt(mx * mx + my * my) / density;
  }
  const real sum = group_sum(sums, speed);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) speeds[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum;
}
