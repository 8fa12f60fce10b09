// Idea:    rows padded to whole cache lines, so that every row starts on one whatever the grid's width; an update, a function
// Layout:  structure of arrays with padded rows, f[9][y][pitch], two lattices; speeds[step][group] not yet added up
// Traffic: every population read once and written once: 9 numbers and a flag read, 9 numbers written
// Source:  Waugh, section X (data aligned to cache lines); NVIDIA OpenCL Best Practices Guide, coalesced access
// Bound:   memory bandwidth on a GPU; on a CPU gathers, for wrapped neighbours are no vectors in memory

/* Loops over directions are unrolled and functions that read the lattice inlined early: otherwise a CPU's compiler makes no
 * vectors of work-items, and keeps no site in registers. */

/* The western neighbour of cell x of a row, that of cell 0 being the last. */
__attribute__((always_inline)) real from_west(global const real* row, int x, int nx) { return row[x > 0 ? x - 1 : nx - 1]; }

/* The eastern neighbour of cell x of a row, that of the last being cell 0. */
__attribute__((always_inline)) real from_east(global const real* row, int x, int nx) { return row[x < nx - 1 ? x + 1 : 0]; }

/* Drives the cell where it is not solid, as d2q9_accelerate does. */
void drive(real* s, int solid, real w1, real w2) {
  const int go = solid == 0 && s[3] - w1 > 0 && s[6] - w2 > 0 && s[7] - w2 > 0;
  const real along = go ? w1 : 0;
  const real aslant = go ? w2 : 0;
  s[1] += along;
  s[3] -= along;
  s[5] += aslant;
  s[6] -= aslant;
  s[7] -= aslant;
  s[8] += aslant;
}

/* Where population i of cell (x, y) lies. */
size_t at(int i, int x, int y, int ny, int pitch) { return ((size_t)i * ny + y) * pitch + x; }

/* Drives the row ny - 2, for the work-groups of the first row. */
kernel __attribute__((reqd_work_group_size(wx, wy, 1))) void accelerate(global real* f, global const uchar* solid, int nx,
                                                                        int ny, int pitch, real w1, real w2) {
  const int y = ny - 2;
  const int x = get_global_id(0);
  if (x >= nx || get_global_id(1) > 0) return;
  real s[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    s[i] = f[at(i, x, y, ny, pitch)];
  drive(s, solid[at(0, x, y, ny, pitch)], w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    f[at(i, x, y, ny, pitch)] = s[i];
}

/* Advances the cell x of row y from f to g and returns its |u|, 0 where solid. The row `driven` is driven for the
 * step to come. */
__attribute__((always_inline)) real update(global const real* f, global real* g, int x, int y, int driven,
                                           global const uchar* solid, int nx, int ny, int pitch, real omega, real w1, real w2) {
  const int south = y > 0 ? y - 1 : ny - 1;
  const int north = y < ny - 1 ? y + 1 : 0;
  real s[9];
  s[0] = f[at(0, x, y, ny, pitch)];
  s[1] = from_west(f + at(1, 0, y, ny, pitch), x, nx);
  s[2] = f[at(2, x, south, ny, pitch)];
  s[3] = from_east(f + at(3, 0, y, ny, pitch), x, nx);
  s[4] = f[at(4, x, north, ny, pitch)];
  s[5] = from_west(f + at(5, 0, south, ny, pitch), x, nx);
  s[6] = from_east(f + at(6, 0, south, ny, pitch), x, nx);
  s[7] = from_east(f + at(7, 0, north, ny, pitch), x, nx);
  s[8] = from_west(f + at(8, 0, north, ny, pitch), x, nx);

  const int wall = solid[at(0, x, y, ny, pitch)];
  const real rebounded[9] = {s[0], s[3], s[4], s[1], s[2], s[7], s[8], s[5], s[6]};
  const real u2 = d2q9_collide(s, omega);
  if (y == driven) drive(s, wall, w1, w2);
#pragma unroll
  for (int i = 0; i < 9; ++i)
    g[at(i, x, y, ny, pitch)] = wall == 0 ? s[i] : rebounded[i];
  return wall == 0 ? sqrt(u2) : 0;
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
                                                                      int nx, int ny, int pitch, real omega, real w1, real w2) {
  local real sums[wx * wy];
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  real speed = 0;
  if (x < nx && y < ny) speed = update(f, g, x, y, driven, solid, nx, ny, pitch, omega, w1, w2);
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
