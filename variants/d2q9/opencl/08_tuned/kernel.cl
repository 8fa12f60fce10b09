// Idea:    the work-group's shape as a tunable: long in x, so that its work-items share cache lines
// Layout:  structure of arrays, f[9][y][x], two lattices; speeds[step][group] of the steps not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Waugh, section VII, Fig. 3 and Table I, row "Optimized Work Size"
// Bound:   memory bandwidth; launches of small grids

/* Loops over directions are unrolled: one left inside a work-item keeps a CPU's compiler from making vectors of work-items. */

/* Where population i of cell (x, y) lies. */
size_t at(int i, int x, int y, int nx, int ny) { return ((size_t)i * ny + y) * nx + x; }

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

/* Advances f to g; speeds[first + group] = sum of |u| over the fluid cells of a work-group. The row `driven` (-1: none) is
 * driven for the step to come. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void timestep(global const real* f, global real* g, global real* speeds,
                                                                      ulong first, int driven, global const uchar* solid,
                                                                      int nx, int ny, real omega, real w1, real w2) {
  local real sums[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny) {
    const int west = x > 0 ? x - 1 : nx - 1;
    const int east = x < nx - 1 ? x + 1 : 0;
    const int south = y > 0 ? y - 1 : ny - 1;
    const int north = y < ny - 1 ? y + 1 : 0;
    real s[9];
    s[0] = f[at(0, x, y, nx, ny)];
    s[1] = f[at(1, west, y, nx, ny)];
    s[2] = f[at(2, x, south, nx, ny)];
    s[3] = f[at(3, east, y, nx, ny)];
    s[4] = f[at(4, x, north, nx, ny)];
    s[5] = f[at(5, west, south, nx, ny)];
    s[6] = f[at(6, east, south, nx, ny)];
    s[7] = f[at(7, east, north, nx, ny)];
    s[8] = f[at(8, west, north, nx, ny)];

    const bool fluid = !solid[(size_t)y * nx + x];
    const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
    const real u2 = d2q9_collide(s, omega);
    speed = fluid ? sqrt(u2) : 0;
    const bool drive = y == driven && fluid && s[3] - w1 > 0 && s[6] - w2 > 0 && s[7] - w2 > 0;
    const real along[9] = {0, w1, 0, -w1, 0, w2, -w2, -w2, w2};
#pragma unroll
    for (int i = 0; i < 9; ++i)
      s[i] = fluid ? s[i] + (drive ? along[i] : 0) : rebounded[i];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      g[at(i, x, y, nx, ny)] = s[i];
  }
  const real sum = group_sum(sums, speed);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) speeds[first + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum;
}

/* totals[step] = sum of speeds[step][0..groups), one work-group a step. Each work-item adds up with compensation (Kahan), so
 * that large grids lose no terms, and 32 numbers at a time, whose loads do not wait for each other. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void reduce(global const real* speeds, global real* totals,
                                                                    ulong groups) {
  local real sums[wx * wy];
  const size_t step = get_group_id(1);
  real total = 0;
  real lost = 0;
  for (size_t begin = get_local_id(1) * wx + get_local_id(0); begin < groups; begin += 32 * wx * wy) {
    real term = 0;
#pragma unroll
    for (size_t k = 0; k < 32; ++k)
      term += begin + k * wx * wy < groups ? speeds[step * groups + begin + k * wx * wy] : 0;
    term -= lost;
    const real sum = total + term;
    lost = (sum - total) - term;
    total = sum;
  }
  const real sum = group_sum(sums, total);
  if (get_local_id(0) == 0 && get_local_id(1) == 0) totals[step] = sum;
}
